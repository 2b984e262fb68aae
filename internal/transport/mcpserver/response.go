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

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/sse"
)

// keepAlive is the silence after which a stream carries a comment. HTTP clients and proxies give up
// streams that are silent for a minute or more.
const keepAlive = 15 * time.Second

// A response is what the SDK's HTTP handlers write to, and the stream of sse.go. It adds what they
// leave out:
//
//   - streams of events are kept alive, from the start of a call on, and proxies do not buffer
//     them;
//   - a client that does not read is cut off, instead of holding a session;
//   - errors in plain text become JSON-RPC errors, and those that no client should see become
//     presentable;
//   - notifications are never answered, as on other transports;
//   - a client that takes no streams gets the answer to its call as a document, and nothing else;
//   - only UTF-8 is sent.
//
// The handler must not use it after finish.
type response struct {
	to     http.ResponseWriter
	out    *httpio.Writer  // of the same response
	req    *sdkrpc.Request // the message that it answers, or nil
	header http.Header     // the handler's, until it is sent

	// noStream says that the client takes documents only.
	noStream bool

	// inSession says that the request names a session. 404 would mean that the session has ended.
	inSession bool

	// onHeader, unless nil, is called with the headers before they are sent.
	onHeader func(http.Header)

	mu      sync.Mutex // guards the fields below, and writing
	state   responseState
	status  int          // of the error that is held back
	held    bytes.Buffer // the error that is held back until finish
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

// newResponse returns a response to an HTTP request whose message is req, or nil where it carries
// no request of JSON-RPC. noStream says that the client takes documents only. The caller must
// finish the response.
func newResponse(w http.ResponseWriter, req *sdkrpc.Request, noStream bool) *response {
	r := &response{to: w, out: httpio.NewWriter(w), req: req, header: http.Header{}, noStream: noStream}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.silence = time.AfterFunc(keepAlive, r.comment)
	return r
}

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
	case r.noStream && r.isStream(): // the answer will be a document
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

func (r *response) isStream() bool { return r.header.Get("Content-Type") == sse.ContentType }

// Write implements [http.ResponseWriter].
func (r *response) Write(data []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	message, failed := r.corrected(data)
	if failed && r.state == unsent {
		r.header.Del(sessionHeader) // the session has not come to be
	}
	if r.noStream && r.isStream() {
		if message = answerIn(message); message == nil {
			return len(data), nil // it is about the call, or of the server's own
		}
		r.header.Set("Content-Type", "application/json")
	}
	r.writeHeaderLocked(http.StatusOK)
	switch r.state {
	case finished:
		return 0, errors.New("the response has ended")
	case refusing, late:
		r.held.Write(message)
		return len(data), nil
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
	return r.out.Flush()
}

func (r *response) sendLocked(data []byte) error {
	if r.state == stream {
		r.silence.Reset(keepAlive)
	}
	_, err := r.out.Write(jsonrpc.ToValidUTF8(data))
	return err
}

// comment ends the silence of a stream. It turns the response to a call that has not been answered
// into a stream: clients wait only so long for the headers.
func (r *response) comment() {
	if !r.mu.TryLock() {
		r.silence.Reset(keepAlive) // something is being sent
		return
	}
	defer r.mu.Unlock()
	switch {
	case r.state == stream:
	case r.state == unsent && r.answersCall() && !r.noStream:
		// The handler's headers are its own until it sends them.
		sse.SetHeaders(r.to.Header())
		r.to.WriteHeader(http.StatusOK)
		r.state = stream
	default:
		return
	}
	// The request's context reports a client that has disconnected.
	if r.sendLocked(sse.Comment("keep-alive")) == nil {
		_ = r.out.Flush()
	}
}

// finish sends the error that was held back, if any. missing, unless nil, is the answer to a call
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
		message := bytes.TrimSpace(r.held.Bytes())
		if !json.Valid(message) { // it is plain text
			message = r.failure(r.refusal(string(message))).Encode()
		}
		_ = r.sendLocked(sse.Event{Data: message}.Append(nil))
	case r.state == unsent && r.answersCall() && missing != nil:
		r.status = http.StatusServiceUnavailable
		r.sendFailureLocked(&sdkrpc.Error{Code: sdkrpc.CodeInternalError, Message: missing.Error()})
	}
	r.state = finished
}

