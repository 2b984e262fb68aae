package vt

import (
	"unicode/utf8"

	"ui-mcp/internal/term/charclass"
	"ui-mcp/internal/term/scrollback"
	"ui-mcp/internal/term/sgr"
)

// rows writes the saved cursor, the history from line first on if the screen is the primary one,
// and the rows. Margins, modes and character sets must be the initial ones, and the screen must be
// empty.
func (w *stateWriter) rows(s *screen, first uint64) {
	t := w.t
	lines := 0
	if s == &t.primary {
		lines = int(t.history.Next - first)
	}
	if s.saved != (savedCursor{}) {
		w.savedCursor(s.saved)
	}
	old := newRow(t.cols, 0)
	wrapped := false // the row before wraps
	for i := range lines + t.rows {
		r := old
		if i < lines {
			t.unpack(old, t.history.Line(first+uint64(i)))
		} else {
			r = s.rows[i-lines]
		}
		y := min(i, t.rows-1)
		w.lost()
		if wrapped || i >= t.rows {
			w.setPen(scrollback.Pen{})
			w.goTo(y, 0)
			if wrapped {
				w.csi("", "K", 2) // what made it wrap is here
			} else {
				w.add("\n")
			}
		}
		wrapped = r.wraps && i+1 < lines+t.rows
		w.row(r, y, wrapped)
		if r.size == SingleSize {
			continue
		}
		if wrapped && y == t.rows-1 {
			y-- // it has scrolled, with one row out of reach
		}
		if y >= 0 {
			w.lost()
			w.goTo(y, 0)
			w.add("\x1b#" + [...]string{DoubleTop: "3", DoubleBottom: "4", DoubleWidth: "6"}[r.size])
		}
	}
	w.setPen(scrollback.Pen{})
	w.setGraphemes(true)
}

// row writes r to the empty row y, and makes it wrap.
func (w *stateWriter) row(r *row, y int, wraps bool) {
	last := w.t.cols - 1
	end := r.used
	full := end > last && r.cells[last] != 0 && r.cells[last]&widthMask != filler
	if !full {
		end = min(end, last)
	}
	for x := 0; x < end; {
		x = w.cell(r, y, x, end)
	}
	switch {
	case !wraps:
	case full:
		if c := r.cells[last]; c&(contentMask|tail) == 0 { // erasing it leaves no wrap pending
			w.setPen(w.t.pens.pens[c.pen()].Pen)
			w.goTo(y, last)
			w.add(" ")
			w.lost()
		}
		w.setPen(scrollback.Pen{})
		w.add("x")
	default:
		w.setPen(scrollback.Pen{})
		w.goTo(y, last)
		w.add("日") // does not fit
	}
}

// cell writes the cell at column x, or the run of erased cells there up to end, and returns the
// column after it.
func (w *stateWriter) cell(r *row, y, x, end int) int {
	c := r.cells[x]
	p := w.t.pens.pens[c.pen()].Pen
	if c&contentMask == 0 && p == (scrollback.Pen{Style: sgr.Style{BG: p.BG}}) {
		n := 1
		for x+n < end && r.cells[x+n] == c {
			n++
		}
		if p.BG != 0 {
			w.setPen(p)
			w.goTo(y, x)
			w.csi("", "X", n)
		}
		return x + n
	}
	if c&clusterFlag != 0 || c&contentMask != 0 && charclass.Of(c.rune())&charclass.Joins != 0 {
		w.lost() // a sequence before it keeps it apart from its neighbour
	}
	w.setPen(p)
	w.setGraphemes(c&wide != 0 || c&(clusterFlag|forcedFlag) == 0)
	w.goTo(y, x)
	text := " "
	if c&contentMask != 0 {
		text = string(w.t.clusters.append(nil, c&contentMask))
	}
	for i, char := range text {
		if i == 0 || c&wide != 0 || charclass.Of(char)&charclass.Width == 0 {
			w.b = utf8.AppendRune(w.b, char)
		}
	}
	n := 1 + int(c&wide/wide)
	if w.x += n; c&clusterFlag != 0 || w.x == w.t.cols {
		w.lost()
	}
	return x + n
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
