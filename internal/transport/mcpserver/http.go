package mcpserver

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// DefaultMaxBody is the longest message that HTTP accepts, in bytes.
	DefaultMaxBody = 4 << 20
	// DefaultIdle is how long a session is kept that has no request.
	DefaultIdle = 2 * time.Hour
)

// HTTPOptions are what may differ. The zero value is right for most.
type HTTPOptions struct {
	Log     *slog.Logger  // nil discards
	Plain   PlainMethods  // for the stream of events; at /mcp they are whoever's who mounts it
	MaxBody int64         // bytes in one message; 0 means DefaultMaxBody
	Idle    time.Duration // 0 means DefaultIdle
}

// HTTP is MCP over HTTP: Streamable HTTP in both protocol eras, at /mcp, and
// the older pair of a stream of events, GET /sse, and POST /message.
//
// It serves whoever asks: checking Host and Origin is up to whoever mounts it.
type HTTP struct {
	door     *door
	sessions *sessions
	mcp      *streamable
	sse      *sse
}

// NewHTTP returns the handlers of s over HTTP. The caller must Close it.
func NewHTTP(s *mcp.Server, o HTTPOptions) *HTTP {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.MaxBody == 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.Idle == 0 {
		o.Idle = DefaultIdle
	}
	h := &HTTP{door: newDoor(), sessions: newSessions(s, o.Idle)}
	h.mcp = newStreamable(s, h.sessions, o)
	h.sse = newSSE(s, h.door, o)
	return h
}

// Routes are the handlers by their patterns, as [http.ServeMux] takes them.
func (h *HTTP) Routes() map[string]http.Handler {
	return map[string]http.Handler{
		"/mcp":          h.behindDoor(h.mcp.ServeHTTP),
		"GET /sse":      h.behindDoor(h.sse.stream),
		"POST /message": h.behindDoor(h.sse.message),
	}
}

// Has reports whether a session that began with a handshake at /mcp is open.
func (h *HTTP) Has(session string) bool { return h.sessions.has(session) }

// Close ends streams and sessions. Calls that are under way are cancelled, and
// their answers are still sent. Close returns when no request is being handled
// and no call runs any more, or when ctx ends, whose cause it then returns.
//
// Close it before the HTTP server, which cuts off what it serves.
func (h *HTTP) Close(ctx context.Context) error {
	h.door.close()
	done := make(chan struct{})
	// It ends with the last call; so it may outlive Close, as Close says.
	go func() {
		defer close(done)
		// A session that is closed can no longer answer. Streams that wait for
		// whatever may come end with their session.
		<-h.door.answered
		h.sessions.closeAll()
		<-h.door.empty
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// behindDoor refuses requests once h is closed.
func (h *HTTP) behindDoor(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asks := r.Method == http.MethodPost
		if !h.door.enter(asks) {
			w.Header().Set("Connection", "close")
			sendRefusal(w, http.StatusServiceUnavailable, refuse(nil, jsonrpc.CodeInternalError, "%v", errClosed))
			return
		}
		defer h.door.leave(asks)
		next(w, r.WithContext(h.door.context(r.Context())))
	})
}

// readMessage reads the body of a POST. When it is no JSON, or too long, it
// answers the request and reports false.
func readMessage(w http.ResponseWriter, r *http.Request, maxBody int64) ([]byte, bool) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		sendRefusal(w, http.StatusUnsupportedMediaType, refuse(nil, jsonrpc.CodeInvalidRequest,
			"Invalid Request: the body must be JSON: send Content-Type: application/json"))
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		sendRefusal(w, http.StatusRequestEntityTooLarge, refuse(nil, jsonrpc.CodeInvalidRequest,
			"Invalid Request: the message is longer than %d bytes", tooLong.Limit))
		return nil, false
	}
	if err != nil {
		sendRefusal(w, http.StatusBadRequest, refuse(nil, jsonrpc.CodeParseError, "Parse error: the body ended early: %v", err))
		return nil, false
	}
	return body, true
}
