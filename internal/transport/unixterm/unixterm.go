// Package unixterm serves terminal sessions to clients of this program on a Unix socket, in frames:
// a type, a length and JSON or bytes. A client attaches a person's terminal and gets pictures
// composed for it, or asks for the server's token. The package does not authenticate: anyone who
// can open the socket may do everything.
package unixterm

import (
	"bufio"
	"context"
	"errors"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/internal/wake"
)

// Limits.
const (
	firstTime  = 5 * time.Second  // for the first frame
	writeTime  = 30 * time.Second // for a client to make room for a piece of one
	writePiece = 32 << 10         // bytes
	leaveTime  = 2 * time.Second  // for all that is written once the server is being closed
	acceptWait = 100 * time.Millisecond
)

// Options configure a server.
type Options struct {
	Terminals terminals.Terminals // required
	// Token returns the token that requests over TCP need, or "". Nil means that they need none.
	Token func() string
	Log   *slog.Logger // required
}

// A Server serves frames on a listener until it is closed.
type Server struct {
	o        Options
	listener net.Listener
	ctx      context.Context // ends when the server is closed
	stop     context.CancelFunc
	running  sync.WaitGroup
}

// Serve starts a server on a listener, which the server owns from then on. The caller must Close
// it.
func Serve(l net.Listener, o Options) *Server {
	if o.Terminals == nil || o.Log == nil {
		panic("unixterm: Terminals and Log are required")
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{o: o, listener: l, ctx: ctx, stop: stop}
	s.running.Go(s.accept)
	return s
}

// Close stops accepting, detaches the clients and waits for both. Clients that do not read are cut
// off after two seconds.
func (s *Server) Close() error {
	s.stop()
	err := s.listener.Close()
	s.running.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func (s *Server) accept() {
	for {
		c, err := s.listener.Accept()
		switch {
		case err == nil:
			s.running.Go(func() { s.serve(c) })
		case errors.Is(err, net.ErrClosed) || s.ctx.Err() != nil:
			return
		default: // such as too many open files
			s.o.Log.Warn("accept a connection of the socket", "error", err)
			if wake.After(s.ctx, acceptWait) != nil {
				return
			}
		}
	}
}

// A conn is a client's connection. One goroutine reads; writes take turns.
type conn struct {
	conn      net.Conn
	in        *bufio.Reader
	terminals terminals.Terminals
	token     func() string

	mu  sync.Mutex // held while a frame is written
	buf []byte

	deadline sync.Mutex // held while the deadline of writing is set
	leaving  bool       // the server is being closed; guarded by deadline
}

// leave makes reads fail, and bounds the time of all writes from now on.
func (c *conn) leave() {
	c.deadline.Lock()
	defer c.deadline.Unlock()
	c.leaving = true
	_ = c.conn.SetReadDeadline(time.Now())
	_ = c.conn.SetWriteDeadline(time.Now().Add(leaveTime))
}

// allowWrite gives a client the time to read a piece of a frame.
func (c *conn) allowWrite() {
	c.deadline.Lock()
	defer c.deadline.Unlock()
	if !c.leaving {
		_ = c.conn.SetWriteDeadline(time.Now().Add(writeTime))
	}
}

// serve answers the request of a connection.
func (s *Server) serve(nc net.Conn) {
	defer nc.Close()
	c := &conn{conn: nc, in: bufio.NewReaderSize(nc, 32<<10), terminals: s.o.Terminals, token: s.o.Token}
	quit := context.AfterFunc(s.ctx, c.leave)
	defer quit()
	_ = nc.SetReadDeadline(time.Now().Add(firstTime))
	first, err := c.Read()
	if err != nil {
		attachedterm.Fail(c, attachedterm.UnlessNetwork(err))
		return
	}
	_ = nc.SetReadDeadline(time.Time{})
	if s.ctx.Err() != nil {
		return
	}
	attachedterm.Fail(c, c.answer(s.ctx, first))
}

// answer carries out the request in a connection's first frame.
func (c *conn) answer(ctx context.Context, f socketwire.Frame) error {
	switch f.Kind {
	case socketwire.CreateSession, socketwire.AttachSession:
		return attachedterm.Serve(ctx, c, f, attachedterm.Options{Terminals: c.terminals, By: terminals.Everything})
	case socketwire.GetToken:
		var token *string
		if c.token != nil {
			if t := c.token(); t != "" {
				token = &t
			}
		}
		return attachedterm.WriteJSON(c, socketwire.GetTokenResponse, map[string]any{"token": token})
	}
	return fault.New(fault.Invalid, "frames of type %02x are not served", byte(f.Kind))
}

// Read implements [attachedterm.Conn].
func (c *conn) Read() (socketwire.Frame, error) { return socketwire.Read(c.in) }

// Close implements [attachedterm.Conn].
func (c *conn) Close() error { return c.conn.Close() }

// Write implements [attachedterm.Conn].
func (c *conn) Write(k socketwire.Kind, content []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buf = socketwire.Append(c.buf[:0], k, content)
	var err error
	for piece := range slices.Chunk(c.buf, writePiece) {
		c.allowWrite()
		if _, err = c.conn.Write(piece); err != nil {
			break
		}
	}
	if cap(c.buf) > 1<<20 {
		c.buf = nil
	}
	if err != nil {
		_ = c.Close() // a part of a frame may have been written
	}
	return err
}
