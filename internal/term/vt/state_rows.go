package vt

import "slices"

// rows writes the history from line first on, the saved cursor and then the rows of the screen.
// Margins, modes and character sets must be the initial ones, and the screen must be empty.
func (w *stateWriter) rows(s *screen, first uint64, saved savedCursor) {
	t := w.t
	lines := int(t.history.next - first)
	if s != &t.primary {
		lines = 0
	}
	saves := 0 // the row before which the saved cursor is written
	if t.rows == 1 {
		saves = lines // the history uses it: see wrapOnly
	}
	old := newRow(t.cols, 0)
	wrapped := false // the row before wraps
	for i := range lines + t.rows {
		r := old
		if i < lines {
			t.unpack(old, t.history.line(first+uint64(i)))
		} else {
			r = s.rows[i-lines]
		}
		y := min(i, t.rows-1)
		w.lost()
		switch {
		case wrapped: // what made it wrap is here
			w.setPen(pen{})
			w.goTo(y, 0)
			w.csi("", "K", 2)
		case i >= t.rows:
			w.setPen(pen{})
			w.goTo(y, 0)
			w.add("\n")
		}
		if i == saves && (saved != savedCursor{} || saves > 0) {
			w.savedCursor(saved)
			w.lost()
		}
		more := i+1 < lines+t.rows
		wrapped = w.row(r, y, more)
		if r.size != SingleSize {
			if wrapped && more && y == t.rows-1 {
				y-- // it has scrolled
			}
			w.lineSize(r.size, y)
		}
	}
	w.setPen(pen{})
	w.setGraphemes(true)
}

// lineSize sets the size of the line in row y, unless that has scrolled out of reach.
func (w *stateWriter) lineSize(s LineSize, y int) {
	if y < 0 {
		return
	}
	w.lost()
	w.goTo(y, 0)
	w.add("\x1b#" + [...]string{DoubleTop: "3", DoubleBottom: "4", DoubleWidth: "6"}[s])
	w.lost()
}

// row writes r to the empty row y, and reports whether it wraps. more: another row follows.
func (w *stateWriter) row(r *row, y int, more bool) (wraps bool) {
	t, last := w.t, w.t.cols-1
	wraps = r.wraps && (more || t.cols > 2 && t.rows > 2)
	end := r.used
	var edge cell // in the last column of a row that wraps
	if wraps {
		end = min(end, last)
		if r.used > last {
			edge = r.cells[last]
			if edge&widthMask == tail {
				end--
			}
		}
	} else if r.used > last && r.cells[last]&widthMask == filler {
		end-- // it shows nothing
	}
	above := y // where the row is once the next one has begun
	if more && y == t.rows-1 {
		above--
	}
	if wraps && above < 0 && edge&widthMask != filler {
		w.wrapOnly(r)
		return true
	}
	rare := slices.ContainsFunc(r.cells[:end], w.isRare)
	erased := wraps && !rare && (r.used <= last || last == 0 && edge&contentMask == 0)
	if !erased {
		w.rareCells(r, y, end)
		w.cells(r, y, end)
	}
	if !wraps {
		return false
	}
	if !more { // wrap in the last row without scrolling
		w.csi("", "r", 1, t.rows-1)
		w.lost()
	}
	again := 1 // columns to write again
	switch p := t.pens.pens[edge.pen()].pen; {
	case erased:
		w.setPen(p)
		w.goTo(y, last)
		w.add("x")
		w.csi("", "K", 1) // leaves the wrap pending
		w.overflow("x")
		w.lost()
		w.cells(r, above, end)
	case edge&widthMask == tail:
		w.cell(r, y, last-1, t.cols)
		w.overflow("x")
	case edge&contentMask != 0:
		if w.isRare(edge) {
			w.rareCells(r, y, -1)
		} else {
			w.cell(r, y, last, t.cols)
		}
		w.overflow("x")
	case edge&widthMask == filler || r.used <= last:
		w.setPen(pen{})
		w.goTo(y, last)
		w.add("日") // does not fit
		again = 2
	default: // half of a wide character
		w.setPen(p)
		w.goTo(y, last-1)
		w.add("日")
		w.overflow("x")
		w.lost()
		w.again(r, above, last-1)
	}
	w.lost()
	if !more {
		for x := range min(again, last) {
			w.again(r, y, x)
		}
		w.csi("", "r")
		w.lost()
	}
	return true
}

// wrapOnly writes r, which wraps, to the only row of the screen. The wrap makes the row history,
// where nothing can be written any more. So the wrap is pending in the saved cursor while the row
// is written. A wide character that does not fit needs no such way: it wraps at once.
func (w *stateWriter) wrapOnly(r *row) {
	last := w.t.cols - 1
	w.setPen(pen{})
	w.goTo(0, last)
	w.add("x")
	w.csi("", "K", 2)
	w.add("\x1b7")
	w.lost()
	w.rareCells(r, 0, r.used)
	w.cells(r, 0, r.used)
	w.add("\x1b8")
	w.pen = pen{}
	w.overflow("x")
	w.lost()
}

// cells writes the cells of r before column end to row y.
func (w *stateWriter) cells(r *row, y, end int) {
	for x := 0; x < end; {
		x = w.cell(r, y, x, end)
	}
}

// overflow prints text in the plain style while a wrap is pending.
func (w *stateWriter) overflow(text string) {
	w.setPen(pen{})
	w.add(text)
}

