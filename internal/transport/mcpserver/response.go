package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
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
//   - errors in plain text become JSON-RPC errors;
//   - what is sent is UTF-8.
//
// The handler must not use it after finish.
type response struct {
	to     http.ResponseWriter
	rc     *http.ResponseController
	call   *jsonrpc.Request // that it answers, or nil
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

// newResponse returns a response to a request, which is call where it carries
// one. The caller must finish it.
func newResponse(w http.ResponseWriter, call *jsonrpc.Request) *response {
	r := &response{to: w, rc: http.NewResponseController(w), call: call, header: http.Header{}}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.silence = time.AfterFunc(keepAlive, r.comment)
	return r
}

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
	r.writeHeaderLocked(http.StatusOK)
	switch r.state {
	case finished:
		return 0, errors.New("the response has ended")
	case refusing, late:
		return r.held.Write(data)
	}
	return len(data), r.sendLocked(data)
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
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.state == stream:
	case r.state == unsent && r.call != nil:
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
	case r.state == unsent && r.call != nil && missing != nil:
		r.status = http.StatusServiceUnavailable
		r.sendErrorLocked(&jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: missing.Error()})
	}
	r.state = finished
}

// refuseLocked says as a JSON-RPC error what the SDK said as text.
func (r *response) refuseLocked(text string) {
	no := &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: text}
	if r.call != nil && strings.HasPrefix(text, sdkUnknownMethod) {
		// An answer like any other, which a client looks for in the body.
		r.status = http.StatusOK
		no = &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("method not found: %q", r.call.Method)}
	}
	r.sendErrorLocked(no)
}

// sdkUnknownMethod is how the SDK's text begins when there is no such method.
const sdkUnknownMethod = "JSON RPC not handled"

func (r *response) sendErrorLocked(e *jsonrpc.Error) {
	var id json.RawMessage
	if r.call != nil {
		id, _ = json.Marshal(r.call.ID.Raw())
	}
	r.header.Del("Content-Length")
	maps.Copy(r.to.Header(), r.header)
	r.state = document
	sendRefusal(r.to, r.status, refuse(id, e.Code, "%s", e.Message))
}

// sendRefusal answers a request with a JSON-RPC error as the body.
func sendRefusal(w http.ResponseWriter, status int, no *refusal) {
	body, err := json.Marshal(no)
	if err != nil {
		panic(err) // an id and a text can be encoded
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // a client that has gone needs no answer
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
