package term

import "sync"

// The limits of a mailbox.
const (
	maxEvents     = 1024
	maxEventBytes = MaxInput
)

// A mailbox holds events for one watcher until it takes them.
type mailbox[E interface{ size() int }] struct {
	wake chan struct{} // capacity 1; a token means "look again"

	mu     sync.Mutex // guards the fields below
	events []E
	bytes  int // of events
	missed int
}

func newMailbox[E interface{ size() int }]() *mailbox[E] {
	return &mailbox[E]{wake: make(chan struct{}, 1)}
}

// take returns all events, in order. The oldest events are lost if it is not called for long;
// missed is how many were lost just before the returned ones.
func (m *mailbox[E]) take() (events []E, missed int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	events, missed = m.events, m.missed
	m.events, m.bytes, m.missed = nil, 0, 0
	return events, missed
}

// put adds an event, and drops the oldest ones if there are too many. It never blocks. The event
// replaces the newest one if replaces returns true; replaces may be nil.
func (m *mailbox[E]) put(e E, replaces func(newest E) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.events); n > 0 && replaces != nil && replaces(m.events[n-1]) {
		m.bytes -= m.events[n-1].size()
		m.events = m.events[:n-1]
	}
	m.events = append(m.events, e)
	m.bytes += e.size()
	for len(m.events) > maxEvents || m.bytes > maxEventBytes && len(m.events) > 1 {
		m.bytes -= m.events[0].size()
		m.events[0] = *new(E) // the list lives on
		m.events = m.events[1:]
		m.missed++
	}
	wake(m.wake)
}
