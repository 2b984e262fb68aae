package mcpserver

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/inflight"
	"ui-mcp/internal/transport/jsonrpc"
)

const (
	// DefaultMaxBody is the longest message that HTTP accepts, in bytes.
	DefaultMaxBody = 4 << 20
	// DefaultIdle is how long a session without a request is kept.
	DefaultIdle = 2 * time.Hour
)

// errClosed is why running calls end when their server closes.
var errClosed = fault.New(fault.Gone, "the server is stopping")

// HTTPOptions configure [HTTP]. The zero value is right for most.
type HTTPOptions struct {
	Log     *slog.Logger  // nil discards
	Plain   PlainMethods  // on streams of events and connections; at /mcp the caller of NewHTTP serves them
	MaxBody int64         // bytes in one message; 0 means DefaultMaxBody
	Idle    time.Duration // 0 means DefaultIdle
}

// HTTP is MCP over HTTP: Streamable HTTP in both protocol eras, at /mcp, and the older pair of a
// stream of events, GET /sse, and POST /message. Scripts that do not speak MCP call tools at
// /api/TOOL.
//
// Programs of the same user may use a connection of their own instead: see [HTTP.ServeLines].
//
// It serves every request: checking Host and Origin is up to the caller.
type HTTP struct {
	HTTPOptions
	server   *Server
	requests *inflight.Group // all requests
	answers  *inflight.Group // those that end by themselves, with an answer: POSTs; calls end with it
	sessions *sessions
	streams  sync.Map // of events: session ID to *connection
}

// NewHTTP returns the handlers of s over HTTP. The caller must Close it.
func NewHTTP(s *Server, o HTTPOptions) *HTTP {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.MaxBody, o.Idle = cmp.Or(o.MaxBody, DefaultMaxBody), cmp.Or(o.Idle, DefaultIdle)
	return &HTTP{HTTPOptions: o, server: s, requests: inflight.New(), answers: inflight.New(), sessions: &sessions{idle: o.Idle, known: map[string]*httpSession{}}}
}

// Routes are the handlers by their patterns, as [http.ServeMux] takes them.
func (h *HTTP) Routes() map[string]http.Handler {
	return map[string]http.Handler{
		"/mcp":          h.track(h.streamable),
		"GET /sse":      h.track(h.stream),
		"POST /message": h.track(h.message),
		"/api/{tool}":   h.track(h.api),
	}
}

// Has reports whether a session that started with a handshake at /mcp is open.
func (h *HTTP) Has(session string) bool { return h.sessions.has(session) }

// Close ends streams and sessions. Running calls are cancelled, and their answers are still sent.
// Close returns when no request is being handled and no call runs any more, or when ctx ends, whose
// cause it then returns.
//
// Close it before the HTTP server, which cuts connections off.
func (h *HTTP) Close(ctx context.Context) error {
	h.requests.Close(errClosed)
	h.answers.Close(errClosed)
	done := make(chan struct{})
	// It ends with the last call; so it may outlive Close, as Close says.
	go func() {
		defer close(done)
		// A session that is closed can no longer answer. Streams without a call end with their
		// session.
		<-h.answers.Drained()
		h.sessions.closeAll()
		<-h.requests.Drained()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// connection returns a connection whose calls end when h is closed: see newConnection.
func (h *HTTP) connection(ctx context.Context, eras int, send func([]byte) error) *connection {
	return newConnection(ctx, h.server, h.Log, eras, h.answers.Context(), send)
}

// track counts requests, and refuses them once h is closed.
func (h *HTTP) track(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		groups := []*inflight.Group{h.requests}
		if r.Method == http.MethodPost {
			groups = append(groups, h.answers)
		}
		for _, g := range groups {
			if !g.Enter() {
				w.Header().Set("Connection", "close")
				sendRefusal(w, http.StatusServiceUnavailable, jsonrpc.Refuse(nil, jsonrpc.CodeInternal, "%v", errClosed))
				return
			}
			defer g.Leave()
		}
		next(w, r)
	})
}

// readMessage reads the body of a POST. When it is not JSON, or too long, readMessage answers the
// request and reports false.
func (h *HTTP) readMessage(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	body, problem := httpio.ReadJSON(w, r, h.MaxBody)
	if problem != nil {
		sendRefusal(w, problem.Status, jsonrpc.Refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: %s", problem.Text))
		return nil, false
	}
	return body, true
}
