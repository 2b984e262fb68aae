package term

import (
	"context"

	"ui-mcp/internal/term/overlay"
)

// An InputEvent is a person's input, or a change of who gets it.
type InputEvent struct {
	// Typed is the input, or nil for a change. Callers must not modify its Raw.
	Typed *overlay.InputEvent
	// Mode is who got the input, or who gets it from now on.
	Mode overlay.InputMode
}

// A Listener receives the persons' input to a session, in both modes, and changes of the mode. An
// agent's input is not an event. The caller must Close it.
type Listener struct {
	*mailbox[InputEvent]
}

// Listen returns a listener, which receives all events from now on.
func (s *Session) Listen(ctx context.Context) (*Listener, error) {
	l := &Listener{newMailbox(s, InputEvent.size)}
	err := s.doRunning(ctx, func(st *state) error {
		st.listeners[l] = struct{}{}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return l, nil
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
	if len(st.listeners) == 0 && len(st.watchers) == 0 {
		return
	}
	send := func(e InputEvent) {
		for l := range st.listeners {
			l.put(e, nil)
		}
		st.report(WatchInput, Event{Input: &e})
	}
	in := func(mode overlay.InputMode) {
		if mode != before {
			before = mode
			send(InputEvent{Mode: mode})
		}
	}
	for i := range typed {
		in(typed[i].Mode)
		send(InputEvent{Typed: &typed[i], Mode: typed[i].Mode})
	}
	in(st.model.InputMode())
}
