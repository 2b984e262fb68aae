package wsh

import (
	"context"
	"sync"
	"time"

	"ui-mcp/internal/term"
)

const (
	// firstSessionTime is how long an ephemeral server waits for its first session.
	firstSessionTime = 30 * time.Second
	// lastSessionTime is how long it stays after its last one: clients that have waited for the end
	// of the program still read its last screen and its exit status, or create another session.
	lastSessionTime = time.Second
)

// A lifetime decides when the server ends. It implements [terminals.Life].
type lifetime struct {
	stopping chan struct{} // closed by Stop
	stop     func()
	changed  chan struct{} // capacity 1; a token means that persistent may have changed

	mu         sync.Mutex // guards persistent
	persistent bool
}

func newLifetime(persistent bool) *lifetime {
	l := &lifetime{stopping: make(chan struct{}), changed: make(chan struct{}, 1), persistent: persistent}
	l.stop = sync.OnceFunc(func() { close(l.stopping) })
	return l
}

// Persistent reports whether the server stays without programs.
func (l *lifetime) Persistent() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.persistent
}

// SetPersistent makes the server stay without programs, or end.
func (l *lifetime) SetPersistent(persistent bool) {
	l.mu.Lock()
	changed := l.persistent != persistent
	l.persistent = persistent
	l.mu.Unlock()
	if !changed {
		return
	}
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// Stop ends the server.
func (l *lifetime) Stop() { l.stop() }

// wait returns why the server ends, when it does. The registry is retired then if the reason is
// that no program runs any more.
func (l *lifetime) wait(ctx context.Context, sessions *term.Registry) (reason string) {
	empty := time.NewTimer(firstSessionTime) // fires when it has been empty for long enough
	defer empty.Stop()
	busy, seen := false, 0
	for {
		running, started, changed := sessions.Programs()
		switch {
		case running > 0:
			busy = true
		case busy || started > seen: // the last one has just ended
			busy = false
			if started > 0 {
				empty.Reset(lastSessionTime)
			} else {
				empty.Reset(firstSessionTime)
			}
		}
		seen = started
		select {
		case <-ctx.Done():
			return "a signal"
		case <-l.stopping:
			return "a client asked for it"
		case <-l.changed:
			empty.Reset(firstSessionTime)
		case <-changed:
		case <-empty.C:
			if !l.Persistent() && sessions.Retire() {
				return "no program runs any more"
			}
		}
	}
}
