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
		id, kind := c.pen(), kindOf(c)
		n, end := t.runLength(cells, i)
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
			for _, c := range cells[i:end] {
				b = append(b, byte(max(c&contentMask, ' ')))
			}
		case runNarrow:
			for _, c := range cells[i:end] {
				b = utf8.AppendRune(b, rune(c&contentMask))
			}
		case runWide:
			for ; i < end; i += 2 {
				b = utf8.AppendRune(b, rune(cells[i]&contentMask))
			}
		default:
			b = t.clusters.append(b, c&contentMask)
		}
		i = end
	}
	return b
}

// runLength returns the count of the run that begins at cells[i], as its head
// has it, and the cell after it. Cells of a run have all bits but those of their
// character in common.
func (t *Terminal) runLength(cells []cell, i int) (n, end int) {
	const (
		ascii  = 0x7F
		common = penMask | widthMask | clusterFlag
	)
	first := cells[i]
	end = i
	switch kindOf(first) {
	case runASCII:
		for end < len(cells) && (cells[end]^first)&^ascii == 0 {
			end++
		}
		return end - i, end
	case runNarrow:
		for end < len(cells) && (cells[end]^first)&common == 0 && cells[end]&contentMask > ascii {
			end++
		}
		return end - i, end
	case runWide:
		for end < len(cells) && (cells[end]^first)&common == 0 {
			end += 2
		}
		return (end - i) / 2, end
	case runCluster:
		end = i + 1
	case runWideCluster:
		end = i + 2
	}
	return len(t.clusters.texts[first&contentMask&^clusterFlag]), end
}

// kindOf returns the kind of run to which a cell belongs that is no tail.
func kindOf(c cell) runKind {
	content := c & contentMask
	switch {
	case content < 0x80 && c&widthMask == 0:
		return runASCII
	case content&clusterFlag != 0:
		if c&widthMask == wide {
			return runWideCluster
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
