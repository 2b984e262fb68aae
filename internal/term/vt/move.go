package vt

// home moves to the upper left: of the margins in origin mode, else of the screen.
func (t *Terminal) home() { t.moveTo(1, 1) }

// moveTo moves to a row and column counted from 1 (CUP), relative to the margins in origin mode.
func (t *Terminal) moveTo(row, col int) {
	t.moveToRow(row)
	t.moveToColumn(col)
}

// moveToRow moves to a row counted from 1 (VPA).
func (t *Terminal) moveToRow(row int) {
	t.cur.pending = false
	if t.modes.Has(ModeOrigin) {
		t.cur.y = min(t.top+row-1, t.bottom)
		return
	}
	t.cur.y = min(row, t.rows) - 1
}

// moveToColumn moves to a column counted from 1 (CHA, HPA).
func (t *Terminal) moveToColumn(col int) {
	t.cur.pending = false
	if t.modes.Has(ModeOrigin) {
		t.cur.x = min(t.left+col-1, t.right)
		return
	}
	t.cur.x = min(col, t.cols) - 1
}

// up moves up n rows (CUU), but not across the top margin.
func (t *Terminal) up(n int) {
	t.cur.pending = false
	limit := 0
	if t.cur.y >= t.top {
		limit = t.top
	}
	t.cur.y = max(limit, t.cur.y-n)
}

// down moves down n rows (CUD), but not across the bottom margin.
func (t *Terminal) down(n int) {
	t.cur.pending = false
	limit := t.rows - 1
	if t.cur.y <= t.bottom {
		limit = t.bottom
	}
	t.cur.y = min(limit, t.cur.y+n)
}

// forward moves right n columns (CUF), but not across the right margin.
func (t *Terminal) forward(n int) {
	t.cur.pending = false
	t.cur.x = min(t.edge()-1, t.cur.x+n)
}

// back moves left n columns (CUB), but not across the left margin. With reverse wraparound (45) it
// continues at the end of the line above if that wraps, and with the extended one (1045) in any
// case, from the top margin at the bottom one.
func (t *Terminal) back(n int) {
	if (t.modes.Has(ModeReverseWrap) || t.modes.Has(ModeReverseWrapAll)) && t.modes.Has(ModeWrap) {
		t.backAcross(min(n, t.cols*t.rows))
		return
	}
	t.cur.pending = false
	t.cur.x = max(t.start(), t.cur.x-n)
}

func (t *Terminal) backAcross(n int) {
	if t.cur.pending {
		t.cur.pending = false
		n--
	}
	all := t.modes.Has(ModeReverseWrapAll)
	for ; n > 0; n-- {
		switch {
		case t.cur.x > t.start():
			t.cur.x--
		case all && t.cur.y == t.top:
			t.cur.x, t.cur.y = t.right, t.bottom
		case all && t.cur.y > 0:
			t.cur.x, t.cur.y = t.right, t.cur.y-1
		case t.cur.y > t.top && t.scr.rows[t.cur.y-1].wraps:
			t.cur.y--
			t.cur.x = t.right
		default:
			return
		}
	}
}

// carriageReturn is CR.
func (t *Terminal) carriageReturn() {
	t.cur.x = t.start()
	t.cur.pending = false
}
