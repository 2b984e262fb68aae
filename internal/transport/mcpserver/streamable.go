package mcpserver

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/sse"
)

// errDeleted is why the running calls of a session end when its client closes it. Unlike
// [ErrGaveUp], it is not of kind [fault.Gone]: that client does not come back for an answer.
var errDeleted = fault.New(fault.Precondition, "the client has closed the session")

// Names of headers.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
)

// streamable serves Streamable HTTP at one URL, in both eras. A session is a connection that
// outlives its requests; a call without one has a connection of its own.
func (h *HTTP) streamable(w http.ResponseWriter, r *http.Request) {
	var msg sdkrpc.Message
	if r.Method == http.MethodPost {
		body, ok := h.readMessage(w, r)
		if !ok {
			return
		}
		var refusal *jsonrpc.Response
		var ignored string
		switch msg, refusal, ignored = decode(body); {
		case refusal != nil:
			sendRefusal(w, http.StatusBadRequest, refusal)
			return
		case msg == nil:
			h.Log.Warn("ignored a response from the client", "why", ignored)
			w.WriteHeader(http.StatusAccepted)
			return
		}
	}
	version, id := r.Header.Get(versionHeader), r.Header.Get(sessionHeader)
	modern, methods := version >= StatelessSince, []string{http.MethodGet, http.MethodPost, http.MethodDelete}
	if modern {
		id, methods = "", []string{http.MethodPost}
	}
	session := h.sessions.begin(id)
	if session != nil {
		defer h.sessions.end(session)
	}
	document, events := formsFor(r.Header)
	var call sdkrpc.ID // none
	if req, ok := msg.(*sdkrpc.Request); ok {
		call = req.ID
	}
	refuse := func(status int, text string) {
		sendRefusal(w, status, jsonrpc.Refuse(encodeID(call), jsonrpc.CodeInvalidRequest, "Invalid Request: %s", text))
	}
	switch {
	case !slices.Contains(methods, r.Method):
		w.Header().Set("Allow", strings.Join(methods, ", "))
		refuse(http.StatusMethodNotAllowed, "the method "+r.Method+" is not for this address")
	case !modern && version != "" && !slices.Contains(handshakeVersions, version):
		refuse(http.StatusBadRequest, "Unsupported protocol version; with a handshake there are "+strings.Join(handshakeVersions, ", "))
	case r.Method == http.MethodPost && !document && !events:
		refuse(http.StatusNotAcceptable, "Accept must contain application/json and text/event-stream")
	case r.Method == http.MethodGet && !events:
		refuse(http.StatusNotAcceptable, "Accept must contain text/event-stream")
	case r.Method != http.MethodPost && id == "":
		refuse(http.StatusBadRequest, r.Method+" needs the header "+sessionHeader)
	case id != "" && session == nil:
		refuse(http.StatusNotFound, "session not found")
	case r.Method == http.MethodDelete:
		h.sessions.forget(session)
		session.leave(errDeleted)
		select {
		case <-session.idle():
		case <-r.Context().Done():
		}
		session.shut()
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodGet:
		if !session.listen(w, r) {
			refuse(http.StatusConflict, "another request listens to this session already")
		}
	default:
		h.post(w, r, session, msg, !events)
	}
}

// formsFor reports which forms of answers a client takes. One that does not say is a script, which
// takes documents.
func formsFor(h http.Header) (document, events bool) {
	accept := strings.ToLower(strings.Join(h.Values("Accept"), ","))
	takes := func(types ...string) bool {
		return slices.ContainsFunc(types, func(t string) bool { return strings.Contains(accept, t) })
	}
	return accept == "" || takes("application/json", "application/*", "*/*"), takes("text/event-stream", "text/*", "*/*")
}

// listen has a client get what no call of its own causes, until it disconnects or the session ends.
// It reports false if the client listens already.
func (s *httpSession) listen(w http.ResponseWriter, r *http.Request) bool {
	stream := newReply(w, nil, false)
	defer stream.end(0, nil)
	if !s.listener.CompareAndSwap(nil, stream) {
		return false
	}
	defer s.listener.Store(nil)
	_ = stream.send(sse.Comment("open")) // the request's context reports a client that has disconnected
	select {
	case <-r.Context().Done():
	case <-s.ctx.Done():
	}
	return true
}

