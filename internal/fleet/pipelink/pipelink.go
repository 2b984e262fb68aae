// Package pipelink carries messages between two hosts over one ordered stream of bytes, such as the
// standard streams of ssh or an upgraded connection of HTTP. Who may connect, and how, is for its
// users to know.
//
// Both hosts introduce themselves ([Hello]). From then on, each message is a frame. A slow or
// crowded connection serves all streams in turn, one message at a time, so that a flood of one does
// not hold up the others. A host always reads, whatever it cannot write, so two hosts cannot wait
// for each other.
package pipelink

import (
	"bufio"
	"context"
	"io"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/fleet/stream"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

const (
	// maxQueued is how many bytes of a stream wait to be written before its senders must wait.
	maxQueued = 64 << 10
	// overhead is what a message counts beside its bytes, so that empty ones are limited, too.
	overhead = 128
	// maxQueues is how many streams can have messages that wait, and maxOptional how many bytes of
	// all streams, for messages that can be left out.
	maxQueues, maxOptional = 8192, 1 << 20
)

// A Conn is a connection to another host. It implements [remote.Conn].
type Conn struct {
	rw   io.ReadWriteCloser
	in   *bufio.Reader
	own  Hello
	peer Hello
	wake chan struct{} // capacity 1; a token means that there is something to write
	done chan struct{} // closed when the connection has ended
	busy sync.WaitGroup

	mu      sync.Mutex // guards the fields below
	receive func(remote.Message)
	reading bool
	queues  map[string]*queue // what waits to be written, by stream
	turns   []*queue          // those queues: the first is written next
	bytes   int               // in all queues
	err     error             // why the connection has ended
}

var _ remote.Conn = (*Conn)(nil)

// A queue has the messages of a stream that wait to be written.
type queue struct {
	stream   string
	messages []remote.Message
	bytes    int
	room     chan struct{} // closed when a message was taken; nil if nobody waits
}

// New introduces this host to the one at the other end, and returns a connection to it, within the
// time of ctx. From then on, rw belongs to the connection, even if there is an error. Its Close
// must end reading and writing. An error has the detail [terminals.HostLacks] if the other host has
// another version, is of kind Exists if it is this one, and of kind Invalid if it is no host.
func New(ctx context.Context, rw io.ReadWriteCloser, own Hello) (*Conn, error) {
	c := &Conn{rw: rw, in: bufio.NewReaderSize(rw, 32<<10), own: own, wake: make(chan struct{}, 1), done: make(chan struct{}), queues: map[string]*queue{}}
	var err error
	if c.peer, err = greet(ctx, rw, c.in, own); err != nil {
		_ = rw.Close()
		return nil, err
	}
	c.busy.Go(c.write)
	return c, nil
}

// Peer returns how the other host has introduced itself.
func (c *Conn) Peer() Hello { return c.peer }

// Close ends the connection, and waits until nothing is received any more.
func (c *Conn) Close() {
	c.end(io.ErrClosedPipe)
	c.busy.Wait()
}

// end ends the connection for a reason.
func (c *Conn) end(why error) {
	c.mu.Lock()
	first := c.err == nil
	if first {
		c.err = why
	}
	c.mu.Unlock()
	if first {
		close(c.done)
		_ = c.rw.Close() // the reason is known
	}
}

// Self implements [remote.Conn].
func (c *Conn) Self() string { return c.own.ID }

// Done implements [remote.Conn].
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err implements [remote.Conn].
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.errLocked()
}

func (c *Conn) errLocked() error {
	if c.err == nil {
		return nil
	}
	return fault.With(terminals.HostAway, fault.Wrap(fault.Unreachable, c.err, "the connection to host %s has ended", c.peer.Name))
}

// Receive implements [remote.Conn].
func (c *Conn) Receive(f func(remote.Message)) (stop func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, c.errLocked()
	}
	if c.receive = f; !c.reading {
		c.reading = true
		c.busy.Go(c.read)
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.receive = nil
	}, nil
}

// read receives messages until the connection ends.
func (c *Conn) read() {
	for {
		m, err := readFrame(c.in)
		if err != nil {
			c.end(unexpected(err))
			return
		}
		m.Peer = c.peer.ID
		c.mu.Lock()
		f := c.receive
		c.mu.Unlock()
		if f != nil {
			f(m)
		}
	}
}

// Send implements [remote.Conn].
func (c *Conn) Send(ctx context.Context, m remote.Message) error {
	if m.Peer != c.peer.ID || len(m.Stream) > remote.MaxNumber || len(m.Data) > remote.MaxData {
		return fault.New(fault.Internal, "a message to host %.70q cannot be sent to %s", m.Peer, c.peer.Name)
	}
	for {
		room, err := c.put(m, ctx.Err() != nil)
		if room == nil {
			return err
		}
		select {
		case <-room:
		case <-c.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// put queues a message. If there is no room, it returns a channel that is closed when there may be.
func (c *Conn) put(m remote.Message, optional bool) (room <-chan struct{}, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, c.errLocked()
	}
	q := c.queues[m.Stream]
	switch {
	case optional && (q == nil && len(c.queues) >= maxQueues || c.bytes >= maxOptional):
		return nil, fault.New(fault.Exhausted, "the connection to host %s is crowded", c.peer.Name)
	case q == nil:
		q = &queue{stream: m.Stream}
		c.queues[m.Stream] = q
		c.turns = append(c.turns, q)
	case q.bytes >= maxQueued:
		if q.room == nil {
			q.room = make(chan struct{})
		}
		return q.room, nil
	}
	q.messages = append(q.messages, m)
	q.bytes += len(m.Data) + overhead
	c.bytes += len(m.Data) + overhead
	wake.Up(c.wake)
	return nil, nil
}

// take returns the next message to write, of the stream whose turn it is.
func (c *Conn) take() (m remote.Message, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.turns) == 0 {
		return m, false
	}
	q := c.turns[0]
	c.turns = c.turns[1:]
	m = q.messages[0]
	q.messages = q.messages[1:]
	c.bytes -= len(m.Data) + overhead
	if q.bytes -= len(m.Data) + overhead; q.room != nil {
		close(q.room)
		q.room = nil
	}
	if len(q.messages) > 0 {
		c.turns = append(c.turns, q)
	} else {
		delete(c.queues, q.stream)
	}
	return m, true
}

// write writes messages until the connection ends. Another host that has taken nothing for
// [stream.Silence] is gone.
func (c *Conn) write() {
	var b []byte
	stuck := time.AfterFunc(time.Hour, func() { c.end(errStuck) })
	stuck.Stop()
	defer stuck.Stop()
	for {
		b = b[:0]
		for len(b) < writeSize {
			m, ok := c.take()
			if !ok {
				break
			}
			b = appendFrame(b, m)
		}
		if len(b) == 0 {
			select {
			case <-c.wake:
				continue
			case <-c.done:
				return
			}
		}
		stuck.Reset(stream.Silence)
		_, err := c.rw.Write(b)
		stuck.Stop()
		if err != nil {
			c.end(err)
			return
		}
	}
}

// writeSize is about how many bytes are written at once, if so many wait.
const writeSize = 16 << 10

var errStuck = fault.New(fault.Unreachable, "it has taken nothing for %v", stream.Silence)
