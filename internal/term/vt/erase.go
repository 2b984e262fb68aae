package vt

import "ui-mcp/internal/term/sgr"

// eraseDisplay is ED or, if selective, DECSED, which leaves protected characters alone.
func (t *Terminal) eraseDisplay(selective bool) {
	erase := t.eraseCells
	if selective {
		erase = t.eraseUnprotected
	}
	first, last := 0, t.rows-1
	if n := t.param(0, 0); n == 2 || n == 0 && t.cur.x == 0 && t.cur.y == 0 {
		t.emptying()
	}
	switch t.param(0, 0) {
	case 0:
		erase(t.cur.y, t.eraseStart(), t.cols)
		first = t.cur.y + 1
	case 1:
		erase(t.cur.y, 0, t.cur.x+1)
		last = t.cur.y - 1
	case 2:
	case 3:
		t.clearHistory()
		return
	case 22: // kitty: erase the screen into the history
		t.scrollAway()
	default:
		return
	}
	for i := first; i <= last; i++ {
		erase(i, 0, t.cols)
		if !selective {
			t.scr.rows[i].size = SingleSize
		}
	}
}

// eraseStart returns the first column that erasing to the right empties. While a wrap is pending,
// the cursor counts as after the last character, which stays: as in tmux, VTE, alacritty and
// libvterm, and unlike in xterm. Programs write full lines and then erase the rest of the line.
func (t *Terminal) eraseStart() int {
	if t.cur.pending {
		return t.cur.x + 1
	}
	return t.cur.x
}

// clearHistory is ED 3: it drops the history and leaves the screen alone.
func (t *Terminal) clearHistory() {
	if t.replays {
		return
	}
	if t.tape != nil {
		t.tape.cleared = true
	}
	t.history.Clear()
	t.marks.forget(t.history.First)
}

// scrollAway moves the text of the primary screen, if that is active, into the history.
func (t *Terminal) scrollAway() {
	n := t.scr.content()
	if t.scr != &t.primary || n == 0 {
		return
	}
	top, bottom, left, right := t.top, t.bottom, t.left, t.right
	t.resetMargins()
	t.scrollUp(n)
	t.top, t.bottom, t.left, t.right = top, bottom, left, right
}

// eraseLine is EL or, if selective, DECSEL.
func (t *Terminal) eraseLine(selective bool) {
	erase := t.eraseCells
	if selective {
		erase = t.eraseUnprotected
	}
	switch t.param(0, 0) {
	case 0:
		erase(t.cur.y, t.eraseStart(), t.cols)
	case 1:
		erase(t.cur.y, 0, t.cur.x+1)
	case 2:
		erase(t.cur.y, 0, t.cols)
	}
}

// eraseChars is ECH.
func (t *Terminal) eraseChars() {
	t.cur.pending = false
	t.eraseCells(t.cur.y, t.cur.x, min(t.cols, t.cur.x+t.param(0, 1)))
}

// eraseCells empties the columns from from up to but not including to of row y.
func (t *Terminal) eraseCells(y, from, to int) {
	blank := t.eraser()
	r := t.touch(y)
	if from == 0 && to == t.cols {
		size := r.size
		r.clear(blank)
		r.size = size
		return
	}
	r.erase(from, to, blank)
}

// eraseUnprotected does the same, except to cells that DECSCA protects, and keeps colours.
func (t *Terminal) eraseUnprotected(y, from, to int) {
	r := t.touch(y)
	for x := from; x < min(to, r.used); x++ {
		if c := r.cells[x]; t.pens.pens[c.pen()].Attr&sgr.Protected == 0 {
			r.split(x)
			r.split(x + 1)
			r.cells[x] &= penMask
		}
	}
	if to == len(r.cells) {
		r.wraps = false
	}
}

// align is DECALN: a screen full of E, to adjust a monitor by.
func (t *Terminal) align() {
	t.resetMargins()
	t.modes.set(ModeOrigin, false)
	t.cur.x, t.cur.y, t.cur.pending = 0, 0, false
	for y := range t.rows {
		r := t.touch(y)
		r.clear(0)
		fill(r.cells, 'E')
		r.used = len(r.cells)
	}
}
