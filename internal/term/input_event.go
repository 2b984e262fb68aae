package term

import "ui-mcp/internal/term/overlay"

// An InputEvent is a person's input, or a change of who gets it.
type InputEvent struct {
	// Typed is the input, or nil for a change. Callers must not modify its Raw.
	Typed *overlay.InputEvent
	// Mode is who got the input, or who gets it from now on.
	Mode overlay.InputMode

	captured *overlay.InputEvent // what Typed withholds from watchers that may not capture input
}

// forCapturing returns the event as watchers get it that may capture input.
func (e InputEvent) forCapturing() *InputEvent {
	if e.captured != nil {
		e.Typed = e.captured
	}
	return &e
}

func (e InputEvent) size() int {
	if e = *e.forCapturing(); e.Typed == nil {
		return 0
	}
	return len(e.Typed.Raw)
}

// publish reports the input since the mode was before, and the change of mode.
func (st *state) publish(before overlay.InputMode, typed []InputEvent) {
	if len(st.watchers) == 0 {
		return
	}
	send := func(e InputEvent) { st.report(WatchInput, Event{Input: &e}) }
	in := func(mode overlay.InputMode) {
		if mode != before {
			before = mode
			send(InputEvent{Mode: mode})
		}
	}
	for _, e := range typed {
		in(e.Mode)
		send(e)
	}
	in(st.model.InputMode())
}
