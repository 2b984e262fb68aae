package wsh

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"ui-mcp/internal/cli/join"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/mcpbridge"
	"ui-mcp/internal/transport/popuplink"
)

const (
	// bridgePath is where a bridge connects to the server, on the socket. It is upgraded to a
	// connection of MCP, one message a line, which ends with the bridge, even if that is killed.
	bridgePath = "/server/bridge"
	// bridgeProtocol is what the connection is upgraded to.
	bridgeProtocol = "wsh-bridge"
	// fleetPath is where another server connects to this one, through "wsh servers pipe", and
	// fleetProtocol what the connection is upgraded to: see package hostlink.
	fleetPath, fleetProtocol = "/fleet", "wsh-fleet"
	// Headers of the answer to a bridge.
	versionHeader  = "Wsh-Version"
	protocolHeader = "Wsh-Protocol" // see [terminals.Protocol]
	// confirmHeader has the pattern of the lines that need permission, escaped as in a query. The
	// answer repeats it.
	confirmHeader = "Wsh-Confirm"
	// dirHeader has the directory of a bridge, escaped in the same way.
	dirHeader = "Wsh-Dir"
)

// A bridgeHandler takes in bridges and other servers. It belongs on the socket alone, which only
// the server's own user can open: it asks for no token.
type bridgeHandler struct {
	life     *lifetime
	endpoint *mcpEndpoint
	version  string
	others   *fleet.Fleet
	link     http.Handler   // of questions of the user's other programs
	confirm  *regexp.Regexp // of all programs, in addition to the pattern of the bridge; may be nil
	token    string         // the server's own, or ""
	log      *slog.Logger
	next     http.Handler // for all other requests
}

// ServeHTTP implements [http.Handler].
func (h *bridgeHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet && r.URL.Path == bridgePath:
		h.serveBridge(w, r)
	case r.Method == http.MethodGet && r.URL.Path == fleetPath:
		h.serveServer(w, r)
	case r.Method == http.MethodGet && r.URL.Path == popuplink.Path:
		h.link.ServeHTTP(w, r)
	case r.Method == http.MethodGet && r.URL.Path == tokenPath:
		httpio.WriteJSON(w, http.StatusOK, ownToken{h.token})
	case strings.HasSuffix(r.URL.Path, "/ws/attach"):
		defer h.life.addClient()()
		h.next.ServeHTTP(w, r)
	default:
		h.next.ServeHTTP(w, r)
	}
}

// serveBridge serves MCP until the bridge ends.
func (h *bridgeHandler) serveBridge(w http.ResponseWriter, r *http.Request) {
	escaped := r.Header.Get(confirmHeader)
	pattern, err := confirmPattern(escaped)
	if err != nil {
		http.Error(w, "The pattern of "+confirmHeader+" is malformed.", http.StatusBadRequest)
		return
	}
	release, ok := h.endpoint.overHTTP.Reserve()
	if !ok {
		http.Error(w, join.Stopping, http.StatusServiceUnavailable)
		return
	}
	defer release()
	conn, end := h.upgrade(w, r, bridgeProtocol, "wsh mcp", http.Header{confirmHeader: {escaped}})
	if conn == nil {
		return
	}
	defer end()
	by := terminals.Everything.Confirmed(h.confirm).Confirmed(pattern)
	by.Rights &^= terminals.Answer // agents do not reply as the person
	by.Dependent, by.Client = true, "bridge "+rand.Text()
	ctx := terminals.NewContext(r.Context(), by)
	if dir, err := url.QueryUnescape(r.Header.Get(dirHeader)); err == nil && dir != "" {
		ctx = context.WithValue(ctx, dirKey{}, dir)
	}
	err = h.endpoint.overHTTP.ServeLines(ctx, conn, []byte(mcpbridge.Farewell), 0)
	h.log.Info("a bridge has ended", "reason", err)
}

// serveServer lets another server use the sessions, as this user, until it leaves.
func (h *bridgeHandler) serveServer(w http.ResponseWriter, r *http.Request) {
	conn, end := h.upgrade(w, r, fleetProtocol, "other servers", http.Header{})
	if conn == nil {
		return
	}
	defer end()
	err := h.others.Serve(r.Context(), conn)
	h.log.Info("another server has left", "reason", err)
}

// upgrade takes over the connection of a request, which keeps the server running until end is
// called, and answers with more headers. Without a connection, the request has been answered.
func (h *bridgeHandler) upgrade(w http.ResponseWriter, r *http.Request, protocol, whose string, headers http.Header) (_ net.Conn, end func()) {
	leave, ok := h.life.addBridge()
	if !ok {
		http.Error(w, join.Stopping, http.StatusServiceUnavailable)
		return nil, nil
	}
	headers.Set(versionHeader, h.version)
	headers.Set(protocolHeader, strconv.Itoa(terminals.Protocol))
	conn, err := join.Accept(w, r, protocol, whose, headers)
	if err != nil {
		h.log.Error(err.Error(), "for", whose)
	}
	if conn == nil {
		leave()
		return nil, nil
	}
	return conn, func() {
		_ = conn.Close()
		leave()
	}
}

// dirKey is the key of the directory of a bridge in the context of its calls.
type dirKey struct{}

// confirmPattern returns the pattern in a confirmHeader, or nil if there is none.
func confirmPattern(escaped string) (*regexp.Regexp, error) {
	text, err := url.QueryUnescape(escaped)
	if err != nil || text == "" {
		return nil, err
	}
	return regexp.Compile(text)
}

// observe counts requests that have been admitted while they last, streams and WebSockets too, but
// not those with which other servers follow the questions here: they never end.
func (l *lifetime) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/health" && (r.URL.Path != "/questions" || r.Method != http.MethodGet) {
			defer l.addRequest()()
		}
		next.ServeHTTP(w, r)
	})
}
