package term

import (
	"context"
	"sync"

	"ui-mcp/internal/term/overlay"
)

// An InputEvent is something that a person typed, or a change of who gets that.
type InputEvent struct {
	// Typed is what was typed, and nil for a change. Its Raw is only to be read.
	Typed *overlay.InputEvent
	// Mode is who got what was typed, or who gets it from now on.
	Mode overlay.InputMode
}

// What waits for a listener, at most.
const (
	maxEvents     = 1024
	maxEventBytes = MaxInput // of what was typed
)

// A Listener hears what persons type into a session, in both modes, and of changes
// between them. What agents send is no event. The caller must Close it.
type Listener struct {
	session *Session
	wake    chan struct{} // capacity 1; a token means "look again"

	mu     sync.Mutex // guards the fields below
	events []InputEvent
	bytes  int // of what was typed, in events
	missed int
}

// Listen returns a listener, which hears of everything from now on.
func (s *Session) Listen(ctx context.Context) (*Listener, error) {
	l := &Listener{session: s, wake: make(chan struct{}, 1)}
	err := s.doRunning(ctx, func(st *state) error {
		st.listeners[l] = struct{}{}
		return nil
	})
	if err != nil {
		l.Close() // when ctx ended, it may be there nevertheless
		return nil, err
	}
	return l, nil
}

// Next waits for events, and returns all that there are, in order. Nobody waits for
// a listener: when it does not ask for long, it loses the oldest events. How many were
// lost just before those that are returned is missed. When the program has ended
// and there are no more events, the error is of kind Gone.
//
// It may be called from one goroutine at a time.
func (l *Listener) Next(ctx context.Context) (events []InputEvent, missed int, err error) {
	for {
		over := false
		select {
		case <-l.session.ended:
			over = true
		default:
		}
		if events, missed = l.take(); len(events) > 0 {
			return events, missed, nil
		}
		if over {
			return nil, 0, l.session.goneError(*l.session.Info().Exit)
		}
		select {
		case <-l.wake:
		case <-l.session.ended:
		case <-ctx.Done():
			return nil, 0, context.Cause(ctx)
		}
	}
}

func (l *Listener) take() (events []InputEvent, missed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	events, missed = l.events, l.missed
	l.events, l.bytes, l.missed = nil, 0, 0
	return events, missed
}

// put adds an event, and drops the oldest ones when there are too many. It never
// blocks.
func (l *Listener) put(e InputEvent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
	l.bytes += e.size()
	for len(l.events) > maxEvents || l.bytes > maxEventBytes && len(l.events) > 1 {
		l.bytes -= l.events[0].size()
		l.events[0] = InputEvent{} // the list lives on
		l.events = l.events[1:]
		l.missed++
	}
	wake(l.wake)
}

func (e InputEvent) size() int {
	if e.Typed == nil {
		return 0
	}
	return len(e.Typed.Raw)
}

// Close ends listening.
func (l *Listener) Close() {
	l.session.exec.Post(func() { delete(l.session.st.listeners, l) })
}

// publish tells listeners what was typed since the mode was before, and when it
// changed.
func (st *state) publish(before overlay.InputMode, typed []overlay.InputEvent) {
	if len(st.listeners) == 0 {
		return
	}
	tell := func(e InputEvent) {
		for l := range st.listeners {
			l.put(e)
		}
	}
	in := func(mode overlay.InputMode) {
		if mode != before {
			before = mode
			tell(InputEvent{Mode: mode})
		}
	}
	for i := range typed {
		in(typed[i].Mode)
		tell(InputEvent{Typed: &typed[i], Mode: typed[i].Mode})
	}
	in(st.model.InputMode())
}
