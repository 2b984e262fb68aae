package vt

import (
	"encoding/binary"
	"unicode/utf8"

	"ui-mcp/internal/term/charclass"
	"ui-mcp/internal/term/sgr"
)

// A packed line is a row encoded as bytes, independent of the terminal's tables except for that of
// links. The first byte has flags. With packedPlain, the rest is ASCII text in the default style.
// Otherwise it is UTF-8 text, in which bytes that never occur in UTF-8 are marks:
//
//	mark  0xF8 | kind<<1 | 1 if a style follows
//	style of the text from here on, as appendPen writes it
//
// A mark applies to the text up to the next mark. The text before the first mark is markText in the
// default style. Empty cells are packed as spaces, and trailing empty columns are left out.
const (
	packedPlain byte = 1 << iota
	packedWraps

	packedSize = 2 // the lowest bit of the line's size
)

const (
	firstMark byte = 0xF8
	markStyle byte = 1
)

type markKind uint8

const (
	markText        markKind = iota // code points, each with the width of its class
	markNarrow                      // code points, each one column
	markCluster                     // one cluster, one column
	markWideCluster                 // one cluster, two columns
)

// A run is cells of one kind, width and style in a packed line: code points, or one cluster.
type run struct {
	kind  markKind
	ascii bool // code points of one byte each
	n     int  // number of cells
	width int  // of each, in columns
	pen   pen
	text  []byte
}

// cellSize returns the length in bytes of the first cell of r.
func (r *run) cellSize() int {
	switch {
	case r.ascii:
		return 1
	case r.kind >= markCluster:
		return len(r.text)
	}
	_, n := utf8.DecodeRune(r.text)
	return n
}

// sizeOf returns the length in bytes of the first n cells of r.
func (r *run) sizeOf(n int) int {
	if r.ascii {
		return n
	}
	rest := *r
	for range n {
		rest.text = rest.text[rest.cellSize():]
	}
	return len(r.text) - len(rest.text)
}

// A packer writes a packed line run by run.
type packer struct {
	line  []byte // the flags are set at the end
	pen   pen    // of the preceding text
	mark  markKind
	plain bool // all text is ASCII in the default style
}

// begin starts a line, in the memory of the previous one.
func (p *packer) begin() {
	*p = packer{line: append(p.line[:0], 0), plain: true}
}

// add appends some of the text of a run. Clusters must be added whole.
func (p *packer) add(r *run, text []byte) {
	switch {
	case r.pen != p.pen:
		p.line = appendPen(append(p.line, firstMark|byte(r.kind)<<1|markStyle), r.pen)
	case r.kind != p.mark || r.kind >= markCluster:
		p.line = append(p.line, firstMark|byte(r.kind)<<1)
	}
	p.pen, p.mark = r.pen, r.kind
	p.plain = p.plain && r.ascii && r.pen == pen{}
	p.line = append(p.line, text...)
}

// end returns the line, which is valid until the next call of begin.
func (p *packer) end(wraps bool) []byte {
	if p.plain {
		p.line[0] = packedPlain
	}
	if wraps {
		p.line[0] |= packedWraps
	}
	return p.line
}

// The bits of a packed pen's first byte say which parts follow it.
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
	for i, c := range [...]sgr.Color{p.FG, p.BG, p.UnderlineColor} {
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

// A runReader decodes a packed line. The bytes must not change meanwhile.
type runReader struct {
	rest []byte
	run  run
}

// readRuns returns a reader before the first run of a packed line.
func readRuns(packed []byte) runReader { return runReader{rest: packed[1:]} }

// next advances to the next run and reports whether there is one.
func (r *runReader) next() bool {
	if len(r.rest) == 0 {
		return false
	}
	if mark := r.rest[0]; mark >= firstMark {
		r.rest = r.rest[1:]
		r.run.kind = markKind(mark >> 1 & 3)
		if mark&markStyle != 0 {
			r.run.pen = r.pen()
		}
	}
	u := &r.run
	u.ascii, u.width = false, 1
	switch {
	case u.kind >= markCluster:
		r.take(1, r.before(firstMark))
		u.width = int(u.kind-markCluster) + 1
	case u.kind == markText && r.rest[0] < utf8.RuneSelf:
		size := r.before(utf8.RuneSelf)
		r.take(size, size)
		u.ascii = true
	case u.kind == markText:
		first, _ := utf8.DecodeRune(r.rest)
		width := charclass.Of(first) & charclass.Width
		r.take(r.codePoints(func(c rune) bool { return charclass.Of(c)&charclass.Width == width }))
		u.width = max(int(width), 1)
	default:
		r.take(r.codePoints(func(rune) bool { return true }))
	}
	return true
}

// before returns the number of bytes before the first one that is at least limit.
func (r *runReader) before(limit byte) int {
	for i, c := range r.rest {
		if c >= limit {
			return i
		}
	}
	return len(r.rest)
}

// codePoints returns the number and the size in bytes of the next code points beyond ASCII, up to
// the first one that does not satisfy like.
func (r *runReader) codePoints(like func(rune) bool) (n, size int) {
	for size < len(r.rest) && r.rest[size] >= utf8.RuneSelf && r.rest[size] < firstMark {
		c, k := utf8.DecodeRune(r.rest[size:])
		if !like(c) {
			break
		}
		n, size = n+1, size+k
	}
	return n, size
}

// take makes the next size bytes, which are n cells, the run.
func (r *runReader) take(n, size int) {
	r.run.n, r.run.text, r.rest = n, r.rest[:size], r.rest[size:]
}

func (r *runReader) uvarint() uint64 {
	if r.rest[0] < 0x80 { // usually
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
	for i, c := range [...]*sgr.Color{&p.FG, &p.BG, &p.UnderlineColor} {
		if has&(penHasFG<<i) == 0 {
			continue
		}
		if v := r.uvarint(); v&1 == 0 {
			*c = sgr.Indexed(uint8(v >> 1))
		} else {
			*c = sgr.RGB(r.rest[0], r.rest[1], r.rest[2])
			r.rest = r.rest[3:]
		}
	}
	if has&penHasAttr != 0 {
		p.Attr = sgr.Attr(r.uvarint())
	}
	if has&penHasLink != 0 {
		p.link = linkID(r.uvarint())
	}
	return p
}
