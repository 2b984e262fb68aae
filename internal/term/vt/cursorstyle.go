package vt

// A CursorShape is how the cursor is drawn.
type CursorShape uint8

const (
	CursorBlock CursorShape = iota
	CursorUnderline
	CursorBar
)

func (s CursorShape) String() string {
	return [...]string{"block", "underline", "bar"}[s]
}

// setCursorStyle is DECSCUSR.
func (t *Terminal) setCursorStyle() {
	n := t.param(0, 0)
	if n > 6 {
		return
	}
	n = max(n, 1)
	t.shape = CursorShape((n - 1) / 2)
	t.modes.set(ModeCursorBlink, n%2 == 1)
}

// cursorStyle returns the parameter of DECSCUSR for the current style.
func (t *Terminal) cursorStyle() int {
	n := 2*int(t.shape) + 2
	if t.modes.Has(ModeCursorBlink) {
		n--
	}
	return n
}
