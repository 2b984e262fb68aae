package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/inflight"
	"ui-mcp/internal/transport/jsonrpc"
)

// PlainMethods are methods of plain JSON-RPC, by name, that share a connection with MCP. They need
// no handshake and know no sessions. A method's context ends when its caller cancels the call or
// disconnects; the end of the input counts as that. Results are sent as they are; an error is a
// [jsonrpc.Error], or gets a code by its [fault.Kind].
type PlainMethods map[string]func(ctx context.Context, params json.RawMessage) (any, error)

// A connection carries messages both ways: the lines of stdio, a stream of events and what is
// posted to it, or the requests of a session. Two sessions of the SDK share it, one for each era,
// and the plain methods. It gives each message that comes in to the one it is for.
type connection struct {
	server *Server
	log    *slog.Logger
	eras   []*era       // of both eras, or one
	plain  PlainMethods // set before anything is accepted

	sessions []*mcp.ServerSession // of eras; set by connect

	// These are set before the sessions are connected.
	id            string // of a session over HTTP, or ""
	handshakeOnly bool   // the revisions without a handshake are not offered
	overHTTP      bool   // a message that cannot be sent breaks nothing: others have requests of their own

	calls *calls

	ctx     context.Context // ends when the owner gives up calls, and with close
	closing context.Context // ends when the server takes no more calls; those that it has end, too
	ended   chan struct{}   // closed by end: no more input will come
	readErr error           // why; set before ended is closed

	closeOnce sync.Once
	cancel    context.CancelFunc // of ctx
	onClose   func() error       // nil does nothing

	sendMu sync.Mutex // held during one send
	send   func(message []byte) error
}

// Clients may send calls without waiting for answers, and need not read them. These bound what such
// a client can make the server hold, for each connection.
const (
	// maxOpen is how many calls may be unanswered.
	maxOpen = 1_000
	// maxOpenBytes bounds their parameters. One call is always accepted.
	maxOpenBytes = 64 << 20
	// maxUnsent bounds the answers that the client has not read, in bytes. Beyond it, calls fail
	// instead of running.
	maxUnsent = 64 << 20
)

// connKey is the key of a call's [connection] in its context.
type connKey struct{}

// whileRead makes calls fail while their client leaves too many answers unread.
//
// Reads that have no order run one at a time for each client, so that the answers to earlier ones
// count.
func (s *Server) whileRead(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		c, _ := ctx.Value(connKey{}).(*connection)
		call, _ := ctx.Value(arrivedKey{}).(*call)
		if c == nil || call == nil {
			return next(ctx, method, req)
		}
		if r, ok := req.(*mcp.ReadResourceRequest); ok {
			if s.turnOfRead(r.Params.URI).scope == unordered {
				select {
				case c.calls.reading <- struct{}{}:
					defer func() { <-c.calls.reading }()
				case <-ctx.Done():
					return nil, context.Cause(ctx)
				}
			}
		}
		if !c.calls.mayAnswer() {
			return nil, fault.New(fault.Exhausted, "this call did not run: more than %d MiB of answers wait to be read; read them before sending more calls", maxUnsent>>20)
		}
		res, err := next(ctx, method, req)
		if err == nil {
			c.calls.answers(call, length(res))
		}
		return res, err
	}
}

// length returns about how long a result is, in bytes.
func length(res mcp.Result) (n int) {
	switch r := res.(type) {
	case *mcp.CallToolResult:
		for _, c := range r.Content {
			if text, ok := c.(*mcp.TextContent); ok {
				n += len(text.Text)
			}
		}
		switch v := r.StructuredContent.(type) {
		case json.RawMessage:
			n += len(v)
		case wrapped:
			n += len(v.Result)
		}
	case *mcp.ReadResourceResult:
		for _, c := range r.Contents {
			n += len(c.Text) + len(c.Blob)
		}
	}
	return n
}

