package overlay

import "ui-mcp/internal/fault"

// Focus makes an element the target of the person's keys, captured or not: see [InputEvent]. An
// unknown element is an error of kind Invalid; an element that is not focusable, or belongs to the
// inactive screen, is one of kind Precondition.
func (m *Model) Focus(id string) error {
	e, ok := m.elements[id]
	if !ok {
		return fault.New(fault.Invalid, "no overlay or panel exists with id %.80q", id)
	}
	if !e.Focusable {
		return fault.With(NotFocusable, fault.New(fault.Precondition, "%s %q is not focusable: update it with focusable set", e.Kind, id))
	}
	if e.Mode != m.Mode() {
		return fault.With(NotFocusable, fault.New(fault.Precondition, "%s %q belongs to the other screen, which is not active", e.Kind, id))
	}
	if m.focus != id {
		m.focus = id
		m.changed()
	}
	return nil
}

// Unfocus removes the focus.
func (m *Model) Unfocus() {
	if m.focus != "" {
		m.focus = ""
		m.changed()
	}
}

// Focused returns the id of the element with the focus, or "". The focus ends with its element,
// with the element's screen, and with [Model.Release].
func (m *Model) Focused() string { return m.focus }
