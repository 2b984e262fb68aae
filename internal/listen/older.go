package listen

import (
	"io"
	"net"
	"sync/atomic"
)

// Refuse returns a listener for connections on which clients send something first. One whose first
// byte is below limit speaks another protocol: it gets an answer, and its connection ends.
func Refuse(l net.Listener, limit byte, answer []byte) net.Listener {
	return refusing{l, limit, answer}
}

type refusing struct {
	net.Listener
	limit  byte
	answer []byte
}

// Accept implements [net.Listener].
func (l refusing) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &checked{Conn: conn, of: l}, nil
}

// A checked connection is refused with its first byte, or never.
type checked struct {
	net.Conn
	of    refusing
	begun atomic.Bool
}

// Read implements [net.Conn].
func (c *checked) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 && c.begun.CompareAndSwap(false, true) && p[0] < c.of.limit {
		_, _ = c.Write(c.of.answer) // the client may not wait for it
		return 0, io.EOF
	}
	return n, err
}

// NetConn returns the connection itself, for what only its type can do.
func (c *checked) NetConn() net.Conn { return c.Conn }
