// Package httppopup is the question to a person over HTTP: the door at which programs ask (POST and GET /mcp, with no
// handshake), the pages in which the person answers, and the way from one server to another.
//
// It trusts that a guard stands in front of it, which lets only this machine's programs and our own pages through.
package httppopup

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/popuprpc"
)

// DefaultMaxBody is the longest message that is taken, in bytes.
const DefaultMaxBody = 8 << 20

// sessionHeader names the client, where it wants answers as events of a stream.
const sessionHeader = "Mcp-Session-Id"

// DoorOptions are what a door is made of. Methods is required.
type DoorOptions struct {
	Methods *popuprpc.Methods
	// Next serves what is not for us: MCP at the same address. nil means that there is nothing else there.
	Next http.Handler
	// IsMCP reports whether a session is one of Next's: its streams are Next's, too. nil means that all sessions which have
	// asked nothing here are.
	IsMCP func(session string) bool
	// Token is what other servers show to prove that they mean this one; "" lets none send questions here.
	Token string
	// MaxBody is how long a message may be, in bytes; 0 means DefaultMaxBody.
	MaxBody int64
	// Log takes what goes wrong; nil discards it.
	Log *slog.Logger
}

// A Door serves /mcp:
//
//	POST    one message, or an array of them. The answer comes as the body when the person has answered; or, with Accept:
//	        text/event-stream, as the event of a stream; or, with Prefer: respond-async, or when a stream of the same
//	        Mcp-Session-Id is open, as an event of that stream, after a 202 that says "queued".
//	GET     the stream of events of an Mcp-Session-Id, or of those who have none.
//
// A client that gives up withdraws its question, unless it was told "queued": then it says so by notifications/cancelled.
type Door struct {
	opts    DoorOptions
	streams *streams

	stopped context.Context // ends with the door
	stop    context.CancelCauseFunc
	work    sync.WaitGroup // questions that are asked for later; Add only with mu held and closed false

	mu      sync.Mutex // guards the fields below
	closed  bool
	waiting map[call]*queued // what was queued
}

// A call names a queued request.
type call struct{ session, id string }

// queued is a request that is answered later.
type queued struct{ cancel context.CancelCauseFunc }

// NewDoor returns a door. The caller must Close it.
func NewDoor(opts DoorOptions) *Door {
	if opts.Methods == nil {
		panic("httppopup: Methods is required")
	}
	if opts.MaxBody == 0 {
		opts.MaxBody = DefaultMaxBody
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	d := &Door{opts: opts, streams: newStreams(), waiting: map[call]*queued{}}
	d.stopped, d.stop = context.WithCancelCause(context.Background())
	return d
}

// Close ends what waits, and streams. It returns when no question is asked here any more.
func (d *Door) Close() {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.stop(fault.New(fault.Gone, "the server is stopping"))
	d.work.Wait()
}

// ServeHTTP implements [http.Handler].
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost:
		d.post(w, r)
	case r.Method == http.MethodGet && d.isOurs(r.Header.Get(sessionHeader)):
		d.listen(w, r)
	case d.opts.Next != nil:
		d.opts.Next.ServeHTTP(w, r)
	default:
		w.Header().Set("Allow", "GET, POST")
		sendError(w, http.StatusMethodNotAllowed, "Invalid Request: only GET and POST are understood here")
	}
}

// isOurs reports whether a stream of a session is ours to serve.
func (d *Door) isOurs(session string) bool {
	switch {
	case d.opts.Next == nil || session == "" || d.streams.has(session):
		return true
	case d.opts.IsMCP == nil:
		return false
	}
	return !d.opts.IsMCP(session)
}

func (d *Door) post(w http.ResponseWriter, r *http.Request) {
	body, ok := d.read(w, r)
	if !ok {
		return
	}
	msg := popuprpc.Parse(body)
	switch {
	case d.cancel(r, msg):
		w.WriteHeader(http.StatusAccepted)
	case d.opts.Next != nil && !d.opts.Methods.ForMe(msg):
		r.Body = io.NopCloser(bytes.NewReader(body))
		d.opts.Next.ServeHTTP(w, r)
	default:
		d.answer(w, r, msg)
	}
}

// read returns the body. When it is none of ours to read it has answered, or let Next do so, and reports false.
func (d *Door) read(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		if d.opts.Next != nil {
			d.opts.Next.ServeHTTP(w, r)
		} else {
			sendError(w, http.StatusUnsupportedMediaType, "Invalid Request: the body must be JSON: send Content-Type: application/json")
		}
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, d.opts.MaxBody))
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		sendError(w, http.StatusRequestEntityTooLarge, "Invalid Request: the message is too long")
		return nil, false
	}
	if err != nil {
		sendError(w, http.StatusBadRequest, "Invalid Request: the body ended early")
		return nil, false
	}
	return body, true
}

// answer answers a message in the way the client wishes.
func (d *Door) answer(w http.ResponseWriter, r *http.Request, msg popuprpc.Message) {
	opts, ok := d.sender(w, r)
	if !ok {
		return
	}
	session := r.Header.Get(sessionHeader)
	switch {
	case d.isAsync(r, session, msg):
		d.answerLater(w, session, msg, opts)
	case wantsStream(r):
		d.answerInStream(w, r, msg, opts)
	default:
		ctx, done := d.until(r.Context())
		defer done()
		answer, code := d.opts.Methods.Answer(ctx, msg, opts)
		send(w, statusOf(code), answer)
	}
}

