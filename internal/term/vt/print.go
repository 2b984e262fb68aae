package vt

import (
	"encoding/binary"
	"unicode/utf8"

	"ui-mcp/internal/term/charclass"
)

// printASCII prints the printable ASCII characters at the start of p, and returns their number. The
// first byte must be one. Most output takes this path; t.direct must be set.
func (t *Terminal) printASCII(p []byte) int {
	ink := t.inkNow()
	for i := 0; ; {
		if t.cur.pending {
			t.wrap()
		}
		r := t.row()
		x, edge := t.cur.x, t.margin()
		r.reach(x)
		r.split(x)
		room := r.cells[x:edge]
		text := p[i:]
		if len(text) > len(room) {
			text = text[:len(room)]
		}
		room = room[:len(text)]
		n := 0
		for n < len(text) && text[n]-' ' <= '~'-' ' {
			room[n] = ink | cell(text[n])
			n++
		}
		if ink != 0 {
			r.rich = true
		}
		i += n
		x += n
		if r.mixed && x < r.used && r.cells[x]&widthMask == tail {
			r.cells[x] &= penMask
		}
		r.used = max(r.used, x)
		if x == edge {
			x--
			t.cur.pending = true
			if edge == t.cols {
				r.wraps = false
			}
		}
		t.cur.x = x
		if i == len(p) || p[i]-' ' > '~'-' ' {
			t.last = rune(p[i-1])
			return i
		}
	}
}

// printWide prints the characters beyond ASCII at the start of p that cannot join their neighbours
// and fit into the row. It returns their size in bytes, and leaves the character that stops it to
// print. t.direct must be set.
func (t *Terminal) printWide(p []byte) int {
	if t.cur.pending {
		return 0
	}
	x, edge := t.cur.x, t.margin()
	var r *row
	var ink cell
	last := t.last
	i := 0
characters:
	for i+utf8.UTFMax <= len(p) && p[i] >= 0xC2 {
		c, what := decode(binary.LittleEndian.Uint32(p[i:]))
		var of charclass.Class
		if block := charclass.Block(c); block != nil {
			of = block[uint8(c)]
		} else {
			of = charclass.FirstOfBlock(c)
		}
		width := int(of & charclass.Width)
		switch {
		case what == 0 || width == 0 || x+width >= edge,
			of&charclass.Joins == charclass.Picture && last == charclass.ZWJ,
			of&(charclass.Regional|charclass.Tone) != 0:
			break characters
		case r == nil:
			ink = t.inkNow()
			r = t.row()
			r.reach(x)
			r.split(x)
			r.rich = true
		}
		i += what.utf8Size()
		what |= ink
		if width == 2 {
			what |= wide
			r.cells[x+1] = ink | tail
			r.mixed = true
		}
		r.cells[x] = what
		x += width
		last = c
	}
	if r == nil {
		return 0
	}
	if r.mixed && x < r.used && r.cells[x]&widthMask == tail {
		r.cells[x] &= penMask
	}
	r.used = max(r.used, x)
	t.cur.x, t.last = x, last
	return i
}

// decode decodes UTF-8 from v, lowest byte first. It returns the code point and the content bits of
// its cell, or 0 if v does not start with a code point beyond C1.
func decode(v uint32) (rune, cell) {
	switch {
	case v&0xC0C0F0 == 0x8080E0:
		r := v&0x0F<<12 | v>>8&0x3F<<6 | v>>16&0x3F
		if r >= 0x800 && r&^0x7FF != 0xD800 {
			return rune(r), cell(v & 0xFFFFFF)
		}
	case v&0xC0E0 == 0x80C0:
		if r := v&0x1F<<6 | v>>8&0x3F; r >= 0xA0 {
			return rune(r), cell(v & 0xFFFF)
		}
	case v&0xC0C0C0F8 == 0x808080F0:
		r := v&0x07<<18 | v>>8&0x3F<<12 | v>>16&0x3F<<6 | v>>24&0x3F
		if r >= 0x10000 && r <= utf8.MaxRune {
			return rune(r), cell(v)
		}
	}
	return 0, 0
}

// print prints a character, which must not be a control.
func (t *Terminal) print(r rune) {
	if r < 0x80 {
		if r = t.cur.sets.translate(r); r < 0x80 {
			t.put(content(r), 1)
			t.last = r
			return
		}
	}
	c := charclass.Of(r)
	width := int(c & charclass.Width)
	if width == 0 {
		t.combine(r)
		return
	}
	if c&charclass.Joins != 0 {
		if !t.modes.Has(ModeGraphemes) {
			if c&charclass.Regional != 0 {
				width = 1
			}
		} else if t.last != 0 && t.join(r, c) {
			t.last = r
			return
		}
	}
	what := content(r)
	if width != int(c&charclass.Width) {
		what |= forcedFlag
	}
	if !t.put(what, width) {
		r = 0
	}
	t.last = r
}

// wrap moves to the start of the next line, where the text continues.
func (t *Terminal) wrap() {
	if !t.modes.Has(ModeWrap) {
		t.cur.pending = false
		return
	}
	if t.cur.x == t.cols-1 && (t.cur.x <= t.right || t.cur.y != t.bottom) {
		t.row().wraps = true
	}
	start := t.start()
	t.lineFeed() // first, because it scrolls only between the left and right margins
	t.cur.x = start
	t.clampToLine()
}

