package serving

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"ui-mcp/internal/cli/join"
	"ui-mcp/internal/cli/nearby"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/mcpbridge"
	"ui-mcp/internal/transport/mcpserver"
)

// A present is what a server tells a bridge about itself. Each bridge tells its next server what
// the one before had.
type present struct {
	Server   string   `json:"server"` // its ID
	Sessions []string `json:"sessions"`
}

// A bridgeHandler takes in bridges and other servers. It belongs on the socket alone, which only
// the server's own user can open: it asks for no token.
type bridgeHandler struct {
	id       string // of the server
	life     *lifetime
	sessions *registry.Registry
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
	case r.Method == http.MethodGet && r.URL.Path == caller.BridgePath:
		h.serveBridge(w, r)
	case r.Method == http.MethodGet && r.URL.Path == caller.FleetPath:
		h.serveServer(w, r)
	case r.Method == http.MethodGet && r.URL.Path == nearby.Path:
		h.link.ServeHTTP(w, r)
	case r.Method == http.MethodGet && r.URL.Path == caller.TokenPath:
		httpio.WriteJSON(w, http.StatusOK, caller.OwnToken{Token: h.token})
	case strings.HasSuffix(r.URL.Path, "/ws/attach"):
		defer h.life.addClient()()
		h.next.ServeHTTP(w, r)
	default:
		h.next.ServeHTTP(w, r)
	}
}

// serveBridge serves MCP until the bridge ends.
func (h *bridgeHandler) serveBridge(w http.ResponseWriter, r *http.Request) {
	pattern, err := confirmPattern(r.Header.Get(caller.ConfirmHeader))
	if err != nil {
		http.Error(w, "The pattern of "+caller.ConfirmHeader+" is malformed.", http.StatusBadRequest)
		return
	}
	release, ok := h.endpoint.overHTTP.Reserve()
	if !ok {
		http.Error(w, join.Stopping, http.StatusServiceUnavailable)
		return
	}
	defer release()
	conn, end := h.upgrade(w, r, caller.BridgeProtocol, "wsh mcp")
	if conn == nil {
		return
	}
	defer end()
	by := terminals.Everything.Confirmed(h.confirm).Confirmed(pattern)
	by.Rights &^= terminals.Answer // agents do not reply as the person
	by.Dependent, by.Client = true, "bridge "+rand.Text()
	ctx := terminals.NewContext(r.Context(), by)
	if dir, err := url.QueryUnescape(r.Header.Get(caller.DirHeader)); err == nil && dir != "" {
		ctx = context.WithValue(ctx, dirKey{}, dir)
	}
	var news mcpserver.News
	news.Tell(h.lost(r.Header.Get(caller.PresentHeader)))
	p := &presenter{Conn: conn, id: h.id, sessions: h.sessions}
	err = h.endpoint.overHTTP.ServeLines(mcpserver.WithNews(ctx, &news), p, []byte(mcpbridge.Farewell), 0)
	h.log.Info("a bridge has ended", "reason", err)
}

// lost says which sessions a bridge had at another server, which has ended; "" if none.
func (h *bridgeHandler) lost(escaped string) string {
	var before present
	text, _ := url.QueryUnescape(escaped)
	_ = json.Unmarshal([]byte(text), &before) // a bridge that is new has none
	if before.Server == h.id || len(before.Sessions) == 0 {
		return ""
	}
	return "The server of the terminals had ended, and another one was started. Gone are the sessions " + strings.Join(before.Sessions, ", ") + "."
}

// A presenter is the connection to a bridge. Which sessions run is written when that has changed,
// before whatever else is: so the bridge of a server that dies knows of each session that its
// client knows.
type presenter struct {
	net.Conn
	id       string // of the server
	sessions *registry.Registry

	mu       sync.Mutex      // guards the fields below, and keeps what is written in order
	changed  <-chan struct{} // closed when something else may have to be written; nil at first
	reported string
}

// Write implements [net.Conn].
func (p *presenter) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.reportLocked(); err != nil {
		return 0, err
	}
	return p.Conn.Write(b)
}

func (p *presenter) reportLocked() error {
	select {
	case <-p.changed:
	default:
		if p.changed != nil {
			return nil
		}
	}
	_, _, changed := p.sessions.Programs()
	now := present{Server: p.id}
	for _, s := range p.sessions.List() {
		if s.Exit == nil {
			now.Sessions = append(now.Sessions, s.Name)
		}
	}
	line := string(jsonrpc.MustMarshal(map[string]any{"jsonrpc": jsonrpc.Version, "method": caller.SessionsMethod, "params": now})) + "\n"
	if line != p.reported {
		if _, err := p.Conn.Write([]byte(line)); err != nil {
			return err
		}
	}
	p.changed, p.reported = changed, line
	return nil
}

// serveServer lets another server use the sessions, as this user, until it leaves.
func (h *bridgeHandler) serveServer(w http.ResponseWriter, r *http.Request) {
	conn, end := h.upgrade(w, r, caller.FleetProtocol, "other servers")
	if conn == nil {
		return
	}
	defer end()
	err := h.others.Serve(r.Context(), conn)
	h.log.Info("another server has left", "reason", err)
}

// upgrade takes over the connection of a request, which keeps the server running until end is
// called. Without a connection, the request has been answered.
func (h *bridgeHandler) upgrade(w http.ResponseWriter, r *http.Request, protocol, whose string) (_ net.Conn, end func()) {
	leave, ok := h.life.addBridge()
	if !ok {
		http.Error(w, join.Stopping, http.StatusServiceUnavailable)
		return nil, nil
	}
	conn, err := join.Accept(w, r, protocol, whose, http.Header{
		caller.VersionHeader: {h.version}, caller.ProtocolHeader: {strconv.Itoa(terminals.Protocol)},
		caller.ConfirmHeader: r.Header.Values(caller.ConfirmHeader), // bridges of earlier builds insist on it
	})
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
		if r.URL.Path != "/health" && (r.URL.Path != httpio.QuestionsPath || r.Method != http.MethodGet) {
			defer l.addRequest()()
		}
		next.ServeHTTP(w, r)
	})
}
