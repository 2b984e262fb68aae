package render

import (
	"slices"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

func isFresh(from, to *Frame) bool {
	return from == nil || from.Cols != to.Cols || from.Rows != to.Rows
}

// atOnce makes what was appended from an offset on appear at once, unless it does so anyway. If it
// is drawn from scratch, an update that something else has begun ends, too.
func atOnce(b []byte, start int, fresh bool) []byte {
	if len(b)-start <= smallUpdate && !fresh {
		return b
	}
	return append(slices.Insert(b, start, []byte(beginUpdate)...), endUpdate...)
}

// appendDiff appends the bytes that make a terminal which shows one frame show another, or nothing
// if there is nothing to do. If from is nil or has another size, it assumes nothing: it sets the
// relevant modes, clears the screen and draws all of it. last is the frame whose title and cursor's
// colour the terminal had; nil: it has its own.
func appendDiff(b []byte, from, last, to *Frame) []byte {
	if from == to {
		return b
	}
	start := len(b)
	e := encoder{out: b, rows: to.Rows, cols: to.Cols}
	title, color := "", sgr.Color(0) // the terminal's own stay until the program sets others
	if last != nil {
		title, color = last.Title, last.CursorColor
	}
	fresh, unknown := isFresh(from, to), from == nil
	if fresh {
		e.out = append(e.out, prepare...)
		from = &Frame{Cols: to.Cols, Rows: to.Rows, Lines: make([]cells.Row, to.Rows), Cursor: vt.Cursor{Visible: true}}
		e.home()
		e.cursorStyle(to.Cursor)
	} else {
		e.row, e.col = from.Cursor.Row, from.Cursor.Col
		e.unsure = !from.Cursor.Visible // then it was not put there
	}
	drawn := len(e.out)
	e.input(from.Input, to.Input)
	if to.Title != title || unknown && title != "" {
		e.out = append(append(append(e.out, "\x1b]2;"...), to.Title...), "\x1b\\"...)
	}
	if to.Reverse != from.Reverse {
		e.mode("5", to.Reverse)
	}
	if to.CursorColor != color || unknown && color != 0 {
		e.out = appendCursorColor(e.out, to.CursorColor)
	}
	lines := from.Lines
	if !fresh {
		lines = e.scroll(from, to)
	}
	for y, r := range to.Lines {
		if !lines[y].Equal(r) {
			e.sizedLine(y, lines[y], r)
		}
	}
	e.plain()
	if to.Cursor.Visible {
		e.move(to.Cursor.Row, to.Cursor.Col)
	}
	if to.Cursor.Visible != from.Cursor.Visible {
		e.mode("25", to.Cursor.Visible)
	}
	if !fresh && (to.Cursor.Shape != from.Cursor.Shape || to.Cursor.Blinks != from.Cursor.Blinks) {
		e.cursorStyle(to.Cursor)
	}
	if len(e.out) == drawn && !fresh {
		return b[:start]
	}
	return e.out
}

const (
	beginUpdate = "\x1b[?2026h"
	endUpdate   = "\x1b[?2026l"

	// smallUpdate is how many bytes terminals display at once anyway: they arrive together, in one
	// packet of a network, and are read together.
	smallUpdate = 1024

	// prepare puts a terminal into a known state: no margins, origin or insert mode, ASCII,
	// automatic wrapping, grapheme clusters if supported, no link, the plain style, a visible
	// cursor, default keys, an empty screen. Erasing makes all lines single except the first, where
	// it begins.
	prepare = noInput + "\x1b[?69l\x1b[r\x1b[?6l\x1b[4l\x0f\x1b(B\x1b[?7h\x1b[?2027h\x1b]8;;\x1b\\\x1b[m\x1b[?5l\x1b[?25h\x1b[H\x1b#5\x1b[J"
)

// eraseRun is the shortest run of blanks that takes fewer bytes to erase and skip than to print.
const eraseRun = 11

// sizedLine updates row y, whose characters may be of double size. A row of double size that is too
// long is drawn single.
func (e *encoder) sizedLine(y int, from, to cells.Row) {
	for _, r := range []*cells.Row{&from, &to} {
		if r.Size != vt.SingleSize && r.Columns() > r.Size.Columns(e.cols) {
			r.Size = vt.SingleSize
		}
	}
	if from.Size == vt.SingleSize && to.Size == vt.SingleSize {
		e.line(y, from, to)
		return
	}
	if from.Size != to.Size {
		e.move(y, 0)
		e.plain()
		if from.Size != vt.SingleSize {
			e.out = append(e.out, lineSizes[vt.SingleSize]...) // what a double line hides is erased, too
		}
		e.out = append(e.out, "\x1b[2K"...)
		if to.Size != vt.SingleSize {
			e.out = append(e.out, lineSizes[to.Size]...)
		}
		from = cells.Row{}
	}
	e.line(y, from, to)
	// Terminals disagree on the cursor in lines of double width, and some have no such lines.
	e.unsure = true
}

// lineSizes are the sequences that set the size of a line: DECDHL, DECSWL and DECDWL.
var lineSizes = [...]string{vt.SingleSize: "\x1b#5", vt.DoubleTop: "\x1b#3", vt.DoubleBottom: "\x1b#4", vt.DoubleWidth: "\x1b#6"}

func (e *encoder) line(y int, from, to cells.Row) {
	old, cur := from.Walk(), to.Walk()
	oldMore := old.Next()
	width := to.Columns()
	var kept vt.Cell // the last one that stays
	for cur.Next() {
		for oldMore && old.Col+old.Width <= cur.Col {
			oldMore = old.Next()
		}
		if oldMore && old.Cell == cur.Cell || !oldMore && isBlank(&cur.Cell) {
			kept = cur.Cell
			continue
		}
		if isBlank(&cur.Cell) {
			// Erasing takes fewer bytes than printing.
			if n := blanks(cur); n >= eraseRun {
				e.move(y, cur.Col)
				e.plain()
				e.csi(n, 'X')
				for range n - 1 {
					cur.Next()
				}
				continue
			}
		}
		// It takes fewer bytes to print a single column again than to move across it.
		if kept.Col+1 == cur.Col && len(kept.Text) == 1 && e.row == y && e.col == kept.Col && !e.unsure && !e.joined &&
			kept.Link == e.link && (kept.Style == e.style || kept.Style == cur.Style) {
			e.print(kept)
		}
		e.move(y, cur.Col)
		e.print(cur.Cell)
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
	return c.Text == " " && c.Style == sgr.Style{} && c.Link == ""
}

// blanks returns the number of consecutive blanks in the default style from w's cell on.
func blanks(w vt.Walker) int {
	n := 1
	for w.Next() && isBlank(&w.Cell) {
		n++
	}
	return n
}
