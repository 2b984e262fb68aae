package scrollback

import (
	"encoding/binary"
	"unicode/utf8"

	"ui-mcp/internal/term/charclass"
	"ui-mcp/internal/term/sgr"
)

// A packed line is a row encoded as bytes, independent of the terminal's tables except for that of
// links. The first byte has flags. With Plain, the rest is ASCII text in the default style.
// Otherwise it is UTF-8 text, in which bytes that never occur in UTF-8 are marks:
//
//	mark  0xF8 | kind<<1 | 1 if a style follows
//	style of the text from here on, as [AppendPen] writes it
//
// A mark applies to the text up to the next mark. The text before the first mark is Text in the
// default style. Empty cells are packed as spaces, and trailing empty columns are left out.
const (
	Plain byte = 1 << iota
	Wraps      // the text continues in the next line

	SizeShift = 2 // the lowest bit of the line's size
)

const (
	Mark      byte = 0xF8
	WithStyle byte = 1 // a style follows the mark
)

// A Kind is how the text after a mark is divided into cells.
type Kind uint8

const (
	Text        Kind = iota // code points, each with the width of its class
	Narrow                  // code points, each one column
	Cluster                 // one cluster, one column
	WideCluster             // one cluster, two columns
)

// A Run is cells of one kind, width and style in a packed line: code points, or one cluster.
type Run struct {
	Kind  Kind
	ASCII bool // code points of one byte each
	N     int  // number of cells
	Width int  // of each, in columns
	Pen   Pen
	Text  []byte
}

// CellSize returns the length in bytes of the first cell of r.
func (r *Run) CellSize() int {
	switch {
	case r.ASCII:
		return 1
	case r.Kind >= Cluster:
		return len(r.Text)
	}
	_, n := utf8.DecodeRune(r.Text)
	return n
}

// SizeOf returns the length in bytes of the first n cells of r.
func (r *Run) SizeOf(n int) int {
	if r.ASCII {
		return n
	}
	rest := *r
	for range n {
		rest.Text = rest.Text[rest.CellSize():]
	}
	return len(r.Text) - len(rest.Text)
}

// A Packer writes a packed line run by run.
type Packer struct {
	line  []byte // the flags are set at the end
	pen   Pen    // of the preceding text
	mark  Kind
	plain bool // all text is ASCII in the default style
}

// Begin starts a line, in the memory of the previous one.
func (p *Packer) Begin() {
	*p = Packer{line: append(p.line[:0], 0), plain: true}
}

// Add appends some of the text of a run. Clusters must be added whole.
func (p *Packer) Add(r *Run, text []byte) {
	switch {
	case r.Pen != p.pen:
		p.line = AppendPen(append(p.line, Mark|byte(r.Kind)<<1|WithStyle), r.Pen)
	case r.Kind != p.mark || r.Kind >= Cluster:
		p.line = append(p.line, Mark|byte(r.Kind)<<1)
	}
	p.pen, p.mark = r.Pen, r.Kind
	p.plain = p.plain && r.ASCII && r.Pen == Pen{}
	p.line = append(p.line, text...)
}

// End returns the line, which is valid until the next call of Begin.
func (p *Packer) End(wraps bool) []byte {
	if p.plain {
		p.line[0] = Plain
	}
	if wraps {
		p.line[0] |= Wraps
	}
	return p.line
}

// A LinkID numbers a hyperlink, from 1 since the terminal was created; 0 means no link.
type LinkID uint32

// A Pen is how a cell looks.
type Pen struct {
	sgr.Style
	Link LinkID
}

// Public returns what of a pen others see.
func (p Pen) Public() sgr.Style {
	p.Attr &^= sgr.Protected
	return p.Style
}

// The bits of a packed pen's first byte say which parts follow it.
const (
	penHasFG byte = 1 << iota
	penHasBG
	penHasUnderlineColor
	penHasAttr
	penHasLink
)

// AppendPen appends a pen to a packed line.
func AppendPen(b []byte, p Pen) []byte {
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
	if p.Link != 0 {
		b[at] |= penHasLink
		b = binary.AppendUvarint(b, uint64(p.Link))
	}
	return b
}

// A Reader decodes a packed line. The bytes must not change meanwhile.
type runReader struct {
	rest []byte
	Run  Run
}

// Read returns a reader before the first run of a packed line.
func Read(packed []byte) runReader { return runReader{rest: packed[1:]} }

// Next advances to the next run and reports whether there is one.
func (r *runReader) Next() bool {
	if len(r.rest) == 0 {
		return false
	}
	if mark := r.rest[0]; mark >= Mark {
		r.rest = r.rest[1:]
		r.Run.Kind = Kind(mark >> 1 & 3)
		if mark&WithStyle != 0 {
			r.Run.Pen = r.pen()
		}
	}
	u := &r.Run
	u.ASCII, u.Width = false, 1
	switch {
	case u.Kind >= Cluster:
		r.take(1, r.before(Mark))
		u.Width = int(u.Kind-Cluster) + 1
	case u.Kind == Text && r.rest[0] < utf8.RuneSelf:
		size := r.before(utf8.RuneSelf)
		r.take(size, size)
		u.ASCII = true
	case u.Kind == Text:
		first, _ := utf8.DecodeRune(r.rest)
		width := charclass.Of(first) & charclass.Width
		r.take(r.codePoints(func(c rune) bool { return charclass.Of(c)&charclass.Width == width }))
		u.Width = max(int(width), 1)
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
	for size < len(r.rest) && r.rest[size] >= utf8.RuneSelf && r.rest[size] < Mark {
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
	r.Run.N, r.Run.Text, r.rest = n, r.rest[:size], r.rest[size:]
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

func (r *runReader) pen() Pen {
	has := r.rest[0]
	r.rest = r.rest[1:]
	var p Pen
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
		p.Link = LinkID(r.uvarint())
	}
	return p
}
