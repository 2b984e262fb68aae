package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	// keepAlive is the silence after which a stream carries a comment. HTTP
	// clients and proxies give up streams that are silent for a minute or more.
	keepAlive = 15 * time.Second
	// writeTimeout is how long a client may take to read what it is sent.
	writeTimeout = 30 * time.Second
)

// A response is what the SDK's HTTP handlers, and ours, write to. It adds what
// they leave out:
//
//   - streams of events are kept alive, from the start of a call on, and are not
//     buffered by proxies;
//   - a client that does not read is cut off, instead of holding a session;
//   - errors in plain text become JSON-RPC errors, and those that no client
//     should see become presentable;
//   - notifications are never answered, as on other transports;
//   - what is sent is UTF-8.
//
// The handler must not use it after finish.
type response struct {
	to     http.ResponseWriter
	rc     *http.ResponseController
	req    *jsonrpc.Request // that it answers, or nil
	header http.Header      // the handler's, until they are sent

	// onHeader, unless nil, is called with the headers before they are sent.
	onHeader func(http.Header)

	mu      sync.Mutex // guards the fields below, and writing
	state   responseState
	status  int          // of what is held back
	held    bytes.Buffer // what is held back until finish
	silence *time.Timer  // fires when it is time for a comment
}

type responseState uint8

const (
	unsent   responseState = iota // nothing has been decided
	stream                        // events are sent
	document                      // something else is sent
	refusing                      // a plain error is held back
	late                          // an error that came after the stream had begun is held back
	finished
)

// newResponse returns a response to an HTTP request whose message is req, or nil
// where it carries no request of JSON-RPC. The caller must finish it.
func newResponse(w http.ResponseWriter, req *jsonrpc.Request) *response {
	r := &response{to: w, rc: http.NewResponseController(w), req: req, header: http.Header{}}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.silence = time.AfterFunc(keepAlive, r.comment)
	return r
}

// answersCall reports whether a message must come back.
func (r *response) answersCall() bool { return r.req != nil && r.req.IsCall() }

// Header implements [http.ResponseWriter].
func (r *response) Header() http.Header { return r.header }

// WriteHeader implements [http.ResponseWriter].
func (r *response) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writeHeaderLocked(status)
}

func (r *response) writeHeaderLocked(status int) {
	switch {
	case r.state == stream && !r.isStream():
		// An error whose status would matter, had keeping alive not sent one.
		r.state, r.status = late, status
	case r.state != unsent:
	case status >= http.StatusBadRequest && strings.HasPrefix(r.header.Get("Content-Type"), "text/plain"):
		r.state, r.status = refusing, status
	default:
		r.state = document
		if r.isStream() {
			r.state = stream
			r.header.Set("X-Accel-Buffering", "no")
		}
		if r.onHeader != nil {
			r.onHeader(r.header)
		}
		maps.Copy(r.to.Header(), r.header)
		r.to.WriteHeader(status)
	}
}

func (r *response) isStream() bool { return r.header.Get("Content-Type") == "text/event-stream" }

// Write implements [http.ResponseWriter].
func (r *response) Write(data []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	message, failed := r.mended(data)
	if failed && r.state == unsent {
		r.header.Del(sessionHeader) // of a session that has not come to be
	}
	r.writeHeaderLocked(http.StatusOK)
	switch r.state {
	case finished:
		return 0, errors.New("the response has ended")
	case refusing, late:
		return r.held.Write(data)
	}
	return len(data), r.sendLocked(message)
}

// FlushError is what [http.ResponseController] calls.
func (r *response) FlushError() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state != stream && r.state != document {
		return nil
	}
	return r.flushLocked()
}

