package mcpserver

import (
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"
	"time"
)

// sessions are the sessions that started with a handshake, which outlive their requests. A client
// need not say when it is done: a session without a request for a while is closed. An open stream
// is a request that lasts.
//
// All methods may be called from any goroutine.
type sessions struct {
	idle time.Duration

	closing sync.WaitGroup // Add only with mu held

	mu    sync.Mutex // guards the field below
	known map[string]*httpSession
}

// An httpSession is a connection whose messages come with requests that name it.
type httpSession struct {
	*connection
	listener atomic.Pointer[reply] // the stream on which its client listens, or nil

	// Guarded by the mutex of the sessions.
	requests int
	unused   time.Time   // since when requests is 0, if it is
	timer    *time.Timer // fires when that has been long
}

// maxSessions is how many sessions stay open. Some clients start one for each call, and close none.
const maxSessions = 1000

// start starts a session, with a request with the values of ctx: see begin.
func (s *sessions) start(ctx context.Context, h *HTTP) (*httpSession, error) {
	session := &httpSession{requests: 1}
	session.connection = h.connection(context.WithoutCancel(ctx), 1, func(message []byte) error {
		if stream := session.listener.Load(); stream != nil {
			return stream.message(message)
		}
		return errUndelivered
	})
	session.id, session.overHTTP, session.handshakeOnly = rand.Text(), true, true
	if err := session.connect(nil); err != nil {
		return nil, err
	}
	s.add(session)
	return session, nil
}

// add records a session. If there are too many, it closes the one that has not been used for the
// longest time. One with a request, such as a stream that its client listens to, is in use.
func (s *sessions) add(session *httpSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= maxSessions {
		var oldest *httpSession
		for _, other := range s.known {
			if other.requests == 0 && (oldest == nil || other.unused.Before(oldest.unused)) {
				oldest = other
			}
		}
		s.closeLocked(oldest)
	}
	session.timer = time.AfterFunc(s.idle, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if session.requests == 0 && time.Since(session.unused) >= s.idle {
			s.closeLocked(session)
		}
	})
	s.known[session.id] = session
}

// removeLocked forgets a session, and reports whether it was known.
func (s *sessions) removeLocked(session *httpSession) bool {
	if session == nil || s.known[session.id] != session {
		return false
	}
	session.timer.Stop()
	delete(s.known, session.id)
	return true
}

// closeLocked forgets a session and closes it, which waits for its calls.
func (s *sessions) closeLocked(session *httpSession) {
	if s.removeLocked(session) {
		s.closing.Go(session.shut)
	}
}

// begin records a request to a session, which the caller must end, or returns nil if the session is
// not known.
func (s *sessions) begin(id string) *httpSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	session := s.known[id]
	if session != nil {
		session.requests++
	}
	return session
}

// end records that a request to a session is over. It closes a session whose handshake has failed.
func (s *sessions) end(session *httpSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	session.requests--
	switch {
	case session.sessions[0].InitializeParams() == nil:
		s.closeLocked(session)
	case session.requests == 0 && s.known[session.id] == session:
		session.unused = time.Now()
		session.timer.Reset(s.idle)
	}
}

// forget records that its client has closed a session.
func (s *sessions) forget(session *httpSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removeLocked(session)
}

func (s *sessions) has(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known[id] != nil
}

// closeAll closes every session, and returns when their calls have ended. No request starts one any
// more.
func (s *sessions) closeAll() {
	s.mu.Lock()
	for _, session := range s.known {
		s.closeLocked(session)
	}
	s.mu.Unlock()
	s.closing.Wait()
}
