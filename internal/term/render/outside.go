package render

import (
	"slices"
	"strings"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// Outside returns the frame of a terminal (see [Frame.Fit]) with the part of it that is outside a
// smaller session marked: a border, and dots beyond it.
//
// The columns at the right of the primary screen stay blank. Its rows end up in the terminal's own
// scrollback, where marks would be part of the text.
func (f *Frame) Outside(of *Frame) *Frame {
	if f.Rows <= of.Rows && (f.Cols <= of.Cols || f.Mode != overlay.Alternate) {
		return f
	}
	out := *f
	out.Lines = slices.Clone(f.Lines)
	right := max(f.Cols-of.Cols, 0)
	faint := sgr.Style{Attr: sgr.Faint}
	mark := func(text string) cells.Row { return cells.Text(text, faint, f.Cols) }
	for y := of.Rows; y < f.Rows; y++ {
		text := strings.Repeat("·", f.Cols)
		if y == of.Rows {
			text = strings.Repeat("─", min(of.Cols, f.Cols))
			if right > 0 {
				text += "┘" + strings.Repeat("·", right-1)
			}
		}
		out.Lines[y] = mark(text)
	}
	if right == 0 || f.Mode != overlay.Alternate {
		return &out
	}
	edge := mark("│" + strings.Repeat("·", right-1))
	var p cells.Painter
	for y := range min(of.Rows, f.Rows) {
		if f.Lines[y].Size != vt.SingleSize {
			continue // other rows have other cells
		}
		p.Reset(f.Cols)
		p.Paint(f.Lines[y], 0, 0, of.Cols, 0)
		p.Paint(edge, of.Cols, of.Cols, f.Cols, 0)
		out.Lines[y] = p.Row()
	}
	return &out
}
