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
			t.moveRows(t.top, 1)
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
		t.moveRows(t.top, -n)
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
	if t.history.Takes() {
		t.history.Push(t.pack(r))
		return
	}
	t.history.Push(nil)
}

// moveRows moves the rows between row y, within the margins, and the bottom margin by n rows: down
// if n is positive, else up. Rows that leave the region are lost; others appear empty.
func (t *Terminal) moveRows(y, n int) {
	size := t.bottom - y + 1
	n = max(-size, min(n, size))
	blank := t.eraser()
	t.unwrap(y)
	if t.fullWidth() {
		region := t.scr.rows[y : t.bottom+1]
		empty := region[:max(n, 0)]
		if n < 0 {
			empty = region[size+n:]
		}
		rotate(region, (size-n)%size)
		for _, r := range empty {
			r.clear(blank)
		}
		t.touchRows(y, t.bottom)
		return
	}
	for k := range size {
		i := y + k
		if n > 0 {
			i = t.bottom - k // from below, because the rows move down
		}
		if from := i - n; from >= y && from <= t.bottom {
			t.touch(i).move(t.left, t.scr.rows[from], t.left, t.right+1)
		} else {
			t.touch(i).erase(t.left, t.right+1, blank)
		}
	}
}

// unwrap marks the rows at the edges of a change at row y as not continued, since others follow.
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
