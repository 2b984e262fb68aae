package wsh

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"sync"
	"time"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpbridge"
)

const (
	// bridgePath is where a bridge connects to the server, on the socket. It is upgraded to a
	// connection of MCP, one message a line, which ends with the bridge, even if that is killed.
	bridgePath = "/server/bridge"
	// bridgeProtocol is what the connection is upgraded to.
	bridgeProtocol = "wsh-bridge"
	// Headers of the answer to a bridge.
	versionHeader  = "Wsh-Version"
	protocolHeader = "Wsh-Protocol" // see [terminals.Protocol]
	// confirmHeader has the pattern of the lines that need permission, escaped as in a query. The
	// answer repeats it.
	confirmHeader = "Wsh-Confirm"
)

// A bridgeHandler takes in bridges. It belongs on the socket alone, which only the server's own
// user can open: it asks for no token.
type bridgeHandler struct {
	life     *lifetime
	endpoint *mcpEndpoint
	confirm  *regexp.Regexp // of all programs, besides that of the bridge; may be nil
	version  string
	log      *slog.Logger
	next     http.Handler // for all other requests
}

// ServeHTTP implements [http.Handler].
func (h *bridgeHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || r.URL.Path != bridgePath {
		h.next.ServeHTTP(w, r)
		return
	}
	if r.Header.Get("Upgrade") != bridgeProtocol {
		w.Header().Set("Upgrade", bridgeProtocol)
		http.Error(w, "This address is for wsh mcp.", http.StatusUpgradeRequired)
		return
	}
	escaped := r.Header.Get(confirmHeader)
	pattern, err := confirmPattern(escaped)
	if err != nil {
		http.Error(w, "The pattern of "+confirmHeader+" is malformed.", http.StatusBadRequest)
		return
	}
	leave, ok := h.life.addBridge()
	if !ok {
		http.Error(w, "The server is stopping.", http.StatusServiceUnavailable)
		return
	}
	defer leave()
	release, ok := h.endpoint.overHTTP.Reserve()
	if !ok {
		http.Error(w, "The server is stopping.", http.StatusServiceUnavailable)
		return
	}
	defer release()
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		h.log.Error("a bridge could not be served", "error", err)
		http.Error(w, "The connection cannot be upgraded.", http.StatusInternalServerError)
		return
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Time{}) // HTTP has set some
	head := fmt.Sprintf("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\n%s: %s\r\n%s: %d\r\n%s: %s\r\n\r\n",
		bridgeProtocol, versionHeader, h.version, protocolHeader, terminals.Protocol, confirmHeader, escaped)
	if _, err := io.WriteString(conn, head); err != nil {
		return // the bridge has ended
	}
	by := terminals.Everything.Confirmed(h.confirm).Confirmed(pattern)
	by.Dependent, by.Client = true, "bridge "+rand.Text()
	ctx := terminals.NewContext(r.Context(), by)
	err = h.endpoint.overHTTP.ServeLines(ctx, readerConn{conn, buffered.Reader}, []byte(mcpbridge.Farewell))
	h.log.Info("a bridge has ended", "reason", err)
}

// confirmPattern returns the pattern in a confirmHeader, or nil if there is none.
func confirmPattern(escaped string) (*regexp.Regexp, error) {
	text, err := url.QueryUnescape(escaped)
	if err != nil || text == "" {
		return nil, err
	}
	return regexp.Compile(text)
}

// A readerConn is a connection of which some input has been read.
type readerConn struct {
	net.Conn
	r *bufio.Reader
}

// Read implements [net.Conn].
func (c readerConn) Read(p []byte) (int, error) { return c.r.Read(p) }

// observe counts requests that have been admitted while they last, streams and WebSockets too.
func (l *lifetime) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/health" {
			defer l.addRequest()()
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
