// Package termwire is what terminals look like as JSON, at every door through which
// programs read them.
package termwire

import (
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/vt"
)

// A Format is how lines are given.
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

// A Screen is what a terminal shows.
type Screen struct {
	Epoch           uint64 `json:"epoch"`            // counts changes
	FirstLineIndex  uint64 `json:"first_line_index"` // of the line at the top, in the scrollback
	TotalLines      uint64 `json:"total_lines"`      // scrollback and screen together
	Lines           any    `json:"lines"`            // one for each row: see Lines
	Cursor          Cursor `json:"cursor"`
	Cols            int    `json:"cols"`
	Rows            int    `json:"rows"`
	AlternateActive bool   `json:"alternate_active"`
	Mode            string `json:"mode"` // normal or alt
	Title           string `json:"title,omitempty"`
}

// A Cursor counts rows and columns from 0. Col is the number of columns after a
// character was written to the last of them, until the next one goes to the next row.
type Cursor struct {
	Row     int    `json:"row"`
	Col     int    `json:"col"`
	Visible bool   `json:"visible"`
	Shape   string `json:"shape"` // block, underline or bar
}

// NewScreen returns a snapshot as JSON.
func NewScreen(s *vt.Snapshot, f Format) Screen {
	v := Screen{
		Epoch: s.Epoch, Lines: Lines(s.Lines, f), Cols: s.Cols, Rows: s.Rows,
		Cursor:     Cursor{Row: s.Cursor.Row, Col: s.Cursor.Col, Visible: s.Cursor.Visible, Shape: s.Cursor.Shape.String()},
		TotalLines: uint64(s.Rows), Mode: "normal", Title: s.Title,
	}
	if s.Cursor.PendingWrap {
		v.Cursor.Col = s.Cols
	}
	if s.AltScreen() {
		v.AlternateActive, v.Mode = true, "alt"
	} else {
		v.FirstLineIndex = s.FirstLine - s.OldestLine
		v.TotalLines += v.FirstLineIndex
	}
	return v
}

// Lines returns lines as JSON: a list of strings without blanks at their ends, or a
// list of lists of spans.
func Lines(lines []vt.Line, f Format) any {
	return each(lines, f, func(l vt.Line) (string, []vt.Span) { return l.Text, l.Spans })
}

// Rows is Lines for the rows of a composed picture.
func Rows(rows []cells.Row, f Format) any {
	return each(rows, f, func(r cells.Row) (string, []vt.Span) { return r.Text, r.Spans })
}

func each[T any](rows []T, f Format, of func(T) (string, []vt.Span)) any {
	if f == Plain {
		plain := make([]string, len(rows))
		for i, r := range rows {
			text, _ := of(r)
			plain[i] = strings.TrimRight(text, " ")
		}
		return plain
	}
	styled := make([][]Span, len(rows))
	for i, r := range rows {
		styled[i] = spans(of(r))
	}
	return styled
}

// Milliseconds returns a duration as JSON has it.
func Milliseconds(d time.Duration) int64 { return max(d, 0).Milliseconds() }
