package wsh

import (
	"context"
	"slices"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

// A tracked session stays the same from call to call, even if it is renamed and another session
// gets its old name. It is not safe for concurrent use; copies are independent.
type tracked struct {
	server *remote
	name   string // the present one, as far as is known
	// pid and command identify the session; pid is 0 if the session was not found at first.
	pid     int
	command string
	poll    time.Duration // how long the server waits in one call
}

// track finds a session. If it cannot be found, the first call with its name says so.
func track(ctx context.Context, r *remote, name sessionName) *tracked {
	s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, target(name))
	if err != nil {
		return &tracked{server: r, name: string(name), poll: term.MaxWait}
	}
	return newTracked(r, s)
}

func newTracked(r *remote, s wire.Session) *tracked {
	return &tracked{server: r, name: s.Name, pid: s.PID, command: s.Command, poll: term.MaxWait}
}

func (t *tracked) target() terminals.Target { return terminals.Target{Session: t.name} }

// is reports whether a session is this one.
func (t *tracked) is(s wire.Session) bool { return s.PID == t.pid && s.Command == t.command }

// refresh finds out the present name. If the session was removed, the error is of kind NotFound.
func (t *tracked) refresh(ctx context.Context) error {
	if t.pid == 0 {
		return nil
	}
	s, err := terminals.GetSession.Do(ctx, t.server, terminals.Everything, t.target())
	switch {
	case err == nil && t.is(s):
		return nil
	case err != nil && fault.KindOf(err) != fault.NotFound:
		return err
	}
	list, err := terminals.ListSessions.Do(ctx, t.server, terminals.Everything, terminals.SessionFilter{})
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, t.is)
	if i < 0 {
		return fault.New(fault.NotFound, "the session %q was removed", t.name)
	}
	t.name = list[i].Name
	return nil
}

// do calls f with the session's present name, and again if the session was renamed just before.
func (t *tracked) do(ctx context.Context, f func(terminals.Target) error) error {
	for {
		if err := t.refresh(ctx); err != nil {
			return err
		}
		err := f(t.target())
		if fault.KindOf(err) != fault.NotFound {
			return err
		}
		before := t.name
		if t.refresh(ctx) != nil || t.name == before {
			return err
		}
	}
}

// await calls f, which waits for at most the given time, until something else than the end of that
// time ends the waiting. The limit is for all calls together; 0 is no limit.
func (t *tracked) await(ctx context.Context, limit time.Duration, f func(terminals.Target, terminals.Deadline) error) error {
	for start := time.Now(); ; {
		most := t.poll
		if limit > 0 {
			most = min(most, limit-time.Since(start))
		}
		ms := uint64(max(most.Milliseconds(), 1))
		err := t.do(ctx, func(to terminals.Target) error { return f(to, terminals.Deadline{MaxWaitMS: &ms}) })
		if fault.KindOf(err) != fault.Timeout || limit > 0 && time.Since(start) >= limit {
			return err
		}
	}
}

// awaitExit waits until the program has ended.
func (t *tracked) awaitExit(ctx context.Context) (exit wire.Exit, err error) {
	err = t.await(ctx, 0, func(to terminals.Target, most terminals.Deadline) error {
		exit, err = terminals.AwaitExit.Do(ctx, t.server, terminals.Everything, terminals.ExitQuery{Target: to, Deadline: most})
		return err
	})
	return exit, err
}
