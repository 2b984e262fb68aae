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

	empty, alone time.Time // see decide; zero: neither; owned by wait

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

// knows reports whether other servers are known. What goes on there is seen, asked about and waited
// for through this one, and hosts of a hub reach this one while it runs.
func (l *lifetime) knows() bool { return l.others != nil && l.others() }

const unneeded = "no session is needed any more"

// decide returns why the server ends now, or when to decide again. independent is the number of
// sessions that no bridge has made.
//
// Without a bridge for long enough, one that a bridge started ends, but for an attached terminal,
// for a session that no bridge has made, and for other servers; then it lives as any other.
// Without a needed session for long enough, it ends unless it is to stay: a bridge keeps it, since
// its client would lose its session, and so do other servers. While a request is open, such as one
// whose answer is still being read, nothing ends.
func (l *lifetime) decide(now time.Time, needed, independent int) (reason string, next time.Duration) {
	knows := l.knows()
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.bridged || l.bridges > 0:
		l.alone = time.Time{}
	case l.alone.IsZero():
		l.alone = now.Add(bridgeTime)
	case now.Before(l.alone):
	case l.clients > 0 || independent > 0 || knows:
		l.bridged, l.alone = false, time.Time{}
	case l.requests > 0:
		l.alone = now.Add(bridgeTime)
	default:
		reason = "the last bridge has ended"
	}
	switch {
	case reason != "" || now.Before(l.empty) || l.empty.IsZero():
	case l.requests > 0:
		l.empty = now.Add(lastSessionTime)
	case needed == 0 && !l.persistent && l.bridges == 0 && !knows:
		reason = unneeded
	default:
		l.empty = time.Time{} // until something changes
	}
	l.ending = reason != "" // no bridge connects from now on
	next = time.Hour
	for _, t := range []time.Time{l.empty, l.alone} {
		if !t.IsZero() {
			next = min(next, t.Sub(now))
		}
	}
	return reason, next
}

// wait returns why the server ends, when it does. The registry is retired then if the reason is
// that no session is needed any more.
func (l *lifetime) wait(ctx context.Context, sessions *registry.Registry) (reason string) {
	l.empty = time.Now().Add(firstSessionTime)
	later := time.NewTimer(0)
	defer later.Stop()
	for busy, seen := false, 0; ; {
		needed, independent, started, changed := sessions.Needed()
		now := time.Now()
		switch {
		case needed > 0 || !busy && started == seen:
		case started > 0: // the last one has just ended
			l.empty = now.Add(lastSessionTime)
		default:
			l.empty = now.Add(firstSessionTime)
		}
		busy, seen = needed > 0, started
		reason, next := l.decide(now, needed, independent)
		if reason != "" && (reason != unneeded || sessions.Retire()) { // else one has come meanwhile
			return reason
		}
		later.Reset(next)
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
			l.empty = time.Now().Add(firstSessionTime)
		case <-changed:
		case <-later.C:
		}
	}
}
