package cells

import (
	"slices"
	"strings"
	"unicode"

	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// A Row is one row of a picture, like a line of a terminal. It is immutable, and does not wrap.
// Columns to the right of its text are blank. A row that was painted has single size.
type Row struct{ vt.Line }

// FromLine converts a line of a terminal to a Row, which shares the line's memory.
func FromLine(l vt.Line) Row {
	l.Wraps = false
	r := Row{l}
	if l.Sizes == nil {
		return r
	}
	for w := r.Walk(); w.Next(); {
		if w.Width == 1 && len(w.Text) > 2 && narrowed(w.Text) != w.Text {
			return r.narrowed()
		}
	}
	return r
}

// narrowed returns r with the text of its narrow cells replaced by text that is narrow everywhere.
func (r Row) narrowed() Row {
	var b builder
	b.reset()
	for w := r.Walk(); w.Next(); {
		c := w.Cell
		if c.Width == 1 {
			c.Text = narrowed(c.Text)
		}
		b.add(&c)
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

// Equal reports whether two rows have the same text in the same cells, spans and size. Rows that
// look alike may still be unequal: in their division into spans, or in trailing blanks.
func (r Row) Equal(o Row) bool {
	return r.Text == o.Text && r.Size == o.Size && slices.Equal(r.Sizes, o.Sizes) && (shared(r.Spans, o.Spans) || slices.Equal(r.Spans, o.Spans))
}

// shared reports whether two lists are the same memory, as they are for unchanged rows.
func shared(a, b []vt.Span) bool {
	return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0]
}

// Restyled returns r with each style s replaced by f(s).
func (r Row) Restyled(f func(sgr.Style) sgr.Style) Row {
	if r.Text == "" {
		return r
	}
	if r.Spans == nil {
		if s := f(sgr.Style{}); s != (sgr.Style{}) {
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
