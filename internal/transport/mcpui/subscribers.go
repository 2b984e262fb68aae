package mcpui

import (
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/transport/mcpserver"
)

// subscribers are the clients that want to know when a resource changes. The SDK has such a list,
// too, but does not show it. The zero value is ready to use from any goroutine.
type subscribers struct {
	mu     sync.Mutex // guards the fields below
	list   map[subscriber]struct{}
	joined map[string]bool // URIs that got a subscriber since the last call of wants
}

type subscriber struct {
	session *mcp.ServerSession
	uri     string
}

// add adds a client. Only the resources that change by themselves are remembered.
func (s *subscribers) add(session *mcp.ServerSession, uri string) {
	if uri != stateURI && uri != variablesURI {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.list == nil {
		s.list, s.joined = map[subscriber]struct{}{}, map[string]bool{}
	}
	s.list[subscriber{session, uri}] = struct{}{}
	s.joined[uri] = true
}

func (s *subscribers) remove(session *mcp.ServerSession, uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.list, subscriber{session, uri})
}

// any reports whether there are subscribers, and forgets those that have disconnected from the
// server: no handler learns of that.
func (s *subscribers) any(server *mcpserver.Server) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == 0 {
		return false
	}
	connected := map[*mcp.ServerSession]bool{}
	for session := range server.Sessions() {
		connected[session] = true
	}
	for sub := range s.list {
		if !connected[sub.session] {
			delete(s.list, sub)
		}
	}
	return len(s.list) > 0
}

// wants reports whether a resource has subscribers, and whether one has joined since the last call:
// such a client has missed the notifications that the others have had.
func (s *subscribers) wants(uri string) (wanted, joined bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for sub := range s.list {
		if sub.uri == uri {
			joined = s.joined[uri]
			delete(s.joined, uri)
			return true, joined
		}
	}
	return false, false
}
