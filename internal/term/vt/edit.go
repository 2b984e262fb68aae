package vt

// insertBlanks inserts n empty cells at column x, which must be within the left and right margins,
// and moves the text up to the right margin.
func (t *Terminal) insertBlanks(r *row, x, n int) {
	edge := t.right + 1
	n = min(n, edge-x)
	r.split(x)
	r.move(x+n, r, x, edge-n)
	r.erase(x, x+n, t.eraser())
	r.wraps = false
}

// insertChars is ICH.
func (t *Terminal) insertChars() {
	t.cur.pending = false
	if t.cur.x < t.left || t.cur.x > t.right {
		return
	}
	t.insertBlanks(t.row(), t.cur.x, t.param(0, 1))
}

// deleteChars is DCH.
func (t *Terminal) deleteChars() {
	t.cur.pending = false
	if t.cur.x < t.left || t.cur.x > t.right {
		return
	}
	r, x, edge := t.row(), t.cur.x, t.right+1
	n := min(t.param(0, 1), edge-x)
	r.split(x)
	r.move(x, r, x+n, edge)
	r.erase(edge-n, edge, t.eraser())
	r.wraps = false
}

// insertLines is IL.
func (t *Terminal) insertLines() {
	if t.inMargins() {
		t.insertRows(t.cur.y, t.param(0, 1))
		t.cur.x, t.cur.pending = t.left, false
	}
}

// deleteLines is DL.
func (t *Terminal) deleteLines() {
	if t.inMargins() {
		t.deleteRows(t.cur.y, t.param(0, 1))
		t.cur.x, t.cur.pending = t.left, false
	}
}

// shiftColumns moves the text of the scrolling region between column x and the right margin by n
// columns: to the right if n is positive (DECIC, SR), else to the left (DECDC, SL).
func (t *Terminal) shiftColumns(x, n int) {
	edge := t.right + 1
	n = max(x-edge, min(n, edge-x))
	blank := t.eraser()
	for y := t.top; y <= t.bottom; y++ {
		r := t.touch(y)
		if n > 0 {
			r.move(x+n, r, x, edge-n)
			r.erase(x, x+n, blank)
		} else {
			r.move(x, r, x-n, edge)
			r.erase(edge+n, edge, blank)
		}
	}
}

// shiftMargins is SL or, if n is positive, SR. Like DECIC and DECDC they do nothing while the
// cursor is outside the margins.
func (t *Terminal) shiftMargins(n int) {
	if t.inMargins() {
		t.shiftColumns(t.left, n)
	}
}

// insertColumns is DECIC.
func (t *Terminal) insertColumns() {
	if t.inMargins() {
		t.shiftColumns(t.cur.x, t.param(0, 1))
	}
}

// deleteColumns is DECDC.
func (t *Terminal) deleteColumns() {
	if t.inMargins() {
		t.shiftColumns(t.cur.x, -t.param(0, 1))
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
