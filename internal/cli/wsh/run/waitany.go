package run

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// lookPause is the time between two looks for sessions that have been created.
const lookPause = time.Second

// waitAny waits until one of the sessions with the tags, or of all, needs a person. It returns the
// server's answer, with the name of the session as "session".
func (c Wait) waitAny(ctx context.Context, r *caller.Remote) (json.RawMessage, error) {
	var late <-chan time.Time
	if c.Timeout.Duration > 0 {
		late = time.After(c.Timeout.Duration)
	}
	each := c
	each.Timeout = caller.Duration{} // the limit is for all together
	type result struct {
		of  *caller.Tracked
		raw json.RawMessage
		err error
	}
	results := make(chan result)
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var waiting []*caller.Tracked
	lost := map[string]error{} // of sessions on other servers, until those are back
	for first := true; ; first = false {
		list, err := terminals.ListSessions.Do(ctx, r, terminals.Everything, terminals.SessionFilter{})
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			t := caller.NewTracked(r, s)
			if s.LastKnownMS == nil {
				delete(lost, t.ID)
			}
			known := slices.ContainsFunc(waiting, func(other *caller.Tracked) bool { return other.ID == t.ID })
			if known || !s.Running || s.LastKnownMS != nil || !c.All && !caller.SharesTag(s, c.Tags) {
				continue
			}
			waiting = append(waiting, t)
			running.Go(func() {
				raw, err := each.wait(ctx, t)
				select {
				case results <- result{t, raw, err}:
				case <-ctx.Done():
				}
			})
		}
		switch {
		case len(waiting) > 0:
		case first:
			return nil, fault.New(fault.NotFound, "no such session runs: \"wsh list\" lists the sessions and their tags")
		default:
			for _, id := range slices.Sorted(maps.Keys(lost)) {
				return nil, lost[id]
			}
			return nil, fault.New(fault.Gone, "all of the sessions have ended")
		}
		select {
		case got := <-results:
			if got.err == nil {
				return caller.WithMember(got.raw, "session", got.of.Present(ctx)), nil
			}
			if got.of.IsCut(ctx, got.err) {
				lost[got.of.ID] = got.err
			} else if kind := fault.KindOf(got.err); kind != fault.Gone && kind != fault.NotFound {
				return nil, got.err
			}
			waiting = slices.DeleteFunc(waiting, func(t *caller.Tracked) bool { return t == got.of })
		case <-time.After(lookPause):
		case <-late:
			return nil, fault.New(fault.Timeout, "none of the sessions needed a person within %s", c.Timeout.Duration)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