// refuseLocked sends the SDK's text as a JSON-RPC error.
func (r *response) refuseLocked(text string) {
	aboutMessage := strings.HasPrefix(text, sdkUnknownMethod) || strings.HasPrefix(text, sdkInvalidRequest)
	switch {
	case aboutMessage && r.req != nil && !r.req.IsCall():
		r.state = document
		r.to.WriteHeader(http.StatusAccepted)
		return
	case aboutMessage && strings.HasPrefix(text, sdkUnknownMethod) && r.inSession:
		r.status = http.StatusOK // an answer like any other: clients look for it in the body
	case aboutMessage && strings.HasPrefix(text, sdkUnknownMethod):
		r.status = http.StatusNotFound
	case strings.HasPrefix(text, sdkAccept):
		r.status = http.StatusNotAcceptable
	}
	r.sendFailureLocked(r.refusal(text))
}

func (r *response) refusal(text string) *sdkrpc.Error {
	return wireForm(presentable(r.req, &sdkrpc.Error{Code: sdkrpc.CodeInvalidRequest, Message: text}))
}

// corrected returns what the SDK sends, which is one message, or one event that holds one, with its
// error made presentable, and whether it has one.
func (r *response) corrected(data []byte) (_ []byte, failed bool) {
	if !r.answersCall() || !bytes.Contains(data, []byte(`"error":{`)) {
		return data, false
	}
	start, end := messageIn(data)
	if end <= start {
		return data, false // a text that quotes a part of a message
	}
	var answer struct {
		ID    json.RawMessage `json:"id"`
		Error *sdkrpc.Error   `json:"error"`
	}
	if err := json.Unmarshal(data[start:end], &answer); err != nil || answer.Error == nil {
		return data, false // it is within a result
	}
	fixed := presentable(r.req, answer.Error)
	if fixed == error(answer.Error) {
		return data, true
	}
	message := jsonrpc.Failure(answer.ID, (*jsonrpc.Error)(wireForm(fixed))).Encode()
	return slices.Concat(data[:start], message, data[end:]), true
}

// messageIn returns where the message begins and ends in an event, or in a document.
func messageIn(data []byte) (start, end int) {
	return bytes.IndexByte(data, '{'), bytes.LastIndexByte(data, '}') + 1
}

// answerIn returns the message in an event if it is an answer, or nil.
func answerIn(event []byte) []byte {
	start, end := messageIn(event)
	if end <= start {
		return nil // an event without a message
	}
	var message struct {
		Method *string `json:"method"`
	}
	if err := json.Unmarshal(event[start:end], &message); err != nil || message.Method != nil {
		return nil
	}
	return event[start:end]
}

// failure is the answer to the request with an error.
func (r *response) failure(e *sdkrpc.Error) *jsonrpc.Response {
	var id json.RawMessage
	if r.answersCall() {
		id = encodeID(r.req.ID)
	}
	return jsonrpc.Failure(id, (*jsonrpc.Error)(e))
}

func (r *response) sendFailureLocked(e *sdkrpc.Error) {
	r.header.Del("Content-Length")
	maps.Copy(r.to.Header(), r.header)
	r.state = document
	sendRefusal(r.to, r.status, r.failure(e))
}

// sendRefusal answers a request with a JSON-RPC error as the body.
func sendRefusal(w http.ResponseWriter, status int, refusal *jsonrpc.Response) {
	httpio.WriteRawJSON(w, status, refusal.Encode())
}
