package overlay

import "ui-mcp/internal/fault"

// Mode returns which screen shows: the alternate one while the program shows
// its own, or after [Model.EnterAlternate].
func (s *state) Mode() ScreenMode {
	if s.program || s.entered {
		return Alternate
	}
	return Primary
}

// SetProgramAlternate says whether the program shows its alternate screen.
func (m *Model) SetProgramAlternate(on bool) {
	if on != m.program {
		m.program = on
		m.modeChanged()
	}
}

// EnterAlternate shows an empty screen instead of the program's primary one, for
// elements only, until [Model.ExitAlternate]. The program is not told, and what
// it writes is there afterwards. While an alternate screen shows, that is an
// error of kind Precondition.
func (m *Model) EnterAlternate() error {
	if m.Mode() == Alternate {
		return fault.New(fault.Precondition, "the alternate screen shows already")
	}
	m.entered = true
	m.modeChanged()
	return nil
}

// ExitAlternate undoes [Model.EnterAlternate]. The elements that were made on the
// alternate screen go with it. It is an error of kind Precondition when the
// alternate screen does not show, or only because of the program, which alone can
// leave it then.
func (m *Model) ExitAlternate() error {
	switch {
	case m.entered:
		m.entered = false
		m.modeChanged()
		return nil
	case m.program:
		return fault.New(fault.Precondition, "the program itself shows its alternate screen: end the program, or have it leave that screen")
	default:
		return fault.New(fault.Precondition, "the alternate screen does not show: enter it first")
	}
}

// modeChanged drops what belongs to an alternate screen that is gone, and the
// focus of what does not show any more.
func (m *Model) modeChanged() {
	mode := m.Mode()
	if mode == Primary {
		m.clear(func(e *Element) bool { return e.Mode == Alternate })
	}
	if e, ok := m.elements[m.focus]; ok && e.Mode != mode {
		m.focus = ""
	}
	m.changed()
}
