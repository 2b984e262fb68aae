// Package ws runs WebSocket connections: one reader, one writer with a bounded queue, pings, and an
// orderly close with a code, within limits. It does not know what the messages mean, and checks the
// origin only as far as the WebSocket library does: put package guard in front.
package ws

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/wake"
)

// A Code says why a connection is closed. Applications choose theirs from 4000 to 4999.
type Code = websocket.StatusCode

// The standard's codes that handlers use.
const (
	NormalClosure   = websocket.StatusNormalClosure
	GoingAway       = websocket.StatusGoingAway
	UnsupportedData = websocket.StatusUnsupportedData
	PolicyViolation = websocket.StatusPolicyViolation
	InvalidText     = websocket.StatusInvalidFramePayloadData
	InternalError   = websocket.StatusInternalError
	TryAgainLater   = websocket.StatusTryAgainLater
)

// Limits bound a connection. A zero field has the value of [DefaultLimits].
type Limits struct {
	Received int // bytes of one message that is read
	// Bytes is how many bytes may wait to be written, with the message that is being written, and
	// with overhead for each. A single message may be longer.
	Bytes   int
	Ping    time.Duration // between pings; less than Silence
	Silence time.Duration // how long the peer may neither send a byte, such as a pong, nor take one
	Grace   time.Duration // how long the peer may take to answer a close
}

// overhead is what a message takes while it waits beside its bytes.
const overhead = 256

// DefaultLimits suit a page that reads what it is sent.
var DefaultLimits = Limits{
	Received: 4 << 20,
	Bytes:    64 << 20,
	Ping:     20 * time.Second,
	Silence:  40 * time.Second,
	Grace:    2 * time.Second,
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits
	return Limits{
		Received: cmp.Or(l.Received, d.Received), Bytes: cmp.Or(l.Bytes, d.Bytes),
		Ping: cmp.Or(l.Ping, d.Ping), Silence: cmp.Or(l.Silence, d.Silence), Grace: cmp.Or(l.Grace, d.Grace),
	}
}

// Options are how a connection is served. The zero value is right for most.
type Options struct {
	Limits Limits
	// CompressFrom is the size in bytes from which messages are compressed; 0 means never.
	CompressFrom int
	// AnyOrigin accepts pages of all sites. It is for handlers behind a check of their own; without
	// it, a page must come from the host that it connects to.
	AnyOrigin bool
	// Ended returns the code and the reason for closing the connection when the request's context
	// has ended with that cause; nil means that the server is stopping. The connection stays open
	// until it returns, so it may wait a moment for an answer that is about to be sent.
	Ended func(cause error) (Code, string)
}

// A Message is what the peer has sent.
type Message struct {
	Binary bool
	Data   []byte
}

// A Conn is a connection while [Serve] runs. Deliver, Send, Close, Finish and IsClosing may be
// called from any goroutine, also after the connection has ended; Read only by the handler.
type Conn struct {
	conn    *websocket.Conn
	socket  *corkedConn
	limits  Limits
	cut     context.CancelFunc // ends the connection without a word
	wake    chan struct{}      // capacity 1; a token means that there may be something to write
	closing chan struct{}      // closed by Close
	over    atomic.Bool        // Read has failed: the connection has ended
	stopped chan struct{}      // closed when nothing will be written any more

	mu     sync.Mutex // guards the fields below
	queue  []queued
	bytes  int    // as Limits count them, without messages of Send
	pinged []byte // the payload of the peer's newest ping until that is answered, or nil
	code   Code   // why the connection is to be closed; 0 while it is not
	reason string
	timer  *time.Timer // cuts the connection when closing takes too long
}

type queued struct {
	kind websocket.MessageType
	data []byte
	// own marks messages of Send and pongs, which do not count as waiting. Of the last one of a
	// call, sent is closed when it has been written.
	own  bool
	sent chan struct{}
}

