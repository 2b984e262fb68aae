package vt

import (
	"encoding/binary"
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
	var flags byte
	if r.wraps {
		flags = packedWraps
	}
	b = append(b, flags)
	cells := r.cells[:r.used]
	for n := len(cells); n > 0; n-- {
		c := cells[n-1]
		if c&widthMask == filler || !r.wraps && (c == 0 || c == ' ') {
			cells = cells[:n-1]
			continue
		}
		break
	}
	var before penID
	for i := 0; i < len(cells); {
		c := cells[i]
		id := c.pen()
		kind := kindOf(c)
		var n, columns int
		switch kind {
		case runCluster, runWideness:
			n = len(t.clusters.texts[c&contentMask&^clusterFlag])
			columns = 1
		default:
			// Cells of the same kind and pen make one run.
			step := 1
			if kind == runWide {
				step = 2
			}
			for j := i; j < len(cells) && cells[j].pen() == id && kindOf(cells[j]) == kind; j += step {
				n++
			}
			columns = n
		}
		head := uint64(n)<<4 | uint64(kind)<<1
		if id != before {
			b = binary.AppendUvarint(b, head|1)
			b = append(b, t.pens.packed[id]...)
			before = id
		} else {
			b = binary.AppendUvarint(b, head)
		}
		switch kind {
		case runASCII:
			for _, c := range cells[i : i+n] {
				ch := byte(c & contentMask)
				if ch == 0 {
					ch = ' '
				}
				b = append(b, ch)
			}
		case runNarrow:
			for _, c := range cells[i : i+n] {
				b = utf8.AppendRune(b, rune(c&contentMask))
			}
		case runWide:
			columns = 2 * n
			for j := i; j < i+columns; j += 2 {
				b = utf8.AppendRune(b, rune(cells[j]&contentMask))
			}
		case runCluster:
			b = t.clusters.append(b, c&contentMask)
		case runWideness:
			columns = 2
			b = t.clusters.append(b, c&contentMask)
		}
		i += columns
	}
	return b
}

// kindOf returns the kind of run to which a cell belongs that is no tail.
func kindOf(c cell) runKind {
	content := c & contentMask
	switch {
	case content < 0x80 && c&widthMask == 0:
		return runASCII
	case content&clusterFlag != 0:
		if c&widthMask == wide {
			return runWideness
		}
		return runCluster
	case c&widthMask == wide:
		return runWide
	case c&widthMask == filler:
		return runASCII // a filler that text was written behind is a space
	}
	return runNarrow
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
