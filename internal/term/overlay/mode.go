package overlay

import "ui-mcp/internal/fault"

// Mode returns the active screen: the alternate one while the program's is active or after
// [Model.EnterAlternate].
func (s *state) Mode() ScreenMode {
	if s.program || s.entered {
		return Alternate
	}
	return Primary
}

// SetProgramAlternate sets whether the program's alternate screen is active.
func (m *Model) SetProgramAlternate(on bool) {
	if on != m.program {
		m.program = on
		m.modeChanged()
	}
}

// EnterAlternate shows an empty screen for elements instead of the program's primary one, until
// [Model.ExitAlternate]. The program does not notice, and keeps writing to its own screen. It is an
// error of kind Precondition if an alternate screen is already active.
func (m *Model) EnterAlternate() error {
	if m.Mode() == Alternate {
		return fault.With(AlternateActive, fault.New(fault.Precondition, "the alternate screen is already active"))
	}
	m.entered = true
	m.modeChanged()
	return nil
}

// ExitAlternate undoes [Model.EnterAlternate], and removes the alternate screen's elements unless
// the program's alternate screen is active. It is an error of kind Precondition if no alternate
// screen is active, or if it is the program's, which only the program can leave.
func (m *Model) ExitAlternate() error {
	switch {
	case m.entered:
		m.entered = false
		m.modeChanged()
		return nil
	case m.program:
		return fault.With(AlternateClosed, fault.New(fault.Precondition, "the program itself is using its alternate screen: end the program, or make it leave that screen"))
	default:
		return fault.With(AlternateClosed, fault.New(fault.Precondition, "the alternate screen is not active: enter it first"))
	}
}

// modeChanged removes the elements of a closed alternate screen, and the focus of an element that
// is no longer visible.
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