// again writes the cell at column x over what is there.
func (w *stateWriter) again(r *row, y, x int) {
	if x < r.used && r.cells[x]&widthMask == tail {
		x--
	}
	if x >= r.used || r.cells[x]&contentMask == 0 {
		w.setPen(pen{})
		w.goTo(y, x)
		w.csi("", "X", 1)
	}
	switch {
	case x >= r.used:
	case w.isRare(r.cells[x]):
		w.emptied(r, y, x)
	default:
		w.cell(r, y, x, x+1)
	}
}

// emptied writes an empty cell with more than a background, which selective erasure leaves.
func (w *stateWriter) emptied(r *row, y, x int) {
	w.lost()
	w.setPen(w.t.pens.pens[r.cells[x].pen()].pen)
	w.goTo(y, x)
	w.add(" ")
	w.csi("", "${", y+1, x+1, y+1, x+1)
	w.lost()
}

// cell writes the cell at column x, or the run of empty cells there up to end, and returns the
// column after it. It leaves rare cells out.
func (w *stateWriter) cell(r *row, y, x, end int) int {
	c := r.cells[x]
	switch p := w.t.pens.pens[c.pen()].pen; {
	case w.isRare(c):
		return x + 1
	case c&contentMask == 0:
		n := 1
		for x+n < end && r.cells[x+n] == c {
			n++
		}
		if p != (pen{}) {
			w.setPen(p)
			w.goTo(y, x)
			w.csi("", "X", n)
		}
		return x + n
	default:
		if c&clusterFlag != 0 || classOf(c.rune())&classJoins != 0 {
			w.lost() // a sequence before it keeps it apart from its neighbour
		}
		w.setPen(w.t.pens.pens[c.pen()].pen)
		w.goTo(y, x)
		w.print(c)
		n := 1 + int(c&wide/wide)
		if w.x += n; c&clusterFlag != 0 || w.x == w.t.cols {
			w.lost()
		}
		return x + n
	}
}

func (w *stateWriter) goTo(y, x int) {
	if w.y != y || w.x != x {
		w.csi("", "H", y-w.top+1, x-w.left+1)
		w.y, w.x = y, x
	}
}

func (w *stateWriter) lost() { w.y = -1 }

func (w *stateWriter) setGraphemes(on bool) {
	if w.graphemes != on {
		w.privateMode(ModeGraphemes, on)
		w.graphemes = on
	}
}

// print prints the content of a cell. If it is joined, the cursor must be in the last column.
func (w *stateWriter) print(c cell) {
	joined := w.joined(c)
	w.setGraphemes(c&wide != 0 || joined || c&(clusterFlag|forcedFlag) == 0)
	if joined {
		w.privateMode(ModeWrap, false)
	}
	w.b = w.t.clusters.append(w.b, c&contentMask)
	if joined && w.wraps {
		w.privateMode(ModeWrap, true)
	}
}

// joined reports whether a narrow cell has several characters that take columns by themselves. That
// happens only in the last column, where a joined emoji has no room.
func (w *stateWriter) joined(c cell) bool {
	if c&clusterFlag == 0 || c&wide != 0 {
		return false
	}
	n := 0
	for _, r := range w.t.clusters.texts[uint32(c)] {
		if classOf(r)&classWidth != 0 {
			n++
		}
	}
	return n > 1
}

// isRare reports whether a cell is one that rareCells writes: a joined emoji without room, or an
// empty cell with more than a background.
func (w *stateWriter) isRare(c cell) bool {
	if c&contentMask != 0 {
		return w.joined(c)
	}
	p := w.t.pens.pens[c.pen()].pen
	return c&widthMask != tail && p != pen{Style: Style{BG: p.BG}}
}

// keepsLast reports whether c, in the last column but one, is a rare cell that cannot be written
// after the last column: writing it takes that column, too.
func (w *stateWriter) keepsLast(c cell) bool {
	return w.isRare(c) && (c&contentMask != 0 || w.t.pens.pens[c.pen()].Attr&protected != 0)
}

// rareCells writes the rare cells before column end, or with end -1 the one in the last column. It
// uses the last column, and those after the cells, which must be written later.
func (w *stateWriter) rareCells(r *row, y, end int) {
	last := w.t.cols - 1
	used := false // the last column
	from := 0
	if end < 0 {
		from, end = last, last+1
	}
	for x := from; x < end; x++ {
		c := r.cells[x]
		if !w.isRare(c) {
			continue
		}
		p := w.t.pens.pens[c.pen()].pen
		w.lost()
		switch {
		case c&contentMask != 0:
			w.setPen(p)
			w.goTo(y, last)
			w.print(c)
			if x < last {
				w.csi("", "$v", y+1, last+1, y+1, last+1, 1, y+1, x+1, 1)
			}
			used = x < last
		case p.Attr&protected == 0:
			w.emptied(r, y, x)
		case x < last || x > 0 && !w.keepsLast(r.cells[x-1]):
			// Half of a protected wide character: print one, and overwrite its other half.
			head, other := x, x+1
			if x == last {
				head, other = x-1, x-1
			}
			w.setPen(p)
			w.goTo(y, head)
			w.add("日")
			w.lost()
			w.setPen(pen{})
			w.goTo(y, other)
			w.add(" ")
			w.lost()
			w.goTo(y, other)
			w.csi("", "X", 1)
			if other < x && w.isRare(r.cells[other]) {
				w.emptied(r, y, other)
			}
		default:
			w.setPen(p)
			w.goTo(y, x)
			w.add(" ")
		}
		w.lost()
	}
	if used && !(end > last && w.isRare(r.cells[last])) {
		w.setPen(pen{})
		w.goTo(y, last)
		w.csi("", "X", 1)
	}
}
