package keys

import (
	"bytes"
	"fmt"
	"strconv"

	"ui-mcp/internal/term/vt"
)

// A MouseReport is a mouse report from a person's terminal.
type MouseReport struct {
	Col, Row int // the cell, from 0
	Released bool

	code int // button and modifiers, as in the report
}

// The bits of a report's code.
const (
	codeModifiers = 4 | 8 | 16
	codeMove      = 32
	codeWheel     = 64
	maxCode       = 255 - 32 // the maximum in the oldest form
)

// ParseMouse parses a report in the form of vt.ModeMouseSGR. It reports false for anything else.
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

// Moved reports whether the event is a move, with or without a button down.
func (r MouseReport) Moved() bool { return r.code&codeMove != 0 }

// Dragged reports whether the event is a move with a button down.
func (r MouseReport) Dragged() bool { return r.Moved() && r.code&3 != 3 }

// Pressed reports whether a button other than the wheel was pressed.
func (r MouseReport) Pressed() bool {
	return !r.Moved() && !r.Released && r.code&codeWheel == 0
}

// Button returns the button or wheel direction of the event, or "" if it is another one.
func (r MouseReport) Button() Button {
	code := r.code &^ (codeModifiers | codeMove)
	for b, c := range buttons {
		if c == code {
			return b
		}
	}
	return ""
}

// SGR returns the report in the form that [ParseMouse] reads.
func (r MouseReport) SGR() []byte {
	final := 'M'
	if r.Released {
		final = 'm'
	}
	return fmt.Appendf(nil, "\x1b[<%d;%d;%d%c", r.code, r.Col+1, r.Row+1, final)
}

// For returns the report in the form that a program has chosen, or nil if the program did not ask
// for it or its form cannot express it.
func (r MouseReport) For(m vt.Modes) []byte {
	b, _ := r.encode(m) // nil with an error
	return b
}
