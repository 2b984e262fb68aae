// Package events holds the events of an app until its agent collects them. A [Queue] is bounded,
// keeps order, and gives each event to exactly one collector. It starts no goroutine.
package events

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
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
	// turn has a token unless a Wait has it, until its events are delivered: nobody else gets any,
	// since they may have to follow those that come back. A channel serves its receivers in order.
	turn    chan struct{}
	pushed  chan struct{} // capacity 1; a token means "look again"
	gone    chan struct{} // closed by Close
	waiters atomic.Int32

	mu       sync.Mutex // guards the fields below
	events   []json.RawMessage
	bytes    int // of events
	dropped  uint64
	lastWait time.Time // when a Wait looked last, or the queue was made
	closed   bool
}

// New returns an empty queue.
func New() *Queue {
	q := &Queue{turn: make(chan struct{}, 1), pushed: make(chan struct{}, 1), gone: make(chan struct{}), lastWait: time.Now()}
	q.turn <- struct{}{}
	return q
}

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
	wake.Up(q.pushed)
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
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	q.waiters.Add(1)
	turn := q.receive(limited, q.turn)
	if turn {
		defer func() { q.turn <- struct{}{} }()
	}
	events, err := q.look(ctx, turn)
	for more := turn; more && events == nil && err == nil; {
		more = q.receive(limited, q.pushed)
		events, err = q.look(ctx, turn)
	}
	q.waiters.Add(-1)
	if events == nil {
		return err
	}
	arrived := false
	defer func() { // also when deliver panics
		if !arrived {
			q.putBack(events)
		}
	}()
	err = deliver(events)
	arrived = err == nil
	return err
}

// receive waits for a token, and reports whether it came before ctx ended or the queue closed.
func (q *Queue) receive(ctx context.Context, token chan struct{}) bool {
	select {
	case <-token:
		return true
	default:
	}
	select {
	case <-token:
		return true
	case <-ctx.Done():
	case <-q.gone:
	}
	return false
}

// look takes the oldest events, as many as one part may have, if it is the caller's turn.
func (q *Queue) look(ctx context.Context, turn bool) ([]json.RawMessage, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lastWait = time.Now()
	switch {
	case q.closed:
		return nil, fault.New(fault.Gone, "the session has ended: its events are gone")
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	if !turn || len(q.events) == 0 {
		return nil, nil
	}
	n, bytes := 0, 0
	for n < len(q.events) && (n == 0 || bytes+len(q.events[n]) <= PartBytes) {
		bytes += len(q.events[n])
		n++
	}
	events := q.events[:n:n]
	q.events = slices.Clone(q.events[n:])
	q.bytes -= bytes
	return events, nil
}

// putBack returns events that were not delivered. They are the oldest, so they are the first to be
// dropped where there is no room.
func (q *Queue) putBack(events []json.RawMessage) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		q.dropped += uint64(len(events))
		return
	}
	q.events = slices.Concat(events, q.events)
	for _, event := range events {
		q.bytes += len(event)
	}
	q.trimLocked()
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
func (q *Queue) Waiters() int { return int(q.waiters.Load()) }

// SinceWait is for how long no Wait has been blocked.
func (q *Queue) SinceWait() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.Waiters() > 0 {
		return 0
	}
	return time.Since(q.lastWait)
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
	close(q.gone)
}

// trimLocked drops the oldest events that there is no room for.
func (q *Queue) trimLocked() {
	for len(q.events) > Capacity || len(q.events) > 1 && q.bytes > CapacityBytes {
		q.bytes -= len(q.events[0])
		q.events[0] = nil // the array outlives this slice of it
		q.events = q.events[1:]
		q.dropped++
	}
}