// newConnection returns a connection of one or two eras that sends messages with send, which is
// called by one goroutine at a time. Its calls have the values of ctx, and end with it.
func newConnection(ctx context.Context, s *Server, log *slog.Logger, eras int, closing context.Context, send func([]byte) error) *connection {
	c := &connection{server: s, log: log, calls: newCalls(s.turns), closing: closing, ended: make(chan struct{}), send: send}
	c.ctx, c.cancel = context.WithCancel(ctx)
	for range eras {
		c.eras = append(c.eras, &era{conn: c, incoming: make(chan sdkrpc.Message)})
	}
	return c
}

// leave says that no more calls come, though the client may still read. Calls that wait for a
// person end, with the cause.
func (c *connection) leave(cause error) { c.calls.awaited.Close(cause) }

// idle is closed after leave, when no call awaits its answer.
func (c *connection) idle() <-chan struct{} { return c.calls.awaited.Drained() }

// end says that no more input will come, because of err. The goroutine that calls accept calls it
// once.
func (c *connection) end(err error) {
	c.readErr = err
	close(c.ended)
}

// await returns when the connection is to end. It reports whether that is because the server is
// closing, and all calls have been answered.
func (c *connection) await() (answered bool) {
	closing := c.closing.Done()
	for {
		select {
		case <-c.ctx.Done():
			return false
		case <-c.ended:
			return false
		case <-closing:
			c.leave(errClosed) // the running calls have been cancelled, and are answered with that
			closing = nil
		case <-c.idle():
			return true
		}
	}
}

// accept takes one message. The caller must send the refusal, if there is one. An error means that
// the connection cannot be used any more.
func (c *connection) accept(data []byte) (*jsonrpc.Response, error) {
	msg, refusal, ignored := decode(data)
	switch {
	case refusal != nil:
		return refusal, nil
	case msg == nil:
		c.log.Warn("ignored a response from the client", "why", ignored)
		return nil, nil
	}
	return c.take(msg, &call{})
}

// take is accept for a message that was decoded. If it is a call, it becomes the given one.
func (c *connection) take(msg sdkrpc.Message, arrived *call) (*jsonrpc.Response, error) {
	if c.closing.Err() != nil {
		c.leave(errClosed) // calls that arrive from now on would only be cancelled
	}
	to := c.eras[0]
	if req, ok := msg.(*sdkrpc.Request); ok {
		switch {
		case req.IsCall() && c.plain[req.Method] != nil:
			return c.acceptPlain(req)
		case req.IsCall():
			if jsonrpc.IsStateless(req.Params) {
				to = c.eras[len(c.eras)-1]
			}
			patience, giveUp := context.WithCancelCause(context.Background())
			arrived.req, arrived.session, arrived.giveUp = req, to, giveUp
			arrived.ends = append(arrived.ends, c.closing, c.calls.awaited.Context(), patience)
			if refusal, err := c.calls.begin(arrived, c.server.turnOf(req.Method, req.Params)); refusal != nil || err != nil {
				return refusal, err
			}
			req.Extra = arrived.extra()
		case req.Method == "notifications/cancelled":
			switch call, timedOut := c.calls.cancel(req.Params); {
			case call == nil:
			case call.session == nil:
				return nil, nil // it was a plain method
			case timedOut:
				call.giveUp(ErrGaveUp)
				return nil, nil // the session would end it as one that is not wanted any more
			default:
				to = call.session
			}
		}
	}
	select {
	case to.incoming <- msg:
		return nil, nil
	case <-c.ctx.Done(): // close abandons the call
		return nil, io.EOF
	}
}

// readLines accepts or refuses a message in each line, of at most maxLine bytes, until the input
// ends or the connection takes no more.
func (c *connection) readLines(in io.Reader, maxLine int) error {
	lines := jsonrpc.NewLineReader(in, maxLine)
	for {
		var refusal *jsonrpc.Response
		line, err := lines.Next()
		switch {
		case errors.Is(err, jsonrpc.ErrLineTooLong):
			refusal, err = jsonrpc.Refuse(jsonrpc.LongID(err), jsonrpc.CodeInvalidRequest, "Invalid Request: the line is longer than %d bytes", maxLine), nil
		case err == nil:
			refusal, err = c.accept(line)
		}
		if refusal != nil {
			c.log.Warn("refused a message from the client", "code", refusal.Error.Code, "why", refusal.Error.Message)
			err = c.write(refusal.Encode())
		}
		if err != nil {
			return err
		}
	}
}

