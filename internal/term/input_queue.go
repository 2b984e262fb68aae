package term

import (
	"errors"
	"io"
	"os"
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
	total  uint64    // bytes that were ever put, but for those that were dropped
	gone   uint64    // of those, the ones that were written
	lost   bool      // the program's terminal did not take what was written last
	after  []notice  // in the order of their numbers
	closed bool
}

// A notice is a function to call when a number of bytes has been written.
type notice struct {
	bytes uint64
	call  func()
}

// writePiece is how many bytes are written at once: notices come before the end of long input.
const writePiece = 16 << 10

// newQueue returns the queue of a program. The caller must close it, and then interrupt p.Write.
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
	if err := q.refusesLocked(len(b)); err != nil {
		return err
	}
	q.puts++
	q.total += uint64(len(b))
	if len(q.buf)+q.busy == 0 {
		n := q.program.WriteNow(b)
		if b = b[n:]; n > 0 {
			q.lost = false
			q.endLocked(n)
		}
	}
	if len(b) > 0 {
		q.buf = append(q.buf, b...)
		wake(q.wake)
	}
	return nil
}

// refuses returns why n bytes cannot be put now, or nil.
func (q *queue) refuses(n int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.refusesLocked(n)
}

func (q *queue) refusesLocked(n int) error {
	switch {
	case q.closed:
		return errQueueClosed
	case len(q.buf)+q.busy+n > MaxInput:
		return errQueueFull
	}
	return nil
}

// isBusy reports whether there is input that is not written yet.
func (q *queue) isBusy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.buf)+q.busy > 0
}

// whenWritten calls f once all that was put before is written or dropped. It reports false, without
// calling f, if that is so already. It never calls f if the program ends first, which loses the
// rest. f must neither block nor call the queue.
func (q *queue) whenWritten(f func()) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.buf)+q.busy == 0 && !q.lost && !q.closed {
		return false
	}
	q.after = append(q.after, notice{q.total, f})
	return true
}

// endLocked counts n bytes that were written, and calls those who wait for that.
func (q *queue) endLocked(n int) {
	q.gone += uint64(n)
	q.callLocked()
}

// dropLocked drops the first n bytes of those that are not being written.
func (q *queue) dropLocked(n int) {
	q.buf = q.buf[n:]
	q.total -= uint64(n)
	next := q.gone + uint64(q.busy)
	for i := range q.after {
		q.after[i].bytes = max(min(next, q.after[i].bytes), q.after[i].bytes-min(uint64(n), q.after[i].bytes))
	}
	q.callLocked()
}

func (q *queue) callLocked() {
	for !q.lost && len(q.after) > 0 && q.after[0].bytes <= q.gone {
		q.after[0].call()
		q.after[0] = notice{}
		q.after = q.after[1:]
	}
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
			q.dropLocked(i + 1)
			return true
		}
	}
	return false
}

// drop removes the queued input that is not being written yet.
func (q *queue) drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dropLocked(len(q.buf))
	q.buf = nil
}

func (q *queue) run() {
	defer close(q.done)
	for range q.wake {
		var err error
		for b := q.take(nil); len(b) > 0; b = q.take(err) {
			_, err = q.program.Write(b)
		}
	}
}

// take ends what was being written, with that error, and begins the next piece. Writing fails when
// the program has ended, which then needs no input, and when a key has interrupted it: then the
// rest is dropped.
func (q *queue) take(err error) []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.busy > 0 {
		q.lost = err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
	}
	q.endLocked(q.busy)
	n := min(len(q.buf), writePiece)
	b := q.buf[:n:n]
	if q.buf = q.buf[n:]; len(q.buf) == 0 {
		q.buf = nil
	}
	q.busy, q.since = n, time.Now()
	return b
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
