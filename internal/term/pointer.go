package term

import (
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/overlay"
)

// A pointer forwards a person's mouse to the program, whose screen is a part of what they see.
type pointer struct {
	held bool // a button went down on the program's screen
}

// report returns the report for the program, given one at a position on the whole screen, and false
// if it does not concern the program. A drag that started on the program's screen ends there, at
// the nearest cell, wherever the person releases the button.
func (p *pointer) report(r keys.MouseReport, v *overlay.Snapshot) (keys.MouseReport, bool) {
	if v.Canvas {
		return r, false
	}
	held := p.held
	r.Row -= v.Top
	col, row := min(r.Col, v.Cols-1), max(0, min(r.Row, v.ProgramRows()-1))
	inside := r.Col == col && r.Row == row
	switch {
	case r.Pressed():
		p.held = inside
		held = false
	case r.Released:
		p.held = false
	case !r.Dragged():
		held = false
	}
	r.Col, r.Row = col, row
	return r, inside || held
}
