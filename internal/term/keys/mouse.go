package keys

import (
	"fmt"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/vt"
)

// A Button is a mouse button or a wheel direction.
type Button string

// The buttons. Turning the wheel counts as a press.
const (
	NoButton   Button = "none" // for moves without a button
	Left       Button = "left"
	Middle     Button = "middle"
	Right      Button = "right"
	WheelUp    Button = "wheel-up"
	WheelDown  Button = "wheel-down"
	WheelLeft  Button = "wheel-left"
	WheelRight Button = "wheel-right"
)

var buttons = map[Button]int{
	Left: 0, Middle: 1, Right: 2, NoButton: 3, WheelUp: 64, WheelDown: 65, WheelLeft: 66, WheelRight: 67,
}

// An Action is a kind of mouse event.
type Action string

// The actions.
const (
	Press   Action = "press"
	Release Action = "release"
	Move    Action = "move"
)

// A MouseEvent is one action of the mouse at a cell.
type MouseEvent struct {
	Button              Button
	Action              Action
	Col, Row            int // the cell, from 0
	Shift, Alt, Control bool
}

// Mouse encodes an event on a screen of the given size. An impossible event is an error of kind
// Invalid; an event that the program has not asked for is of kind Precondition.
func Mouse(e MouseEvent, cols, rows int, m Mode) ([]byte, error) {
	code, ok := buttons[e.Button]
	wheel := code >= 64
	switch {
	case !ok:
		return nil, fault.New(fault.Invalid, "there is no mouse button %q", e.Button)
	case e.Action != Press && e.Action != Release && e.Action != Move:
		return nil, fault.New(fault.Invalid, "unknown mouse action %q: give press, release or move", e.Action)
	case e.Col < 0 || e.Row < 0 || e.Col >= cols || e.Row >= rows:
		return nil, fault.New(fault.Invalid, "column %d, row %d is not on the screen of %d columns and %d rows, counted from 0", e.Col, e.Row, cols, rows)
	case wheel && e.Action != Press:
		return nil, fault.New(fault.Invalid, "turning the wheel is a press")
	case e.Button == NoButton && e.Action != Move:
		return nil, fault.New(fault.Invalid, "a press or release needs a button")
	}
	if err := asked(e, m.Modes); err != nil {
		return nil, err
	}
	if !m.Modes.Has(vt.ModeMouseX10) || m.Modes.Has(vt.ModeMouseNormal) || m.Modes.Has(vt.ModeMouseButton) || m.Modes.Has(vt.ModeMouseAny) {
		code |= modifierBits(e)
	}
	if e.Action == Move {
		code += 32
	}
	return report(code, e, m.Modes)
}

// asked checks that the program has asked for an event.
func asked(e MouseEvent, m vt.Modes) error {
	wants := false
	switch {
	case m.Has(vt.ModeMouseAny):
		wants = true
	case m.Has(vt.ModeMouseButton):
		wants = e.Action != Move || e.Button != NoButton
	case m.Has(vt.ModeMouseNormal):
		wants = e.Action != Move
	case m.Has(vt.ModeMouseX10):
		wants = e.Action == Press
	}
	if !wants {
		return fault.New(fault.Precondition, "the program does not ask for this mouse event (%s %s): use keys", e.Button, e.Action)
	}
	return nil
}

func modifierBits(e MouseEvent) (bits int) {
	for i, held := range [...]bool{e.Shift, e.Alt, e.Control} {
		if held {
			bits |= 4 << i
		}
	}
	return bits
}

// report encodes an event in the form that the program has chosen.
func report(code int, e MouseEvent, m vt.Modes) ([]byte, error) {
	if m.Has(vt.ModeMousePixels) { // the middle of the cell
		e.Col = e.Col*vt.CellWidth + vt.CellWidth/2
		e.Row = e.Row*vt.CellHeight + vt.CellHeight/2
		return sgrReport(code, e), nil
	}
	if m.Has(vt.ModeMouseSGR) {
		return sgrReport(code, e), nil
	}
	if e.Action == Release { // the older forms do not name the button
		code = code&^3 | 3
	}
	if m.Has(vt.ModeMouseURXVT) {
		return fmt.Appendf(nil, "\x1b[%d;%d;%dM", code+32, e.Col+1, e.Row+1), nil
	}
	b := []byte("\x1b[M")
	most := 255 - 33
	if m.Has(vt.ModeMouseUTF8) {
		most = 2047 - 33
	}
	if e.Col > most || e.Row > most {
		return nil, fault.New(fault.Precondition, "the program's form of mouse reports cannot name column %d, row %d", e.Col, e.Row)
	}
	for _, n := range []int{code + 32, e.Col + 33, e.Row + 33} {
		if m.Has(vt.ModeMouseUTF8) {
			b = utf8.AppendRune(b, rune(n))
		} else {
			b = append(b, byte(n))
		}
	}
	return b, nil
}

func sgrReport(code int, e MouseEvent) []byte {
	final := 'M'
	if e.Action == Release {
		final = 'm'
	}
	return fmt.Appendf(nil, "\x1b[<%d;%d;%d%c", code, e.Col+1, e.Row+1, final)
}
