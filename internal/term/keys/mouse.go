package keys

import (
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
	Action  Action `json:"action" jsonschema:"press, release or move"`
	Button  Button `json:"button" jsonschema:"left, middle, right, wheel-up, wheel-down, wheel-left or wheel-right; none to move without a button"`
	Row     int    `json:"row" jsonschema:"row of the program's screen, from 0"`
	Col     int    `json:"col" jsonschema:"column of the program's screen, from 0"`
	Shift   bool   `json:"shift,omitempty" jsonschema:"whether Shift is held"`
	Alt     bool   `json:"alt,omitempty" jsonschema:"whether Alt is held"`
	Control bool   `json:"control,omitempty" jsonschema:"whether Control is held"`
}

// Mouse encodes an event on a screen of the given size. An impossible event is an error of kind
// Invalid; an event that the program has not asked for is of kind Precondition.
func Mouse(e MouseEvent, cols, rows int, m vt.Input) ([]byte, error) {
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
	for i, held := range [...]bool{e.Shift, e.Alt, e.Control} {
		if held {
			code |= 4 << i
		}
	}
	r := MouseReport{Col: e.Col, Row: e.Row, Released: e.Action == Release, code: code}
	if e.Action == Move {
		r.code |= codeMove
	}
	b, err := r.encode(m.Modes)
	if b == nil && err == nil {
		err = fault.New(fault.Precondition, "the program does not ask for this mouse event (%s %s): use keys", e.Button, e.Action)
	}
	return b, err
}

// encode returns the report in the form that a program has chosen; nil if it did not ask for it.
func (r MouseReport) encode(m vt.Modes) ([]byte, error) {
	switch {
	case !m.Mouse():
		return nil, nil
	case m.Has(vt.ModeMouseX10):
		if r.Released || r.Moved() {
			return nil, nil
		}
		r.code &^= codeModifiers
	case r.Moved() && !m.Has(vt.ModeMouseAny) && !(r.Dragged() && m.Has(vt.ModeMouseButton)):
		return nil, nil
	}
	switch {
	case m.Has(vt.ModeMousePixels): // the middle of the cell
		r.Col = r.Col*vt.CellWidth + vt.CellWidth/2
		r.Row = r.Row*vt.CellHeight + vt.CellHeight/2
		return r.SGR(), nil
	case m.Has(vt.ModeMouseSGR):
		return r.SGR(), nil
	}
	if r.Released { // the older forms do not name the button
		r.code = r.code&^3 | 3
	}
	if max(r.Col, r.Row) > 255-33 {
		return nil, fault.New(fault.Precondition, "the program's form of mouse reports cannot name column %d, row %d", r.Col, r.Row)
	}
	return append([]byte("\x1b[M"), byte(r.code+32), byte(r.Col+33), byte(r.Row+33)), nil
}
