package cells

import (
	"ui-mcp/internal/term/sgr"
)

// Status is the style of rows that wsh itself writes.
var Status = sgr.Style{Attr: sgr.Inverse}

// Text lays out text in one row, cut to cols columns.
func Text(text string, style sgr.Style, cols int) Row {
	return OneRow([]Piece{{Text: text, Style: style}}, cols)
}

// Width returns how many columns the widest row of a text takes.
func Width(text string) int {
	cols, _ := Measure([]Piece{{Text: text}})
	return cols
}

// OneRow is [Shape] for a single row.
func OneRow(pieces []Piece, cols int) Row {
	if rows := Shape(pieces, cols, 1); len(rows) > 0 {
		return rows[0]
	}
	return Row{}
}

// Bar returns a row of cols columns with pieces at the right and, cut to what is left, at the left.
func Bar(cols int, style sgr.Style, left, right []Piece) Row {
	width, _ := Measure(right)
	var p Painter
	p.Reset(cols)
	p.Fill(0, cols, style)
	p.Paint(OneRow(left, cols-width), 0, 0, cols, 0)
	p.Paint(OneRow(right, cols), max(cols-width, 0), 0, cols, 0)
	return p.Row()
}
