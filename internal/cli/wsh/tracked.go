package wsh

import (
	"cmp"
	"context"
	"errors"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/client"
)

// A tracked session stays the same from call to call, even if it is renamed and another session
// gets its name. It is safe for concurrent use.
type tracked struct {
	server *remote
	id     string        // by which the server knows the session, or, if that does not know it, its name
	name   string        // the one that it had at first, for messages
	poll   time.Duration // how long the server waits in one call
	// note tells the person what happens to the connection to the session's server; nil: nothing.
	note func(format string, args ...any)
}

// track finds a session. If it cannot be found, the first call says so.
func track(ctx context.Context, r *remote, name sessionName) *tracked {
	s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, target(name))
	if err != nil {
		return byName(r, name)
	}
	return newTracked(r, s)
}

// byName returns a session that is not followed: each call goes to the one that has the name.
func byName(r *remote, name sessionName) *tracked {
	return &tracked{server: r, id: string(name), name: string(name), poll: term.MaxWait}
}

// newTracked returns a session to stay with. A server that was started before sessions had IDs
// sends none.
func newTracked(r *remote, s wire.Session) *tracked {
	return &tracked{server: r, id: cmp.Or(s.ID, s.Name), name: s.Name, poll: term.MaxWait}
}

func (t *tracked) target() terminals.Target { return terminals.Target{Session: t.id} }

// present returns the session's present name, or, if it was removed, the one that it had at first.
func (t *tracked) present(ctx context.Context) string {
	s, err := terminals.GetSession.Do(ctx, t.server, terminals.Everything, t.target())
	if err != nil {
		return t.name
	}
	return s.Name
}

// removed returns the error of a call: if that failed because the session was removed, or because
// the server is gone, an error that says so with the session's name. The latter has the detail
// [noServer].
func (t *tracked) removed(ctx context.Context, err error) error {
	switch kind := fault.KindOf(err); {
	case t.isCut(ctx, err):
		return err
	case kind == fault.NotFound && t.id != t.name:
	case kind == fault.Gone: // or the program has ended
	case fault.DetailOf(err) == noServer:
	default:
		return err
	}
	switch _, now := terminals.GetSession.Do(ctx, t.server, terminals.Everything, t.target()); {
	case fault.DetailOf(now) == noServer || errors.Is(now, client.ErrBroken): // one that dies may still accept connections
		if host := wire.HostOf(t.name); host != "" {
			return fault.With(noServer, fault.New(fault.Gone, "the server here is gone, through which %s was reached: what becomes of the session %q there is not known, and %q waits for it", host, t.name, t.waitAgain()))
		}
		return fault.With(noServer, fault.New(fault.Gone, "the server is gone, and the session %q with it", t.name))
	case fault.KindOf(now) != fault.NotFound || t.isCut(ctx, now):
		return err
	}
	return fault.New(fault.NotFound, "the session %q was removed", t.name)
}

// do calls f with the session.
func (t *tracked) do(ctx context.Context, f func(terminals.Target) error) error {
	return t.removed(ctx, f(t.target()))
}

// await calls f, which waits for at most the given time, until something else than the end of that
// time ends the waiting. The limit is for all calls together; 0 is no limit.
func (t *tracked) await(ctx context.Context, limit time.Duration, f func(terminals.Target, terminals.Deadline) error) error {
	var waited time.Duration // nothing at first, so that the server's error has the limit as it was given
	for start := time.Now(); ; waited = time.Since(start) {
		most := t.poll
		if limit > 0 {
			most = min(most, limit-waited)
		}
		again := false
		err := t.look(ctx, limit-waited, func(to terminals.Target) error {
			if again && limit > 0 {
				most = min(most, limit-time.Since(start))
			}
			again = true
			return f(to, terminals.Deadline{MaxWaitMS: new(uint64(max(most.Milliseconds(), 1)))})
		})
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
