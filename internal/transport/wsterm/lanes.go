package wsterm

import (
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

// maxQueued is how many requests for another server may wait for the one before them.
const maxQueued = 64

// everywhere is the lane of requests that concern all servers.
const everywhere = "/"

// A lane has the requests of a socket for one other server, which are handled one at a time, in
// order. Each server has its own: one that does not answer holds up nothing else. It has a
// goroutine while it has requests.
type lane struct {
	queue []func()
}

// laneOf returns the lane of a request, or "" for one of this server.
func (s *socket) laneOf(o *terminals.Operation, at place, in any) string {
	if s.own != nil {
		return "" // all requests are for the server of its session
	}
	host := at.server
	if host == "" {
		host = wire.HostOf(at.session)
	}
	switch in := in.(type) {
	case *terminals.NewSession:
		if host == "" {
			host = wire.HostOf(in.Name)
		}
		if host == "" && in.On != nil {
			return everywhere
		}
	case *terminals.SessionFilter:
		if host == "" && o == &terminals.ListSessions.Operation && s.knowsOthers() {
			return everywhere
		}
	}
	if host == "" {
		return ""
	}
	if _, err := terminals.GetKnownServer.Do(s.ctx, s.terminals, terminals.Everything, terminals.ServerName{Hostname: host}); err != nil {
		return "" // it is this one, or there is none, as the answer says
	}
	return host
}

func (s *socket) knowsOthers() bool {
	list, err := terminals.ListServers.Do(s.ctx, s.terminals, terminals.Everything, terminals.None{})
	return err == nil && len(list) > 0
}

// enqueue has f called after what waits in a lane.
func (s *socket) enqueue(name string, f func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.lanes[name]; l != nil {
		if len(l.queue) >= maxQueued {
			return fault.New(fault.Exhausted, "%d requests of this socket wait for an answer of the same server already", maxQueued)
		}
		l.queue = append(l.queue, f)
		return nil
	}
	l := &lane{queue: []func(){f}}
	s.lanes[name] = l
	s.start(func() { s.empty(name, l) })
	return nil
}

// empty calls what waits in a lane until nothing does, or the connection has ended.
func (s *socket) empty(name string, l *lane) {
	for {
		s.mu.Lock()
		if len(l.queue) == 0 || s.ctx.Err() != nil {
			delete(s.lanes, name)
			s.mu.Unlock()
			return
		}
		f := l.queue[0]
		l.queue = l.queue[1:]
		s.mu.Unlock()
		f()
	}
}
