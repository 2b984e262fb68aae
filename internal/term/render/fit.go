package render

import "ui-mcp/internal/term/cells"

// Fit returns the frame for a terminal of another size. It cuts the frame at the right and at the
// bottom, and at the left and top only as far as needed to keep the cursor, visible or not. On a
// larger terminal there are blanks at the right and at the bottom. A row of double size that would
// be cut is drawn in single size.
func (f *Frame) Fit(cols, rows int) *Frame {
	if cols == f.Cols && rows == f.Rows {
		return f
	}
	out := *f
	out.Cols, out.Rows = cols, rows
	out.CutTop = f.CutTop + max(f.Cursor.Row-rows+1, 0)
	out.CutLeft = f.CutLeft + max(f.Cursor.Col-cols+1, 0)
	up, left := out.CutTop-f.CutTop, out.CutLeft-f.CutLeft
	out.Top = min(max(f.Top-up, 0), rows)
	out.Bottom = rows - max(out.Top, min(f.Rows-f.Bottom-up, rows))
	out.Cursor.Row -= up
	out.Cursor.Col -= left
	out.Lines = make([]cells.Row, rows)
	var p cells.Painter
	for y := range min(rows, f.Rows-up) {
		row := f.Lines[y+up]
		visible := row.Size.Columns(cols)
		if left > 0 || row.Columns() > visible || y == out.Cursor.Row && out.Cursor.Col >= visible {
			p.Reset(cols)
			p.Paint(row, -left, 0, cols, 0)
			row = p.Row()
		}
		out.Lines[y] = row
	}
	return &out
}
