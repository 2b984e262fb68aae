package vt

// A screen is one of a terminal's two grids with what belongs to it. The
// alternate one has no rows until it is first shown.
type screen struct {
	rows []*row
	// ring has room for more rows than there are: rows is a window of it that
	// moves on by one with each line that scrolls, and then begins again.
	ring  []*row
	saved savedCursor
	keys  keyStack
}

// crop makes the grid rows by cols: empty where it grows, cut where it shrinks.
func (s *screen) crop(rows, cols int, stamp uint64) {
	if len(s.rows) > rows {
		s.rows = s.rows[:rows:rows]
	}
	for _, r := range s.rows {
		if len(r.cells) != cols {
			r.resize(cols, stamp)
		}
	}
	for len(s.rows) < rows {
		s.rows = append(s.rows, newRow(cols, stamp))
	}
}

// rotate puts the first row, which it returns, last.
func (s *screen) rotate() *row {
	first, n := s.rows[0], len(s.rows)
	if cap(s.rows) == n {
		if len(s.ring) < 2*n {
			s.ring = make([]*row, 2*n+ringSlack)
		}
		copy(s.ring, s.rows)
		s.rows = s.ring[:n]
	}
	s.rows = s.rows[1 : n+1]
	s.rows[n-1] = first
	return first
}

// ringSlack is how many lines may scroll before the rows of a small screen are
// copied.
const ringSlack = 64

// A cursor is where and how the next character is printed.
type cursor struct {
	x, y int // from 0, within the screen
	// pending says that the last column was printed to, and that the next
	// character goes to the next line first.
	pending bool
	pen     pen
	sets    charsets
}

// A savedCursor is what DECSC keeps.
type savedCursor struct {
	cursor
	origin bool
}

// saveCursor is DECSC.
func (t *Terminal) saveCursor() {
	t.scr.saved = savedCursor{t.cur, t.modes.Has(ModeOrigin)}
}

// restoreCursor is DECRC. Where nothing was saved it goes to the upper left.
func (t *Terminal) restoreCursor() {
	s := t.scr.saved
	t.cur = s.cursor
	t.cur.x, t.cur.y = min(t.cur.x, t.cols-1), min(t.cur.y, t.rows-1)
	t.modes.set(ModeOrigin, s.origin)
	t.inkFresh = false
	t.updateDirect()
}

// show makes s the screen that shows.
func (t *Terminal) show(s *screen) {
	if t.scr == s {
		return
	}
	t.scr = s
	s.crop(t.rows, t.cols, t.stamp)
	t.redraw()
}

// row returns the row that the cursor is in, marked as changed.
func (t *Terminal) row() *row { return t.touch(t.cur.y) }

// touch returns row y, marked as changed.
func (t *Terminal) touch(y int) *row {
	r := t.scr.rows[y]
	r.stamp = t.stamp
	t.dirty = true
	return r
}

// redraw marks every row as changed.
func (t *Terminal) redraw() {
	t.redrawn, t.dirty = t.stamp, true
	for _, r := range t.scr.rows {
		r.stamp = t.stamp
	}
}

// eachCell visits the cells in use, of both screens.
func (t *Terminal) eachCell(visit func(*cell)) {
	for _, s := range [...]*screen{&t.primary, &t.alternate} {
		for _, r := range s.rows {
			for i := range r.cells[:r.used] {
				visit(&r.cells[i])
			}
		}
	}
}
