package term

import (
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
)

// A Client is one attachment to a session. A [Viewer] is a client that also sees and types. Its
// methods may be called from anywhere.
type Client struct {
	*clients.Client
	session *Session
}

// Attach adds a client to the session: see [clients.Set.Attach].
func (s *Session) Attach(o clients.Options) (*Client, error) {
	c, err := s.clients.Attach(o)
	if err != nil {
		return nil, err
	}
	return &Client{c, s}, nil
}

// Name returns the present name of the session.
func (c *Client) Name() string { return c.session.Name() }

// SessionID returns the ID of the client's session, which a new name of the session does not
// change.
func (c *Client) SessionID() string { return c.session.o.ID }

// PID returns the process ID of the session's program.
func (c *Client) PID() int { return c.session.o.PID }

func (c *Client) detachedError() error {
	return fault.New(fault.Gone, "the client is detached from session %q: attach again", c.session.Name())
}

// Detach asks clients to leave: see [clients.Set.Detach].
func (s *Session) Detach(name string) error { return s.clients.Detach(name) }

// clientChanged reports a change of a client to watchers, and lets the size follow when one has
// left.
func (s *Session) clientChanged(id uint64, change clients.Change, about clients.Info) {
	s.exec.Post(func() {
		s.reportClient(s.st, change, about)
		if change == clients.Detached {
			_ = s.apply(s.st, core.Leave{Terminal: id}) // it never fails
		}
	})
}

func (s *Session) reportClient(st *state, change clients.Change, about clients.Info) {
	if len(st.watchers) == 0 {
		return
	}
	e := &clients.Event{Change: change, Client: about}
	if leader, ok := s.clients.About(st.core.Sizing.Leader); ok {
		e.Leader = leader.Name
		e.Client.Leads = e.Leader == about.Name
	}
	st.report(WatchClients, Event{Client: e})
}
