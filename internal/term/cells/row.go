package cells

import (
	"slices"
	"strings"
	"unicode"

	"ui-mcp/internal/term/vt"
)

// A Row is one row of a picture. It is immutable. The columns to the right of its text are blank,
// in the default style.
type Row struct {
	Text string
	// Spans are the styles of the text, in order, without gaps. Nil means that all of it is in the
	// default style, without links.
	Spans []vt.Span
	// Size is how large the characters are drawn. Only the first half of the columns of a row of
	// double width is visible. A row that was painted has single size.
	Size vt.LineSize

	// sizes has a byte for each cell: the length of its text in bytes, plus wideCell if it takes
	// two columns. Nil means that each cell has one byte and one column.
	sizes []byte
}

const wideCell = 0x80

// FromLine converts a line of a terminal to a Row, which shares the line's memory.
func FromLine(l vt.Line) Row {
	r := Row{Text: l.Text, Spans: l.Spans, Size: l.Size}
	if isASCII(l.Text) {
		return r
	}
	r.sizes = make([]byte, 0, len(l.Text))
	odd := false
	for c := range l.Cells() {
		size := byte(len(c.Text))
		if c.Width == 2 {
			size |= wideCell
		} else {
			odd = odd || size > 2 && narrowed(c.Text) != c.Text
		}
		r.sizes = append(r.sizes, size)
	}
	if odd {
		return r.narrowed()
	}
	return r
}

// narrowed returns r with the text of its narrow cells replaced by text that is narrow everywhere.
func (r Row) narrowed() Row {
	var b builder
	b.reset()
	for w := r.Walk(); w.Next(); {
		text := w.Text
		if w.Width == 1 {
			text = narrowed(text)
		}
		b.add(text, w.Width, w.Style, w.Link)
	}
	out := b.row()
	out.Size = r.Size
	return out
}

// narrowed returns text for a narrow cell that any terminal draws one column wide. The text of a
// narrow cell may be wide elsewhere, if the program counts code points (mode 2027 is off) or if
// there was no second column. Half of a flag becomes its letter, VARIATION SELECTOR-16, which asks
// for a wide form, is dropped, and a joined emoji is cut to its first part.
func narrowed(text string) string {
	const (
		regionalA, regionalZ = 0x1F1E6, 0x1F1FF
		toneFirst, toneLast  = 0x1F3FB, 0x1F3FF
		joiner, variation16  = 0x200D, 0xFE0F
	)
	var b strings.Builder
	before := rune(0)
	for i, r := range text {
		if i > 0 && (r >= toneFirst && r <= toneLast || before == joiner && !unicode.In(r, unicode.M, unicode.Cf)) {
			break
		}
		before = r
		switch {
		case r >= regionalA && r <= regionalZ:
			b.WriteRune('A' + r - regionalA)
		case r != variation16:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Columns returns the width of the text in columns.
func (r Row) Columns() int {
	if r.sizes == nil {
		return len(r.Text)
	}
	n := len(r.sizes)
	for _, s := range r.sizes {
		n += int(s >> 7)
	}
	return n
}

// Plain returns the text without trailing blanks.
func (r Row) Plain() string { return strings.TrimRight(r.Text, " ") }

// Equal reports whether two rows have the same text in the same cells, spans and size. Rows that
// look alike may still be unequal: in their division into spans, or in trailing blanks.
func (r Row) Equal(o Row) bool {
	return r.Text == o.Text && r.Size == o.Size && slices.Equal(r.sizes, o.sizes) && (shared(r.Spans, o.Spans) || slices.Equal(r.Spans, o.Spans))
}

// shared reports whether two lists are the same memory, as they are for unchanged rows.
func shared(a, b []vt.Span) bool {
	return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0]
}

// A Walker visits the cells of a row from left to right.
type Walker struct {
	vt.Cell // the current cell; blank after the last one

	row    Row
	at     int // offset of the next cell in the text
	cell   int // number of the next cell
	span   int
	inSpan int // offset up to which Style and Link are valid
}

// Walk returns a walker before the first cell.
func (r Row) Walk() Walker { return Walker{row: r} }

// Next advances to the next cell, and reports whether there is one. After the last one, Col is the
// column after the text.
func (w *Walker) Next() bool {
	w.Col += w.Width
	if w.at == len(w.row.Text) {
		w.Cell = vt.Cell{Col: w.Col}
		return false
	}
	size := 1
	w.Width = 1
	if w.row.sizes != nil {
		s := w.row.sizes[w.cell]
		size = int(s &^ wideCell)
		w.Width += int(s >> 7)
	}
	if w.at >= w.inSpan {
		w.nextSpan()
	}
	w.Text = w.row.Text[w.at : w.at+size]
	w.at += size
	w.cell++
	return true
}

func (w *Walker) nextSpan() {
	if w.span == len(w.row.Spans) {
		w.Style, w.Link, w.inSpan = vt.Style{}, "", len(w.row.Text)
		return
	}
	s := &w.row.Spans[w.span]
	w.span++
	w.Style, w.Link, w.inSpan = s.Style, s.Link, s.End
}

// Restyled returns r with each style s replaced by f(s).
func (r Row) Restyled(f func(vt.Style) vt.Style) Row {
	if r.Text == "" {
		return r
	}
	if r.Spans == nil {
		if s := f(vt.Style{}); s != (vt.Style{}) {
			r.Spans = []vt.Span{{End: len(r.Text), Style: s}}
		}
		return r
	}
	r.Spans = slices.Clone(r.Spans)
	for i := range r.Spans {
		r.Spans[i].Style = f(r.Spans[i].Style)
	}
	return r
}
