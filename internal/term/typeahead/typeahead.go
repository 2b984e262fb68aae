// Package typeahead holds input until a program reads it. It knows bytes, and the keys for which a
// terminal sends signals, which reach a program that reads nothing, too.
package typeahead

import (
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/wake"
)

// Max is how many bytes of input may wait for the program.
const Max = 1 << 20

// CheckSize returns an error of kind Invalid if input is too long for any queue.
func CheckSize(input []byte) error {
	if len(input) > Max {
		return fault.New(fault.Invalid, "%d bytes of input are too many: send at most %d at a time", len(input), Max)
	}
	return nil
}

// A Program is what a queue writes to, from one goroutine.
type Program interface {
	io.Writer
	// WriteNow writes as much as the program has room for, and returns how much, in bytes. It must
	// not block, and is not called while Write is.
	WriteNow([]byte) int
	// SignalKey sends the signal that the terminal has for a key, and reports whether there is one.
	// It drops unread input, interrupts Write, and must not block.
	SignalKey(key byte) bool
	// KeepsSignalKey reports whether a key of a signal that was written last has not got through.
	// It must not block.
	KeepsSignalKey() bool
}

// A Queue holds input until the program reads it. A program that does not read delays only its own
// input. Input for which there is room is written at once: waking the goroutine that writes would
// delay each key. Its methods may be called from anywhere.
type Queue struct {
	program Program

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

// New returns the queue of a program. The caller must Close it, and then interrupt p.Write.
func New(p Program) *Queue {
	q := &Queue{program: p, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go q.run()
	return q
}

// The reasons why a queue accepts no input.
var (
	ErrFull   = errors.New("as much input waits as may")
	ErrClosed = errors.New("nobody reads input any more")
)

// Put writes or queues b, which is copied, and returns at once. The error is one of those above.
func (q *Queue) Put(b []byte) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.refusesLocked(len(b)); err != nil {
		return err
	}
	q.putLocked(b)
	return nil
}

func (q *Queue) putLocked(b []byte) {
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
		wake.Up(q.wake)
	}
}

// Refuses returns why n bytes cannot be put now, or nil: see Put.
func (q *Queue) Refuses(n int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.refusesLocked(n)
}

func (q *Queue) refusesLocked(n int) error {
	switch {
	case q.closed:
		return ErrClosed
	case len(q.buf)+q.busy+n > Max:
		return ErrFull
	}
	return nil
}

// IsBusy reports whether there is input that is not written yet.
func (q *Queue) IsBusy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.buf)+q.busy > 0
}

// WhenWritten calls f once all that was put before is written or dropped. It reports false, without
// calling f, if that is so already. It never calls f if the program ends first, which loses the
// rest. f must neither block nor call the queue.
func (q *Queue) WhenWritten(f func()) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.buf)+q.busy == 0 && !q.lost && !q.closed {
		return false
	}
	q.after = append(q.after, notice{q.total, f})
	return true
}

// endLocked counts n bytes that were written, and calls those who wait for that.
func (q *Queue) endLocked(n int) {
	q.gone += uint64(n)
	q.callLocked()
}

// dropLocked drops the first n bytes of those that are not being written.
func (q *Queue) dropLocked(n int) {
	q.buf = q.buf[n:]
	q.total -= uint64(n)
	next := q.gone + uint64(q.busy)
	for i := range q.after {
		q.after[i].bytes = max(min(next, q.after[i].bytes), q.after[i].bytes-min(uint64(n), q.after[i].bytes))
	}
	q.callLocked()
}

func (q *Queue) callLocked() {
	for !q.lost && len(q.after) > 0 && q.after[0].bytes <= q.gone {
		q.after[0].call()
		q.after[0] = notice{}
		q.after = q.after[1:]
	}
}

// stuckTime is how long writing input takes if the program does not read it.
const stuckTime = 50 * time.Millisecond

// IsStuck reports whether the program does not read its input, so that more does not get through.
func (q *Queue) IsStuck() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.busy > 0 && time.Since(q.since) >= stuckTime
}

// Type is Put for what somebody types. signals says that b has a key that sends a signal: then it
// is accepted however much waits. If the program does not read, that key drops what is before it,
// as in a terminal; if it has not got through a moment later, its signal is sent all the same.
func (q *Queue) Type(b []byte, signals bool) {
	q.mu.Lock()
	if !q.closed { // else the program has just ended, and needs no input
		q.putLocked(b)
	}
	put := q.puts
	q.mu.Unlock()
	if signals && !q.cutAfter(q.program.SignalKey) {
		key := b[len(b)-1]
		time.AfterFunc(stuckTime, func() { q.ensureSignal(key, put) })
	}
}

// ensureSignal sends the signal of a key that was typed a moment ago, if the key does not get
// through to the program's terminal: input before it, of which nobody knew then that it is not
// read, may wait in the queue, and some 20 KiB in the system. The second case can be told only if
// the input of number put ended with the key, and nothing was put after it.
func (q *Queue) ensureSignal(key byte, put uint64) {
	if !q.cutAfter(q.program.SignalKey) && q.last() == put && (q.IsStuck() || q.program.KeepsSignalKey()) {
		q.program.SignalKey(key)
	}
}

// last returns the number of what was put last.
func (q *Queue) last() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.puts
}

// cutAfter removes the queued input up to the last control character for which f returns true, if
// the program does not read its input. It reports whether there is one. f must not call the queue.
func (q *Queue) cutAfter(f func(byte) bool) bool {
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

// Wait returns when the queue was closed and writes no more.
func (q *Queue) Wait() { <-q.done }

func (q *Queue) run() {
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
func (q *Queue) take(err error) []byte {
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

// Close stops accepting input. Queued input is still written, unless Write is interrupted.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		close(q.wake)
	}
}
