package term

import (
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
)

// Attach adds a client to the session: see [clients.Set.Attach]. A [Viewer] is a client that also
// sees and types.
func (s *Session) Attach(o clients.Options) (*clients.Client, error) { return s.clients.Attach(o) }

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
	if leader, ok := s.clients.About(st.core.Leader); ok {
		e.Leader = leader.Name
		e.Client.Leads = e.Leader == about.Name
	}
	st.report(WatchClients, Event{Client: e})
}
