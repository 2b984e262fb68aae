// Package mux carries many connections over one stream of bytes, such as the pipe of ssh. Those
// connections are made by github.com/xtaci/smux, which takes turns between them, and which only
// this package knows. What that lacks is here: what the other end sends is bounded, a connection
// whose other end has closed it ends, and so does a session from which nothing comes.
package mux

import (
	"cmp"
	"context"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/xtaci/smux"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/listen"
)

const (
	// frameSize is how many bytes of a connection are sent at once, so that a long answer does not
	// hold up others.
	frameSize = 16 << 10
	// windowSize is how many bytes of a connection may be sent before they are read.
	windowSize = 256 << 10
	// pingEvery is how often a session says that it is there, silence how long one may be silent.
	pingEvery, silence = 5 * time.Second, 15 * time.Second
	// roomTime is how long Dial waits while there are too many connections.
	roomTime = time.Second
	// maxRefused is how many connections beyond the limit may be opened within silence.
	maxRefused = 1000
)

// Limits bound what a session takes of this process.
type Limits struct {
	// Conns is how many connections may be open.
	Conns int
	// Unread is how many bytes may be there that have not been read; a frame counts 64 bytes more.
	// A session with more takes no others. All counts those of several sessions, and one that
	// exceeds MaxAll ends.
	Unread int64
	All    *atomic.Int64
	// Idle is how long no connection may be open before the session ends; 0: for ever.
	Idle time.Duration

	silence time.Duration // in tests; 0: as the constant says
}

// MaxAll is how many unread bytes all sessions with a common [Limits.All] may have.
const MaxAll = 256 << 20

// A Session is one end of all connections. One end dials, and the other accepts. Its methods may be
// called from anywhere.
type Session struct {
	smux    *smux.Session
	carrier *carrier
	limits  Limits
	places  chan struct{} // has a token for each connection that was dialled

	dialling sync.Mutex // held while a connection is opened: their numbers arrive in order
	last     uint32     // number of the connection that was dialled last; guarded by dialling
	refused  int        // connections since begun; owned by accept
	begun    time.Time
	done     chan struct{} // closed when the session has ended
}

// Client returns the end that dials. It owns the stream from then on, and ends with ctx.
func Client(ctx context.Context, rw io.ReadWriteCloser, l Limits) *Session {
	return newSession(ctx, rw, l, false)
}

// Server returns the end that accepts connections. It owns the stream, and must be closed.
func Server(rw io.ReadWriteCloser, l Limits) *Session {
	return newSession(context.Background(), rw, l, true)
}

func newSession(ctx context.Context, rw io.ReadWriteCloser, l Limits, accepts bool) *Session {
	l.silence = cmp.Or(l.silence, silence)
	s := &Session{carrier: newCarrier(rw, l, accepts), limits: l, places: make(chan struct{}, l.Conns), last: 1, done: make(chan struct{})}
	open := smux.Client
	if accepts {
		open = smux.Server
	}
	s.smux = fault.Must(open(s.carrier, &smux.Config{ // fixed values, which are valid
		Version: 2, MaxFrameSize: frameSize, MaxStreamBuffer: windowSize, MaxReceiveBuffer: 1 << 30, // carrier counts what is unread
		KeepAliveInterval: pingEvery, KeepAliveTimeout: 1 << 62, // carrier notices silence
	}))
	go func() {
		defer close(s.done)
		select {
		case <-s.carrier.over:
		case <-ctx.Done():
			s.carrier.end(net.ErrClosed)
		}
		_ = s.smux.Close() // how the stream of bytes closes does not matter any more
		s.carrier.forget()
	}()
	return s
}

// Done returns a channel that is closed when the session has ended. Err says why.
func (s *Session) Done() <-chan struct{} { return s.done }

// Err returns why the session has ended, or nil.
func (s *Session) Err() error { return s.carrier.err() }

// Close ends all connections.
func (s *Session) Close() error {
	s.carrier.end(net.ErrClosed)
	<-s.done
	return nil
}

