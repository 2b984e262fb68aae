// Package httppopup is the question to a person over HTTP: the endpoint at which programs ask
// (POST and GET /mcp, with no handshake), and the pages in which the person answers.
//
// It does not check who connects: put package gate in front.
//
// A [Handler] is the endpoint. It holds a request until the answer, or answers at once and sends
// the answer on a stream of the client (streams), again after the client has connected again.
// [Pages] is the other side: a document in a frame of an origin of its own, which scripts of apps
// cannot reach, and a page for each WebSocket of it, which is a channel of the [Broker]:
//
//	program ── Handler ── popuprpc ── Broker ── page ── /popup-ws ── the person
//
// Pages say which questions they display. In a conversation, a reply counts only when the question
// was displayed long enough to be read.
package httppopup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/secret"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/inflight"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/popuprpc"
	"ui-mcp/internal/transport/sse"
)

// MaxBody is the longest message that is taken, in bytes.
const MaxBody = 8 << 20

// sessionHeader names the client, so that answers can be events of its stream.
const sessionHeader = "Mcp-Session-Id"

// HandlerOptions configure a [Handler]. Methods is required.
type HandlerOptions struct {
	Methods *popuprpc.Methods
	// Next serves the other requests to the same address, for MCP. nil means that the address
	// serves no others.
	Next http.Handler
	// IsMCP reports whether a session belongs to Next, which then serves its streams, too, unless
	// it has asked something here. It is required with Next.
	IsMCP func(session string) bool
	// Token is what programs of the user send to prove that they mean this server; the zero value
	// refuses them all.
	Token secret.Known
}

// A Handler serves /mcp:
//
//	POST    one message. The answer comes as the body when the person has answered; or, with
//	        Accept: text/event-stream, as the event of a stream; or, with Prefer: respond-async, or
//	        when a stream of the same Mcp-Session-Id is open, as an event of that stream, after a
//	        202 that says "queued".
//	GET     the stream of events of an Mcp-Session-Id, or of clients that have none.
//
// A client that disconnects withdraws its question, unless the question was queued: such a client
// sends notifications/cancelled.
type Handler struct {
	opts    HandlerOptions
	streams *streams
	asking  *inflight.Group // queued questions; closing it also ends the requests being served

	mu     sync.Mutex // guards the field below
	queued map[call]*queued
}

// A call names a queued request.
type call struct{ session, id string }

// queued is a request that is answered later.
type queued struct{ cancel context.CancelCauseFunc }

// NewHandler returns a handler. The caller must Close it.
func NewHandler(opts HandlerOptions) *Handler {
	if opts.Methods == nil {
		panic("httppopup: Methods is required")
	}
	return &Handler{opts: opts, streams: newStreams(), asking: inflight.New(), queued: map[call]*queued{}}
}

// Close withdraws open questions and ends streams. It returns when no queued question is left.
func (h *Handler) Close() {
	h.asking.Close(fault.New(fault.Gone, "the server is stopping"))
	<-h.asking.Drained()
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r)
	case r.Method == http.MethodGet && h.isOurs(r.Header.Get(sessionHeader)):
		h.listen(w, r)
	case h.opts.Next != nil:
		h.opts.Next.ServeHTTP(w, r)
	default:
		w.Header().Set("Allow", "GET, POST")
		sendError(w, http.StatusMethodNotAllowed, "Invalid Request: only GET and POST are understood here")
	}
}

// isOurs reports whether a stream of a session is ours to serve.
func (h *Handler) isOurs(session string) bool {
	return h.opts.Next == nil || session == "" || h.streams.has(session) || !h.opts.IsMCP(session)
}

func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	body, ok := h.read(w, r)
	if !ok {
		return
	}
	msg := jsonrpc.Parse(body)
	switch {
	case h.cancel(r, &msg):
		w.WriteHeader(http.StatusAccepted)
	case h.opts.Next != nil && !popuprpc.Handles(&msg):
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.opts.Next.ServeHTTP(w, r)
	default:
		h.answer(w, r, &msg)
	}
}

// read returns the body. When it cannot be read, it has been answered, by Next where it is not
// JSON, and read reports false.
func (h *Handler) read(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if h.opts.Next != nil && !httpio.IsJSON(r.Header.Get("Content-Type")) {
		h.opts.Next.ServeHTTP(w, r)
		return nil, false
	}
	body, problem := httpio.ReadJSON(w, r, MaxBody)
	if problem != nil {
		sendError(w, problem.Status, "Invalid Request: "+problem.Text)
		return nil, false
	}
	return body, true
}

// answer answers a message in the way that the client asked for.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, msg *jsonrpc.Message) {
	if !h.isMeant(w, r) {
		return
	}
	session := r.Header.Get(sessionHeader)
	switch {
	case h.isAsync(r, session, msg):
		h.answerLater(w, session, msg)
	case wantsStream(r):
		h.answerInStream(w, r, msg)
	default:
		ctx, done := h.asking.Bound(r.Context())
		defer done()
		answer, code := h.opts.Methods.Answer(ctx, msg, popuprpc.Options{})
		send(w, statusOf(code), answer)
	}
}

