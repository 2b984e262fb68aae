package ws

import (
	"bufio"
	"net"
	"net/http"
	"sync"
	"time"
)

// corkSize is how many bytes a corked connection holds back.
const corkSize = 32 << 10

// A corkedConn holds back what is written while it is corked, so that many small messages take one
// call of the system.
type corkedConn struct {
	net.Conn
	patience time.Duration // for one write

	mu     sync.Mutex // guards the fields below; held while writing
	corked bool
	held   []byte
}

// Write implements [net.Conn].
func (c *corkedConn) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.corked && len(c.held)+len(b) <= corkSize {
		c.held = append(c.held, b...)
		return len(b), nil
	}
	if err := c.flushLocked(); err != nil {
		return 0, err
	}
	return c.writeLocked(b)
}

func (c *corkedConn) writeLocked(b []byte) (int, error) {
	_ = c.Conn.SetWriteDeadline(time.Now().Add(c.patience))
	return c.Conn.Write(b)
}

func (c *corkedConn) flushLocked() error {
	if len(c.held) == 0 {
		return nil
	}
	_, err := c.writeLocked(c.held)
	c.held = c.held[:0]
	return err
}

// cork begins to hold back.
func (c *corkedConn) cork() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.corked = true
}

// uncork writes what was held back, and ends holding back.
func (c *corkedConn) uncork() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.corked = false
	return c.flushLocked()
}

// A corker is a response whose connection can be corked when it has been hijacked.
type corker struct {
	http.ResponseWriter
	patience time.Duration
	conn     *corkedConn // nil until then
}

// Hijack implements [http.Hijacker].
func (c *corker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(c.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	c.conn = &corkedConn{Conn: conn, patience: c.patience}
	return c.conn, bufio.NewReadWriter(rw.Reader, bufio.NewWriter(c.conn)), nil
}