// An address of a connection over another one says nothing.
type address struct{}

func (address) Network() string { return "mux" }
func (address) String() string  { return "mux" }

// Dial opens a connection. If too many are open for a while, the error is of kind Exhausted.
func (s *Session) Dial(ctx context.Context) (net.Conn, error) {
	select {
	case s.places <- struct{}{}:
	case <-time.After(roomTime):
		return nil, fault.New(fault.Exhausted, "%d operations and streams are under way there: wait for some of them", s.limits.Conns)
	case <-s.done:
		return nil, s.Err()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	s.dialling.Lock()
	defer s.dialling.Unlock()
	s.last += 2 // as smux counts
	s.carrier.opened(s.last)
	stream, err := s.smux.OpenStream()
	if err != nil {
		s.carrier.closed(s.last)
		<-s.places
		return nil, s.carrier.because(err)
	}
	return &conn{stream: stream, carrier: s.carrier, leave: func() { <-s.places }}, nil
}

// accept returns the next connection. Those beyond the limit are closed, and too many of them end
// the session.
func (s *Session) accept() (net.Conn, error) {
	for {
		stream, err := s.smux.AcceptStream()
		if err != nil {
			<-s.done
			return nil, net.ErrClosed
		}
		c := &conn{stream: stream, carrier: s.carrier, leave: func() {}}
		if s.carrier.count() <= s.limits.Conns {
			return c, nil
		}
		_ = c.Close() // the other end learns it, or has left
		if time.Since(s.begun) > silence {
			s.begun, s.refused = time.Now(), 0
		}
		if s.refused++; s.refused > maxRefused {
			s.carrier.end(errMany)
		}
	}
}

// Listener returns what accepts connections, once. Its Close leaves the session as it is.
func (s *Session) Listener() net.Listener {
	l := listen.NewFed(func() net.Addr { return address{} }, func() error { return nil })
	go func() {
		defer l.Close()
		for c, err := s.accept(); err == nil; c, err = s.accept() {
			l.Feed(c, nil) // or closes it, which the other end learns
		}
	}()
	return l
}

type conn struct {
	stream  *smux.Stream
	carrier *carrier
	leave   func()
	once    sync.Once

	writing sync.Mutex // guards copy
	copy    []byte     // of what is being written, which smux keeps when a deadline ends that
}

// Read implements [net.Conn]. No connection is open in one direction only: where nothing else can
// be read, it is closed, so that a Write which waits ends.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.stream.Read(b)
	c.carrier.taken(c.stream.ID(), n)
	if err == io.EOF {
		_ = c.Close() // it is closed anyway
	}
	return n, c.carrier.because(err)
}

// Write implements [net.Conn]. A connection is of no use after a deadline has ended a Write.
func (c *conn) Write(b []byte) (written int, err error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	for n := 0; len(b) > 0 && err == nil; written, b = written+n, b[n:] {
		c.copy = append(c.copy[:0], b[:min(len(b), 2*frameSize)]...)
		n, err = c.stream.Write(c.copy)
	}
	if err != nil {
		c.copy = nil
		_ = c.Close() // the error says more
	}
	return written, c.carrier.because(err)
}

// Close implements [net.Conn].
func (c *conn) Close() error {
	c.once.Do(func() {
		go func() { _ = c.stream.Close() }() // it says so to the other end, which may read nothing for a while
		c.carrier.closed(c.stream.ID())
		c.leave()
	})
	return nil
}

func (c *conn) SetDeadline(t time.Time) error      { return c.stream.SetDeadline(t) }
func (c *conn) SetReadDeadline(t time.Time) error  { return c.stream.SetReadDeadline(t) }
func (c *conn) SetWriteDeadline(t time.Time) error { return c.stream.SetWriteDeadline(t) }
func (c *conn) LocalAddr() net.Addr                { return address{} }
func (c *conn) RemoteAddr() net.Addr               { return address{} }
