package vt

import "slices"

// lineFeed moves down one line, or scrolls at the bottom margin.
func (t *Terminal) lineFeed() {
	t.cur.pending = false
	switch {
	case t.cur.y == t.bottom:
		if t.cur.x >= t.left && t.cur.x <= t.right {
			t.scrollUp(1)
		}
	case t.cur.y < t.rows-1:
		t.cur.y++
	}
}

// reverseLineFeed is RI.
func (t *Terminal) reverseLineFeed() {
	t.cur.pending = false
	switch {
	case t.cur.y == t.top:
		if t.cur.x >= t.left && t.cur.x <= t.right {
			t.insertRows(t.top, 1)
		}
	case t.cur.y > 0:
		t.cur.y--
	}
}

// scrollUp moves the scrolling region up by n lines. Lines that leave the primary screen at its top
// become history.
func (t *Terminal) scrollUp(n int) {
	n = min(n, t.bottom-t.top+1)
	if t.scr != &t.primary || t.top != 0 || !t.fullWidth() {
		t.deleteRows(t.top, n)
		return
	}
	blank := t.eraser()
	t.dirty = true
	for range n {
		t.remember(t.scr.rows[0])
		var r *row
		if t.bottom == t.rows-1 {
			r = t.scr.rotate()
		} else {
			r = t.scr.rows[0]
			rotate(t.scr.rows[:t.bottom+1], 1)
		}
		r.clear(blank)
		r.stamp = t.stamp
	}
	// Rows below the region stay in place, so they become other lines.
	for _, r := range t.scr.rows[t.bottom+1:] {
		r.stamp = t.stamp
	}
}

// remember adds a row that leaves the primary screen at its top to the history.
func (t *Terminal) remember(r *row) {
	if t.history.takes() {
		t.history.push(t.pack(r))
		return
	}
	t.history.push(nil)
}

// deleteRows removes n rows at row y within the margins, and moves the rows below it up.
func (t *Terminal) deleteRows(y, n int) {
	n = min(n, t.bottom-y+1)
	blank := t.eraser()
	t.unwrap(y)
	if t.fullWidth() {
		region := t.scr.rows[y : t.bottom+1]
		rotate(region, n)
		for _, r := range region[len(region)-n:] {
			r.clear(blank)
		}
		t.touchRows(y, t.bottom)
		return
	}
	for i := y; i+n <= t.bottom; i++ {
		t.touch(i).move(t.left, t.scr.rows[i+n], t.left, t.right+1)
	}
	for i := t.bottom - n + 1; i <= t.bottom; i++ {
		t.touch(i).erase(t.left, t.right+1, blank)
	}
}

// insertRows inserts n empty rows at row y within the margins, and moves the rows below it down.
// Rows that leave the region at its bottom are lost.
func (t *Terminal) insertRows(y, n int) {
	n = min(n, t.bottom-y+1)
	blank := t.eraser()
	t.unwrap(y)
	if t.fullWidth() {
		region := t.scr.rows[y : t.bottom+1]
		rotate(region, len(region)-n)
		for _, r := range region[:n] {
			r.clear(blank)
		}
		t.touchRows(y, t.bottom)
		return
	}
	for i := t.bottom; i-n >= y; i-- {
		t.touch(i).move(t.left, t.scr.rows[i-n], t.left, t.right+1)
	}
	for i := y; i < y+n; i++ {
		t.touch(i).erase(t.left, t.right+1, blank)
	}
}

// unwrap marks the rows at the edges of a change at row y as not continued: other text follows them
// now.
func (t *Terminal) unwrap(y int) {
	if y > 0 && t.scr.rows[y-1].wraps {
		t.touch(y - 1).wraps = false
	}
	if t.scr.rows[t.bottom].wraps {
		t.touch(t.bottom).wraps = false
	}
}

// touchRows marks the rows from first to last as changed.
func (t *Terminal) touchRows(first, last int) {
	t.dirty = true
	for _, r := range t.scr.rows[first : last+1] {
		r.stamp = t.stamp
	}
}

// rotate moves the first n rows to the end.
func rotate(rows []*row, n int) {
	if n == 1 {
		first := rows[0]
		copy(rows, rows[1:])
		rows[len(rows)-1] = first
		return
	}
	slices.Reverse(rows[:n])
	slices.Reverse(rows[n:])
	slices.Reverse(rows)
}