// Serve upgrades a request, calls handle and returns when the connection has ended. A request that
// cannot be upgraded is answered, and the reason returned.
//
// handle owns the reading side: it must return when Read fails. When it returns earlier, or the
// request's context ends (the peer hears "going away" then), the connection is closed. The context
// that handle gets ends with the connection.
func Serve(w http.ResponseWriter, r *http.Request, o Options, handle func(context.Context, *Conn)) error {
	mode := websocket.CompressionDisabled
	if o.CompressFrom > 0 {
		mode = websocket.CompressionContextTakeover
	}
	// The request's context ends when the server stops. The connection then needs a moment more to
	// be closed in order.
	ctx, cut := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cut()
	c := newConn(o, cut)
	response := &corker{ResponseWriter: w, silence: c.limits.Silence, stalled: c.stalled}
	conn, err := websocket.Accept(response, r, &websocket.AcceptOptions{
		CompressionMode: mode, CompressionThreshold: o.CompressFrom, InsecureSkipVerify: o.AnyOrigin,
		OnPingReceived: func(_ context.Context, payload []byte) bool {
			c.answer(payload)
			return false // the library would wait for what is being written, and give up
		},
	})
	if err != nil {
		return err
	}
	c.conn, c.socket = conn, response.conn
	conn.SetReadLimit(int64(c.limits.Received))
	defer c.release()
	defer context.AfterFunc(r.Context(), func() {
		code, reason := GoingAway, "the server is stopping"
		if o.Ended != nil {
			code, reason = o.Ended(context.Cause(r.Context()))
		}
		c.Close(code, reason)
	})()

	written := make(chan struct{})
	go func() {
		defer close(written)
		defer close(c.stopped)
		c.write(ctx)
	}()
	handle(ctx, c)
	if !c.over.Load() {
		c.Finish(NormalClosure, "") // unless there is another reason already
		c.discard(ctx)
	}
	cut()
	<-written
	return nil
}

func newConn(o Options, cut context.CancelFunc) *Conn {
	return &Conn{
		limits: o.Limits.withDefaults(), cut: cut,
		wake: make(chan struct{}, 1), closing: make(chan struct{}), stopped: make(chan struct{}),
	}
}

// Read returns the next message. It fails when the connection is over: messages that arrive while
// it is being closed are dropped. A text that is not UTF-8 closes it, and is dropped, too.
// Cancelling ctx ends the connection.
func (c *Conn) Read(ctx context.Context) (Message, error) {
	for {
		kind, data, err := c.conn.Read(ctx)
		if err != nil {
			c.over.Store(true)
			return Message{}, err
		}
		if kind == websocket.MessageText && !utf8.Valid(data) {
			c.Close(InvalidText, "a text message is not UTF-8") // as the protocol asks
		}
		if !c.IsClosing() {
			return Message{Binary: kind == websocket.MessageBinary, Data: data}, nil
		}
	}
}

// discard reads until the connection ends: the library needs a reader to see the answer to a close.
func (c *Conn) discard(ctx context.Context) {
	for {
		if _, err := c.Read(ctx); err != nil {
			return
		}
	}
}

// Deliver queues a text message and never blocks. A peer that cannot keep up is closed with
// [TryAgainLater]. It reports false when the message will not be sent.
func (c *Conn) Deliver(message []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.code != 0 {
		return false
	}
	if c.bytes > 0 && c.bytes+len(message)+overhead > c.limits.Bytes {
		c.closeLocked(TryAgainLater, "too slow: connect again for a snapshot")
		c.boundLocked()
		return false
	}
	c.queue = append(c.queue, queued{kind: websocket.MessageText, data: message})
	c.bytes += len(message) + overhead
	wake.Up(c.wake)
	return true
}

// ErrClosing is the error of messages that are not sent because the connection is being closed, or
// has ended.
var ErrClosing = errors.New("the connection is being closed")

