package term

import "ui-mcp/internal/term/overlay"

// An InputEvent is a person's input, or a change of who gets it.
type InputEvent struct {
	// Typed is the input, or nil for a change. Callers must not modify its Raw.
	Typed *overlay.InputEvent
	// Mode is who got the input, or who gets it from now on.
	Mode overlay.InputMode
}

func (e InputEvent) size() int {
	if e.Typed == nil {
		return 0
	}
	return len(e.Typed.Raw)
}

// publish reports typed input, and the mode if it is no longer the one before.
func (st *state) publish(before overlay.InputMode, typed []overlay.InputEvent) {
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
	for i := range typed {
		in(typed[i].Mode)
		send(InputEvent{Typed: &typed[i], Mode: typed[i].Mode})
	}
	in(st.model.InputMode())
}
