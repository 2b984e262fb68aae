package term

import (
	"context"
	"sync"
)

// The limits of a mailbox.
const (
	maxEvents     = 1024
	maxEventBytes = MaxInput
)

// A mailbox holds the events of a session for one listener until it takes them.
type mailbox[E any] struct {
	session *Session
	size    func(E) int   // in bytes, of what an event holds
	wake    chan struct{} // capacity 1; a token means "look again"

	mu     sync.Mutex // guards the fields below
	events []E
	bytes  int // of events
	missed int
}

func newMailbox[E any](s *Session, size func(E) int) *mailbox[E] {
	return &mailbox[E]{session: s, size: size, wake: make(chan struct{}, 1)}
}

// Next waits for events, and returns all of them, in order. A listener delays no one: if it does
// not call Next for long, it loses the oldest events; missed is how many were lost just before the
// returned ones. When the program has ended and no events are left, the error is of kind Gone.
//
// It may be called from one goroutine at a time.
func (m *mailbox[E]) Next(ctx context.Context) (events []E, missed int, err error) {
	for {
		over := false
		select {
		case <-m.session.ended:
			over = true
		default:
		}
		if events, missed = m.take(); len(events) > 0 {
			return events, missed, nil
		}
		if over {
			return nil, 0, m.session.goneError(*m.session.Info().Exit)
		}
		select {
		case <-m.wake:
		case <-m.session.ended:
		case <-ctx.Done():
			return nil, 0, context.Cause(ctx)
		}
	}
}

func (m *mailbox[E]) take() (events []E, missed int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	events, missed = m.events, m.missed
	m.events, m.bytes, m.missed = nil, 0, 0
	return events, missed
}

// put adds an event, and drops the oldest ones if there are too many. It never blocks. The event
// replaces the newest one if replaces, which may be nil, says so.
func (m *mailbox[E]) put(e E, replaces func(newest E) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.events); n > 0 && replaces != nil && replaces(m.events[n-1]) {
		m.bytes -= m.size(m.events[n-1])
		m.events = m.events[:n-1]
	}
	m.events = append(m.events, e)
	m.bytes += m.size(e)
	for len(m.events) > maxEvents || m.bytes > maxEventBytes && len(m.events) > 1 {
		m.bytes -= m.size(m.events[0])
		var none E
		m.events[0] = none // the list lives on
		m.events = m.events[1:]
		m.missed++
	}
	wake(m.wake)
}
