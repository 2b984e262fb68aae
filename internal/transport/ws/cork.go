package ws

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// corkSize is how many bytes a corked connection holds back, and writes at a time.
	corkSize = 32 << 10
	// sendBuffer is how many bytes the system may keep for a peer that reads slowly. It reports
	// progress only when a third of them has gone, and what is in there is old when it arrives.
	sendBuffer = 64 << 10
)

// A corkedConn holds back what is written while it is corked, so that many small messages take one
// call of the system. It notices when nothing moves in either direction.
type corkedConn struct {
	net.Conn
	silence time.Duration // how long nothing may move
	stalled func()        // called when nothing has been read, or written, for so long
	began   time.Time
	moved   atomic.Int64 // when something last did: nanoseconds since began

	mu     sync.Mutex // guards the fields below; held while writing
	corked bool
	held   []byte
}

// Read implements [net.Conn]. A peer that is not being read from is not silent.
func (c *corkedConn) Read(b []byte) (int, error) {
	for since := time.Now(); ; {
		if moved := c.began.Add(time.Duration(c.moved.Load())); moved.After(since) {
			since = moved
		} else if time.Since(since) >= c.silence {
			c.stalled() // which bounds the time of what follows
			_ = c.Conn.SetReadDeadline(time.Time{})
			return c.Conn.Read(b)
		}
		_ = c.Conn.SetReadDeadline(since.Add(c.silence))
		n, err := c.Conn.Read(b)
		if c.note(n); !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
	}
}

// note records that bytes have moved.
func (c *corkedConn) note(n int) {
	if n > 0 {
		c.moved.Store(int64(time.Since(c.began)))
	}
}

// Write implements [net.Conn]. It fails when the peer takes nothing for too long.
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

// writeLocked writes piece by piece, each of which the peer has the time of silence to make room
// for. A write over TLS cannot be continued after its deadline.
func (c *corkedConn) writeLocked(b []byte) (n int, err error) {
	for piece := range slices.Chunk(b, corkSize) {
		written, err := c.writePieceLocked(piece)
		c.note(written)
		if n += written; err != nil {
			return n, err
		}
	}
	return n, nil
}

func (c *corkedConn) writePieceLocked(b []byte) (int, error) {
	_ = c.Conn.SetWriteDeadline(time.Now().Add(c.silence))
	return c.Conn.Write(b)
}

// ask writes what only a living peer answers: that it was written does not count as movement.
// Nothing may be held back.
func (c *corkedConn) ask(b []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.writePieceLocked(b)
	return err
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
	silence time.Duration
	stalled func()
	conn    *corkedConn // nil until then
}

// Hijack implements [http.Hijacker].
func (c *corker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(c.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	limitBuffer(conn)
	c.conn = &corkedConn{Conn: conn, silence: c.silence, stalled: c.stalled, began: time.Now()}
	return c.conn, bufio.NewReadWriter(rw.Reader, bufio.NewWriter(c.conn)), nil
}

// limitBuffer limits what the system keeps for the peer, where it can.
func limitBuffer(conn net.Conn) {
	for {
		inner, ok := conn.(interface{ NetConn() net.Conn })
		if !ok {
			break
		}
		conn = inner.NetConn()
	}
	if system, ok := conn.(interface{ SetWriteBuffer(int) error }); ok {
		_ = system.SetWriteBuffer(sendBuffer) // if it refuses, it only takes longer to notice progress
	}
}
