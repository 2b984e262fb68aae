package uimcp

import (
	"context"
	"sync"
	"time"

	"ui-mcp/internal/wake"
)

const (
	// firstTime is how long the server of a project waits for its first client.
	firstTime = 10 * time.Second
	// useEvery is how often a server without clients looks whether somebody uses it.
	useEvery = 250 * time.Millisecond
	// reloadTime is how long a page that has left may take to come back: it is being loaded again.
	reloadTime = 1500 * time.Millisecond
	// defaultLinger is how long a server without clients stays for a page.
	defaultLinger = 30 * time.Minute
)

// A stay decides when the server of a project ends: with its last client, or, while a page or a
// request uses it, that much later.
type stay struct {
	stays   bool // it ends when its person ends it
	linger  time.Duration
	used    func() (page, request bool) // reports what is there beside clients
	alone   func(until time.Time)       // called when the last client has left, and with the zero time when another has come
	changed chan struct{}               // capacity 1; a token means that a field below has changed

	mu      sync.Mutex // guards the fields below
	clients int
	had     bool // there was a client
	ending  bool
}

// enter counts a client until leave is called. first says that none is there now, but one was
// before. It reports false if the server is about to end.
func (s *stay) enter() (first bool, leave func() (ends bool), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return false, nil, false
	}
	first = s.had && s.clients == 0
	s.clients++
	s.had = true
	wake.Up(s.changed)
	return first, s.leave, true
}

// leave reports whether the server ends now.
func (s *stay) leave() (ends bool) {
	page, request := s.used()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients--
	s.ending = s.ending || s.clients == 0 && !page && !request && !s.stays
	wake.Up(s.changed)
	return s.ending
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
}

// state returns how many clients there are, whether there was one, and whether the server ends.
func (s *stay) state() (clients int, had, ending bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clients, s.had, s.ending
}

// wait returns why the server ends, when it does. No client enters from then on.
func (s *stay) wait(ctx context.Context) (reason string) {
	defer s.stop()
	look := time.NewTicker(useEvery)
	defer look.Stop()
	left, seen := time.Now(), time.Now() // when the last client was there, and when the last page
	there := true
	for {
		select {
		case <-ctx.Done():
			return "a signal"
		case <-s.changed:
		case <-look.C:
		}
		now := time.Now()
		clients, had, ending := s.state()
		page, request := s.used()
		switch {
		case ending:
			return "the last client has left"
		case clients > 0:
			if left, seen = now, now; !there {
				there = true
				s.alone(time.Time{})
			}
			continue
		case page:
			seen = now
		}
		if there && had {
			there = false
			s.alone(now.Add(s.linger))
		}
		limit := reloadTime
		if !had {
			limit = firstTime
		}
		s.mu.Lock()
		s.ending = s.clients == 0 && (now.Sub(seen) >= limit && !request || now.Sub(left) >= s.linger && had)
		ending = s.ending
		s.mu.Unlock()
		if ending {
			return "nobody uses it"
		}
	}
}
