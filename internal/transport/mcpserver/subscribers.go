package mcpserver

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/wake"
)

// Subscribers are the clients that want to know when a resource changes. The SDK has such a list,
// too, but does not show it. All methods may be called from any goroutine. Use [NewSubscribers].
type Subscribers struct {
	Changed chan struct{} // capacity 1; a token means that the list may have changed

	mu   sync.Mutex          // guards the field below
	list map[subscriber]bool // whether it is new
}

type subscriber struct {
	client *mcp.ServerSession
	uri    string
}

// NewSubscribers returns an empty list.
func NewSubscribers() *Subscribers {
	return &Subscribers{Changed: make(chan struct{}, 1), list: map[subscriber]bool{}}
}

// Add adds a client.
func (s *Subscribers) Add(client *mcp.ServerSession, uri string) {
	s.mu.Lock()
	s.list[subscriber{client, uri}] = true
	s.mu.Unlock()
	wake.Up(s.Changed)
}

// Remove removes a client.
func (s *Subscribers) Remove(client *mcp.ServerSession, uri string) {
	s.mu.Lock()
	delete(s.list, subscriber{client, uri})
	s.mu.Unlock()
	wake.Up(s.Changed)
}

// URIs returns the resources that have subscribers, with whether one of these is new, which has
// missed the notifications that others have had. It forgets subscribers that have disconnected: no
// handler learns of that.
func (s *Subscribers) URIs(server *Server) map[string]bool {
	connected := map[*mcp.ServerSession]bool{}
	for client := range server.Sessions() {
		connected[client] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := map[string]bool{}
	for sub, fresh := range s.list {
		if !connected[sub.client] {
			delete(s.list, sub)
			continue
		}
		wanted[sub.uri] = wanted[sub.uri] || fresh
		s.list[sub] = false
	}
	return wanted
}

// Updated notifies those who have subscribed to a resource that it has changed.
func (s *Server) Updated(ctx context.Context, uri string) {
	// An error means that a client has disconnected.
	_ = s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri})
}
