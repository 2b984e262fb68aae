package vt

import "ui-mcp/internal/term/scrollback"

// A screen is one of a terminal's two grids, with the state that each has for itself. The alternate
// screen has no rows until it is first shown.
type screen struct {
	rows []*row
	// ring has room for more rows than the screen: rows is a window into it, which advances by one
	// with each line that scrolls, and then starts over.
	ring  []*row
	saved savedCursor
	keys  keyStack
}

// crop makes the grid rows by cols, adding empty rows and columns or cutting them off.
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

// rotate moves the first row to the end, and returns it.
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

// ringSlack is how many lines can scroll before the rows of a small screen are copied.
const ringSlack = 64

// A cursor is the position and style of the next character.
type cursor struct {
	x, y int // zero-based, within the screen
	// pending means that the last column was printed to: the next character wraps first.
	pending bool
	pen     scrollback.Pen
	sets    charsets
}

// A savedCursor is what DECSC saves.
type savedCursor struct {
	cursor
	origin bool
}

// saveCursor is DECSC.
func (t *Terminal) saveCursor() {
	t.scr.saved = savedCursor{t.cur, t.modes.Has(ModeOrigin)}
}

// restoreCursor is DECRC. If nothing was saved, it moves the cursor to the upper left.
func (t *Terminal) restoreCursor() {
	s := t.scr.saved
	t.cur = s.cursor
	t.cur.x, t.cur.y = min(t.cur.x, t.cols-1), min(t.cur.y, t.rows-1)
	t.modes.set(ModeOrigin, s.origin)
	t.inkFresh = false
	t.updateDirect()
}

func (t *Terminal) show(s *screen) {
	if t.scr == s {
		return
	}
	t.scr = s
	s.crop(t.rows, t.cols, t.stamp)
	t.redraw()
}

// row returns the cursor's row, and marks it as changed.
func (t *Terminal) row() *row { return t.touch(t.cur.y) }

// touch returns row y, and marks it as changed.
func (t *Terminal) touch(y int) *row {
	r := t.scr.rows[y]
	r.stamp = t.stamp
	t.dirty = true
	return r
}

// redraw marks every row as changed.
func (t *Terminal) redraw() {
	t.redrawn = t.stamp
	t.touchRows(0, len(t.scr.rows)-1)
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
