package term

import (
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
)

// A Client is somebody who looks at a session for a while: a program that only wants
// to be counted, or a person, who sees pictures on a terminal ([Client.Next]) and
// types on it ([Client.Type]).
//
// Next may be called from one goroutine at a time, and everything else from
// anywhere.
type Client struct {
	session  *Session
	detached chan struct{}
	changed  chan struct{} // capacity 1; a token means "there may be another picture"

	// What the session's goroutine owns.
	tail     []byte // of what was typed: the beginning of a sequence
	keyboard overlay.Keyboard
	pointer  pointer

	// What the caller of Next owns.
	drawn time.Time // when the last picture was taken
	over  error     // why there are no more pictures

	mu         sync.Mutex // guards the fields below
	cols, rows int        // of the client's terminal; 0: the session's
	anew       bool       // nothing is known of what it shows
	shown      *render.Frame
}

// Attach counts somebody as a client until [Client.Close], and lets them be sent
// away.
func (s *Session) Attach() (*Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.exit != nil:
		return nil, fault.New(fault.Gone, "the program of session %q has ended; its last screen can still be read", s.name)
	case len(s.clients) >= MaxClients:
		return nil, fault.New(fault.Exhausted, "session %q has %d clients already: detach some", s.name, MaxClients)
	}
	c := &Client{session: s, detached: make(chan struct{}), changed: make(chan struct{}, 1)}
	s.clients[c] = struct{}{}
	return c, nil
}

// Detached returns a channel that is closed when the client should leave.
func (c *Client) Detached() <-chan struct{} { return c.detached }

// Close says that the client has left.
func (c *Client) Close() {
	c.session.mu.Lock()
	delete(c.session.clients, c)
	c.session.mu.Unlock()
	c.session.exec.Post(func() { delete(c.session.st.waiters, c.changed) })
}

// detach sends the client away.
func (c *Client) detach() {
	c.session.mu.Lock()
	_, ok := c.session.clients[c]
	delete(c.session.clients, c)
	c.session.mu.Unlock()
	if ok {
		close(c.detached)
	}
}

// attached is nil while the client has neither left nor been sent away.
func (c *Client) attached() error {
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	if _, ok := c.session.clients[c]; ok {
		return nil
	}
	return fault.New(fault.Gone, "the client is detached from session %q: attach again", c.session.name)
}

// Detach sends all clients away. The program goes on.
func (s *Session) Detach() {
	s.mu.Lock()
	clients := s.clients
	if s.clients != nil {
		s.clients = map[*Client]struct{}{}
	}
	s.mu.Unlock()
	for c := range clients {
		close(c.detached)
	}
}
