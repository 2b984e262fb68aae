package caller

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

// A Tracked session stays the same from call to call, even if it is renamed and another session
// gets its name. It is safe for concurrent use.
type Tracked struct {
	Server *Remote
	ID     string        // by which the server knows the session, or, if that does not know it, its name
	Name   string        // the one that it had at first, for messages
	Poll   time.Duration // how long the server waits in one call
	// note tells the person what happens to the connection to the session's server; nil: nothing.
	Note func(format string, args ...any)
}

// Track finds a session. If it cannot be found, the first call says so.
func Track(ctx context.Context, r *Remote, name SessionName) *Tracked {
	s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, Target(name))
	if err != nil {
		return ByName(r, name)
	}
	return NewTracked(r, s)
}

// ByName returns a session that is not followed: each call goes to the one that has the name.
func ByName(r *Remote, name SessionName) *Tracked {
	return &Tracked{Server: r, ID: string(name), Name: string(name), Poll: term.MaxWait}
}

// NewTracked returns a session to stay with. A server that was started before sessions had IDs
// sends none.
func NewTracked(r *Remote, s wire.Session) *Tracked {
	return &Tracked{Server: r, ID: cmp.Or(s.ID, s.Name), Name: s.Name, Poll: term.MaxWait}
}

func (t *Tracked) Target() terminals.Target { return terminals.Target{Session: t.ID} }

// Present returns the session's present name, or, if it was removed, the one that it had at first.
func (t *Tracked) Present(ctx context.Context) string {
	s, err := terminals.GetSession.Do(ctx, t.Server, terminals.Everything, t.Target())
	if err != nil {
		return t.Name
	}
	return s.Name
}

// Removed returns the error of a call: if that failed because the session was removed, or because
// the server is gone, an error that says so with the session's name. The latter has the detail
// [NoServer].
func (t *Tracked) Removed(ctx context.Context, err error) error {
	switch kind := fault.KindOf(err); {
	case t.IsCut(ctx, err):
		return err
	case kind == fault.NotFound && t.ID != t.Name:
	case kind == fault.Gone: // or the program has ended
	case fault.DetailOf(err) == NoServer:
	default:
		return err
	}
	switch _, now := terminals.GetSession.Do(ctx, t.Server, terminals.Everything, t.Target()); {
	case fault.DetailOf(now) == NoServer || errors.Is(now, client.ErrBroken): // one that dies may still accept connections
		if host := wire.HostOf(t.Name); host != "" {
			return fault.With(NoServer, fault.New(fault.Gone, "the server here is gone, through which %s was reached: what becomes of the session %q there is not known, and %q waits for it", host, t.Name, t.WaitAgain()))
		}
		return fault.With(NoServer, fault.New(fault.Gone, "the server is gone, and the session %q with it", t.Name))
	case fault.KindOf(now) != fault.NotFound || t.IsCut(ctx, now):
		return err
	}
	return fault.New(fault.NotFound, "the session %q was removed", t.Name)
}

// Do calls f with the session.
func (t *Tracked) Do(ctx context.Context, f func(terminals.Target) error) error {
	return t.Removed(ctx, f(t.Target()))
}

// Await calls f, which waits for at most the given time, until something else than the end of that
// time ends the waiting. The limit is for all calls together; 0 is no limit.
func (t *Tracked) Await(ctx context.Context, limit time.Duration, f func(terminals.Target, terminals.Deadline) error) error {
	var waited time.Duration // nothing at first, so that the server's error has the limit as it was given
	for start := time.Now(); ; waited = time.Since(start) {
		most := t.Poll
		if limit > 0 {
			most = min(most, limit-waited)
		}
		again := false
		err := t.Look(ctx, limit-waited, func(to terminals.Target) error {
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

// AwaitExit waits until the program has ended.
func (t *Tracked) AwaitExit(ctx context.Context) (exit wire.Exit, err error) {
	err = t.Await(ctx, 0, func(to terminals.Target, most terminals.Deadline) error {
		exit, err = terminals.AwaitExit.Do(ctx, t.Server, terminals.Everything, terminals.ExitQuery{Target: to, Deadline: most})
		return err
	})
	return exit, err
}
