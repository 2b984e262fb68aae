package vt

import (
	"slices"
	"unicode/utf8"
)

// pack returns r as a packed line, in memory that the next call uses again.
func (t *Terminal) pack(r *row) []byte {
	b := t.packing[:0]
	if !r.rich {
		b = packPlain(b, r)
	} else {
		b = t.packRich(b, r)
	}
	t.packing = b
	return b
}

// packPlain packs a row of ASCII in the default style.
func packPlain(b []byte, r *row) []byte {
	flags := packedPlain
	if r.wraps {
		flags |= packedWraps
	}
	n := r.used
	if !r.wraps {
		for n > 0 && (r.cells[n-1] == 0 || r.cells[n-1] == ' ') {
			n--
		}
	}
	if cap(b) < n+1 {
		b = make([]byte, 0, 2*n+64)
	}
	b = append(b, flags)
	text := b[1 : n+1]
	for i, c := range r.cells[:n] {
		if c == 0 {
			c = ' '
		}
		text[i] = byte(c)
	}
	return b[:n+1]
}

// packRich packs any row.
func (t *Terminal) packRich(b []byte, r *row) []byte {
	cells := r.cells[:r.used]
	for n := len(cells); n > 0; n-- {
		c := cells[n-1]
		if c&widthMask == filler || !r.wraps && (c == 0 || c == ' ') {
			cells = cells[:n-1]
			continue
		}
		break
	}
	// Room for all but clusters and styles, so that the rest need not look.
	if need := 1 + len(cells)*(utf8.UTFMax+1); cap(b) < need {
		b = make([]byte, 0, need)
	}
	var flags byte
	if r.wraps {
		flags = packedWraps
	}
	b = append(b, flags)
	var ink cell // of the text before
	mark := markText
	for i := 0; i < len(cells); {
		c := cells[i]
		kind := markOf(c)
		switch {
		case c&penMask != ink:
			ink = c & penMask
			b = append(b, firstMark|byte(kind)<<1|markStyle)
			b = append(b, t.pens.packed[c.pen()]...)
		case kind != mark || kind >= markCluster:
			b = append(b, firstMark|byte(kind)<<1)
		}
		mark = kind
		if kind >= markCluster {
			b = append(b, t.clusters.texts[c&contentMask&^clusterFlag]...)
			i += 1 + int(c&wide/wide)
			continue
		}
		b = slices.Grow(b, (len(cells)-i)*(utf8.UTFMax+1))
		text := b[len(b):cap(b)]
		n := 0
		if kind == markNarrow {
			n = utf8.EncodeRune(text, rune(c&contentMask))
			i++
		} else {
			i, n = packText(text, cells, i)
		}
		b = b[:len(b)+n]
	}
	return b
}

// packText writes the cells from i on that are markText and have the pen of the
// first, and returns the cell after them and how many bytes they took.
func packText(text []byte, cells []cell, i int) (next, size int) {
	ink := cells[i] & penMask
	n := 0
	for i < len(cells) {
		c := cells[i]
		if c&^contentMask == ink && c&contentMask < utf8.RuneSelf { // nearly always
			text[n] = byte(max(c&contentMask, ' '))
			n++
			i++
			continue
		}
		if c&penMask != ink || markOf(c) != markText {
			break
		}
		r := uint32(c & contentMask)
		switch {
		case r < 0x80: // a filler that text was written behind is a space
			text[n] = ' '
			n++
		case r < 0x800:
			p := text[n : n+2]
			p[0], p[1] = 0xC0|byte(r>>6), 0x80|byte(r&0x3F)
			n += 2
		case r < 0x10000:
			p := text[n : n+3]
			p[0], p[1], p[2] = 0xE0|byte(r>>12), 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F)
			n += 3
		default:
			p := text[n : n+4]
			p[0], p[1], p[2], p[3] = 0xF0|byte(r>>18), 0x80|byte(r>>12&0x3F), 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F)
			n += 4
		}
		i++
		if c&widthMask == wide {
			i++
		}
	}
	return i, n
}

// markOf returns how the text of a cell, which is no tail, is marked. The width of
// a code point is that of its class, but for half a flag where clusters are off.
func markOf(c cell) markKind {
	switch {
	case c&clusterFlag != 0:
		return markCluster + markKind(c&wide/wide)
	case c&widthMask == 0 && c&contentMask >= firstRegional && c&contentMask <= lastRegional:
		return markNarrow
	}
	return markText
}

// unpack fills a row with a packed line, of which it shows what fits.
func (t *Terminal) unpack(r *row, packed []byte) {
	r.clear(0)
	r.wraps = packed[0]&packedWraps != 0
	runs := readRuns(packed)
	x := 0
	for runs.next() {
		run := &runs.run
		ink := inked(t.pens.intern(run.pen))
		if run.kind != runASCII || ink != 0 {
			r.rich = true
		}
		step := run.cellWidth()
		for len(run.text) > 0 && x+step <= len(r.cells) {
			size := run.cellSize()
			content := t.clusters.intern(string(run.text[:size]))
			run.text = run.text[size:]
			r.cells[x] = ink | content
			if step == 2 {
				r.cells[x] |= wide
				r.cells[x+1] = ink | tail
				r.mixed = true
			}
			x += step
		}
	}
	r.used = x
}
