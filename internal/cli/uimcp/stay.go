package uimcp

import (
	"context"
	"net/http"
	"sync"
	"time"

	"ui-mcp/internal/cli/nearby"
	"ui-mcp/internal/wake"
)

const (
	// firstTime is how long the server of a project waits for its first client.
	firstTime = 10 * time.Second
	// settleTime is how long the last client waits for the end of what else uses the server: pages
	// and requests that end with the client do so a little later.
	settleTime = 2 * time.Second
	// reloadTime is how long a page that has left may take to come back: it is being loaded again.
	reloadTime = 1500 * time.Millisecond
	// returnTime is how long pages may take to find a server that was started again: they try every
	// 3 s.
	returnTime = 4 * time.Second
	// defaultLinger is how long a server without clients stays for a page.
	defaultLinger = 30 * time.Minute
)

// A stay decides when the server of a project ends: with its last client, or, while a page or a
// request uses it, that much later. Use newStay.
type stay struct {
	stayOptions
	changed chan struct{} // capacity 1; a token means that a field below has changed

	mu      sync.Mutex // guards the fields below
	clients int
	agents  int           // of the clients; the others are "ui-mcp serve"
	uses    int           // requests at the endpoints (a page is one that lasts), and questions of other programs
	had     bool          // there was a client
	alone   bool          // the app goes on without agents, and announce was called
	held    bool          // what was announced last is that clients keep it
	served  bool          // there was an agent
	gone    time.Time     // when the last agent left
	left    time.Time     // when the last client left
	expects time.Time     // until when clients or pages may come that are not there yet
	leaving chan struct{} // closed when the last client need not wait any more; nil while none does
	ending  bool
}

type stayOptions struct {
	stays  bool          // it ends when its person ends it
	linger time.Duration // how long it stays for a page
	// announce is called when the app goes on without agents: until a time, or, if that is zero,
	// while clients keep it. Without alone, an agent has come.
	announce func(alone bool, until time.Time)
}

func newStay(o stayOptions) *stay {
	return &stay{stayOptions: o, changed: make(chan struct{}, 1), expects: time.Now().Add(firstTime)}
}

// enter counts a client until it leaves. missed says to an agent that the app has gone on without
// one. It reports false if the server is about to end.
func (s *stay) enter(agent bool) (missed, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return false, false
	}
	if s.clients++; !s.had {
		s.had, s.expects = true, time.Time{}
	}
	if agent {
		s.agents++
		s.served = true
	}
	s.dismissLocked()
	wake.Up(s.changed)
	return s.alone && agent, true
}

// leave takes a client off, and reports whether the server ends now. The last client waits until
// that is certain.
func (s *stay) leave(agent bool) (ends bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if agent {
		if s.agents--; s.agents == 0 {
			s.gone = time.Now()
			wake.Up(s.changed)
		}
	}
	if s.clients--; s.clients == 0 && !s.stays && !s.ending {
		leaving := make(chan struct{})
		s.leaving, s.left = leaving, time.Now()
		wake.Up(s.changed)
		s.mu.Unlock()
		<-leaving
		s.mu.Lock()
	}
	return s.ending
}

// expect has the server wait for the pages of another one, which has ended.
func (s *stay) expect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expects = time.Now().Add(returnTime)
}

func (s *stay) dismissLocked() {
	if s.leaving != nil {
		close(s.leaving)
		s.leaving = nil
	}
}

// count has requests use the server while they last, but not connections of other programs that
// ask: they may last without a question that is displayed here.
func (s *stay) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != nearby.Path {
			s.use(1)
			defer s.use(-1)
		}
		next.ServeHTTP(w, r)
	})
}

func (s *stay) use(change int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.uses += change; {
	case change > 0 && s.had: // a page has come back
		s.expects = time.Time{}
	case s.uses == 0 && s.alone:
		s.expects = time.Now().Add(reloadTime)
	}
	if s.clients == 0 {
		wake.Up(s.changed)
	}
}

// replace ends the server if it has no client.
func (s *stay) replace() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending = s.ending || s.clients == 0 && !s.stays
	wake.Up(s.changed)
	return s.ending
}

// stop keeps clients out.
func (s *stay) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending = true
	s.dismissLocked()
}

// wait returns why the server ends, when it does. No client enters from then on.
func (s *stay) wait(ctx context.Context) (reason string) {
	defer s.stop()
	later := time.NewTimer(0)
	defer later.Stop()
	for {
		select {
		case <-ctx.Done():
			return "a signal"
		case <-s.changed:
		case <-later.C:
		}
		reason, announce, next := s.decide(time.Now())
		if reason != "" {
			return reason
		}
		if announce != nil {
			announce()
		}
		later.Reset(next)
	}
}

// decide returns why the server ends now, or what announces a change, and when to decide again.
func (s *stay) decide(now time.Time) (reason string, announce func(), next time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next = time.Hour
	// passed reports whether a time has come.
	passed := func(t time.Time) bool {
		if wait := t.Sub(now); wait > 0 {
			next = min(next, wait)
			return false
		}
		return true
	}
	switch end := s.left.Add(s.linger); {
	case s.ending:
		return "a newer one replaces it", nil, 0
	case s.agents > 0:
		if s.alone {
			s.alone, s.held, announce = false, false, func() { s.announce(false, time.Time{}) }
		}
	case s.clients > 0:
		if !s.held && (s.alone || s.served && passed(s.gone.Add(settleTime))) {
			s.alone, s.held, announce = true, true, func() { s.announce(true, time.Time{}) }
		}
	case s.had && passed(end):
		reason = "nobody has come back"
	case s.uses == 0 && passed(s.expects):
		reason = "nobody uses it"
	case s.uses > 0 && s.leaving != nil && passed(s.left.Add(settleTime)):
		s.alone, s.held, announce = true, false, func() { s.announce(true, end) }
		s.dismissLocked()
	}
	s.ending = reason != ""
	return reason, announce, next
}