// Send queues messages, outside of the limits, and returns when they have been written, or at most
// 32 KiB are about to be: then the caller may use their memory again. So a producer has at most the
// messages of one call waiting, and a peer that does not read delays only its own producers.
func (c *Conn) Send(ctx context.Context, messages ...Message) error {
	if len(messages) == 0 {
		return nil
	}
	sent := make(chan struct{})
	c.mu.Lock()
	if c.code != 0 {
		c.mu.Unlock()
		return ErrClosing
	}
	for i, m := range messages {
		q := queued{kind: websocket.MessageText, data: m.Data, own: true}
		if m.Binary {
			q.kind = websocket.MessageBinary
		}
		if i == len(messages)-1 {
			q.sent = sent
		}
		c.queue = append(c.queue, q)
	}
	wake.Up(c.wake)
	c.mu.Unlock()
	select {
	case <-sent:
		return nil
	case <-c.closing:
		return ErrClosing
	case <-c.stopped:
		return ErrClosing
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// answer has the writer answer a ping of the peer, and with it all earlier ones.
func (c *Conn) answer(ping []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pinged = append(make([]byte, 0, len(ping)), ping...)
	wake.Up(c.wake)
}

// stalled closes the connection of a peer that has been silent for too long.
func (c *Conn) stalled() {
	c.Close(TryAgainLater, "silent for "+c.limits.Silence.String()+", without an answer to a ping: connect again")
}

// Close starts closing the connection with a code and a reason, which is cut if it is too long for
// the protocol. The first code counts. Messages that wait in the queue are dropped, and a peer that
// does not answer in time is cut off. Closing a connection that has ended does nothing.
func (c *Conn) Close(code Code, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over.Load() {
		return
	}
	c.closeLocked(code, reason)
	c.boundLocked()
}

// Finish is Close after a last message that matters: a slow peer may take the time to read what is
// being written.
func (c *Conn) Finish(code Code, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over.Load() {
		c.closeLocked(code, reason)
	}
}

func (c *Conn) closeLocked(code Code, reason string) {
	if c.code == 0 {
		c.code, c.reason = code, clipReason(reason)
		c.queue = nil
		close(c.closing)
	}
}

// boundLocked cuts the connection unless it has been closed in time.
func (c *Conn) boundLocked() {
	if c.timer == nil {
		c.timer = time.AfterFunc(c.limits.Grace, c.cut)
	}
}

// IsClosing reports whether the connection has a reason to close.
func (c *Conn) IsClosing() bool {
	select {
	case <-c.closing:
		return true
	default:
		return false
	}
}

// closeReason is what Close was called with; code 0 means that it was not.
func (c *Conn) closeReason() (Code, string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.code, c.reason
}

// release stops the timer when the connection has ended.
func (c *Conn) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
	}
}

// next takes a message off the queue to write it; the caller must call written afterwards. The
// peer's ping is answered first.
func (c *Conn) next() (message queued, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ping := c.pinged; ping != nil && c.code == 0 {
		c.pinged = nil
		return queued{kind: pong, data: ping, own: true}, true
	}
	if len(c.queue) == 0 {
		return queued{}, false
	}
	message = c.queue[0]
	c.queue[0] = queued{}
	c.queue = c.queue[1:]
	return message, true
}

func (c *Conn) written(message queued) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !message.own {
		c.bytes -= len(message.data) + overhead
	}
}

// write sends what is queued, and pings without waiting for the answers, until the connection is to
// be closed; then it closes it.
func (c *Conn) write(ctx context.Context) {
	pings := time.NewTicker(c.limits.Ping)
	defer pings.Stop()
	for {
		var err error
		select {
		case <-c.closing:
			c.mu.Lock()
			c.boundLocked()
			c.mu.Unlock()
			// An error means that the peer has not answered in time. It has been cut off, and there
			// is nothing else to do.
			_ = c.conn.Close(c.closeReason())
			return
		case <-ctx.Done():
			err = ctx.Err()
		case <-c.wake:
			err = c.flush(ctx)
		case <-pings.C:
			err = c.socket.ask(control(ping, nil))
		}
		if err != nil {
			_ = c.conn.CloseNow() // this ends the reader, too
			return
		}
	}
}

// flush writes until there is nothing left.
func (c *Conn) flush(ctx context.Context) error {
	c.socket.cork()
	if err := c.writeAll(ctx); err != nil {
		return err
	}
	return c.socket.uncork()
}

func (c *Conn) writeAll(ctx context.Context) error {
	for {
		message, ok := c.next()
		if !ok {
			return nil
		}
		err := c.send(ctx, message)
		c.written(message)
		if err != nil {
			return err
		}
		if message.sent != nil {
			close(message.sent)
		}
	}
}

// send writes a message or a pong. The socket gives up when the peer takes nothing.
func (c *Conn) send(ctx context.Context, m queued) error {
	if m.kind == pong {
		_, err := c.socket.Write(control(pong, m.data))
		return err
	}
	return c.conn.Write(ctx, m.kind, m.data)
}

// The kinds of control frames that the writer sends itself: the library's own functions wait for
// the answer, or for each other, and give up.
const (
	ping websocket.MessageType = 0x9
	pong websocket.MessageType = 0xa
)

// control returns a control frame. Its payload is short, as the protocol asks.
func control(kind websocket.MessageType, payload []byte) []byte {
	const final = 0x80
	return append([]byte{final | byte(kind), byte(len(payload))}, payload...)
}

// clipReason makes a text fit into a close frame.
func clipReason(s string) string { return safetext.Clip(s, 123) }
