package term

import (
	"context"
	"sync"

	"ui-mcp/internal/term/overlay"
)

// An InputEvent is a person's input, or a change of who gets it.
type InputEvent struct {
	// Typed is the input, or nil for a change. Callers must not modify its Raw.
	Typed *overlay.InputEvent
	// Mode is who got the input, or who gets it from now on.
	Mode overlay.InputMode
}

// The limits of a listener's queue.
const (
	maxEvents     = 1024
	maxEventBytes = MaxInput // of what was typed
)

// A Listener receives the persons' input to a session, in both modes, and changes of the mode. An
// agent's input is not an event. The caller must Close it.
type Listener struct {
	session *Session
	wake    chan struct{} // capacity 1; a token means "look again"

	mu     sync.Mutex // guards the fields below
	events []InputEvent
	bytes  int // of what was typed, in events
	missed int
}

// Listen returns a listener, which receives all events from now on.
func (s *Session) Listen(ctx context.Context) (*Listener, error) {
	l := &Listener{session: s, wake: make(chan struct{}, 1)}
	err := s.doRunning(ctx, func(st *state) error {
		st.listeners[l] = struct{}{}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Next waits for events, and returns all of them, in order. A listener delays no one: if it does
// not call Next for long, it loses the oldest events; missed is how many were lost just before the
// returned ones. When the program has ended and no events are left, the error is of kind Gone.
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

// put adds an event, and drops the oldest ones if there are too many. It never blocks.
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

// publish sends listeners the input since the mode was before, and the change of mode.
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
