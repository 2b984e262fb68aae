package vt

// DECRQCRA, the checksum of a rectangle, is left out: it would let a program read what other
// programs have written to the screen.

// A rect is a part of the screen: its first row and column, and the row and column after its last.
type rect struct{ top, left, bottom, right int }

// field is the area that rectangles are relative to and cut to: the margins in origin mode, else
// the screen.
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

// setExtent is DECSACE: whether DECCARA and DECRARA change a rectangle, or the lines from one
// position to another.
func (t *Terminal) setExtent() {
	if n := t.param(0, 0); n <= 2 {
		t.rectangular = n == 2
	}
}

// changeRect is DECCARA or, if reverse, DECRARA: it sets or inverts attributes of the text in an
// area.
func (t *Terminal) changeRect(reverse bool) {
	r, ok := t.rect(0)
	if !ok && (t.rectangular || r.top >= r.bottom) {
		return
	}
	var keep, flip Attr
	if reverse {
		keep, flip = ^Attr(0), t.reversal()
	} else {
		keep, flip = t.change()
	}
	t.inkFresh = false
	t.inkNow() // this drops unused pens if there are many
	f := t.field()
	var known [2]penID // a pen and its replacement, cached because neighbours share pens
	known[1] = t.changedPen(0, keep, flip)
	for y := r.top; y < r.bottom; y++ {
		left, right := r.left, r.right
		if !t.rectangular {
			left, right = f.left, f.right
			if y == r.top {
				left = r.left
			}
			if y == r.bottom-1 {
				right = r.right
			}
		}
		if left >= right {
			continue
		}
		row := t.touch(y)
		row.reach(right)
		for x := left; x < right; x++ {
			c := &row.cells[x]
			if c.pen() != known[0] {
				known = [2]penID{c.pen(), t.changedPen(c.pen(), keep, flip)}
			}
			if known[1] != known[0] {
				*c = *c&^(penMask|filler) | inked(known[1])
			}
			row.rich = row.rich || known[1] != 0
		}
	}
}

// changedPen returns the pen with pen id's colours and its attributes in keep, those in flip
// inverted.
func (t *Terminal) changedPen(id penID, keep, flip Attr) penID {
	p := t.pens.pens[id].pen
	p.Attr = p.Attr&(keep|protected) ^ flip
	return t.pens.intern(p)
}

// rectAttrs are the attributes of DECCARA, by their numbers in SGR.
var rectAttrs = map[uint16]Attr{
	1: Bold, 4: Attr(UnderlineSingle) << underlineShift, 5: Blink, 7: Inverse, 8: Conceal,
}

// allRectAttrs are the attributes that parameter 0 clears.
const allRectAttrs = Bold | Blink | Inverse | Conceal | underlineMask

// change returns the attributes that the parameters of DECCARA keep, and those that they set.
func (t *Terminal) change() (keep, set Attr) {
	keep = ^Attr(0)
	params := t.params[min(4, t.nparams):t.nparams]
	if len(params) == 0 {
		params = []uint16{0}
	}
	for _, n := range params {
		off := rectAttrs[n-20] // 24, 25, 27 and 28; below 20 it wraps to a key that is not in the map
		switch {
		case n == 0:
			off = allRectAttrs
		case n == 22:
			off = Bold
		case n == 24:
			off = underlineMask
		}
		on := rectAttrs[n]
		if n == 4 {
			off = underlineMask
		}
		keep &^= off | on
		set = set&^off | on
	}
	return keep, set
}

// reversal returns the attributes that the parameters of DECRARA invert.
func (t *Terminal) reversal() (flip Attr) {
	params := t.params[min(4, t.nparams):t.nparams]
	if len(params) == 0 {
		params = []uint16{0}
	}
	for _, n := range params {
		if n == 0 {
			flip ^= Bold | Blink | Inverse | Attr(UnderlineSingle)<<underlineShift
		} else {
			flip ^= rectAttrs[n]
		}
	}
	return flip
}
