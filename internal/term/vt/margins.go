package vt

// resetMargins makes the whole screen the scrolling region.
func (t *Terminal) resetMargins() {
	t.top, t.bottom, t.left, t.right = 0, t.rows-1, 0, t.cols-1
}

// fullWidth reports whether the left and right margins are at the screen's edges.
func (t *Terminal) fullWidth() bool { return t.left == 0 && t.right == t.cols-1 }

// edge returns the column after the last one that text can be printed to.
func (t *Terminal) edge() int {
	return min(t.margin(), t.scr.rows[t.cur.y].size.Columns(t.cols))
}

// margin is edge on a line of single size.
func (t *Terminal) margin() int {
	if t.cur.x <= t.right {
		return t.right + 1
	}
	return t.cols
}

// start returns the column that a carriage return moves to.
func (t *Terminal) start() int {
	if t.cur.x >= t.left || t.modes.Has(ModeOrigin) {
		return t.left
	}
	return 0
}

// inMargins reports whether the cursor is within all four margins.
func (t *Terminal) inMargins() bool {
	return t.cur.y >= t.top && t.cur.y <= t.bottom && t.cur.x >= t.left && t.cur.x <= t.right
}

// setTopBottom is DECSTBM.
func (t *Terminal) setTopBottom() {
	top, bottom := t.param(0, 1), min(t.param(1, t.rows), t.rows)
	if top >= bottom {
		return
	}
	t.top, t.bottom = top-1, bottom-1
	t.home()
}

// setLeftRight is DECSLRM.
func (t *Terminal) setLeftRight() {
	left, right := t.param(0, 1), min(t.param(1, t.cols), t.cols)
	if left >= right {
		return
	}
	t.left, t.right = left-1, right-1
	t.home()
}
