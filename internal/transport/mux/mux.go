// Package mux carries many connections over one stream of bytes, such as the pipe of ssh. Each is a
// request of HTTP/2: net/http takes turns between them, bounds what the other end sends before it
// is read, and ends a session from which nothing comes.
package mux

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/listen"
)

const (
	// pieceSize is how many bytes of a connection are sent at once, and windowSize how many may be
	// sent before they are read.
	pieceSize, windowSize = 16 << 10, 256 << 10
	// pingAfter is how long nothing may come before a session asks whether the other end is there,
	// and pingTime how long that may take to answer.
	pingAfter, pingTime = 5 * time.Second, 10 * time.Second
	// roomTime is how long Dial waits while there are too many connections.
	roomTime = time.Second
	// leaveTime is how long what was written may take to leave when a connection is closed, and a
	// Read to end if the other end does not close it.
	leaveTime = time.Second
	// maxHeader bounds the header of a request or answer, which says nothing, in bytes.
	maxHeader = 4 << 10
)

// Why sessions end.
var (
	errEOF    = errors.New("the other end has closed the connection")
	errBroken = errors.New("the other end is silent, or sends what it may not")
	errIdle   = errors.New("nobody used the connection")
)

// Limits bound what a session takes of this process.
type Limits struct {
	// Conns is how many connections may be open.
	Conns int
	// Unread is how many bytes of all connections may be there that have not been read.
	Unread int
	// Idle is how long no connection may be open before the session ends; 0: for ever.
	Idle time.Duration

	pingAfter, pingTime time.Duration // in tests; 0: as the constants say
}

func (l Limits) config() *http.HTTP2Config {
	return &http.HTTP2Config{
		MaxConcurrentStreams: l.Conns, MaxReceiveBufferPerConnection: l.Unread, MaxReceiveBufferPerStream: min(windowSize, l.Unread),
		SendPingTimeout: cmp.Or(l.pingAfter, pingAfter), PingTimeout: cmp.Or(l.pingTime, pingTime),
	}
}

// protocols are HTTP/2 without TLS.
var protocols = func() *http.Protocols {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	return p
}()

// A Session is one end of all connections. One end dials, and the other accepts. Its methods may be
// called from anywhere.
type Session struct {
	carrier  carrier
	limits   Limits
	client   func() (*http.ClientConn, error) // of the end that dials
	idle     *time.Timer                      // ends a session without connections, or nil
	places   chan struct{}                    // has a token for each connection that was dialled
	accepted *listen.Fed
}

// Client returns the end that dials. It owns the stream from then on, and ends with ctx.
func Client(ctx context.Context, rw io.ReadWriteCloser, l Limits) *Session {
	s := newSession(ctx, rw, l)
	transport := &http.Transport{
		Protocols: protocols, HTTP2: l.config(), DisableCompression: true, MaxResponseHeaderBytes: maxHeader,
		DialContext: func(context.Context, string, string) (net.Conn, error) { return s.carrier, nil },
	}
	s.client = sync.OnceValues(func() (*http.ClientConn, error) {
		return transport.NewClientConn(s.carrier.ctx, "http", "mux:80")
	})
	go s.client() // Dial says what is wrong
	if l.Idle > 0 {
		s.idle = time.AfterFunc(l.Idle, func() {
			if len(s.places) == 0 {
				s.carrier.end(errIdle)
			}
		})
	}
	return s
}

// Server returns the end that accepts connections. It owns the stream, and must be closed.
func Server(rw io.ReadWriteCloser, l Limits) *Session {
	s := newSession(context.Background(), rw, l)
	server := &http.Server{
		Handler: http.HandlerFunc(s.accept), Protocols: protocols, HTTP2: l.config(), MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0),
	}
	carriers := listen.NewFed(s.carrier.LocalAddr, func() error { return nil })
	go carriers.Feed(s.carrier, nil)
	go func() {
		_ = server.Serve(carriers) // it is closed
	}()
	context.AfterFunc(s.carrier.ctx, func() { _ = server.Close() }) // and carriers
	return s
}

func newSession(ctx context.Context, rw io.ReadWriteCloser, l Limits) *Session {
	s := &Session{limits: l, places: make(chan struct{}, l.Conns)}
	s.carrier.ReadWriteCloser = rw
	s.carrier.ctx, s.carrier.end = context.WithCancelCause(ctx)
	// Until the other end has begun as HTTP/2 does, net/http sends no pings.
	silence := cmp.Or(l.pingAfter, pingAfter) + cmp.Or(l.pingTime, pingTime)
	deaf := time.AfterFunc(silence, func() { s.carrier.end(errBroken) })
	s.carrier.heard = func() { deaf.Reset(silence) }
	s.accepted = listen.NewFed(s.carrier.LocalAddr, func() error { return nil })
	context.AfterFunc(s.carrier.ctx, func() { _, _ = rw.Close(), s.accepted.Close() }) // how, does not matter any more
	return s
}

