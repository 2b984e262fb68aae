package keys

import (
	"bytes"
	"strconv"

	"ui-mcp/internal/term/vt"
)

// A MouseReport is what a person's terminal reports of the mouse.
type MouseReport struct {
	Col, Row int // the cell, from 0
	Released bool

	code int // button and modifiers, as in the report
}

// The parts of a report's code.
const (
	codeModifiers = 4 | 8 | 16
	codeMove      = 32
	codeWheel     = 64
	maxCode       = 255 - 32 // what the oldest form can say
)

// ParseMouse reads a report in the form of vt.ModeMouseSGR, and nothing else.
func ParseMouse(b []byte) (MouseReport, bool) {
	rest, ok := bytes.CutPrefix(b, []byte("\x1b[<"))
	if !ok || len(rest) == 0 {
		return MouseReport{}, false
	}
	final := rest[len(rest)-1]
	parts := bytes.Split(rest[:len(rest)-1], []byte(";"))
	if final != 'M' && final != 'm' || len(parts) != 3 {
		return MouseReport{}, false
	}
	var n [3]int
	for i, p := range parts {
		v, err := strconv.ParseUint(string(p), 10, 16)
		if err != nil {
			return MouseReport{}, false
		}
		n[i] = int(v)
	}
	if n[0] > maxCode || n[1] < 1 || n[2] < 1 {
		return MouseReport{}, false
	}
	return MouseReport{code: n[0], Col: n[1] - 1, Row: n[2] - 1, Released: final == 'm'}, true
}

// Moved reports whether the mouse was moved, with a button down or without.
func (r MouseReport) Moved() bool { return r.code&codeMove != 0 }

// Dragged reports whether it was moved with a button down.
func (r MouseReport) Dragged() bool { return r.Moved() && r.code&3 != 3 }

// Pressed reports whether a button was pressed that will be released: the wheel is
// not.
func (r MouseReport) Pressed() bool {
	return !r.Moved() && !r.Released && r.code&codeWheel == 0
}

// SGR returns the report in the form that [ParseMouse] reads.
func (r MouseReport) SGR() []byte {
	action := Press
	if r.Released {
		action = Release
	}
	return sgrReport(r.code, MouseEvent{Action: action, Col: r.Col, Row: r.Row})
}

// For returns the report in the form that a program has chosen, and nil when it
// does not want it or when it has no form for it.
func (r MouseReport) For(m vt.Modes) []byte {
	e := MouseEvent{Action: Press, Col: r.Col, Row: r.Row}
	if r.Released {
		e.Action = Release
	}
	code := r.code
	switch {
	case !m.Mouse():
		return nil
	case m.Has(vt.ModeMouseX10):
		if r.Released || r.Moved() {
			return nil
		}
		code &^= codeModifiers
	case r.Moved() && !m.Has(vt.ModeMouseAny) && !(r.Dragged() && m.Has(vt.ModeMouseButton)):
		return nil
	}
	b, err := report(code, e, m)
	if err != nil {
		return nil
	}
	return b
}