// write is the only place that sends.
func (c *connection) write(data []byte) error {
	c.sendMu.Lock()
	defer c.sendMu.Unlock()
	return c.send(data)
}

// close ends both sessions. The output stays open, as it is its owner's.
func (c *connection) close() error {
	var err error
	c.closeOnce.Do(func() {
		c.cancel()
		c.calls.abandon()
		if c.onClose != nil {
			err = c.onClose()
		}
	})
	return err
}

// shut closes the connection, and waits for its calls. Errors mean that the client has
// disconnected.
func (c *connection) shut() {
	_ = c.close()
	_ = c.wait()
}

// acceptPlain starts a call of a plain method, on a goroutine that the owner waits for.
func (c *connection) acceptPlain(req *sdkrpc.Request) (*jsonrpc.Response, error) {
	ctx, cancel := c.calls.awaited.Bound(c.ctx)
	call := &call{req: req, stop: cancel}
	if refusal, err := c.calls.begin(call, &turn{}); refusal != nil || err != nil {
		cancel()
		return refusal, err
	}
	go func() {
		defer c.calls.plain.Done()
		defer cancel()
		result, err := c.runPlain(ctx, req)
		answer := jsonrpc.Result(encodeID(req.ID), result)
		if err != nil {
			answer = jsonrpc.Failure(encodeID(req.ID), (*jsonrpc.Error)(wireForm(err)))
		}
		c.calls.take(req.ID)
		defer c.calls.end(call)
		if call.cancelled {
			return
		}
		if err := c.write(answer.Encode()); err != nil {
			c.log.Debug("an answer was not delivered", "method", req.Method, "error", err)
		}
	}()
	return nil, nil
}

// runPlain turns a panic into an error: on this goroutine it would end the process.
func (c *connection) runPlain(ctx context.Context, req *sdkrpc.Request) (result any, err error) {
	defer catch(ctx, c.log, req.Method, &err)
	return c.plain[req.Method](ctx, req.Params)
}

// calls are the requests on one connection that have not been answered. All methods may be called
// from any goroutine.
type calls struct {
	// awaited counts the calls that have begun and not ended, without those that are answered only
	// when the client or the server ends them. It is closed when the client sends no more.
	awaited *inflight.Group
	turns   *turns
	reading chan struct{} // capacity 1; holds a token during a read that has no order
	// plain counts the calls of plain methods. The owner waits for it after abandon.
	plain sync.WaitGroup

	mu        sync.Mutex // guards the fields below
	open      map[sdkrpc.ID]*call
	bytes     int // of the parameters of open
	unsent    int // of answers that have not been sent
	abandoned bool
}

// A call is a request from its arrival at a transport until it has been answered, or never will be.
type call struct {
	turn    *turn             // nil if the call has no order
	claimed atomic.Bool       // a handler has been called, or none must be any more
	ends    []context.Context // that end the call for a reason

	// Over Streamable HTTP.
	request context.Context // of the HTTP request that brought it
	reply   *reply          // the response to that
	tied    bool            // it ends with the request, whatever the reason

	giveUp    context.CancelCauseFunc // ends it, with the cause; nil for a plain method
	req       *sdkrpc.Request
	session   *era   // nil for a plain method
	stop      func() // called when it is cancelled, or nil
	cancelled bool   // guarded by the mutex of the calls until the call is taken
	awaited   bool
	unsent    int // the length of its answer once it has run, guarded by the mutex of the calls
}

func newCalls(t *turns) *calls {
	return &calls{awaited: inflight.New(), turns: t, reading: make(chan struct{}, 1), open: map[sdkrpc.ID]*call{}}
}

// errLate ends the input of a connection whose calls are about to be answered, because the server
// is closing: another call has arrived, and does not run.
var errLate = fmt.Errorf("a call came while the server was closing: %w", io.EOF)