// Done returns a channel that is closed when the session has ended. Err says why.
func (s *Session) Done() <-chan struct{} { return s.carrier.ctx.Done() }

// Err returns why the session has ended, or nil.
func (s *Session) Err() error { return context.Cause(s.carrier.ctx) }

// Close ends all connections.
func (s *Session) Close() error {
	s.carrier.end(net.ErrClosed)
	return nil
}

// Dial opens a connection. If too many are open for a while, the error is of kind Exhausted.
func (s *Session) Dial(ctx context.Context) (net.Conn, error) {
	select {
	case s.places <- struct{}{}:
	case <-time.After(roomTime):
		return nil, fault.New(fault.Exhausted, "%d operations and streams are under way there: wait for some of them", s.limits.Conns)
	case <-s.Done():
		return nil, s.Err()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err := s.Err(); err != nil { // select takes either of the two
		return nil, err
	}
	ctx, cancel := context.WithCancel(s.carrier.ctx)
	body, w := io.Pipe()
	c := &conn{carrier: s.carrier, PipeWriter: w, answered: make(chan struct{})}
	c.leave = sync.OnceFunc(func() {
		time.AfterFunc(leaveTime, cancel)
		if <-s.places; s.idle != nil && len(s.places) == 0 {
			s.idle.Reset(s.limits.Idle)
		}
	})
	r := fault.Must(http.NewRequestWithContext(ctx, http.MethodPost, "http://mux/", body)) // a fixed address
	go func() {
		defer close(c.answered)
		var client *http.ClientConn
		if client, c.err = s.client(); c.err == nil {
			c.answer, c.err = client.RoundTrip(r)
		}
		if c.err != nil {
			_ = body.CloseWithError(c.err)
		}
	}()
	return c, nil
}

// accept serves a connection of the other end.
func (s *Session) accept(w http.ResponseWriter, r *http.Request) {
	near, far := net.Pipe()
	defer far.Close()
	if !s.accepted.Feed(near, nil) {
		return
	}
	go func() {
		_, _ = io.Copy(far, r.Body)
		_ = far.Close() // no connection is open in one direction only
	}()
	out := http.NewResponseController(w)
	for piece := make([]byte, pieceSize); ; {
		n, err := far.Read(piece)
		if _, failed := w.Write(piece[:n]); err != nil || failed != nil || out.Flush() != nil {
			return
		}
	}
}

// Listener returns what accepts connections. Its Close leaves the session as it is.
func (s *Session) Listener() net.Listener { return s.accepted }

// A conn is a connection that was dialled: a request and its answer. It has no deadlines.
type conn struct {
	carrier
	*io.PipeWriter
	leave    func()
	answered chan struct{} // closed when the fields below are set
	answer   *http.Response
	err      error
}

// Read implements [net.Conn]. No connection is open in one direction only: where nothing else can
// be read, it is closed.
func (c *conn) Read(b []byte) (n int, err error) {
	<-c.answered
	if err = c.err; err == nil {
		n, err = c.answer.Body.Read(b)
	}
	if err != nil {
		_ = c.Close() // it is closed anyway
		if reason := context.Cause(c.ctx); reason != nil {
			err = errors.New(reason.Error()) // it is about the stream of bytes, and not about a request
		}
	}
	return n, err
}

// Close implements [net.Conn].
func (c *conn) Close() error {
	c.leave()
	return c.PipeWriter.Close()
}

// A carrier is the stream of bytes below, as net/http takes it.
type carrier struct {
	io.ReadWriteCloser
	ctx   context.Context // ends with the session
	end   context.CancelCauseFunc
	heard func() // puts off the end of a session to which nothing comes
}

// Read implements [net.Conn].
func (c carrier) Read(b []byte) (int, error) {
	n, err := c.ReadWriteCloser.Read(b)
	c.heard()
	if err == io.EOF {
		c.end(errEOF)
	} else if err != nil {
		c.end(err)
	}
	return n, err
}

// Close implements [net.Conn]: net/http calls it when the other end breaks the rules.
func (c carrier) Close() error {
	c.end(errBroken)
	return nil
}

func (carrier) SetDeadline(time.Time) error      { return nil }
func (carrier) SetReadDeadline(time.Time) error  { return nil }
func (carrier) SetWriteDeadline(time.Time) error { return nil }
func (carrier) LocalAddr() net.Addr              { return address{} }
func (carrier) RemoteAddr() net.Addr             { return address{} }

// An address of a connection over another one says nothing.
type address struct{}

func (address) Network() string { return "mux" }
func (address) String() string  { return "mux" }
