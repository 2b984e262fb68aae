package mcpserver

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"

	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/sse"
)

// An eventServer is MCP over HTTP as revision 2024-11-05 had it: a client opens a stream of events,
// whose first event names the address for its messages. Answers come as events. The stream is the
// session.
type eventServer struct {
	HTTPOptions
	server  *Server
	closing context.Context // ends when no more messages are accepted
	conns   sync.Map        // session ID to *connection
}

const messagePath = "/message"

// stream serves GET /sse until the client disconnects or the server closes.
func (s *eventServer) stream(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet { // a pattern for GET matches HEAD, too
		w.Header().Set("Allow", http.MethodGet)
		sendRefusal(w, http.StatusMethodNotAllowed, jsonrpc.Refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: %s understands GET only", r.URL.Path))
		return
	}
	out := newResponse(w, nil, false)
	defer out.finish(nil)
	send := func(e sse.Event) error {
		if _, err := out.Write(e.Append(nil)); err != nil {
			return err
		}
		return out.FlushError()
	}
	c := newConnection(r.Context(), s.server, s.Log, s.closing, func(message []byte) error { return send(sse.Event{Data: message}) })
	c.handshakeOnly = true
	c.plain = s.Plain
	defer c.calls.plain.Wait()
	id := rand.Text()
	s.conns.Store(id, c)
	defer s.conns.Delete(id)

	sse.SetHeaders(out.Header())
	endpoint := messagePath + "?" + url.Values{"sessionId": {id}}.Encode()
	if err := send(sse.Event{Name: "endpoint", Data: []byte(endpoint)}); err != nil {
		return
	}
	if err := c.connect(); err != nil {
		s.Log.Error("connecting an MCP session failed", "error", err)
	} else {
		c.await()
	}
	_ = c.close()
	_ = c.wait()
}

// message serves POST /message?sessionId=ID. The answer to the message is an event of the session's
// stream; only a malformed message is answered here.
func (s *eventServer) message(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("sessionId")
	open, ok := s.conns.Load(id)
	if !ok {
		status, text := http.StatusNotFound, "Invalid Request: there is no such session: open GET /sse, and post to the address in its first event"
		if id == "" {
			status, text = http.StatusBadRequest, "Invalid Request: the parameter sessionId is missing: open GET /sse, and post to the address in its first event"
		}
		sendRefusal(w, status, jsonrpc.Refuse(nil, jsonrpc.CodeInvalidRequest, "%s", text))
		return
	}
	body, ok := readMessage(w, r, s.MaxBody)
	if !ok {
		return
	}
	refusal, err := open.(*connection).accept(body)
	switch {
	case refusal != nil && refusal.Error.Code == codeFailed:
		sendRefusal(w, http.StatusTooManyRequests, refusal)
	case refusal != nil:
		sendRefusal(w, http.StatusBadRequest, refusal)
	case errors.Is(err, io.EOF):
		sendRefusal(w, http.StatusNotFound, jsonrpc.Refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: the session has ended"))
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}