// put writes a character of the given width at the cursor. It reports false if there is no room and
// the text does not wrap: then the character is dropped, and nothing can join it.
func (t *Terminal) put(what cell, width int) bool {
	ink := t.inkNow()
	if t.cur.pending {
		t.wrap()
	}
	edge := t.edge()
	for t.cur.x+width > edge {
		// A wide character at the last column. In the next line, which may be of double width and
		// end before the left margin, there may be no room either.
		if !t.modes.Has(ModeWrap) || edge-t.start() < width {
			return false
		}
		r := t.row()
		r.reach(t.cur.x)
		r.split(t.cur.x)
		r.split(t.cur.x + 1)
		r.cells[t.cur.x] = filler
		r.used = max(r.used, edge)
		r.rich = true
		t.wrap()
		edge = t.edge()
	}
	x, end := t.cur.x, t.cur.x+width
	r := t.row()
	r.reach(x)
	if t.modes.Has(ModeInsert) && x >= t.left && x <= t.right {
		t.shift(r, x, width)
		r.wraps = false
	}
	r.split(x)
	r.split(end)
	r.cells[x] = ink | what
	if width == 2 {
		r.cells[x] |= wide
		r.cells[x+1] = ink | tail
		r.mixed = true
	}
	if ink != 0 || what >= utf8.RuneSelf {
		r.rich = true
	}
	r.used = max(r.used, end)
	if end == edge {
		t.cur.x = edge - 1
		t.cur.pending = true
		if edge == t.cols {
			r.wraps = false
		}
		return true
	}
	t.cur.x = end
	return true
}

// before returns the row and column of the character before the cursor, if there is one.
func (t *Terminal) before() (r *row, x int, ok bool) {
	r, x = t.scr.rows[t.cur.y], t.cur.x
	if !t.cur.pending {
		x--
	}
	if x < 0 || x >= r.used {
		return nil, 0, false
	}
	if r.cells[x]&widthMask == tail {
		x--
	}
	if r.cells[x]&contentMask == 0 {
		return nil, 0, false
	}
	return r, x, true
}

// combine adds a zero-width character to the one before the cursor, or drops it without one.
func (t *Terminal) combine(r rune) {
	row, x, ok := t.before()
	if !ok {
		return
	}
	t.addTo(row, x, r)
	if r == charclass.VS16 && t.modes.Has(ModeGraphemes) && t.last != 0 {
		t.widen(row, x)
	}
	if t.last != 0 {
		t.last = r
	}
}

func (t *Terminal) addTo(row *row, x int, r rune) {
	if len(t.clusters.texts) >= t.clusters.sweepAt && t.clusters.sweepAt > 0 {
		t.sweepClusters()
	}
	c := row.cells[x]
	row.cells[x] = c&^contentMask | t.clusters.join(c&contentMask, r)
	row.rich = true
	row.stamp, t.dirty = t.stamp, true
}

// join adds r to the character before the cursor if both belong to one grapheme cluster, and
// reports whether it did.
func (t *Terminal) join(r rune, c charclass.Class) bool {
	row, x, ok := t.before()
	if !ok {
		return false
	}
	what := row.cells[x] & contentMask
	switch {
	case c&charclass.Regional != 0:
		// Only with a single letter: two are a flag, and a third begins another.
		ok = what&clusterFlag == 0 && charclass.Of(t.last)&charclass.Regional != 0
	case c&charclass.Tone != 0:
		ok = (t.last == charclass.VS16 || charclass.Of(t.last)&charclass.Picture != 0) && charclass.Of(t.clusters.base(what))&charclass.Picture != 0
	default:
		ok = t.last == charclass.ZWJ && charclass.Of(t.clusters.base(what))&charclass.Picture != 0
	}
	if !ok {
		return false
	}
	t.addTo(row, x, r)
	if c&charclass.Width == 2 && row.cells[x]&widthMask == 0 {
		t.widen(row, x)
	}
	return true
}

// widen gives the narrow emoji at column x, before the cursor, a second column. In the last column
// the emoji moves to the next line.
func (t *Terminal) widen(row *row, x int) {
	c := row.cells[x]
	if c&widthMask != 0 || c&clusterFlag == 0 || !charclass.Widens(t.clusters.base(c&contentMask)) {
		return
	}
	if t.cur.pending {
		if !t.modes.Has(ModeWrap) || t.edge()-t.start() < 2 {
			return
		}
		row.cells[x] = filler
	} else {
		row.cells[x] = c & penMask
		t.cur.x = x
	}
	// The emoji keeps the pen it was printed with.
	ink := t.inkNow()
	t.ink = c & penMask
	t.put(c&contentMask, 2)
	t.ink = ink
}

// repeat is REP: it prints the character before the cursor again, at most a screenful of times:
// more would look the same.
func (t *Terminal) repeat() {
	if t.last == 0 {
		return
	}
	r := t.last
	n := min(t.param(0, 1), t.cols*t.rows)
	if r < 0x80 && t.direct {
		var text [64]byte
		for i := range text {
			text[i] = byte(r)
		}
		for n > 0 {
			n -= t.printASCII(text[:min(n, len(text))])
		}
		return
	}
	row, x, ok := t.before()
	if !ok {
		return
	}
	c := row.cells[x]
	for range n {
		t.put(c&contentMask, 1+int(c&wide/wide))
	}
}