// begin records a call, and gives it its turn. The caller must call plain.Done when that of a plain
// method has ended. After abandon it fails.
//
// It refuses a request whose id belongs to a call that has not been answered: the SDK would not
// answer it at all. The refusal has no id, since the client would take it for the answer to the
// first call. It also refuses requests beyond maxOpen and maxOpenBytes.
func (c *calls) begin(call *call, turn *turn) (*jsonrpc.Response, error) {
	req := call.req
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.abandoned {
		return nil, io.EOF
	}
	if _, used := c.open[req.ID]; used {
		return jsonrpc.Refuse(nil, jsonrpc.CodeInvalidRequest,
			"Invalid Request: the id %v belongs to a call that has not been answered yet", req.ID.Raw()), nil
	}
	if n := len(c.open); n >= maxOpen || n > 0 && c.bytes+len(req.Params) > maxOpenBytes {
		return jsonrpc.Refuse(encodeID(req.ID), codeFailed,
			"this call did not run: %d calls with %d MiB of parameters have not been answered yet, and there can be %d with %d MiB; wait for answers before sending more",
			n, c.bytes>>20, maxOpen, maxOpenBytes>>20), nil
	}
	// A subscription is answered when it ends.
	call.awaited = req.Method != "subscriptions/listen"
	if call.awaited && !c.awaited.Enter() {
		return nil, errLate
	}
	if call.session == nil {
		c.plain.Add(1)
	}
	turn.on = c
	if turn.scope != unordered {
		call.turn = c.turns.take(turn)
	}
	c.open[req.ID] = call
	c.bytes += len(req.Params)
	return nil, nil
}

// abandon gives up the turns of calls that will not be answered. No call begins from then on.
func (c *calls) abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.abandoned = true
	for _, call := range c.open {
		call.abandon()
	}
}

// cancel records that the client no longer wants the answer to the call that the parameters of a
// notifications/cancelled name, and stops it. It returns the call, or nil if there is no such call,
// and whether the client has merely waited long enough.
func (c *calls) cancel(params json.RawMessage) (_ *call, timedOut bool) {
	id, timedOut := whichCancelled(params)
	c.mu.Lock()
	defer c.mu.Unlock()
	call := c.open[id]
	if call != nil {
		call.cancelled = true
		if call.stop != nil {
			call.stop()
		}
	}
	return call, timedOut
}

// whichCancelled reads the parameters of a notifications/cancelled: the id of the call, or none,
// and whether the client has merely waited long enough.
func whichCancelled(params json.RawMessage) (id sdkrpc.ID, timedOut bool) {
	var p struct {
		RequestID any    `json:"requestId"`
		Reason    string `json:"reason"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return id, false
	}
	id, err := sdkrpc.MakeID(p.RequestID)
	return id, err == nil && gaveUp(p.Reason)
}

// take frees the id, which the client may use again as soon as it has the answer, and returns the
// call; the zero call if there is none. The caller must pass it to end when the answer has been
// written.
func (c *calls) take(id sdkrpc.ID) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.open[id]
	if taken == nil {
		return &call{}
	}
	delete(c.open, id)
	c.bytes -= len(taken.req.Params)
	return taken
}

// mayAnswer reports whether another call may run, considering what the client has not read.
func (c *calls) mayAnswer() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unsent <= maxUnsent
}

// answers records that a call has run and what the length of its answer is.
func (c *calls) answers(call *call, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	call.unsent = n
	c.unsent += n
}

// end records that a call that take returned has been answered.
func (c *calls) end(call *call) {
	call.abandon()
	c.mu.Lock()
	c.unsent -= call.unsent
	c.mu.Unlock()
	if call.awaited {
		c.awaited.Leave()
	}
}

func encodeID(id sdkrpc.ID) json.RawMessage {
	data, err := jsonrpc.Marshal(id.Raw())
	if err != nil {
		panic(fmt.Sprintf("an id that is neither a string nor a number: %v", err))
	}
	return data
}
