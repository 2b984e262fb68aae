package vt

import (
	"encoding/binary"
	"unicode/utf8"
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

// A markKind is the kind of text after a mark.
type markKind uint8

const (
	markText        markKind = iota // code points, each with the width of its class
	markNarrow                      // code points, each one column
	markCluster                     // one cluster, one column
	markWideCluster                 // one cluster, two columns
)

// A runKind is the kind of text in a run.
type runKind uint8

const (
	runASCII       runKind = iota // n bytes, each one column
	runNarrow                     // n code points, each one column
	runWide                       // n code points, each two columns
	runForced                     // n code points, each one column, although its class says two
	runCluster                    // one cluster of n bytes, one column
	runWideCluster                // one cluster of n bytes, two columns
)

// mark returns the mark for the text of a run of this kind.
func (k runKind) mark() markKind {
	switch k {
	case runForced:
		return markNarrow
	case runCluster:
		return markCluster
	case runWideCluster:
		return markWideCluster
	default:
		return markText
	}
}

// A run is a sequence of cells of one kind and style in a packed line.
type run struct {
	kind runKind
	n    int // number of bytes or code points: see runKind
	pen  pen
	text []byte
}

// columns returns the width of r in columns.
func (r *run) columns() int {
	switch r.kind {
	case runASCII, runNarrow, runForced:
		return r.n
	case runWide:
		return 2 * r.n
	case runCluster:
		return 1
	default:
		return 2
	}
}

// cellWidth returns the width of each cell of r.
func (r *run) cellWidth() int {
	if r.kind == runWide || r.kind == runWideCluster {
		return 2
	}
	return 1
}

// cellSize returns the length in bytes of the first cell of r.
func (r *run) cellSize() int {
	switch r.kind {
	case runASCII:
		return 1
	case runNarrow, runWide, runForced:
		_, n := utf8.DecodeRune(r.text)
		return n
	default:
		return len(r.text)
	}
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

// add appends the text of cells of one kind and style. Clusters must be added one at a time.
func (p *packer) add(kind runKind, style pen, text []byte) {
	mark := kind.mark()
	switch {
	case style != p.pen:
		p.line = appendPen(append(p.line, firstMark|byte(mark)<<1|markStyle), style)
	case mark != p.mark || mark >= markCluster:
		p.line = append(p.line, firstMark|byte(mark)<<1)
	}
	p.pen, p.mark = style, mark
	p.plain = p.plain && kind == runASCII && style == pen{}
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

// A runReader decodes a packed line. The bytes must not change meanwhile.
type runReader struct {
	rest  []byte
	plain bool
	mark  markKind // of the next text
	run   run
}

// readRuns returns a reader before the first run of a packed line.
func readRuns(packed []byte) runReader {
	return runReader{rest: packed[1:], plain: packed[0]&packedPlain != 0}
}

// next advances to the next run and reports whether there is one.
func (r *runReader) next() bool {
	if len(r.rest) == 0 {
		return false
	}
	if r.plain {
		r.take(runASCII, len(r.rest), len(r.rest))
		return true
	}
	if mark := r.rest[0]; mark >= firstMark {
		r.rest = r.rest[1:]
		r.mark = markKind(mark >> 1 & 3)
		if mark&markStyle != 0 {
			r.run.pen = r.pen()
		}
	}
	switch r.mark {
	case markNarrow:
		n, size := r.codePoints(nil)
		r.take(runForced, n, size)
	case markText:
		r.text()
	default:
		size := r.unmarked()
		r.take(runCluster+runKind(r.mark-markCluster), size, size)
	}
	return true
}

// text takes the longest prefix of one kind as the run.
func (r *runReader) text() {
	size := 0
	for size < len(r.rest) && r.rest[size] < utf8.RuneSelf {
		size++
	}
	if size > 0 {
		r.take(runASCII, size, size)
		return
	}
	first, _ := utf8.DecodeRune(r.rest)
	width := classOf(first) & classWidth
	n, size := r.codePoints(func(c rune) bool { return classOf(c)&classWidth == width })
	if width == 2 {
		r.take(runWide, n, size)
	} else {
		r.take(runNarrow, n, size)
	}
}

// codePoints returns the number and the size in bytes of the next code points beyond ASCII, up to
// the first one that does not satisfy like, which may be nil.
func (r *runReader) codePoints(like func(rune) bool) (n, size int) {
	for size < len(r.rest) && r.rest[size] >= utf8.RuneSelf && r.rest[size] < firstMark {
		c, k := utf8.DecodeRune(r.rest[size:])
		if like != nil && !like(c) {
			break
		}
		n, size = n+1, size+k
	}
	return n, size
}

// unmarked returns the number of bytes before the next mark.
func (r *runReader) unmarked() int {
	for i, c := range r.rest {
		if c >= firstMark {
			return i
		}
	}
	return len(r.rest)
}

// take makes the next size bytes the run.
func (r *runReader) take(kind runKind, n, size int) {
	r.run.kind, r.run.n = kind, n
	r.run.text, r.rest = r.rest[:size], r.rest[size:]
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
