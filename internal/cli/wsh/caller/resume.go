package caller

import (
	"context"
	"fmt"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/wake"
)

const (
	// BackTime is how long the server of a session may be away until a command gives up.
	BackTime = 20 * time.Second
	// BackPause is the pause between two attempts to reach it.
	BackPause = 250 * time.Millisecond
	// maxBreaks is how often in succession a call may break off although the server is back at
	// once: then something else is wrong.
	maxBreaks = 3
)

// Look calls f, which changes nothing, with the session, and again when its server is back after
// the connection to that has broken. A limit above 0 is for the time until it is back, too.
func (t *Tracked) Look(ctx context.Context, limit time.Duration, f func(terminals.Target) error) error {
	start := time.Now()
	for breaks := 1; ; breaks++ {
		began := time.Now()
		err := t.Do(ctx, f)
		if !t.IsCut(ctx, err) {
			return err
		}
		if time.Since(began) > BackTime {
			breaks = 1 // the one before is long ago
		}
		late := time.Now().Add(BackTime)
		if limit > 0 && start.Add(limit).Before(late) {
			late = start.Add(limit)
		}
		if breaks == maxBreaks {
			return t.Lost(err)
		}
		if err := t.awaitBack(ctx, late); err != nil {
			if limit > 0 && time.Since(start) >= limit {
				return fault.With(fault.DetailOf(err), fault.New(fault.Timeout, "%v", err))
			}
			return err
		}
		if limit > 0 && time.Since(start) >= limit {
			return fault.New(fault.Timeout, "%s was away when the time to wait was over", wire.HostOf(t.Name))
		}
	}
}

// IsCut reports whether the error of a call is that the session's other server cannot be reached.
// Once the session was found there, that includes that its server is not known here: it may have
// left the hub for a while, or the server here has just started again and does not list it yet.
func (t *Tracked) IsCut(ctx context.Context, err error) bool {
	if ctx.Err() != nil || wire.HostOf(t.Name) == "" {
		return false
	}
	switch fault.DetailOf(err) {
	case terminals.HostAway, terminals.HostSilent, terminals.HubAway:
		return true
	case terminals.ServerNotFound:
		return t.ID != t.Name
	}
	return false
}

// awaitBack waits until the session's server can be reached again.
func (t *Tracked) awaitBack(ctx context.Context, late time.Time) error {
	host := wire.HostOf(t.Name)
	if t.Note != nil {
		t.Note("the connection to %s has broken: trying again for %v", host, time.Until(late).Round(time.Second))
	}
	for {
		_, err := terminals.GetSession.Do(ctx, t.Server, terminals.Everything, t.Target())
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !t.IsCut(ctx, err): // if it has no such session, the next call says so
			if t.Note != nil {
				t.Note("%s is back", host)
			}
			return nil
		case time.Now().After(late):
			return t.Lost(err)
		}
		_ = wake.After(ctx, BackPause)
	}
}

// Lost is the error that the session's server stays away.
func (t *Tracked) Lost(err error) error {
	return fault.With(terminals.HostSilent, fault.Wrap(fault.Unreachable, err, "the connection to %s is lost, and what becomes of the session %q there is not known; %q waits for it", wire.HostOf(t.Name), t.Name, t.WaitAgain()))
}

// WaitAgain is the command that waits for the end of the session's program.
func (t *Tracked) WaitAgain() string {
	return fmt.Sprintf("wsh wait %s --exit", commandline.Word(t.Name))
}
