// Package events holds the events of an app until its agent collects them. A [Queue] is bounded,
// keeps order, and gives each event to exactly one collector. It starts no goroutine.
package events

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/wake"
)

// A [Queue] holds at most Capacity events and CapacityBytes bytes of them. When more come, the
// oldest are dropped; the newest is always kept.
const (
	Capacity      = 10_000
	CapacityBytes = 64 << 20
)

// PartBytes bounds what one [Queue.Wait] takes, in bytes, unless a single event is longer.
const PartBytes = 16 << 20

// Array returns events as a JSON array.
func Array(list []json.RawMessage) []byte {
	b := []byte{'['}
	for i, event := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, event...)
	}
	return append(b, ']')
}

// A Queue is a FIFO of JSON values. All methods may be called at any time from any goroutine. Use
// [New].
type Queue struct {
	mu       sync.Mutex // guards the fields below
	events   []json.RawMessage
	bytes    int       // of events
	waiters  []*waiter // in the order in which they came; only the first may take events
	taken    bool      // a Wait is delivering; nobody else gets events, which may have to follow those that come back
	dropped  uint64
	lastWait time.Time // when the newest Wait ended; zero if none has
	closed   bool
}

// A waiter is a call of Wait that has found nothing yet.
type waiter struct {
	wake chan struct{} // capacity 1; a token means "look again"
}

// New returns an empty queue.
func New() *Queue { return &Queue{} }

// Push appends an event, which must be valid JSON and must not be changed afterwards, and wakes the
// waiter that came first. After Close the event is counted as dropped.
func (q *Queue) Push(event json.RawMessage) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		q.dropped++
		return
	}
	q.events = append(q.events, event)
	q.bytes += len(event)
	q.trimLocked()
	q.wakeFirstLocked()
}

// Wait blocks until there are events, takes the oldest of them in one step, at most [PartBytes],
// and passes them to deliver in order, without holding a lock. If deliver fails, Wait returns its
// error and puts the events back at the head of the queue. No other caller gets events before
// deliver has returned, so events arrive in order whichever caller collects them.
//
// When timeout has passed, Wait returns nil and has not called deliver; with a timeout of zero or
// less it only looks. The waiter that came first is served first. When ctx ends, Wait takes nothing
// and returns the cause. After Close it fails with [fault.Gone].
func (q *Queue) Wait(ctx context.Context, timeout time.Duration, deliver func([]json.RawMessage) error) error {
	events, err := q.await(ctx, timeout)
	if err != nil || len(events) == 0 {
		return err
	}
	arrived := false
	defer func() { // also when deliver panics
		if arrived {
			q.settle(nil)
		} else {
			q.settle(events)
		}
	}()
	err = deliver(events)
	arrived = err == nil
	return err
}

// settle ends a delivery. Events that come back are the oldest, so they are the first to be dropped
// where there is no room.
func (q *Queue) settle(back []json.RawMessage) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken = false
	if q.closed {
		q.dropped += uint64(len(back))
		return
	}
	if len(back) > 0 {
		q.events = slices.Concat(back, q.events)
		q.bytes += size(back)
		q.trimLocked()
	}
	q.wakeFirstLocked()
}

// await is Wait up to the delivery.
func (q *Queue) await(ctx context.Context, timeout time.Duration) ([]json.RawMessage, error) {
	w, events, err := q.enter(ctx, timeout)
	if w == nil {
		return events, err
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		last := false
		select {
		case <-w.wake:
		case <-timer.C:
			last = true
		case <-ctx.Done():
		}
		if events, done, err := q.look(ctx, w, last); done {
			return events, err
		}
	}
}

// enter begins a Wait. It returns a nil waiter when the outcome is known at once.
func (q *Queue) enter(ctx context.Context, timeout time.Duration) (*waiter, []json.RawMessage, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return nil, nil, errClosed()
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case len(q.waiters) == 0 && len(q.events) > 0 && !q.taken:
		q.lastWait = time.Now()
		return nil, q.takeLocked(), nil
	case timeout <= 0:
		q.lastWait = time.Now()
		return nil, nil, nil
	}
	w := &waiter{wake: make(chan struct{}, 1)}
	q.waiters = append(q.waiters, w)
	return w, nil, nil
}

// look decides what a waiter that was woken does: done is false when it continues to wait. last
// says that its time is up.
func (q *Queue) look(ctx context.Context, w *waiter, last bool) (events []json.RawMessage, done bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		err = errClosed()
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case len(q.events) > 0 && !q.taken && q.waiters[0] == w:
		events = q.takeLocked()
	case !last:
		return nil, false, nil
	}
	q.waiters = slices.DeleteFunc(q.waiters, func(x *waiter) bool { return x == w })
	q.lastWait = time.Now()
	q.wakeFirstLocked() // this waiter may have swallowed the token that another now needs
	return events, true, err
}

// Oldest returns the oldest events that nobody has collected, as many as fit into the given number
// of bytes, and the number of the others. It takes nothing.
func (q *Queue) Oldest(bytes int) (events []json.RawMessage, more int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for n < len(q.events) && len(q.events[n]) <= bytes {
		bytes -= len(q.events[n])
		n++
	}
	return slices.Clone(q.events[:n]), len(q.events) - n
}

// Len is the number of events that nobody has collected, without those that are being delivered.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.events)
}

// Waiters is the number of calls of Wait that are blocked.
func (q *Queue) Waiters() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiters)
}

// SinceWait is how long ago the newest Wait ended; ok is false when none has yet.
func (q *Queue) SinceWait() (d time.Duration, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.lastWait.IsZero() {
		return 0, false
	}
	return time.Since(q.lastWait), true
}

// Dropped is the number of events that were lost because the queue was full or closed.
func (q *Queue) Dropped() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}

// Close ends every Wait with [fault.Gone] and drops, and counts, what is in the queue. Further
// calls do nothing.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	q.closed = true
	q.dropped += uint64(len(q.events))
	q.events, q.bytes = nil, 0
	for _, w := range q.waiters {
		wake.Up(w.wake)
	}
}

// takeLocked takes the oldest events, as many as one part may have.
func (q *Queue) takeLocked() []json.RawMessage {
	n, bytes := 0, 0
	for n < len(q.events) && (n == 0 || bytes+len(q.events[n]) <= PartBytes) {
		bytes += len(q.events[n])
		n++
	}
	events := q.events[:n:n]
	q.events = slices.Clone(q.events[n:])
	q.bytes -= bytes
	q.taken = true
	return events
}

// trimLocked drops the oldest events that there is no room for.
func (q *Queue) trimLocked() {
	over := max(len(q.events)-Capacity, 0)
	bytes := q.bytes - size(q.events[:over])
	for over < len(q.events)-1 && bytes > CapacityBytes {
		bytes -= len(q.events[over])
		over++
	}
	if over == 0 {
		return
	}
	clear(q.events[:over]) // the array outlives this slice of it
	q.events, q.bytes = q.events[over:], bytes
	q.dropped += uint64(over)
}

// size is how many bytes events have.
func size(events []json.RawMessage) (n int) {
	for _, e := range events {
		n += len(e)
	}
	return n
}

func (q *Queue) wakeFirstLocked() {
	if len(q.events) > 0 && len(q.waiters) > 0 && !q.taken {
		wake.Up(q.waiters[0].wake)
	}
}

func errClosed() error {
	return fault.New(fault.Gone, "the session has ended: its events are gone")
}
