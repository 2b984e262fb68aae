package run

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/cli/wsh/display"
	"ui-mcp/internal/cli/wsh/others"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// runAll runs a command on every machine that has the labels, at the same time, and prints what has
// become of it. The status is 0 if it has succeeded on all.
func (c Command) runAll(ctx context.Context, e caller.Env, r *caller.Remote, in terminals.NewSession) error {
	runs, err := c.machines(ctx, r)
	if err != nil {
		return err
	}
	signalled := ctx
	ctx = context.WithoutCancel(ctx) // the commands get the first signal, and the second ends this process
	all(runs, func(o *outcome) {
		if o.Error == "" {
			c.runOn(ctx, signalled, r, in, o)
		}
	})
	runs = slices.DeleteFunc(runs, func(o *outcome) bool { return o.Outcome == "" }) // it has other labels
	if len(runs) == 0 {
		return terminals.UnknownLabels(caller.Texts(c.All))
	}
	return cmp.Or(printOutcomes(e, runs, c.JSON), statusOf(runs))
}

// machines returns the machines that have the labels, as far as this server knows: its own first,
// and then the others by name. Those that cannot be reached have an error.
func (c Command) machines(ctx context.Context, r *caller.Remote) (runs []*outcome, err error) {
	here, _, err := caller.Call(ctx, r, terminals.GetServer, terminals.None{})
	if err != nil {
		return nil, err
	}
	others, err := others.Settled(ctx, r, settleTime)
	if err != nil {
		return nil, err
	}
	fits := func(has []string) bool {
		return !slices.ContainsFunc(c.All, func(l caller.LabelName) bool { return !slices.Contains(has, string(l)) })
	}
	if fits(here.Labels) {
		runs = append(runs, &outcome{Server: here.Hostname, name: here.Hostname + "/" + string(c.Name)})
	}
	for _, s := range others {
		if s.Hostname == "" || s.Labels != nil && !fits(s.Labels) || s.Labels == nil && s.Health != terminals.Healthy {
			continue // or it says itself whether it has the labels
		}
		m := &outcome{Server: s.Hostname, name: s.Hostname + "/" + string(c.Name)}
		if s.Health != terminals.Healthy {
			m.Outcome, m.Error = notRun, "it cannot be reached: "+s.Reason
		}
		runs = append(runs, m)
	}
	return runs, nil
}

// settleTime is how long the first connections to other servers may take. This server may just have
// been started, and knows no labels of theirs yet.
const settleTime = 5 * time.Second

const notRun = "not run"

// runOn runs the command on one machine. There is no outcome if that has other labels.
func (c Command) runOn(ctx, signalled context.Context, r *caller.Remote, in terminals.NewSession, o *outcome) {
	in.Name, in.On, in.Follow = o.name, caller.Texts(c.All), false
	began := time.Now()
	s, err := terminals.CreateSession.Do(ctx, r, terminals.Everything, in)
	switch {
	case fault.DetailOf(err) == terminals.NoHost:
		return
	case err != nil:
		o.fail(notRun, err)
		return
	}
	o.Session, o.Outcome = s.Name, started
	if c.Background {
		return
	}
	session := caller.NewTracked(r, s)
	waiting, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	defer context.AfterFunc(signalled, func() {
		if err := passOn(waiting, session, context.Cause(signalled)); err != nil {
			leave(err)
		}
	})()
	defer passQuits(waiting, session)()
	exit, err := session.AwaitExit(waiting)
	o.DurationMS = time.Since(began).Milliseconds()
	if err != nil {
		o.lost(ctx, r, cmp.Or(context.Cause(waiting), err))
		return
	}
	o.ended(exit)
	o.LastLine = lastLine(ctx, session)
	if !c.keeps() {
		if err := removeUnnamed(ctx, session); session.IsCut(ctx, err) {
			return // how the command ended is known, and the session stays
		} else if err != nil {
			o.Error = err.Error()
			return
		}
		o.Session = "" // it is not there any more
	}
}

// lastLine returns the last line of a session that is not empty, or "" if it cannot be read: how
// the command ended is known all the same.
func lastLine(ctx context.Context, t *caller.Tracked) string {
	var p display.Page[[]string]
	_ = t.Do(ctx, func(to terminals.Target) (err error) {
		p, err = display.ReadPage[[]string](ctx, t.Server, terminals.ScrollbackQuery{Target: to, Formatted: terminals.Formatted{Format: "plain"}, Tail: new(uint64(100))})
		return err
	})
	for _, line := range slices.Backward(p.Lines) {
		if line = strings.TrimRight(line, " "); line != "" {
			return line
		}
	}
	return ""
}
