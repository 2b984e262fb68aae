package vt

// DECRQCRA, the checksum of a rectangle, is left out: it would let a program read what other
// programs have written to the screen.

// A rect is a part of the screen: its first row and column, and the row and column after its last.
type rect struct{ top, left, bottom, right int }

// field is what rectangles are relative to and cut to: margins in origin mode, else the screen.
func (t *Terminal) field() rect {
	if t.modes.Has(ModeOrigin) {
		return rect{t.top, t.left, t.bottom + 1, t.right + 1}
	}
	return rect{0, 0, t.rows, t.cols}
}

// rect returns the rectangle that the four parameters from i on describe, cut to the field, and
// false if nothing is left of it.
func (t *Terminal) rect(i int) (rect, bool) {
	f := t.field()
	r := rect{
		top: f.top + t.param(i, 1) - 1, left: f.left + t.param(i+1, 1) - 1,
		bottom: min(f.top+t.param(i+2, t.rows), f.bottom), right: min(f.left+t.param(i+3, t.cols), f.right),
	}
	return r, r.top < r.bottom && r.left < r.right
}

// fillRect is DECFRA: it fills a rectangle with one character in the current style.
func (t *Terminal) fillRect() {
	c := rune(t.param(0, 0))
	r, ok := t.rect(1)
	if !ok || c < ' ' || c > '~' && c < 0xA0 || c > 0xFF {
		return
	}
	sets := t.cur.sets
	sets.single = 0
	if c < 0x80 {
		c = sets.translate(c)
	}
	ink := t.inkNow()
	for y := r.top; y < r.bottom; y++ {
		row := t.touch(y)
		row.open(r.left, r.right)
		fill(row.cells[r.left:r.right], ink|content(c))
		row.rich = row.rich || ink != 0 || c >= 0x80
	}
}

// eraseRect is DECERA or, if selective, DECSERA.
func (t *Terminal) eraseRect(selective bool) {
	r, ok := t.rect(0)
	if !ok {
		return
	}
	for y := r.top; y < r.bottom; y++ {
		if selective {
			t.eraseUnprotected(y, r.left, r.right)
		} else {
			t.eraseCells(y, r.left, r.right)
		}
	}
}

// copyRect is DECCRA. Its parameters are a rectangle and the row and column to copy it to; page
// numbers are ignored, because there is one page.
func (t *Terminal) copyRect() {
	from, ok := t.rect(0)
	f := t.field()
	top, left := f.top+t.param(5, 1)-1, f.left+t.param(6, 1)-1
	rows, cols := min(from.bottom-from.top, f.bottom-top), min(from.right-from.left, f.right-left)
	if !ok || rows <= 0 || cols <= 0 {
		return
	}
	cells := make([]cell, cols)
	for i := range rows {
		if top > from.top {
			i = rows - 1 - i // from below, because source and destination may overlap
		}
		src := t.scr.rows[from.top+i]
		n := 0
		if src.used > from.left {
			n = copy(cells, src.cells[from.left:src.used])
		}
		clear(cells[n:])
		if cells[0]&widthMask == tail {
			cells[0] &= penMask
		}
		if last := &cells[cols-1]; *last&widthMask == wide {
			*last &= penMask
		}
		dst := t.touch(top + i)
		dst.open(left, left+cols)
		copy(dst.cells[left:], cells)
		dst.mixed = dst.mixed || src.mixed
		dst.rich = dst.rich || src.rich
	}
}

// open prepares the columns from from up to but not including to for overwriting.
func (r *row) open(from, to int) {
	r.split(from)
	r.split(to)
	r.reach(to)
	if to == len(r.cells) {
		r.wraps = false
	}
}
