package render

import (
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/vt"
)

// AppendDiff appends to b what makes a terminal that shows one frame show
// another. When from is nil, or of another size, nothing is taken for granted: the
// modes that matter are set, the screen is cleared, and all of it is drawn. The
// terminal must have the size of the frame, and be used for nothing else. When
// there is nothing to do, nothing is appended.
//
// The terminal shows all of it at once if it knows synchronized output.
func AppendDiff(b []byte, from, to *Frame) []byte {
	if from == to {
		return b
	}
	start := len(b)
	b = append(b, beginUpdate...)
	e := encoder{out: b, rows: to.Rows, cols: to.Cols}
	title := "" // a terminal's own stays until the program has one
	if from != nil {
		title = from.Title
	}
	anew := from == nil || from.Cols != to.Cols || from.Rows != to.Rows
	if anew {
		e.out = append(e.out, prepare...)
		from = &Frame{Cols: to.Cols, Rows: to.Rows, Lines: make([]cells.Row, to.Rows), Cursor: vt.Cursor{Visible: true}}
		e.home()
		e.cursorStyle(to.Cursor)
	} else {
		e.row, e.col = from.Cursor.Row, from.Cursor.Col
		e.unsure = !from.Cursor.Visible // then nobody put it there
	}
	drawn := len(e.out)
	e.input(from.Input, to.Input)
	if to.Title != title {
		e.out = append(append(append(e.out, "\x1b]2;"...), to.Title...), "\x1b\\"...)
	}
	if to.Reverse != from.Reverse {
		e.mode("5", to.Reverse)
	}
	lines := from.Lines
	if !anew {
		lines = e.scroll(from, to)
	}
	for y, r := range to.Lines {
		if !lines[y].Equal(r) {
			e.line(y, lines[y], r)
		}
	}
	e.plain()
	if to.Cursor.Visible {
		e.move(to.Cursor.Row, to.Cursor.Col)
	}
	if to.Cursor.Visible != from.Cursor.Visible {
		e.mode("25", to.Cursor.Visible)
	}
	if !anew && (to.Cursor.Shape != from.Cursor.Shape || to.Cursor.Blinks != from.Cursor.Blinks) {
		e.cursorStyle(to.Cursor)
	}
	if len(e.out) == drawn && !anew {
		return b[:start]
	}
	return append(e.out, endUpdate...)
}

const (
	beginUpdate = "\x1b[?2026h"
	endUpdate   = "\x1b[?2026l"

	// prepare makes a terminal in any state ready: no margins, origin or insert
	// mode, ASCII, automatic wrapping, grapheme clusters where they are known, no
	// link, the plain style, a visible cursor, usual keys, an empty screen.
	prepare = noInput + "\x1b[?69l\x1b[r\x1b[?6l\x1b[4l\x0f\x1b(B\x1b[?7h\x1b[?2027h\x1b]8;;\x1b\\\x1b[m\x1b[?5l\x1b[?25h\x1b[H\x1b[2J"
)

// eraseRun is how many blanks are erased rather than printed.
const eraseRun = 8

// bridge is how many columns that have not changed are printed again rather than
// skipped, since moving costs more.
const bridge = 4

// line changes row y from one row to another.
func (e *encoder) line(y int, from, to cells.Row) {
	old, cur := from.Walk(), to.Walk()
	oldMore := old.Next()
	width := to.Columns()
	kept := bridgeCells{}
	for cur.Next() {
		for oldMore && old.Col+old.Width <= cur.Col {
			oldMore = old.Next()
		}
		same := oldMore && old.Cell == cur.Cell || !oldMore && isBlank(&cur.Cell)
		if same {
			kept.add(cur.Cell)
			continue
		}
		if isBlank(&cur.Cell) {
			// Erase a run of blanks, which is no longer than what follows.
			if n := blanks(cur); n >= eraseRun {
				e.move(y, cur.Col)
				e.plain()
				e.csi(n, 'X')
				for range n - 1 {
					cur.Next()
				}
				kept = bridgeCells{}
				continue
			}
		}
		e.reach(y, cur.Cell, &kept)
		e.print(cur.Cell)
		kept = bridgeCells{}
	}
	for oldMore && old.Col+old.Width <= width {
		oldMore = old.Next()
	}
	for ; oldMore; oldMore = old.Next() {
		if !isBlank(&old.Cell) {
			e.move(y, width)
			e.plain()
			e.out = append(e.out, "\x1b[K"...)
			return
		}
	}
}

func isBlank(c *vt.Cell) bool {
	return c.Text == " " && c.Style == vt.Style{} && c.Link == ""
}

// blanks returns how many blanks in the default style begin at the cell of w.
func blanks(w cells.Walker) int {
	n := 1
	for w.Next() && isBlank(&w.Cell) {
		n++
	}
	return n
}

// bridgeCells are the last cells that were skipped, if they are few.
type bridgeCells struct {
	cells [bridge]vt.Cell
	n     int // also counts those that had no room
}

func (k *bridgeCells) add(c vt.Cell) {
	if k.n < bridge {
		k.cells[k.n] = c
	}
	k.n++
}

// reach moves to a cell of row y, over the cells that were skipped before it:
// when these are few and in the style that is set, printing them is shorter.
func (e *encoder) reach(y int, c vt.Cell, kept *bridgeCells) {
	if e.row == y && !e.unsure && !e.joined && kept.n > 0 && kept.n <= bridge && kept.cells[0].Col == e.col {
		for _, k := range kept.cells[:kept.n] {
			if len(k.Text) != 1 || k.Style != e.style || k.Link != e.link {
				e.move(y, c.Col)
				return
			}
		}
		for _, k := range kept.cells[:kept.n] {
			e.print(k)
		}
	}
	e.move(y, c.Col)
}
