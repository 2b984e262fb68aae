// Package wire defines how terminals look as JSON. Every interface that serves them uses these
// types. It encodes values and decides nothing about sessions.
//
// A [Session] describes a session, a [Screen] and a [Scrollback] what its terminal has, as [Lines]
// of text or of [Span], and an [Event] what happens to it; a [Subscription] chooses events and how
// they look. The types are what api.md and the schemas of tools are made of.
//
//	term.Session ── its state, an update ── Session, Screen, Changes, ... ── JSON
//
// [Append] encodes what is sent at each change, and a fuzz target compares it with encoding/json.
package wire

import (
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
)

// A Format is how lines are represented.
type Format string

const (
	Styled Format = "styled" // each line is a list of spans
	Plain  Format = "plain"  // each line is a string
)

// ParseFormat reads a format; "" means Styled.
func ParseFormat(s string) (Format, error) {
	switch f := Format(s); f {
	case "":
		return Styled, nil
	case Styled, Plain:
		return f, nil
	}
	return "", fault.New(fault.Invalid, "there is no format %q: it is styled or plain", s)
}

// A Screen is what a program's terminal displays.
type Screen struct {
	Epoch           uint64 `json:"epoch" jsonschema:"number that grows with every change"`
	FirstLineIndex  uint64 `json:"first_line_index" jsonschema:"offset of the top row in the scrollback"`
	TotalLines      uint64 `json:"total_lines" jsonschema:"lines of the scrollback, the screen included"`
	Lines           Lines  `json:"lines" jsonschema:"one for each row"`
	Cursor          Cursor `json:"cursor"`
	Cols            int    `json:"cols"`
	Rows            int    `json:"rows"`
	AlternateActive bool   `json:"alternate_active" jsonschema:"whether the program uses its alternate screen"`
	Mode            string `json:"mode" jsonschema:"normal or alt"`
	Title           string `json:"title,omitempty"`
}

// Lines are lines of text: a list of strings (Plain) or a list of lists of [Span] (Styled).
type Lines any

// A Row is a line of text: a string (Plain) or a list of [Span] (Styled).
type Row any

// A Cursor has the program's cursor. Col is the number of columns when a character was written to
// the last one, until the next character wraps.
type Cursor struct {
	Row     int    `json:"row" jsonschema:"counted from 0"`
	Col     int    `json:"col" jsonschema:"counted from 0"`
	Visible bool   `json:"visible"`
	Shape   string `json:"shape" jsonschema:"block, underline or bar"`
}

// NewScreen returns a snapshot as JSON.
func NewScreen(s *vt.Snapshot, f Format) Screen {
	v := Screen{
		Epoch: s.Epoch, Lines: NewLines(s.Lines, f), Cols: s.Cols, Rows: s.Rows,
		Cursor:     newCursor(s),
		TotalLines: total(s), Mode: "normal", Title: s.Title,
	}
	if s.AltScreen() {
		v.AlternateActive, v.Mode = true, "alt"
	} else {
		v.FirstLineIndex = s.FirstLine - s.OldestLine
	}
	return v
}

func newCursor(s *vt.Snapshot) Cursor {
	c := Cursor{Row: s.Cursor.Row, Col: s.Cursor.Col, Visible: s.Cursor.Visible, Shape: s.Cursor.Shape.String()}
	if s.Cursor.PendingWrap {
		c.Col = s.Cols
	}
	return c
}

// NewLines returns lines as JSON. Plain lines have no blanks at their ends.
func NewLines(lines []vt.Line, f Format) Lines {
	return each(lines, f, func(l vt.Line) (string, []vt.Span) { return l.Text, l.Spans })
}

// NewRows is NewLines for the rows of a composed picture.
func NewRows(rows []cells.Row, f Format) Lines {
	return each(rows, f, func(r cells.Row) (string, []vt.Span) { return r.Text, r.Spans })
}

func each[T any](rows []T, f Format, of func(T) (string, []vt.Span)) Lines {
	if f == Plain {
		plain := make([]string, len(rows))
		for i, r := range rows {
			text, _ := of(r)
			plain[i] = strings.TrimRight(text, " ")
		}
		return plain
	}
	n := 0
	for _, r := range rows {
		_, pieces := of(r)
		n += max(len(pieces), 1)
	}
	all := make([]Span, 0, n) // at once: screens are read often
	styled := make([][]Span, len(rows))
	for i, r := range rows {
		start := len(all)
		text, pieces := of(r)
		all = appendSpans(all, text, pieces)
		styled[i] = all[start:len(all):len(all)]
	}
	return styled
}

// Milliseconds returns a duration in milliseconds, at least 0.
func Milliseconds(d time.Duration) int64 { return max(d, 0).Milliseconds() }

// A Picture is what a person sees: the program's screen with panels and overlays.
type Picture struct {
	Lines  Lines  `json:"lines" jsonschema:"one for each row"`
	Cursor Cursor `json:"cursor"`
	Cols   int    `json:"cols"`
	Rows   int    `json:"rows"`
	Mode   string `json:"mode" jsonschema:"normal or alt"`
	Title  string `json:"title,omitempty"`
}

// NewPicture returns a frame as JSON.
func NewPicture(r *render.Frame, f Format) Picture {
	c := r.Cursor
	return Picture{
		Lines: NewRows(r.Lines, f), Cols: r.Cols, Rows: r.Rows, Mode: string(r.Mode), Title: r.Title,
		Cursor: Cursor{Row: c.Row, Col: c.Col, Visible: c.Visible, Shape: c.Shape.String()},
	}
}
