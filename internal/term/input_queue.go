package term

import (
	"errors"
	"io"
	"slices"
	"sync"
	"time"
)

// A program is what a queue writes to: see [Process].
type program interface {
	io.Writer
	WriteNow([]byte) int
}

// A queue holds input until the program reads it. A program that does not read delays only its own
// input. Input for which there is room is written at once: waking the goroutine that writes would
// delay each key.
type queue struct {
	program program

	wake chan struct{} // capacity 1; a token means "look again"
	done chan struct{} // closed when the writing goroutine has exited

	mu     sync.Mutex // guards the fields below; never held while Write may block
	buf    []byte
	busy   int       // bytes that are being written
	since  time.Time // when that began
	puts   uint64    // how often input was put
	closed bool
}

// newQueue returns the queue of a program. The caller must close it, and interrupt p.Write when it
// does.
func newQueue(p program) *queue {
	q := &queue{program: p, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go q.run()
	return q
}

// The reasons why a queue accepts no input.
var (
	errQueueFull   = errors.New("as much input waits as may")
	errQueueClosed = errors.New("nobody reads input any more")
)

// put writes or queues b, which is copied, and returns at once. The error is one of those above.
func (q *queue) put(b []byte) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return errQueueClosed
	}
	if len(q.buf)+q.busy+len(b) > MaxInput {
		return errQueueFull
	}
	q.puts++
	if len(q.buf)+q.busy == 0 {
		b = b[q.program.WriteNow(b):]
	}
	if len(b) > 0 {
		q.buf = append(q.buf, b...)
		wake(q.wake)
	}
	return nil
}

// hasRoom reports whether n bytes can be put.
func (q *queue) hasRoom(n int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.buf)+q.busy+n <= MaxInput
}

// isBusy reports whether there is input that is not written yet.
func (q *queue) isBusy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.buf)+q.busy > 0
}

// stuckTime is how long writing input takes if the program does not read it.
const stuckTime = 50 * time.Millisecond

// isStuck reports whether the program does not read its input, so that more does not get through.
func (q *queue) isStuck() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.busy > 0 && time.Since(q.since) >= stuckTime
}

// last returns the number of what was put last.
func (q *queue) last() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.puts
}

// cutAfter removes the queued input up to the last control character for which f returns true, if
// the program does not read its input. It reports whether there is one. f must not call the queue.
func (q *queue) cutAfter(f func(byte) bool) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.busy == 0 || time.Since(q.since) < stuckTime {
		return false
	}
	for i, c := range slices.Backward(q.buf) {
		if (c < ' ' || c == 0x7f) && f(c) {
			q.buf = q.buf[i+1:]
			return true
		}
	}
	return false
}

// drop removes the queued input that is not being written yet.
func (q *queue) drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.buf = nil
}

func (q *queue) run() {
	defer close(q.done)
	for range q.wake {
		q.mu.Lock()
		b := q.buf
		q.buf, q.busy, q.since = nil, len(b), time.Now()
		q.mu.Unlock()
		if len(b) > 0 {
			_, _ = q.program.Write(b) // fails when the program has ended, which then needs no input
		}
		q.mu.Lock()
		q.busy = 0
		q.mu.Unlock()
	}
}

// close stops accepting input. Queued input is still written, unless w is interrupted.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		close(q.wake)
	}
}
