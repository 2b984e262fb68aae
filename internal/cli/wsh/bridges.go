package wsh

import (
	"crypto/rand"
	"encoding/json"
	"net"
	"net/http"
	"sync"

	"ui-mcp/internal/terminals"
)

const (
	// leasePath is where a bridge connects to the server, on the socket. The connection lasts as
	// long as the bridge, even if that is killed.
	leasePath = "/server/bridge"
	// bridgeHeader names the bridge from which a request comes.
	bridgeHeader = "Wsh-Bridge"
)

// A lease is the first line of the answer to a bridge that connects.
type lease struct {
	Bridge     string `json:"bridge"`      // for bridgeHeader
	BasePrefix string `json:"base_prefix"` // of all other paths
}

// serveLeases takes in bridges. It belongs on the socket alone, which only the server's own user
// can open: it asks for no token.
func (l *lifetime) serveLeases(next http.Handler, basePrefix string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != leasePath {
			next.ServeHTTP(w, r)
			return
		}
		id := rand.Text()
		leave, ok := l.addBridge(id)
		if !ok {
			http.Error(w, "The server is stopping.", http.StatusServiceUnavailable)
			return
		}
		defer leave()
		w.Header().Set("Content-Type", "application/json")
		if json.NewEncoder(w).Encode(lease{id, basePrefix}) != nil || http.NewResponseController(w).Flush() != nil {
			return // the bridge has ended
		}
		<-r.Context().Done()
	})
}

// observe learns from requests that have been admitted who uses the server. Sessions that a bridge
// creates depend on it; every other request is a client of its own while it lasts, as are streams
// and WebSockets.
func (l *lifetime) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id := r.Header.Get(bridgeHeader); id != "" && l.isBridge(id) {
			by := terminals.FromContext(r.Context())
			by.Dependent, by.Client = true, "bridge "+id
			next.ServeHTTP(w, r.WithContext(terminals.NewContext(r.Context(), by)))
			return
		}
		if r.URL.Path != "/health" {
			defer l.addClient()()
		}
		next.ServeHTTP(w, r)
	})
}

// countClients counts the connections of a listener as clients.
func (l *lifetime) countClients(to net.Listener) net.Listener { return countingListener{to, l} }

type countingListener struct {
	net.Listener
	life *lifetime
}

// Accept implements [net.Listener].
func (c countingListener) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &countedConn{Conn: conn, leave: sync.OnceFunc(c.life.addClient())}, nil
}

type countedConn struct {
	net.Conn
	leave func()
}

// Close implements [net.Conn].
func (c *countedConn) Close() error {
	c.leave()
	return c.Conn.Close()
}
