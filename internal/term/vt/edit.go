package vt

// shift moves the text of a row between column x, which must be within the left and right margins,
// and the right margin by n columns: to the right if n is positive, else to the left.
func (t *Terminal) shift(r *row, x, n int) {
	edge := t.right + 1
	n = max(x-edge, min(n, edge-x))
	if n > 0 {
		r.move(x+n, r, x, edge-n)
		r.erase(x, x+n, t.eraser())
	} else {
		r.move(x, r, x-n, edge)
		r.erase(edge+n, edge, t.eraser())
	}
}

// shiftChars is ICH or, if n is negative, DCH.
func (t *Terminal) shiftChars(n int) {
	t.cur.pending = false
	if t.cur.x >= t.left && t.cur.x <= t.right {
		r := t.row()
		t.shift(r, t.cur.x, n)
		r.wraps = false
	}
}

// shiftLines is IL or, if n is negative, DL.
func (t *Terminal) shiftLines(n int) {
	if t.inMargins() {
		t.moveRows(t.cur.y, n)
		t.cur.x, t.cur.pending = t.left, false
	}
}

// shiftColumns moves the text of the scrolling region between column x and the right margin by n
// columns: to the right if n is positive (DECIC, SR), else to the left (DECDC, SL). It does nothing
// while the cursor is outside the margins.
func (t *Terminal) shiftColumns(x, n int) {
	if t.inMargins() {
		for y := t.top; y <= t.bottom; y++ {
			t.shift(t.touch(y), x, n)
		}
	}
}

// backIndex is DECBI: it moves left by one, or scrolls at the left margin.
func (t *Terminal) backIndex() {
	t.cur.pending = false
	switch {
	case t.cur.x == t.left && t.inMargins():
		t.shiftColumns(t.left, 1)
	case t.cur.x > 0:
		t.cur.x--
	}
}

// forwardIndex is DECFI: it moves right by one, or scrolls at the right margin.
func (t *Terminal) forwardIndex() {
	t.cur.pending = false
	switch {
	case t.cur.x == t.right && t.inMargins():
		t.shiftColumns(t.left, -1)
	case t.cur.x < t.cols-1:
		t.cur.x++
	}
}