// isMeant reports whether a request is for this server, and otherwise refuses it. Programs of the
// user send the token that it has left for them; a wrong one means that they look for a server that
// had this port before.
func (h *Handler) isMeant(w http.ResponseWriter, r *http.Request) bool {
	token, given := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if given && !h.opts.Token.Is(token) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		sendError(w, http.StatusUnauthorized, "Invalid Request: this is not the server that the token is for")
		return false
	}
	return true
}

// isAsync reports whether the answer goes to a stream. Only a request with an id can be answered
// there.
func (h *Handler) isAsync(r *http.Request, session string, msg *jsonrpc.Message) bool {
	if msg.ID == nil || !popuprpc.Asks(msg.Method) {
		return false
	}
	for _, p := range r.Header.Values("Prefer") {
		for preference := range strings.SplitSeq(p, ",") {
			if strings.EqualFold(strings.TrimSpace(preference), "respond-async") {
				return true
			}
		}
	}
	return session != "" && h.streams.isLive(session)
}

// wantsStream reports whether a client accepts events and nothing else.
func wantsStream(r *http.Request) bool {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	return strings.Contains(accept, "text/event-stream") && !strings.Contains(accept, "application/json") && !strings.Contains(accept, "*/*")
}

// answerLater acknowledges a request and sends its answer to the session's stream.
func (h *Handler) answerLater(w http.ResponseWriter, session string, msg *jsonrpc.Message) {
	key := call{session, string(msg.ID)}
	ctx, cancel := context.WithCancelCause(h.asking.Context())
	mine := &queued{cancel}
	h.mu.Lock()
	_, used := h.queued[key] // requests without a session cannot be distinguished by their ids, so they may share one
	ok := !(used && session != "") && h.asking.Enter()
	if ok {
		h.queued[key] = mine
	}
	h.mu.Unlock()
	if !ok {
		cancel(nil)
		sendError(w, http.StatusBadRequest, "Invalid Request: the id belongs to a request that has not been answered yet, or the server is stopping")
		return
	}
	go func() { // Close waits for it
		defer h.asking.Leave()
		defer cancel(nil)
		answer, _ := h.opts.Methods.Answer(ctx, msg, popuprpc.Options{})
		h.mu.Lock()
		if h.queued[key] == mine { // else it was cancelled, and its id may belong to another by now
			delete(h.queued, key)
		}
		h.mu.Unlock()
		if !errors.Is(context.Cause(ctx), errCancelled) { // a cancelled request must not be answered
			h.streams.publish(session, answer)
		}
	}()
	send(w, http.StatusAccepted, popuprpc.Queued(msg))
}

var errCancelled = errors.New("cancelled by the client")

// cancel withdraws a queued question when the message asks for that, and reports whether it did.
func (h *Handler) cancel(r *http.Request, msg *jsonrpc.Message) bool {
	if msg.Method != "notifications/cancelled" {
		return false
	}
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(msg.Params, &params) != nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	key := call{r.Header.Get(sessionHeader), string(params.RequestID)}
	q, ok := h.queued[key]
	if ok {
		delete(h.queued, key) // the client may use the id again at once
		q.cancel(errCancelled)
	}
	return ok
}

// answerInStream answers with a stream, which comments keep alive until the answer is there.
func (h *Handler) answerInStream(w http.ResponseWriter, r *http.Request, msg *jsonrpc.Message) {
	out := sse.Start(w)
	opts := popuprpc.Options{Beat: func(waited time.Duration) {
		_ = out.Comment("waiting for the person, " + waited.Round(time.Second).String())
	}}
	ctx, done := h.asking.Bound(r.Context())
	defer done()
	if answer, _ := h.opts.Methods.Answer(ctx, msg, opts); answer != nil {
		_ = out.Send(sse.Event{Data: answer}) // a client that has disconnected needs no answer
	}
}

// listen serves the stream of a session until the client disconnects or the server stops.
func (h *Handler) listen(w http.ResponseWriter, r *http.Request) {
	if accept := r.Header.Get("Accept"); accept != "" && !strings.Contains(accept, "text/event-stream") && !strings.Contains(accept, "*/*") {
		sendError(w, http.StatusNotAcceptable, "Invalid Request: GET is a stream of events: send Accept: text/event-stream")
		return
	}
	ctx, done := h.asking.Bound(r.Context())
	defer done()
	h.streams.serve(ctx, r.Header.Get(sessionHeader), r.Header.Get("Last-Event-ID"), w)
}

// statusOf is the HTTP status for the code of an answer. The outcome of a question, whatever it is,
// is not an error of HTTP.
func statusOf(code int64) int {
	switch code {
	case jsonrpc.CodeParse, jsonrpc.CodeInvalidRequest, jsonrpc.CodeInvalidParams:
		return http.StatusBadRequest
	case popuprpc.CodeStopping:
		return http.StatusServiceUnavailable
	}
	return http.StatusOK
}

// send answers with a message, or with 202 when there is none.
func send(w http.ResponseWriter, status int, message []byte) {
	if message == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	httpio.WriteRawJSON(w, status, message)
}

// sendError refuses a request whose message was not read.
func sendError(w http.ResponseWriter, status int, text string) {
	send(w, status, jsonrpc.Refuse(nil, jsonrpc.CodeInvalidRequest, "%s", text).Encode())
}
