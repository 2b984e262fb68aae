// Package mcpbridge forwards MCP between a client on a pair of streams and a server, one message a
// line on both sides. Messages pass in both directions as they come: calls and their progress,
// notifications, and requests of the server to the client. It serves both protocol eras.
//
// The client sees one connection, even when the server ends. Every request is answered exactly
// once. When the server has ended, the next call connects to another one, and the client's
// handshake and subscriptions are repeated there.
//
// The package does not know what the server is for, how to find it or how to start it: the caller's
// Connect does. Nor does it interpret results.
package mcpbridge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/transport/inflight"
	"ui-mcp/internal/transport/jsonrpc"
)

const (
	// DefaultDrain is how long calls may still take after the input has ended.
	DefaultDrain = 10 * time.Second
	// Farewell is the last line of a server that stops. It has answered all calls that it has
	// accepted; the others did not run.
	Farewell = `{"jsonrpc":"2.0","method":"` + FarewellMethod + `"}`

	// OwnPrefix begins the methods of notifications that are not passed on.
	OwnPrefix = "bridge/"

	// FarewellMethod begins a farewell, which may have parameters.
	FarewellMethod = OwnPrefix + "farewell"

	// maxLine is the longest message of the client, and maxMessage of the server, in bytes.
	maxLine    = 16 << 20
	maxMessage = 64 << 20
	// leaveTime is how long the bridge waits for its goroutines when it ends, and then for the
	// client to read what is left.
	leaveTime = 2 * time.Second
	// endTime is how long a server may take to end after a client that has all its answers; after
	// any other one, it is leaveTime.
	endTime = 20 * time.Second
	// maxQueued is how many messages of the client are read ahead, so that the end of its input is
	// noticed while a server is being connected to or does not read.
	maxQueued = 16
)

// Options configure [Serve].
type Options struct {
	In  io.Reader // closed at the end if it is an io.Closer
	Out io.Writer // gets whole lines, one Write for each
	Log *slog.Logger

	// Connect returns a connection to a server that runs, and starts one if need be. It is called
	// with the first call, and again with the first call after a connection has ended; never by two
	// goroutines at once. If it fails, calls are answered with its error. Each Write to the
	// connection gets a whole line, and may last 30 s if it is a net.Conn; then the server counts
	// as stuck. Closing the connection, which ends a Read, tells the server that the client has
	// left.
	Connect func(context.Context) (io.ReadWriteCloser, error)

	// Own, unless nil, gets what the server tells this program and not the client: notifications
	// whose methods begin with [OwnPrefix]. It must not block.
	Own func(method string, params json.RawMessage)

	Early bool // connect before the first call, and end when that fails
	// Shared says that a server may end with its last client: CloseWrite tells it that no more
	// comes, and then it has some time to close its end, so that its ports are closed when Serve
	// returns.
	Shared bool

	Drain time.Duration // 0 means DefaultDrain
}

// errEnded is why calls end when the bridge does.
var errEnded = errors.New("the connection is being closed: whether the call ran is unknown")

