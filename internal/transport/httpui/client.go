package httpui

import (
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// socketLimits are the numbers of a WebSocket connection.
type socketLimits struct {
	messages int           // how many messages may wait to be written
	bytes    int           // and how many bytes, the one being written included; one message may be longer
	ping     time.Duration // between pings
	pong     time.Duration // how long a page may take to answer one
	write    time.Duration // how long writing one message may take
	grace    time.Duration // how long a page may take to answer a close
}

// A client is a connected page, as its session sees it: a bounded queue of messages and, once, a reason to close.
type client struct {
	limits socketLimits
	cut    func()        // ends the connection without a word
	wake   chan struct{} // capacity 1; a token means "queue may be non-empty"
	ended  chan struct{} // closed by end

	mu    sync.Mutex // guards the fields below
	queue [][]byte
	bytes int // of the queue and of the message that is being written

	code   websocket.StatusCode // why it is to be closed; 0 as long as it is not
	reason string
	timer  *time.Timer // cuts the connection when closing takes too long
}

func newClient(limits socketLimits, cut func()) *client {
	return &client{limits: limits, cut: cut, wake: make(chan struct{}, 1), ended: make(chan struct{})}
}

// Deliver queues a message and never blocks. A page that cannot keep up is closed, so that it comes back for a snapshot.
func (c *client) Deliver(msg []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.code != 0 {
		return false
	}
	if len(c.queue) >= c.limits.messages || c.bytes > 0 && c.bytes+len(msg) > c.limits.bytes {
		c.endLocked(websocket.StatusTryAgainLater, "too slow: connect again for a snapshot")
		return false
	}
	c.queue = append(c.queue, msg)
	c.bytes += len(msg)
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return true
}

// next takes a message off the queue to write it; written must be called afterwards.
func (c *client) next() (msg []byte, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		return nil, false
	}
	msg = c.queue[0]
	c.queue[0] = nil
	c.queue = c.queue[1:]
	return msg, true
}

func (c *client) written(msg []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bytes -= len(msg)
}

// end says that the connection is to be closed, and why. The first reason counts. What waits in the queue is dropped.
func (c *client) end(code websocket.StatusCode, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.code == 0 {
		c.endLocked(code, reason)
	}
}

func (c *client) endLocked(code websocket.StatusCode, reason string) {
	c.code, c.reason = code, clipReason(reason)
	c.queue = nil
	c.timer = time.AfterFunc(c.limits.grace, c.cut)
	close(c.ended)
}

// verdict is what end was told.
func (c *client) verdict() (websocket.StatusCode, string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.code, c.reason
}

func (c *client) isEnded() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// release forgets the timer when the connection is over.
func (c *client) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
	}
}

// clipReason makes a text fit into a close frame.
func clipReason(s string) string {
	const most = 123
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most-len("…")], "") + "…"
}
