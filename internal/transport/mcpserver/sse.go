package mcpserver

import (
	"context"
	"crypto/rand"
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
	out := newReply(w, nil, false)
	defer out.end(0, nil)
	c := newConnection(r.Context(), s.server, s.Log, 2, s.closing, out.message)
	c.handshakeOnly = true
	c.plain = s.Plain
	defer c.calls.plain.Wait()
	id := rand.Text()
	s.conns.Store(id, c)
	defer s.conns.Delete(id)

	endpoint := messagePath + "?" + url.Values{"sessionId": {id}}.Encode()
	if err := out.send(sse.Event{Name: "endpoint", Data: []byte(endpoint)}.Append(nil)); err != nil {
		return
	}
	if err := c.connect(nil); err != nil {
		s.Log.Error("connecting an MCP session failed", "error", err)
	} else {
		c.await()
	}
	c.shut()
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
	sendTaken(w, refusal, err)
}