// Serve forwards until the input ends, which is not an error, or ctx is done, whose error it
// returns. At the end of the input, calls may finish within o.Drain; then the connection to the
// server is closed. A shared server may end first: within 20 s if all calls were answered, else and
// once ctx is done within 2 s. A Read of o.In that cannot be interrupted outlives Serve, as does a
// Write to a client that does not read.
func Serve(ctx context.Context, o Options) error {
	o.Drain = cmp.Or(o.Drain, DefaultDrain)
	work, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	b := &bridge{
		o: o, ctx: work, cancel: cancel, out: newOutbox(o.Out), queue: make(chan func(), maxQueued),
		awaited: inflight.New(), subscriptions: map[string]*jsonrpc.Message{},
	}
	b.work.Go(b.forward)
	read := make(chan error, 1)
	go func() {
		read <- b.read()
		b.post(b.finish)
	}()
	var err error
	patience := time.Duration(0)
	select {
	case err = <-read:
		if b.drain(ctx) {
			patience = endTime - leaveTime
		}
	case <-ctx.Done():
	case <-work.Done():
	case <-b.out.failed:
		err = b.out.err
	}
	err = cmp.Or(ctx.Err(), context.Cause(work), err)
	b.out.hurry()
	b.end()
	cancel(errEnded)
	b.leave(ctx, patience)
	b.out.close(leaveTime)
	if in, ok := o.In.(io.Closer); ok {
		_ = in.Close() // the bridge has ended, whatever becomes of its input
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

type bridge struct {
	o      Options
	ctx    context.Context // of connecting; done when the bridge ends
	cancel context.CancelCauseFunc
	out    *outbox
	queue  chan func() // forward what the client has sent; called with turn held

	turn    sync.Mutex      // held while a server is being connected to or written to
	work    sync.WaitGroup  // forward, and readers of upstreams; Add only with mu held and ended false
	awaited *inflight.Group // calls for which the bridge waits when the input has ended, which closes it

	mu       sync.Mutex // guards the fields below
	calls    []*call    // in the order in which the client has sent them; the server bounds them
	ended    bool       // nothing is sent any more
	upstream *upstream  // the live connection, or nil
	asked    int        // how many requests servers have sent, ever

	// The client's messages to be repeated on another connection.
	handshake     *jsonrpc.Message            // its "initialize", once that has succeeded
	ready         []byte                      // its "notifications/initialized"
	subscriptions map[string]*jsonrpc.Message // its "resources/subscribe", by URI
}

// A call is a request of the client that has not been answered.
type call struct {
	*jsonrpc.Message
	key       any // see keyOf
	stateless bool

	repeated bool // it was lost once before; used with bridge.turn held

	upstream *upstream // to which it was sent, or nil; guarded by bridge.mu
}

// isAwaited reports whether the bridge waits for the answer when the input has ended. A
// subscription ends only when one of the two sides ends it.
func (c *call) isAwaited() bool { return c.Method != "subscriptions/listen" }

// isRepeatable reports whether a call may run again when its answer was lost.
func (c *call) isRepeatable() bool { return c.Method != "tools/call" && c.isAwaited() }

// read queues what is to be forwarded until the input ends, and returns why.
func (b *bridge) read() error {
	lines := jsonrpc.NewLineReader(b.o.In, maxLine)
	for {
		line, err := lines.Next()
		switch {
		case errors.Is(err, jsonrpc.ErrLineTooLong):
			b.out.write(jsonrpc.Refuse(jsonrpc.LongID(err), jsonrpc.CodeInvalidRequest, "Invalid Request: the line is longer than %d bytes", maxLine).Encode())
			continue
		case err != nil:
			return err
		}
		m, refusal, ignored := jsonrpc.ParseOne(line)
		switch {
		case refusal != nil:
			b.o.Log.Warn("refused a message from the client", "code", refusal.Error.Code, "why", refusal.Error.Message)
			b.out.write(refusal.Encode())
		case m == nil:
			b.o.Log.Warn("ignored a response from the client", "why", ignored)
		case m.IsResponse:
			b.post(func() { b.respond(m) })
		case m.IsNotification():
			b.note(m)
			b.post(func() { b.notify(m) })
		default:
			b.call(m)
		}
	}
}

// forward forwards what is queued, in order.
func (b *bridge) forward() {
	if b.o.Early {
		if _, err := b.connect(nil); err != nil {
			b.cancel(err)
			return
		}
	}
	for {
		select {
		case next := <-b.queue:
			b.turn.Lock()
			next()
			b.turn.Unlock()
		case <-b.ctx.Done():
			return
		}
	}
}

// post queues what is to be forwarded.
func (b *bridge) post(next func()) {
	select {
	case b.queue <- next:
	case <-b.ctx.Done():
	}
}

// call has a request sent to a server.
func (b *bridge) call(m *jsonrpc.Message) {
	c := &call{Message: m, key: keyOf(m.ID), stateless: jsonrpc.IsStateless(m.Params)}
	if refusal := b.begin(c); refusal != nil {
		b.out.write(refusal.Encode())
		return
	}
	b.post(func() { b.deliver([]*call{c}) })
}

// begin records a call, or returns a refusal. The id must not belong to another call, since the
// client could not tell the answers apart.
func (b *bridge) begin(c *call) *jsonrpc.Response {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.callLocked(c.key) != nil:
		return jsonrpc.Refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: the id %s belongs to a call that has not been answered yet", c.ID)
	case b.ended:
		return jsonrpc.Refuse(c.ID, codeFailed, "this call did not run: the connection is being closed")
	}
	b.calls = append(b.calls, c)
	if c.isAwaited() {
		b.awaited.Enter() // it closes when nothing more is read
	}
	return nil
}

// callLocked returns the call whose id has a key, or nil.
func (b *bridge) callLocked(key any) *call {
	if i := slices.IndexFunc(b.calls, func(c *call) bool { return c.key == key }); i >= 0 {
		return b.calls[i]
	}
	return nil
}

// codeFailed is the code of the bridge's own errors: the message is well-formed, and the call
// failed.
const codeFailed = jsonrpc.CodeInternal

// answer ends a call with a message, unless it is over.
func (b *bridge) answer(c *call, message []byte) {
	b.mu.Lock()
	wanted := b.finishLocked(c)
	b.mu.Unlock()
	if wanted {
		b.out.write(message)
	}
}

func (b *bridge) fail(c *call, err error) {
	b.o.Log.Warn("a call failed", "method", c.Method, "error", err)
	b.answer(c, jsonrpc.Refuse(c.ID, codeFailed, "%v", err).Encode())
}

// finishLocked forgets a call, and reports whether it was not over yet: answered, or not wanted.
func (b *bridge) finishLocked(c *call) bool {
	i := slices.Index(b.calls, c)
	if i < 0 {
		return false
	}
	b.calls = slices.Delete(b.calls, i, i+1)
	if c.isAwaited() {
		b.awaited.Leave()
	}
	return true
}

// finish notes that all that the client has sent was forwarded, and tells a shared server so: calls
// that wait for a person end then.
func (b *bridge) finish() {
	b.awaited.Close(nil)
	b.mu.Lock()
	l := b.upstream
	b.mu.Unlock()
	if l != nil {
		b.closeWrite(l)
	}
}

// closeWrite tells a shared server that no more comes, and reports whether it knows.
func (b *bridge) closeWrite(l *upstream) bool {
	half, ok := l.conn.(interface{ CloseWrite() error })
	return ok && b.o.Shared && half.CloseWrite() == nil
}

// drain waits until the calls that run have been answered, and reports whether they were.
func (b *bridge) drain(ctx context.Context) bool {
	select {
	case <-b.awaited.Drained():
		return true
	case <-b.out.failed:
	case <-ctx.Done():
	case <-b.ctx.Done():
	case <-time.After(b.o.Drain):
		b.o.Log.Warn("the input ended with calls unanswered", "waited", b.o.Drain)
	}
	return false
}

// end answers the calls that are left. No call starts from then on.
func (b *bridge) end() {
	b.mu.Lock()
	b.ended = true
	left := slices.Clone(b.calls)
	b.mu.Unlock()
	for _, c := range left {
		b.fail(c, cmp.Or(context.Cause(b.ctx), errEnded))
	}
}

// leave closes the connection to the server, and waits until nothing uses it. A shared server may
// end first, within leaveTime after patience is over or ctx is done.
func (b *bridge) leave(ctx context.Context, patience time.Duration) {
	b.mu.Lock()
	l := b.upstream
	b.mu.Unlock()
	if l != nil {
		if b.closeWrite(l) {
			select {
			case <-l.ended:
			case <-time.After(patience):
			case <-ctx.Done():
			}
			select {
			case <-l.ended:
			case <-time.After(leaveTime):
			}
		}
		l.close()
	}
	done := make(chan struct{})
	go func() { defer close(done); b.work.Wait() }()
	select {
	case <-done:
	case <-time.After(leaveTime): // the client does not read
	}
}
