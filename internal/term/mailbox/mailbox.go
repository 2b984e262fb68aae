// Package mailbox holds what a watcher is to learn until it asks. A [Box] is bounded: a watcher
// that is too slow loses the oldest events, and delays nobody. It starts no goroutine.
package mailbox

import (
	"context"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/wake"
)

// The limits of a box.
const (
	maxEvents = 1024
	maxBytes  = 1 << 20
)

// An Ending ends when a stream of reports is closed, for a caller that waits for the next one. Its
// cause is of kind Gone.
type Ending struct {
	context.Context
	cancel context.CancelCauseFunc
}

// NewEnding returns an ending that has not come.
func NewEnding() Ending {
	ctx, cancel := context.WithCancelCause(context.Background())
	return Ending{ctx, cancel}
}

// Close may be called more than once, from any goroutine.
func (e Ending) Close() {
	e.cancel(fault.New(fault.Gone, "it was closed meanwhile: nothing more is reported"))
}

// An Event is what a box holds. Its Size is how many bytes it has.
type Event interface{ Size() int }

// A Box holds events for one watcher until it takes them, or until the box is closed.
type Box[E Event] struct {
	Ending
	Wake chan struct{} // capacity 1; a token means "look again"

	mu     sync.Mutex // guards the fields below
	events []E
	bytes  int // of events
	missed int
}

// New returns an empty box.
func New[E Event]() *Box[E] { return &Box[E]{Ending: NewEnding(), Wake: make(chan struct{}, 1)} }

// Take returns all events, in order. The oldest events are lost if it is not called for long;
// missed is how many were lost just before the returned ones.
func (m *Box[E]) Take() (events []E, missed int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	events, missed = m.events, m.missed
	m.events, m.bytes, m.missed = nil, 0, 0
	return events, missed
}

// Next is Take for a caller that waits for events. An error is the cause of ctx's end, or of kind
// Gone after Close. It may be called from one goroutine at a time.
func (m *Box[E]) Next(ctx context.Context) (events []E, missed int, err error) {
	for {
		if err := context.Cause(m.Ending); err != nil {
			return nil, 0, err
		}
		if events, missed = m.Take(); len(events) > 0 {
			return events, missed, nil
		}
		select {
		case <-m.Wake:
		case <-m.Ending.Done():
		case <-ctx.Done():
			return nil, 0, context.Cause(ctx)
		}
	}
}

// Put adds an event, and drops the oldest ones if there are too many. It never blocks. The event
// replaces the newest one if replaces returns true; replaces may be nil.
func (m *Box[E]) Put(e E, replaces func(newest E) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.events); n > 0 && replaces != nil && replaces(m.events[n-1]) {
		m.bytes -= m.events[n-1].Size()
		m.events = m.events[:n-1]
	}
	m.events = append(m.events, e)
	m.bytes += e.Size()
	for len(m.events) > maxEvents || m.bytes > maxBytes && len(m.events) > 1 {
		m.bytes -= m.events[0].Size()
		m.events[0] = *new(E) // the list lives on
		m.events = m.events[1:]
		m.missed++
	}
	wake.Up(m.Wake)
}
