package term

import "ui-mcp/internal/fault"

// A Client is somebody who looks at a session for a while.
type Client struct {
	session  *Session
	detached chan struct{}
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
	c := &Client{session: s, detached: make(chan struct{})}
	s.clients[c] = struct{}{}
	return c, nil
}

// Detached returns a channel that is closed when the client should leave.
func (c *Client) Detached() <-chan struct{} { return c.detached }

// Close says that the client has left.
func (c *Client) Close() {
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	delete(c.session.clients, c)
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