// post serves a message, which may be a call. session is nil if the request names none.
func (h *HTTP) post(w http.ResponseWriter, r *http.Request, session *httpSession, msg sdkrpc.Message, document bool) {
	req, _ := msg.(*sdkrpc.Request)
	if req == nil || !req.IsCall() {
		var refusal *jsonrpc.Response
		var err error
		if session != nil { // else it is about nothing
			refusal, err = session.take(msg, &call{})
		}
		sendTaken(w, refusal, err)
		return
	}
	modern := r.Header.Get(versionHeader) >= StatelessSince || jsonrpc.IsStateless(req.Params)
	if problem := h.checkHeaders(r.Header, req); modern && problem != nil {
		sendRefusal(w, http.StatusBadRequest, problem)
		return
	}
	reply := newReply(w, req, document)
	reply.inSession, reply.modern = session != nil, modern
	// A client that merely disconnects may come back to its session for the answer.
	arrived := &call{request: r.Context(), reply: reply, tied: session == nil, ends: []context.Context{r.Context()}}
	status, missing := http.StatusServiceUnavailable, jsonrpc.Refuse(encodeID(req.ID), jsonrpc.CodeInternal, "%v", errClosed)
	defer func() { reply.end(status, missing) }()
	var conn *connection
	var err error
	switch {
	case session != nil:
		conn = session.connection
	case req.Method == "initialize" && !modern:
		if session, err = h.sessions.start(r.Context(), h); err == nil {
			defer h.sessions.end(session)
			conn, reply.session = session.connection, session.id
		}
	default:
		if conn, err = h.connectionFor(r, reply); err == nil {
			defer conn.shut()
		}
	}
	if err != nil {
		h.Log.Error("connecting an MCP session failed", "error", err)
		return
	}
	switch refusal, err := conn.take(msg, arrived); {
	case err != nil && h.answers.Context().Err() != nil:
		return // the server is stopping, rather than the session
	case refusal != nil || err != nil:
		status, missing = refused(refusal, err)
		return
	}
	disconnected := r.Context().Done()
	if arrived.tied {
		disconnected = nil // which ends the call
	}
	select {
	case <-reply.answered:
	case <-disconnected:
	case <-conn.ctx.Done():
	}
}

// connectionFor returns a connection for one call without a session.
func (h *HTTP) connectionFor(r *http.Request, reply *reply) (*connection, error) {
	c := h.connection(context.WithoutCancel(r.Context()), 1, func(message []byte) error {
		if reply.req.Method != "subscriptions/listen" {
			return errUndelivered
		}
		return reply.message(message)
	})
	c.overHTTP = true
	var state *mcp.ServerSessionState
	if !reply.modern { // as scripts send it, which need no handshake
		version := cmp.Or(r.Header.Get(versionHeader), "2025-03-26")
		state = &mcp.ServerSessionState{InitializeParams: &mcp.InitializeParams{ProtocolVersion: version}, InitializedParams: &mcp.InitializedParams{}, LogLevel: "info"}
	}
	return c, c.connect(state)
}

// refused returns the status and the body that answer a message that was not taken.
func refused(refusal *jsonrpc.Response, err error) (int, *jsonrpc.Response) {
	switch {
	case err != nil:
		return http.StatusNotFound, jsonrpc.Refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: the session has ended")
	case refusal.Error.Code == codeFailed:
		return http.StatusTooManyRequests, refusal
	}
	return http.StatusBadRequest, refusal
}

// sendTaken answers a request whose message was taken, or refused.
func sendTaken(w http.ResponseWriter, refusal *jsonrpc.Response, err error) {
	if refusal == nil && err == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	status, body := refused(refusal, err)
	sendRefusal(w, status, body)
}

// checkHeaders returns a refusal unless the headers of a call of a revision without a handshake
// repeat what it says itself.
func (h *HTTP) checkHeaders(header http.Header, req *sdkrpc.Request) *jsonrpc.Response {
	var params, meta, arguments map[string]json.RawMessage // with exact names, as the SDK reads them
	var version, name string
	_ = json.Unmarshal(req.Params, &params) // the answer says what is wrong
	_ = json.Unmarshal(params["_meta"], &meta)
	_ = json.Unmarshal(meta[mcp.MetaKeyProtocolVersion], &version)
	if version == "" {
		return jsonrpc.Refuse(encodeID(req.ID), jsonrpc.CodeInvalidParams, "missing or invalid _meta field %q", mcp.MetaKeyProtocolVersion)
	}
	said := map[string]string{versionHeader: version, "Mcp-Method": req.Method}
	named := map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
	if member, ok := named[req.Method]; ok {
		_ = json.Unmarshal(params[member], &name)
		said["Mcp-Name"] = name
	}
	if req.Method == "tools/call" {
		_ = json.Unmarshal(params["arguments"], &arguments)
		h.server.repeated(name, arguments, said)
	}
	for _, name := range slices.Sorted(maps.Keys(said)) {
		got := header.Get(name)
		if coded, ok := strings.CutPrefix(got, "=?base64?"); ok && strings.HasSuffix(coded, "?=") {
			if data, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(coded, "?=")); err == nil {
				got = string(data)
			}
		}
		if got != said[name] {
			return jsonrpc.Refuse(encodeID(req.ID), mcp.CodeHeaderMismatch, "the header %s is %.100q, but the message says %.100q", name, got, said[name])
		}
	}
	return nil
}
