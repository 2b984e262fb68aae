package vt

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"ui-mcp/internal/term/scrollback"
)

// pack returns r as a packed line, in memory that the next call reuses.
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
	flags := scrollback.Plain | byte(r.size)<<scrollback.SizeShift
	if r.wraps {
		flags |= scrollback.Wraps
	}
	n := r.used
	for n > 0 && (r.cells[n-1] == 0 || !r.wraps && r.cells[n-1] == ' ') {
		n--
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

func (t *Terminal) packRich(b []byte, r *row) []byte {
	cells := r.cells[:r.used]
	for n := len(cells); n > 0; n-- {
		c := cells[n-1]
		if c&widthMask == filler || c == 0 || !r.wraps && c == ' ' {
			cells = cells[:n-1]
			continue
		}
		break
	}
	flags := byte(r.size) << scrollback.SizeShift
	if r.wraps {
		flags |= scrollback.Wraps
	}
	b = append(b, flags)
	var ink cell // of the preceding text
	mark := scrollback.Text
	for i := 0; i < len(cells); {
		c := cells[i]
		kind := markOf(c)
		switch {
		case c&penMask != ink:
			ink = c & penMask
			b = append(b, scrollback.Mark|byte(kind)<<1|scrollback.WithStyle)
			if p := &t.pens.pens[c.pen()]; p.size > 0 {
				b = append(b, p.packed[:]...)
				b = b[:len(b)-maxPackedPen+int(p.size)]
			} else {
				b = scrollback.AppendPen(b, p.Pen)
			}
		case kind != mark || kind >= scrollback.Cluster:
			b = append(b, scrollback.Mark|byte(kind)<<1)
		}
		mark = kind
		if kind >= scrollback.Cluster {
			b = append(b, t.clusters.texts[uint32(c)]...)
			i += 1 + int(c&wide/wide)
			continue
		}
		b = slices.Grow(b, (len(cells)-i+1)*utf8.UTFMax)
		next, n := packText(b[len(b):cap(b)], cells, i)
		b, i = b[:len(b)+n], next
	}
	return b
}

// packText writes the code points of cell i and of those after it with the same pen and mark. It
// returns the index of the cell after them and the number of bytes written. text must have room for
// one code point more than there are cells.
func packText(text []byte, cells []cell, i int) (next, size int) {
	const same = penMask | clusterFlag | forcedFlag
	first := cells[i]
	for i < len(cells) {
		c := cells[i]
		if (c^first)&same != 0 {
			break
		}
		if uint32(c) < utf8.RuneSelf { // empty cells and fillers followed by text become spaces
			text[size] = byte(max(uint32(c), ' '))
			size++
			i++
			continue
		}
		binary.LittleEndian.PutUint32(text[size:], uint32(c))
		size += c.utf8Size()
		i += 1 + int(c&wide/wide)
	}
	return i, size
}

// markOf returns the mark for the text of a cell, which must not be a tail.
func markOf(c cell) scrollback.Kind {
	switch {
	case c&clusterFlag != 0:
		return scrollback.Cluster + scrollback.Kind(c&wide/wide)
	case c&forcedFlag != 0:
		return scrollback.Narrow
	}
	return scrollback.Text
}

// unpack replaces the contents of a row by as much of a packed line as fits.
func (t *Terminal) unpack(r *row, packed []byte) {
	r.clear(0)
	r.wraps = packed[0]&scrollback.Wraps != 0
	r.size = LineSize(packed[0] >> scrollback.SizeShift)
	runs := scrollback.Read(packed)
	x := 0
	for runs.Next() {
		run := &runs.Run
		ink := inked(t.pens.intern(run.Pen))
		if !run.ASCII || ink != 0 {
			r.rich = true
		}
		step := run.Width
		for len(run.Text) > 0 && x+step <= len(r.cells) {
			size := run.CellSize()
			what := t.clusters.intern(string(run.Text[:size]))
			if run.Kind == scrollback.Narrow {
				what |= forcedFlag
			}
			run.Text = run.Text[size:]
			r.cells[x] = ink | what
			if step == 2 {
				r.cells[x] |= wide
				r.cells[x+1] = ink | tail
				r.mixed = true
			}
			x += step
		}
	}
	if r.wraps && x == len(r.cells)-1 {
		r.cells[x] = filler // as if the wide character that follows had been printed here
		r.rich = true
		x++
	}
	r.used = x
}