// sender says what a request may do because of who sends it. Other servers show the token that this one has left for them;
// a wrong one means that they look for a server that had this port before.
func (d *Door) sender(w http.ResponseWriter, r *http.Request) (popuprpc.Options, bool) {
	token, given := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !given {
		return popuprpc.Options{}, true
	}
	if d.opts.Token == "" || subtle.ConstantTimeCompare([]byte(token), []byte(d.opts.Token)) != 1 {
		w.Header().Set("WWW-Authenticate", "Bearer")
		sendError(w, http.StatusUnauthorized, "Invalid Request: this is not the server that the token is for")
		return popuprpc.Options{}, false
	}
	return popuprpc.Options{Local: true}, true
}

// until is a context that ends with the request, and with the door.
func (d *Door) until(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	stop := context.AfterFunc(d.stopped, func() { cancel(context.Cause(d.stopped)) })
	return ctx, func() { stop(); cancel(nil) }
}

// isAsync reports whether the answer goes to a stream. Only what has an id can be answered there.
func (d *Door) isAsync(r *http.Request, session string, msg popuprpc.Message) bool {
	if msg.IsBatch || msg.Requests[0].ID == nil || msg.Requests[0].Method != popuprpc.TriggerPopup {
		return false
	}
	for _, p := range r.Header.Values("Prefer") {
		for wish := range strings.SplitSeq(p, ",") {
			if strings.EqualFold(strings.TrimSpace(wish), "respond-async") {
				return true
			}
		}
	}
	return session != "" && d.streams.isLive(session)
}

// wantsStream reports whether a client takes events and nothing else.
func wantsStream(r *http.Request) bool {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	return strings.Contains(accept, "text/event-stream") && !strings.Contains(accept, "application/json") && !strings.Contains(accept, "*/*")
}

// answerLater acknowledges a request, and has its answer sent to the session's stream.
func (d *Door) answerLater(w http.ResponseWriter, session string, msg popuprpc.Message, opts popuprpc.Options) {
	req := msg.Requests[0]
	key := call{session, string(req.ID)}
	d.mu.Lock()
	_, twice := d.waiting[key]
	if d.closed || twice && session != "" {
		d.mu.Unlock()
		sendError(w, http.StatusBadRequest, "Invalid Request: the id belongs to a request that has not been answered yet, or the server is stopping")
		return
	}
	ctx, cancel := context.WithCancelCause(d.stopped)
	mine := &queued{cancel}
	d.waiting[key] = mine
	d.work.Go(func() {
		defer cancel(nil)
		answer, _ := d.opts.Methods.Answer(ctx, msg, opts)
		d.mu.Lock()
		if d.waiting[key] == mine { // else it was cancelled, and the id may be another's by now
			delete(d.waiting, key)
		}
		d.mu.Unlock()
		if context.Cause(ctx) != errCancelled { // what was cancelled must not be answered
			d.streams.publish(session, answer)
		}
	})
	d.mu.Unlock()
	send(w, http.StatusAccepted, popuprpc.Queued(req))
}

var errCancelled = errors.New("cancelled by the client")

// cancel withdraws a queued question when the message says so, which it reports.
func (d *Door) cancel(r *http.Request, msg popuprpc.Message) bool {
	if msg.IsBatch || msg.Requests[0].Method != "notifications/cancelled" {
		return false
	}
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(msg.Requests[0].Params, &params) != nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	key := call{r.Header.Get(sessionHeader), string(params.RequestID)}
	q, ok := d.waiting[key]
	if ok {
		delete(d.waiting, key) // the client may use the id again at once
		q.cancel(errCancelled)
	}
	return ok
}

// answerInStream answers with a stream that tells, until the answer is there, that it is alive.
func (d *Door) answerInStream(w http.ResponseWriter, r *http.Request, msg popuprpc.Message, opts popuprpc.Options) {
	out := startStream(w)
	opts.Beat = func(waited time.Duration) {
		_ = out.comment("waiting for the person, " + waited.Round(time.Second).String())
	}
	ctx, done := d.until(r.Context())
	defer done()
	if answer, _ := d.opts.Methods.Answer(ctx, msg, opts); answer != nil {
		_ = out.event(0, answer) // a client that has gone needs no answer
	}
}

// listen serves the stream of a session until the client or the server goes.
func (d *Door) listen(w http.ResponseWriter, r *http.Request) {
	if accept := r.Header.Get("Accept"); accept != "" && !strings.Contains(accept, "text/event-stream") && !strings.Contains(accept, "*/*") {
		sendError(w, http.StatusNotAcceptable, "Invalid Request: GET is a stream of events: send Accept: text/event-stream")
		return
	}
	ctx, done := d.until(r.Context())
	defer done()
	d.streams.serve(ctx, r.Header.Get(sessionHeader), r.Header.Get("Last-Event-ID"), startStream(w))
}

// statusOf is the HTTP status for the code of an answer: what a person or time has decided is no error of HTTP.
func statusOf(code int) int {
	switch code {
	case popuprpc.CodeParse, popuprpc.CodeInvalidRequest, popuprpc.CodeInvalidParams:
		return http.StatusBadRequest
	case popuprpc.CodeStopping:
		return http.StatusServiceUnavailable
	}
	return http.StatusOK
}

// send answers with a message; with none, there is nothing to say.
func send(w http.ResponseWriter, status int, message []byte) {
	if message == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(message, '\n')) // a client that has gone needs no answer
}

// sendError refuses a request whose message was not read.
func sendError(w http.ResponseWriter, status int, text string) {
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": popuprpc.CodeInvalidRequest, "message": text},
	})
	if err != nil {
		panic(err) // texts and a number can be encoded
	}
	send(w, status, body)
}
