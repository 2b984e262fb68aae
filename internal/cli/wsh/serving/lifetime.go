package serving

import (
	"context"
	"sync"
	"time"

	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

const (
	// firstSessionTime is how long an ephemeral server waits for its first session.
	firstSessionTime = 30 * time.Second
	// lastSessionTime is how long it stays after its last one, and after the last request: clients
	// that have waited for the end of the program still read its last screen and its exit status,
	// or create another session.
	lastSessionTime = time.Second
	// bridgeTime is how long a server that a bridge started waits for a bridge, at the start and
	// after the last one has ended: agents restart theirs.
	bridgeTime = 4 * time.Second
)

// A lifetime decides when the server ends. It implements [terminals.Life].
type lifetime struct {
	stopping chan struct{} // closed by Stop
	stop     func()
	wanted   func()        // called by Stop; may be nil
	others   func() bool   // reports whether other servers are known, which keeps the server; may be nil
	changed  chan struct{} // capacity 1; a token means that one of the fields below may have changed

	mu         sync.Mutex // guards the fields below
	persistent bool
	bridged    bool // the server ends with the last bridge
	bridges    int  // connected ones
	clients    int  // connections of attached terminals
	requests   int  // that others wait for
	ending     bool // the decision has been made
}

// newLifetime returns the lifetime of a server, which stays without programs if it is persistent.
// bridged says that a bridge has started it.
func newLifetime(persistent, bridged bool) *lifetime {
	l := &lifetime{
		stopping: make(chan struct{}), changed: make(chan struct{}, 1),
		persistent: persistent, bridged: bridged && !persistent,
	}
	l.stop = sync.OnceFunc(func() { close(l.stopping) })
	return l
}

// Persistent reports whether the server stays without programs.
func (l *lifetime) Persistent() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.persistent
}

// SetPersistent makes the server stay without programs, or end. Either way it no longer ends with
// the bridge that started it: a client has decided.
func (l *lifetime) SetPersistent(persistent bool) {
	l.mu.Lock()
	changed := l.persistent != persistent
	l.persistent, l.bridged = persistent, false
	l.mu.Unlock()
	if changed {
		wake.Up(l.changed)
	}
}

// Stop ends the server, because a client wants that.
func (l *lifetime) Stop() {
	if l.wanted != nil {
		l.wanted()
	}
	l.stop()
}

// addBridge records that a bridge is connected, until leave is called. It reports false if the
// server is about to end.
func (l *lifetime) addBridge() (leave func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ending {
		return nil, false
	}
	l.bridges++
	wake.Up(l.changed)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.bridges--
		wake.Up(l.changed)
	}, true
}

// addClient records that a terminal is attached, until leave is called.
func (l *lifetime) addClient() (leave func()) { return l.add(&l.clients) }

// addRequest records that a request is open, until leave is called.
func (l *lifetime) addRequest() (leave func()) { return l.add(&l.requests) }

// add counts one more, until leave is called.
func (l *lifetime) add(number *int) (leave func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*number++
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		*number--
	})
}

// keptBy are the other servers that a lifetime depends on.
type keptBy struct {
	terminals.Servers
	life *lifetime
}

// Remove implements [terminals.Servers].
func (k keptBy) Remove(ctx context.Context, name string) error {
	err := k.Servers.Remove(ctx, name)
	wake.Up(k.life.changed) // it may have been the last one
	return err
}

// awaitsBridge reports whether the server ends unless a bridge connects.
func (l *lifetime) awaitsBridge() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bridged && l.bridges == 0
}

// knows reports whether other servers are known. What goes on there is seen, asked about and waited
// for through this one, and hosts of a hub reach this one while it runs.
func (l *lifetime) knows() bool { return l.others != nil && l.others() }

// endsWithBridge decides whether the server ends, now that its last bridge has ended. It stays for
// an attached terminal, for a session that no bridge has made, and for other servers; then it lives
// as any other. While a request is open, nothing is decided.
func (l *lifetime) endsWithBridge(sessions *registry.Registry) bool {
	_, independent, _, _ := sessions.Needed()
	knows := l.knows()
	l.mu.Lock()
	defer l.mu.Unlock()
	kept := l.clients > 0 || independent > 0 || knows
	if !l.bridged || l.bridges > 0 || l.requests > 0 && !kept {
		return false
	}
	l.bridged = false
	l.ending = !kept
	return l.ending
}

// isAsked reports whether a request is open, such as one whose answer is still being read.
func (l *lifetime) isAsked() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.requests > 0
}

// endsEmpty decides whether the server ends because no session is needed. A bridge keeps it, since
// its client would lose its session, and so do other servers. The registry is retired then.
func (l *lifetime) endsEmpty(sessions *registry.Registry) bool {
	knows := l.knows()
	l.mu.Lock()
	l.ending = !l.persistent && l.bridges == 0 && !knows // no bridge connects meanwhile
	decided := l.ending
	l.mu.Unlock()
	if decided && sessions.Retire() {
		return true
	}
	l.mu.Lock()
	l.ending = false
	l.mu.Unlock()
	return false
}

// wait returns why the server ends, when it does. The registry is retired then if the reason is
// that no session is needed any more.
func (l *lifetime) wait(ctx context.Context, sessions *registry.Registry) (reason string) {
	empty := time.NewTimer(firstSessionTime) // fires when it has been empty for long enough
	defer empty.Stop()
	alone := time.NewTimer(bridgeTime) // fires when it has been without a bridge for long enough
	defer alone.Stop()
	busy, awaits, seen := false, true, 0
	for {
		needed, _, started, changed := sessions.Needed()
		switch {
		case needed > 0:
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
		switch now := l.awaitsBridge(); {
		case now && !awaits:
			alone.Reset(bridgeTime)
			awaits = true
		case !now:
			awaits = false
		}
		select {
		case <-ctx.Done():
			select {
			case <-l.stopping: // before the signal
				return "a client asked for it"
			default:
				return "a signal"
			}
		case <-l.stopping:
			return "a client asked for it"
		case <-l.changed:
			empty.Reset(firstSessionTime)
		case <-changed:
		case <-alone.C:
			if awaits && l.endsWithBridge(sessions) {
				return "the last bridge has ended"
			}
			awaits = false // if a request was open, it is decided again later
		case <-empty.C:
			if l.isAsked() {
				empty.Reset(lastSessionTime)
			} else if l.endsEmpty(sessions) {
				return "no session is needed any more"
			}
		}
	}
}
