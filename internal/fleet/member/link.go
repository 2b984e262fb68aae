package member

import (
	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/terminals"
)

// A Link is a connection to another host, while both are connected to the hub.
type Link struct {
	*remote.Host
	done chan struct{} // closed when the link has ended
	err  error         // why, from then on
}

// Done returns a channel that is closed when the link has ended. Err says why.
func (l *Link) Done() <-chan struct{} { return l.done }

// Err returns why the link has ended, or nil if it has not.
func (l *Link) Err() error {
	select {
	case <-l.done:
		return l.err
	default:
		return nil
	}
}

// Close does nothing: hosts share the connection to the hub.
func (l *Link) Close() {}

// Link returns a link to a host. The error has the detail [terminals.HubAway] or
// [terminals.HostAway].
func (m *Member) Link(id string) (*Link, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.isUp || m.link == nil {
		return nil, m.awayLocked()
	}
	v, here := m.vouched[id]
	if !here {
		return nil, hostAway(id)
	}
	if m.links[id] == nil {
		m.links[id] = &Link{Host: m.link.Host(id, v.name), done: make(chan struct{})}
	}
	return m.links[id], nil
}

func (m *Member) awayLocked() error {
	reason := m.reason
	if reason == nil {
		reason = ErrConnecting
	}
	return fault.With(terminals.HubAway, fault.Wrap(fault.Unreachable, reason, "the hub %s cannot be reached now", m.o.Address))
}

func hostAway(id string) error {
	return fault.With(terminals.HostAway, fault.New(fault.Unreachable, "host %s is not connected now", id))
}

// endLocked ends the link to a host, if there is one.
func (m *Member) endLocked(id string, err error) {
	if l := m.links[id]; l != nil {
		l.err = err
		close(l.done)
		delete(m.links, id)
	}
}

// endAllLocked ends all links.
func (m *Member) endAllLocked(err error) {
	for id := range m.links {
		m.endLocked(id, err)
	}
}
