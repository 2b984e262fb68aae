package mcpserver

import (
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessions are those of one HTTP door that began with a handshake and outlive
// their requests. Nobody says when such a session is over if its client just
// goes away: it is closed when it has had no request for a while. An open
// stream is a request that lasts.
//
// All methods may be called from any goroutine.
type sessions struct {
	server *mcp.Server
	idle   time.Duration

	closers sync.WaitGroup // closings under way; Add only with mu held

	mu     sync.Mutex // guards the fields below
	known  map[string]*inUse
	closed bool
}

// inUse says who uses a session.
type inUse struct {
	requests int
	timer    *time.Timer // runs while requests is 0
}

func newSessions(s *mcp.Server, idle time.Duration) *sessions {
	return &sessions{server: s, idle: idle, known: map[string]*inUse{}}
}

// add notes a session that has just been made.
func (s *sessions) add(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := &inUse{timer: time.AfterFunc(s.idle, func() { s.expire(id) })}
	s.known[id] = u
	if s.closed {
		u.timer.Stop()
	}
}

// begin notes that a request to a session has come in, and reports whether it
// is one that is known. If so, the caller must call end when the request is
// over.
func (s *sessions) begin(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.known[id]
	if u == nil {
		return false
	}
	u.requests++
	u.timer.Stop()
	return true
}

// has reports whether a session is one of these.
func (s *sessions) has(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known[id] != nil
}

// end notes that a request to the session is over.
func (s *sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.known[id]
	if u == nil {
		return // it has been closed meanwhile
	}
	if u.requests--; u.requests == 0 && !s.closed {
		u.timer.Reset(s.idle)
	}
}

// forget is for a session that its client has closed.
func (s *sessions) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.known[id]; u != nil {
		u.timer.Stop()
		delete(s.known, id)
	}
}

// expire closes a session that nobody uses.
func (s *sessions) expire(id string) {
	s.mu.Lock()
	u := s.known[id]
	if u == nil || u.requests > 0 || s.closed {
		s.mu.Unlock()
		return
	}
	delete(s.known, id)
	s.closers.Add(1)
	s.mu.Unlock()
	defer s.closers.Done()
	s.close(map[string]*inUse{id: u})
}

// closeAll closes every session, and returns when their calls have ended.
func (s *sessions) closeAll() {
	s.mu.Lock()
	s.closed = true
	known := s.known
	s.known = map[string]*inUse{}
	for _, u := range known {
		u.timer.Stop()
	}
	s.mu.Unlock()
	s.close(known)
	s.closers.Wait()
}

// close closes some sessions at once.
func (s *sessions) close(ids map[string]*inUse) {
	var wg sync.WaitGroup
	for session := range s.server.Sessions() {
		if _, ours := ids[session.ID()]; ours {
			wg.Go(func() { _ = session.Close() }) // an error is the client's having gone
		}
	}
	wg.Wait()
}
