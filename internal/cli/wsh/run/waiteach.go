package run

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// waitEach waits for several sessions at the same time, and prints what has become of each.
func (c Wait) waitEach(ctx context.Context, e caller.Env, r *caller.Remote) error {
	list, err := c.each(ctx, r)
	if err != nil {
		return err
	}
	all(list, func(o *outcome) { c.waitFor(ctx, r, o) })
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return cmp.Or(printOutcomes(e, list, c.JSON), statusOf(list))
}

// each returns the sessions to wait for.
func (c Wait) each(ctx context.Context, r *caller.Remote) (list []*outcome, err error) {
	for _, name := range slices.Compact(slices.Sorted(slices.Values(c.Sessions))) {
		list = append(list, &outcome{name: string(name)})
	}
	if list != nil {
		return list, nil
	}
	all, err := caller.SessionsOf(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if s.Running && c.All || (s.Running || c.Exit) && caller.SharesTag(s, c.Tags) { // one that has ended may have failed
			list = append(list, &outcome{name: s.Name})
		}
	}
	if list == nil {
		return nil, fault.New(fault.NotFound, "no such session runs: \"wsh list\" lists the sessions and their tags")
	}
	return list, nil
}

func (c Wait) waitFor(ctx context.Context, r *caller.Remote, o *outcome) {
	began := time.Now()
	s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, caller.Target(caller.SessionName(o.name)))
	if err != nil {
		o.Session = o.name
		if fault.KindOf(err) == fault.Unreachable {
			o.lost(ctx, r, err)
		} else {
			o.fail("failed", err)
		}
		return
	}
	o.Session = s.Name
	session := caller.NewTracked(r, s)
	raw, err := c.wait(ctx, session)
	o.DurationMS = time.Since(began).Milliseconds()
	switch {
	case fault.KindOf(err) == fault.Timeout && fault.DetailOf(err) != terminals.HostSilent:
		o.fail(late, err)
		o.late = true
	case fault.KindOf(err) == fault.Unreachable || fault.DetailOf(err) == terminals.HostSilent:
		o.lost(ctx, r, err)
	case err != nil:
		o.fail("failed", err)
	default:
		o.reached(ctx, c, session, raw)
	}
}

// reached takes note of an answer.
func (o *outcome) reached(ctx context.Context, c Wait, session *caller.Tracked, raw json.RawMessage) {
	var a answer
	if err := json.Unmarshal(raw, &a); err != nil {
		o.fail("failed", err)
		return
	}
	o.Outcome, o.LastLine = c.outcome(a), a.Line
	if c.Exit {
		o.ended(a.Exit)
	}
	if c.Text == "" && c.Pattern == "" {
		o.LastLine = lastLine(ctx, session)
	}
}
