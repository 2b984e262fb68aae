package vt

import (
	"encoding/binary"
	"unicode/utf8"
)

// A packed line is a row as bytes, which stand for themselves: they need none of
// the terminal's tables but that of links. The first byte has flags; with
// packedPlain the rest is ASCII text in the default style. Otherwise runs
// follow:
//
//	head  uvarint: count<<4 | kind<<1 | 1 if a style follows
//	style of this run and of those after it, as appendPen writes it
//	text
//
// What is empty is packed as spaces, and empty columns at the end are left out.
const (
	packedPlain byte = 1 << iota
	packedWraps
)

// A runKind says what the text of a run is.
type runKind uint8

const (
	runASCII       runKind = iota // count bytes, each one column
	runNarrow                     // count code points, each one column
	runWide                       // count code points, each two columns
	runCluster                    // one cluster of count bytes, one column
	runWideCluster                // one cluster of count bytes, two columns
)

// A run is cells of one kind and style, in a packed line.
type run struct {
	kind runKind
	n    int // of bytes, code points, or bytes: see runKind
	pen  pen
	text []byte
}

// columns returns how many columns r takes.
func (r *run) columns() int {
	switch r.kind {
	case runASCII, runNarrow:
		return r.n
	case runWide:
		return 2 * r.n
	case runCluster:
		return 1
	default:
		return 2
	}
}

// cellWidth returns how many columns each cell of r takes.
func (r *run) cellWidth() int {
	if r.kind == runWide || r.kind == runWideCluster {
		return 2
	}
	return 1
}

// cellSize returns how many bytes of text the first cell of r has.
func (r *run) cellSize() int {
	switch r.kind {
	case runASCII:
		return 1
	case runNarrow, runWide:
		_, n := utf8.DecodeRune(r.text)
		return n
	default:
		return len(r.text)
	}
}

// appendRun appends r in packed form. before is the pen of the run before it.
func appendRun(b []byte, r *run, before pen) []byte {
	head := uint64(r.n)<<4 | uint64(r.kind)<<1
	if r.pen != before {
		b = appendPen(binary.AppendUvarint(b, head|1), r.pen)
	} else {
		b = binary.AppendUvarint(b, head)
	}
	return append(b, r.text...)
}

// The parts of a packed pen that follow its first byte.
const (
	penHasFG byte = 1 << iota
	penHasBG
	penHasUnderlineColor
	penHasAttr
	penHasLink
)

func appendPen(b []byte, p pen) []byte {
	at := len(b)
	b = append(b, 0)
	for i, c := range [...]Color{p.FG, p.BG, p.UnderlineColor} {
		if c == 0 {
			continue
		}
		b[at] |= penHasFG << i
		if index, ok := c.Index(); ok {
			b = binary.AppendUvarint(b, uint64(index)<<1)
		} else {
			b = append(b, 1, byte(c>>16), byte(c>>8), byte(c))
		}
	}
	if p.Attr != 0 {
		b[at] |= penHasAttr
		b = binary.AppendUvarint(b, uint64(p.Attr))
	}
	if p.link != 0 {
		b[at] |= penHasLink
		b = binary.AppendUvarint(b, uint64(p.link))
	}
	return b
}

// A runReader takes a packed line apart. The bytes must not change meanwhile.
type runReader struct {
	rest  []byte
	plain bool
	run   run
}

// readRuns returns a reader before the first run of a packed line.
func readRuns(packed []byte) runReader {
	return runReader{rest: packed[1:], plain: packed[0]&packedPlain != 0}
}

// next goes to the next run and reports whether there is one.
func (r *runReader) next() bool {
	if len(r.rest) == 0 {
		return false
	}
	if r.plain {
		r.run = run{kind: runASCII, n: len(r.rest), text: r.rest}
		r.rest = nil
		return true
	}
	head := r.uvarint()
	r.run.n = int(head >> 4)
	r.run.kind = runKind(head >> 1 & 7)
	if head&1 != 0 {
		r.run.pen = r.pen()
	}
	size := r.run.n
	if r.run.kind == runNarrow || r.run.kind == runWide {
		size = 0
		for range r.run.n {
			_, n := utf8.DecodeRune(r.rest[size:])
			size += n
		}
	}
	r.run.text, r.rest = r.rest[:size], r.rest[size:]
	return true
}

func (r *runReader) uvarint() uint64 {
	if r.rest[0] < 0x80 { // nearly always
		v := r.rest[0]
		r.rest = r.rest[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.rest)
	r.rest = r.rest[n:]
	return v
}

func (r *runReader) pen() pen {
	has := r.rest[0]
	r.rest = r.rest[1:]
	var p pen
	for i, c := range [...]*Color{&p.FG, &p.BG, &p.UnderlineColor} {
		if has&(penHasFG<<i) == 0 {
			continue
		}
		if v := r.uvarint(); v&1 == 0 {
			*c = Indexed(uint8(v >> 1))
		} else {
			*c = RGB(r.rest[0], r.rest[1], r.rest[2])
			r.rest = r.rest[3:]
		}
	}
	if has&penHasAttr != 0 {
		p.Attr = Attr(r.uvarint())
	}
	if has&penHasLink != 0 {
		p.link = linkID(r.uvarint())
	}
	return p
}
