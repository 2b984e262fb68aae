package mcpbridge

import (
	"io"
	"sync"
	"time"
)

// maxUnread is how much the client may leave unread, in bytes, before streams of the server are
// read no further. One message is always accepted.
const maxUnread = 64 << 20

// An outbox writes messages to the client in their order, on a goroutine of its own: a client that
// does not read holds up nothing but the answers. Its methods may be called from anywhere.
type outbox struct {
	failed chan struct{} // closed when the client can be written to no more, because of err
	err    error
	done   chan struct{} // closed when the goroutine has exited

	mu     sync.Mutex // guards the fields below
	change *sync.Cond
	queue  [][]byte
	size   int // of the queue, and of what is being written
	closed bool
	urgent bool // write does not wait
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{failed: make(chan struct{}), done: make(chan struct{})}
	o.change = sync.NewCond(&o.mu)
	go o.run(w)
	return o
}

// write queues a message, which has no line break. It waits while too much is unread.
func (o *outbox) write(message []byte) {
	line := append(message[:len(message):len(message)], '\n')
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.size > 0 && o.size+len(line) > maxUnread && !o.closed && !o.urgent {
		o.change.Wait()
	}
	if o.closed {
		return
	}
	o.queue = append(o.queue, line)
	o.size += len(line)
	o.change.Broadcast()
}

func (o *outbox) run(w io.Writer) {
	defer close(o.done)
	for {
		o.mu.Lock()
		for len(o.queue) == 0 && !o.closed {
			o.change.Wait()
		}
		lines := o.queue
		o.queue = nil
		o.mu.Unlock()
		if len(lines) == 0 {
			return
		}
		for _, line := range lines {
			if _, err := w.Write(line); err != nil {
				o.err = err
				close(o.failed)
				o.mu.Lock()
				o.closed, o.queue = true, nil
				o.change.Broadcast()
				o.mu.Unlock()
				return
			}
			o.mu.Lock()
			o.size -= len(line)
			o.change.Broadcast()
			o.mu.Unlock()
		}
	}
}

// hurry makes write queue messages without waiting from now on.
func (o *outbox) hurry() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.urgent = true
	o.change.Broadcast()
}

// close takes no more messages, and waits until the client has read those that are queued, but not
// longer than the given time.
func (o *outbox) close(within time.Duration) {
	o.mu.Lock()
	o.closed = true
	o.change.Broadcast()
	o.mu.Unlock()
	select {
	case <-o.done:
	case <-time.After(within):
	}
}
