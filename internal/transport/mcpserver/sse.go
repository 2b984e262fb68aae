package mcpserver

import (
	"crypto/rand"
	"net/http"
	"net/url"

	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/sse"
)

const messagePath = "/message"

// stream serves GET /sse until the client disconnects or the server closes: MCP over HTTP as
// revision 2024-11-05 had it. A client opens a stream of events, whose first event names the
// address for its messages. Answers come as events. The stream is the session.
func (h *HTTP) stream(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet { // a pattern for GET matches HEAD, too
		w.Header().Set("Allow", http.MethodGet)
		sendRefusal(w, http.StatusMethodNotAllowed, jsonrpc.Refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: %s understands GET only", r.URL.Path))
		return
	}
	out := newReply(w, nil, false)
	defer out.end(0, nil)
	c := h.connection(r.Context(), 2, out.message)
	c.handshakeOnly = true
	c.plain = h.Plain
	defer c.calls.plain.Wait()
	id := rand.Text()
	h.streams.Store(id, c)
	defer h.streams.Delete(id)

	endpoint := messagePath + "?" + url.Values{"sessionId": {id}}.Encode()
	if err := out.send(sse.Event{Name: "endpoint", Data: []byte(endpoint)}.Append(nil)); err != nil {
		return
	}
	if err := c.connect(nil); err != nil {
		h.Log.Error("connecting an MCP session failed", "error", err)
	} else {
		c.await()
	}
	c.shut()
}

// message serves POST /message?sessionId=ID. The answer to the message is an event of the session's
// stream; only a malformed message is answered here.
func (h *HTTP) message(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("sessionId")
	open, ok := h.streams.Load(id)
	if !ok {
		status, text := http.StatusNotFound, "Invalid Request: there is no such session: open GET /sse, and post to the address in its first event"
		if id == "" {
			status, text = http.StatusBadRequest, "Invalid Request: the parameter sessionId is missing: open GET /sse, and post to the address in its first event"
		}
		sendRefusal(w, status, jsonrpc.Refuse(nil, jsonrpc.CodeInvalidRequest, "%s", text))
		return
	}
	body, ok := h.readMessage(w, r)
	if !ok {
		return
	}
	refusal, err := open.(*connection).accept(body)
	sendTaken(w, refusal, err)
}
