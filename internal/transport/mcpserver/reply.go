package mcpserver

import (
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/sse"
)

// keepAlive is the silence after which a stream carries a comment. HTTP clients and proxies give up
// streams that are silent for a minute or more.
const keepAlive = 15 * time.Second

// A reply is an HTTP response with messages: a stream of events that a client listens to, or the
// answer to a call, after what belongs to it.
//
//   - Streams are kept alive, from the start of a call on, and proxies do not buffer them.
//   - A client that does not read is cut off, instead of holding a session.
//   - A client that takes no streams gets the answer to its call as a document, and nothing else.
//   - Outside of sessions, errors have a status, unless the stream has begun.
type reply struct {
	to       http.ResponseWriter
	out      *httpio.Writer  // of the same response
	req      *sdkrpc.Request // the call; nil for a stream that is listened to
	document bool            // the client takes no streams

	inSession bool          // the request names a session; for clients, 404 means that it has ended
	modern    bool          // the request is of a revision without a handshake
	session   string        // that the call starts if it succeeds; "" for none
	answered  chan struct{} // closed when the call has been answered

	mu      sync.Mutex // guards the fields below, and writing
	begun   bool       // the stream has
	over    bool       // nothing more is sent
	silence *time.Timer
}

// errUndelivered is the error of a message to a client that does not listen.
var errUndelivered = fault.New(fault.Gone, "the client does not listen to the server any more")

// newReply returns a reply whose handler must end it. Fields that are not its arguments may be set
// before the call is made.
func newReply(w http.ResponseWriter, req *sdkrpc.Request, document bool) *reply {
	r := &reply{to: w, out: httpio.NewWriter(w), req: req, document: document, answered: make(chan struct{})}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.silence = time.AfterFunc(keepAlive, r.comment)
	return r
}

// comment ends the silence of a stream. It turns the response to a call that has not been answered
// into a stream: clients wait only so long for the headers.
func (r *reply) comment() {
	_ = r.send(sse.Comment("keep-alive")) // the request's context reports a client that has disconnected
}

// message sends a message that is not the answer.
func (r *reply) message(data []byte) error { return r.send(sse.Event{Data: data}.Append(nil)) }

// send sends a part of the stream.
func (r *reply) send(part []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over || r.document {
		return errUndelivered
	}
	return r.sendLocked(part)
}

func (r *reply) sendLocked(part []byte) error {
	if !r.begun {
		r.begun = true
		sse.SetHeaders(r.to.Header())
		r.to.WriteHeader(http.StatusOK)
	}
	r.silence.Stop()
	defer r.silence.Reset(keepAlive)
	if _, err := r.out.Write(part); err != nil {
		return err
	}
	return r.out.Flush()
}

// answer sends the answer to the call, which has the given error, or nil. Nothing is sent after it.
func (r *reply) answer(data []byte, failure error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return errUndelivered
	}
	r.over = true
	defer close(r.answered)
	status := r.status(failure)
	if r.session != "" && failure == nil {
		r.to.Header().Set(sessionHeader, r.session)
	}
	if r.begun || !r.document && status == http.StatusOK {
		return r.sendLocked(sse.Event{Data: data}.Append(nil))
	}
	_ = http.NewResponseController(r.to).SetWriteDeadline(time.Now().Add(httpio.WriteTimeout))
	httpio.WriteRawJSON(r.to, status, data)
	return r.out.Flush()
}

// status is the status of an answer that is not an event.
func (r *reply) status(failure error) int {
	e, failed := errors.AsType[*sdkrpc.Error](failure)
	switch {
	case !failed || r.inSession: // an answer like any other: clients look for the error in the body
	case e.Code == sdkrpc.CodeMethodNotFound:
		return http.StatusNotFound
	case r.modern && slices.Contains([]int64{sdkrpc.CodeInvalidParams, mcp.CodeUnsupportedProtocolVersion, mcp.CodeMissingRequiredClientCapabilities}, e.Code):
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// end ends the response. A call without an answer, and without a stream that tells by its end, gets
// the given body.
func (r *reply) end(status int, missing *jsonrpc.Response) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.silence.Stop()
	if r.req != nil && !r.over && !r.begun {
		sendRefusal(r.to, status, missing)
	}
	r.over = true
}

// sendRefusal answers a request with a JSON-RPC error as the body.
func sendRefusal(w http.ResponseWriter, status int, refusal *jsonrpc.Response) {
	httpio.WriteRawJSON(w, status, refusal.Encode())
}
