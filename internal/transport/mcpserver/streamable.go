package mcpserver

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// streamable is Streamable HTTP at one URL. The SDK has a handler for each era,
// and none for both: this sends each request to the one that it is meant for.
type streamable struct {
	handshake http.Handler // sessions that begin with "initialize"
	stateless http.Handler // requests that stand for themselves
	sessions  *sessions
	log       *slog.Logger
	maxBody   int64
}

func newStreamable(s *mcp.Server, open *sessions, o HTTPOptions) *streamable {
	server := func(*http.Request) *mcp.Server { return s }
	return &streamable{
		// Its sessions are closed by open. The SDK would close one whose client
		// only listens.
		handshake: mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
			Logger:              o.Log,
			MaxRequestBodyBytes: o.MaxBody,
		}),
		stateless: mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
			Stateless:                    true,
			Logger:                       o.Log,
			MaxRequestBodyBytes:          o.MaxBody,
			PropagateRequestCancellation: true,
		}),
		sessions: open,
		log:      o.Log,
		maxBody:  o.MaxBody,
	}
}

// Names of headers.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
)

// ServeHTTP implements [http.Handler].
func (s *streamable) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req *jsonrpc.Request
	if r.Method == http.MethodPost {
		body, ok := readMessage(w, r, s.maxBody)
		if !ok {
			return
		}
		msg, no, ignored := decode(body)
		switch {
		case no != nil:
			sendRefusal(w, http.StatusBadRequest, no)
			return
		case msg == nil:
			s.log.Warn("ignored a response from the client", "why", ignored)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		req, _ = msg.(*jsonrpc.Request)
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	if s.isHandshake(r, req) {
		s.serveSession(w, r, req)
		return
	}
	answer(s.stateless, newResponse(w, req), r)
}

// isHandshake reports whether a request belongs to the era of sessions. req is
// the message in its body, or nil if it is none or no request. Requests that
// name no version, as scripts send them, need no handshake.
func (s *streamable) isHandshake(r *http.Request, req *jsonrpc.Request) bool {
	switch {
	case r.Header.Get(versionHeader) >= statelessSince:
		return false
	case r.Header.Get(sessionHeader) != "" || r.Method != http.MethodPost:
		return true
	}
	return req != nil && req.Method == "initialize" && !isStateless(req)
}

// serveSession serves a request that has a session or makes one.
func (s *streamable) serveSession(w http.ResponseWriter, r *http.Request, req *jsonrpc.Request) {
	id := r.Header.Get(sessionHeader)
	if s.sessions.begin(id) {
		defer s.sessions.end(id)
	}
	res := newResponse(w, req)
	res.onHeader = func(h http.Header) {
		if id := h.Get(sessionHeader); id != "" {
			s.sessions.add(id) // before the client knows of it
		}
	}
	answer(s.handshake, res, r)
	if r.Method == http.MethodDelete {
		s.sessions.forget(id)
	}
}

// answer lets a handler of the SDK answer a request.
func answer(h http.Handler, res *response, r *http.Request) {
	h.ServeHTTP(res, r)
	var missing error
	if r.Context().Err() != nil {
		missing = errClosed // or the client has gone, and it goes nowhere
	}
	res.finish(missing)
}
