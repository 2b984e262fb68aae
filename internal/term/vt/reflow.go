package vt

import (
	"cmp"
	"slices"

	"ui-mcp/internal/term/scrollback"
)

// An anchor is a position that must keep its place in the text when the text is rewrapped.
type anchor struct {
	at     Position
	logic  int // columns from the start of the unwrapped line
	placed func(Position)
}

// reflow rewraps the text of the primary screen and its history. cur is the cursor of that screen.
// It works on packed lines, so that the pens and clusters of a long history do not enter the
// terminal's tables.
func (t *Terminal) reflow(cols, rows int, cur *cursor) {
	p := &t.primary
	used := max(p.content(), cur.y+1)
	screen := t.history.Next
	end := screen + uint64(used)

	w := wrapper{cols: cols, out: scrollback.New(t.history.Limit+rows, cols, t.history.First)}
	w.out.MaxBytes = scrollback.New(t.history.Limit, cols, 0).MaxBytes
	w.anchors = t.anchors(cur, screen, cols)
	top := screen
	w.anchors = append(w.anchors, anchor{Position{screen, 0}, 0, func(p Position) { top = p.Line }})
	slices.SortStableFunc(w.anchors, func(a, b anchor) int { return cmp.Compare(a.at.Line, b.at.Line) })

	for n := t.history.First; n < end; n++ {
		if n < screen {
			w.add(n, t.history.Line(n))
		} else {
			w.add(n, t.pack(p.rows[n-screen]))
		}
	}
	w.finish()
	w.placeRest(end)

	out := &w.out
	if used == len(p.rows) || top < out.First {
		top = out.First // a full screen stays full
	}
	if lowest := out.Next - min(uint64(rows), out.Next); top < lowest {
		top = lowest
	}
	top = max(top, out.First)
	p.rows = make([]*row, out.Next-top, rows)
	for i := len(p.rows) - 1; i >= 0; i-- {
		p.rows[i] = newRow(cols, t.stamp)
		t.unpack(p.rows[i], out.Pop())
	}
	p.crop(rows, cols, t.stamp)

	out.Limit, out.Keep = t.history.Limit, t.history.Keep
	out.Trim(out.Len() - out.Limit)
	t.history = *out
	if w.moved {
		t.layout++
	}
	for _, c := range t.primaryCursors(cur) {
		c.y -= int(t.history.Next)
	}
}

// primaryCursors returns the cursor of the primary screen and the one saved there. While the
// alternate screen is active, they are the same.
func (t *Terminal) primaryCursors(cur *cursor) []*cursor {
	if saved := &t.primary.saved.cursor; saved != cur {
		return []*cursor{cur, saved}
	}
	return []*cursor{cur}
}

// anchors returns anchors for the cursors, the marks and the tracked positions. They set a cursor's
// y to the number of its line, from which the caller must subtract the number of the top row.
func (t *Terminal) anchors(cur *cursor, screen uint64, cols int) []anchor {
	var list []anchor
	for _, c := range t.primaryCursors(cur) {
		at := Position{screen + uint64(c.y), c.x}
		if c.pending {
			at.Col++
		}
		list = append(list, anchor{at: at, placed: func(p Position) {
			c.x, c.y, c.pending = p.Col, int(p.Line), p.Col == cols
		}})
	}
	for i := range t.marks.marks {
		m := &t.marks.marks[i]
		if !m.Alternate && m.At.Line >= t.history.First {
			list = append(list, anchor{at: m.At, placed: func(p Position) { m.At = p }})
		}
	}
	for _, p := range t.tracked {
		if p.Line >= t.history.First {
			list = append(list, anchor{at: *p, placed: func(at Position) { *p = at }})
		}
	}
	return list
}

// A wrapper wraps packed lines at another width.
type wrapper struct {
	cols    int
	out     scrollback.Lines
	anchors []anchor // by line; those in lines already read are done
	open    bool     // an unwrapped line is incomplete
	moved   bool     // some line got a new number

	read   int      // wrapped lines of the open one so far
	column int      // of the unwrapped line: position of the next cell
	here   []anchor // in the open line
	starts []int    // the columns of the open line at which its rows begin

	row  scrollback.Packer // the row so far
	used int               // columns of the row so far
}

func (w *wrapper) add(n uint64, packed []byte) {
	wraps := packed[0]&scrollback.Wraps != 0
	anchored := len(w.anchors) > 0 && w.anchors[0].at.Line == n
	if !w.open {
		if !wraps && !anchored && packedFits(packed, w.cols) {
			w.out.Push(packed)
			return
		}
		w.open = true
		w.read, w.column = 0, 0
		w.here = w.here[:0]
		w.starts = append(w.starts[:0], 0)
		w.begin()
	}
	w.read++
	for len(w.anchors) > 0 && w.anchors[0].at.Line == n {
		a := w.anchors[0]
		w.anchors = w.anchors[1:]
		a.logic = w.column + a.at.Col
		w.here = append(w.here, a)
	}
	for runs := scrollback.Read(packed); runs.Next(); {
		w.addRun(runs.Run)
	}
	if !wraps {
		w.finish()
	}
}

// packedFits reports whether a packed line is at most cols columns wide.
func packedFits(packed []byte, cols int) bool {
	if len(packed) <= cols { // a wide character has at least two bytes
		return true
	}
	n := 0
	for runs := scrollback.Read(packed); runs.Next(); {
		n += runs.Run.N * runs.Run.Width
	}
	return n <= cols
}

func (w *wrapper) begin() {
	w.row.Begin()
	w.used = 0
}

// addRun adds the cells of r, starting a new row whenever one is full.
func (w *wrapper) addRun(r scrollback.Run) {
	step := r.Width
	if step > w.cols {
		return // a wide character in a terminal of one column
	}
	for len(r.Text) > 0 {
		if w.cols-w.used < step {
			w.flush(true)
			w.starts = append(w.starts, w.column)
			w.begin()
		}
		cells := min(r.N, (w.cols-w.used)/step)
		size := r.SizeOf(cells)
		w.row.Add(&r, r.Text[:size])
		r.N, r.Text = r.N-cells, r.Text[size:]
		w.used += cells * step
		w.column += cells * step
	}
}

func (w *wrapper) flush(wraps bool) { w.out.Push(w.row.End(wraps)) }

func (w *wrapper) finish() {
	if !w.open {
		return
	}
	w.flush(false)
	w.open = false
	w.moved = w.moved || len(w.starts) != w.read
	for _, a := range w.here {
		i := len(w.starts) - 1
		for i > 0 && w.starts[i] > a.logic {
			i--
		}
		col := a.logic - w.starts[i]
		if col > w.cols { // beyond the text
			col = w.cols - 1
		}
		a.placed(Position{w.out.Next - uint64(len(w.starts)-i), col})
	}
}

// placeRest places the anchors below the text, which ended before line end.
func (w *wrapper) placeRest(end uint64) {
	for _, a := range w.anchors {
		a.placed(Position{w.out.Next + a.at.Line - end, min(a.at.Col, w.cols-1)})
	}
	w.anchors = nil
}
