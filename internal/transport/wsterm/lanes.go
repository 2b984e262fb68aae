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
// order. Each server has its own: one that does not answer holds up nothing else.
type lane chan func()

// laneOf returns the lane of a request, or "" for one of this server.
func (s *socket) laneOf(r request) string {
	if s.own != nil {
		return "" // all requests are for the server of its session
	}
	host := r.at.server
	if host == "" {
		host = wire.HostOf(r.at.session)
	}
	switch in := r.in.(type) {
	case *terminals.NewSession:
		if host == "" {
			host = wire.HostOf(in.Name)
		}
		if host == "" && in.On != nil {
			return everywhere
		}
	case *terminals.SessionFilter:
		if host == "" && r.operation == &terminals.ListSessions.Operation && s.knowsOthers() {
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

// enqueue has f called after what waits in a lane. The caller holds turn.
func (s *socket) enqueue(name string, f func()) error {
	l := s.lanes[name]
	if l == nil {
		l = make(lane, maxQueued)
		s.lanes[name] = l
		s.work.Go(func() {
			for {
				select {
				case f := <-l:
					if s.ctx.Err() != nil {
						return // select takes either of the two
					}
					f()
				case <-s.ctx.Done():
					return
				}
			}
		})
	}
	select {
	case l <- f:
		return nil
	default:
		return fault.New(fault.Exhausted, "%d requests of this socket wait for an answer of the same server already", maxQueued)
	}
}
