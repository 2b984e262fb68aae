package vt

import "slices"

// A LineSize is how large the characters of a line are drawn.
type LineSize uint8

const (
	SingleSize   LineSize = iota
	DoubleTop             // DECDHL: the upper half of characters of double width and height
	DoubleBottom          // DECDHL: their lower half
	DoubleWidth           // DECDWL
)

// Columns returns how many columns of a line of this size are visible on a screen of cols columns.
func (s LineSize) Columns(cols int) int {
	if s == SingleSize {
		return cols
	}
	return max(1, cols/2)
}

// setLineSize is DECSWL, DECDWL and DECDHL. A line of double width has half of the columns: what is
// in the others is not visible, but comes back with the single size.
func (t *Terminal) setLineSize(s LineSize) {
	r := t.row()
	r.size = s
	t.cur.pending = false
	t.doubles = t.doubles || s != SingleSize
	t.updateDirect()
	t.clampToLine()
}

// updateDoubles looks for lines of double size.
func (t *Terminal) updateDoubles() {
	double := func(r *row) bool { return r.size != SingleSize }
	t.doubles = slices.ContainsFunc(t.primary.rows, double) || slices.ContainsFunc(t.alternate.rows, double)
	t.updateDirect()
}

// clampToLine moves the cursor into the visible part of its line.
func (t *Terminal) clampToLine() {
	if cols := t.scr.rows[t.cur.y].size.Columns(t.cols); t.cur.x >= cols {
		t.cur.x, t.cur.pending = cols-1, false
	}
}
