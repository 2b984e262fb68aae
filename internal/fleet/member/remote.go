package member

import (
	"context"
	"io"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/hubconn"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/remote"
)

// Remote returns the remote terminals of a host, which is the same for all, while both are
// connected to the hub. The error has the detail [terminals.HubAway] or [terminals.HostAway].
func (m *Member) Remote(id string) (*remote.Terminals, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.role == "" {
		return nil, m.awayLocked()
	}
	v, known := m.directory.Get(id)
	if !known || v.Away {
		return nil, hostAway(id)
	}
	if m.remotes[id] == nil {
		tunnels := m.tunnels
		m.remotes[id] = remote.OpenLater(v.Name, m.o.Server.Self, func(ctx context.Context) (io.ReadWriteCloser, error) {
			t, err := tunnels.Dial(ctx, hub.Class(v.Class), id)
			if err != nil {
				return nil, unreachable(v.Name, err)
			}
			return t, nil
		})
	}
	return m.remotes[id], nil
}

// unreachable returns the error that no tunnel could be opened to a host: nothing was done there.
func unreachable(name string, err error) error {
	detail := fault.DetailOf(err)
	if detail == terminals.HubAway {
		return err
	}
	text := "host %s cannot be reached"
	if detail == terminals.HostAway { // though it has just said that it is there
		text = "host %s cannot be reached, or its wsh is older than this one and must be updated"
	}
	return fault.With(terminals.HostAway, fault.Wrap(fault.Unreachable, err, text, name))
}

func (m *Member) awayLocked() error {
	reason := m.reason
	if reason == nil {
		reason = ErrConnecting
	}
	return fault.With(terminals.HubAway, fault.Wrap(fault.Unreachable, reason, "the hub %s cannot be reached now", m.o.Address))
}

func hostAway(id string) error {
	return remote.Away("host %s is not connected now", id)
}

// endLocked ends the connection to a host, if there is one.
func (m *Member) endLocked(id string, err error) {
	if l := m.remotes[id]; l != nil {
		delete(m.remotes, id)
		m.ending.Go(func() { l.End(err) })
	}
}

func (m *Member) endAllLocked(err error) {
	for id := range m.remotes {
		m.endLocked(id, err)
	}
}

// serve serves the host at the other end of a tunnel until it leaves.
func (m *Member) serve(ctx context.Context, t *hubconn.Tunnel) {
	defer t.Close()
	id, name := t.Peer()
	if err := m.o.Server.Serve(ctx, t, func() (terminals.Grant, bool) { return m.Allow(id, name) }); err != nil {
		m.o.Log.Debug("a host has left", "key", id, "name", name, "reason", err)
	}
}