func (r *response) sendLocked(data []byte) error {
	if !utf8.Valid(data) {
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	if r.state == stream {
		r.silence.Reset(keepAlive)
	}
	r.deadlineLocked()
	_, err := r.to.Write(data)
	return err
}

func (r *response) flushLocked() error {
	r.deadlineLocked()
	err := r.rc.Flush()
	// The connection's next response begins without a deadline.
	_ = r.rc.SetWriteDeadline(time.Time{})
	return err
}

// deadlineLocked bounds the next write, where the connection can.
func (r *response) deadlineLocked() { _ = r.rc.SetWriteDeadline(time.Now().Add(writeTimeout)) }

// comment ends the silence on a stream. A call that is not answered yet becomes
// one by it: clients wait only so long for the headers.
func (r *response) comment() {
	if !r.mu.TryLock() {
		r.silence.Reset(keepAlive) // something is being sent
		return
	}
	defer r.mu.Unlock()
	switch {
	case r.state == stream:
	case r.state == unsent && r.answersCall():
		// The handler's headers are its own until it sends them.
		h := r.to.Header()
		h.Set("Content-Type", "text/event-stream")
		h.Set("Cache-Control", "no-cache, no-transform")
		h.Set("X-Accel-Buffering", "no")
		r.to.WriteHeader(http.StatusOK)
		r.state = stream
	default:
		return
	}
	// A client that has gone is seen by its request's context.
	if r.sendLocked([]byte(": keep-alive\n\n")) == nil {
		_ = r.flushLocked()
	}
}

// finish sends what was held back. missing, unless nil, is the answer to a call
// that the handler has left unanswered.
func (r *response) finish(missing error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.silence.Stop()
	switch {
	case r.state == refusing:
		r.refuseLocked(strings.TrimSpace(r.held.String()))
	case r.state == late:
		r.state = stream
		_ = r.sendLocked(event(r.held.Bytes()))
	case r.state == unsent && r.answersCall() && missing != nil:
		r.status = http.StatusServiceUnavailable
		r.sendErrorLocked(&jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: missing.Error()})
	}
	r.state = finished
}

// refuseLocked says as a JSON-RPC error what the SDK said as text.
func (r *response) refuseLocked(text string) {
	aboutMessage := strings.HasPrefix(text, sdkUnknownMethod) || strings.HasPrefix(text, sdkInvalidRequest)
	switch {
	case aboutMessage && r.req != nil && !r.req.IsCall():
		r.state = document
		r.to.WriteHeader(http.StatusAccepted)
		return
	case aboutMessage && strings.HasPrefix(text, sdkUnknownMethod):
		r.status = http.StatusOK // an answer like any other, which a client looks for in the body
	case strings.HasPrefix(text, sdkAccept):
		r.status = http.StatusNotAcceptable
	}
	r.sendErrorLocked(wireForm(presentable(r.req, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: text})))
}

// mended returns what the SDK sends, which is one message, or one event that
// holds one, with its error made presentable, and whether it has one.
func (r *response) mended(data []byte) (_ []byte, failed bool) {
	if !r.answersCall() || !bytes.Contains(data, []byte(`"error":{`)) {
		return data, false
	}
	start, end := bytes.IndexByte(data, '{'), bytes.LastIndexByte(data, '}')+1
	if end <= start {
		return data, false // a text that quotes a part of a message
	}
	var answer struct {
		ID    json.RawMessage `json:"id"`
		Error *jsonrpc.Error  `json:"error"`
	}
	if err := json.Unmarshal(data[start:end], &answer); err != nil || answer.Error == nil {
		return data, false // it is within a result
	}
	fixed := presentable(r.req, answer.Error)
	if fixed == error(answer.Error) {
		return data, true
	}
	e := wireForm(fixed)
	message := encodeRefusal(refuse(answer.ID, e.Code, "%s", e.Message))
	return slices.Concat(data[:start], message, data[end:]), true
}

func (r *response) sendErrorLocked(e *jsonrpc.Error) {
	var id json.RawMessage
	if r.answersCall() {
		id, _ = json.Marshal(r.req.ID.Raw())
	}
	r.header.Del("Content-Length")
	maps.Copy(r.to.Header(), r.header)
	r.state = document
	sendRefusal(r.to, r.status, refuse(id, e.Code, "%s", e.Message))
}

// sendRefusal answers a request with a JSON-RPC error as the body.
func sendRefusal(w http.ResponseWriter, status int, no *refusal) {
	body := encodeRefusal(no)
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // a client that has gone needs no answer
}

func encodeRefusal(no *refusal) []byte {
	data, err := json.Marshal(no)
	if err != nil {
		panic(err) // an id and a text can be encoded
	}
	return data
}

// event is a message as an event of a stream. JSON has no newlines of its own.
func event(message []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(message) + 32)
	b.WriteString("event: message\ndata: ")
	b.Write(message)
	b.WriteString("\n\n")
	return b.Bytes()
}
