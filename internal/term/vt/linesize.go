package vt

// A LineSize is how large the characters of a line are drawn.
type LineSize uint8

const (
	SingleSize   LineSize = iota
	DoubleTop             // DECDHL: the upper half of characters of double width and height
	DoubleBottom          // DECDHL: their lower half
	DoubleWidth           // DECDWL
)

// setLineSize is DECSWL, DECDWL and DECDHL. A line of double width has half of the columns: what is
// in the others is not visible, but comes back with the single size.
func (t *Terminal) setLineSize(s LineSize) {
	r := t.row()
	r.size = s
	t.cur.pending = false
	t.doubles = t.doubles || s != SingleSize
	t.clampToLine()
}

// half returns the number of columns of a line of double width.
func (t *Terminal) half() int { return max(1, t.cols/2) }

// clampToLine moves the cursor into the visible part of its line.
func (t *Terminal) clampToLine() {
	if t.scr.rows[t.cur.y].size != SingleSize && t.cur.x >= t.half() {
		t.cur.x, t.cur.pending = t.half()-1, false
	}
}
