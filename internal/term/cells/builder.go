package cells

import (
	"bytes"
	"cmp"
	"slices"

	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// A builder assembles a row from left to right, in memory that it reuses.
type builder struct {
	text  []byte
	sizes []byte // of all cells, unless simple
	spans []vt.Span
	// simple says that each cell so far has one byte and one column.
	simple bool
}

func (b *builder) reset() {
	*b = builder{text: b.text[:0], sizes: b.sizes[:0], spans: b.spans[:0], simple: true}
}

// style sets the style and link of the text appended since offset start.
func (b *builder) style(start int, style sgr.Style, link string) {
	if n := len(b.spans); n > 0 && b.spans[n-1].Style == style && b.spans[n-1].Link == link {
		b.spans[n-1].End = len(b.text)
		return
	}
	b.spans = append(b.spans, vt.Span{Start: start, End: len(b.text), Style: style, Link: link})
}

func (b *builder) add(text string, width int, style sgr.Style, link string) {
	size := byte(len(text))
	if width == 2 {
		size |= vt.WideCell
	}
	if size != 1 {
		b.complicate()
	}
	if !b.simple {
		b.sizes = append(b.sizes, size)
	}
	start := len(b.text)
	b.text = append(b.text, text...)
	b.style(start, style, link)
}

// complicate prepares for a cell that does not have one byte and one column.
func (b *builder) complicate() {
	if b.simple {
		b.simple = false
		b.sizes = appendRepeated(b.sizes, 1, len(b.text))
	}
}

func appendRepeated(b []byte, c byte, n int) []byte {
	b = slices.Grow(b, n)
	for range n {
		b = append(b, c)
	}
	return b
}

func (b *builder) blanks(n int, style sgr.Style, link string) {
	if n <= 0 {
		return
	}
	start := len(b.text)
	b.text = appendRepeated(b.text, ' ', n)
	if !b.simple {
		b.sizes = appendRepeated(b.sizes, 1, n)
	}
	b.style(start, style, link)
}

// part appends the columns of a row from number from up to, but not including, number to, which it
// must have. A wide character that this cuts becomes a blank in its style. Text without a
// background gets the given one.
func (b *builder) part(r *Row, from, to int, background sgr.Color) {
	c := cut(r, from, to)
	span := 0
	if c.lead {
		style, link := r.look(c.start-1, &span)
		b.blanks(1, on(style, background), link)
	}
	if r.Sizes != nil {
		b.complicate()
	}
	if !b.simple {
		if r.Sizes == nil {
			b.sizes = appendRepeated(b.sizes, 1, c.end-c.start)
		} else {
			b.sizes = append(b.sizes, r.Sizes[c.firstCell:c.lastCell]...)
		}
	}
	for at := c.start; at < c.end; {
		style, link := r.look(at, &span)
		end := c.end
		if span < len(r.Spans) {
			end = min(end, r.Spans[span].End)
		}
		start := len(b.text)
		b.text = append(b.text, r.Text[at:end]...)
		b.style(start, on(style, background), link)
		at = end
	}
	if c.trail {
		style, link := r.look(c.end, &span)
		b.blanks(1, on(style, background), link)
	}
}

func on(style sgr.Style, background sgr.Color) sgr.Style {
	style.BG = cmp.Or(style.BG, background)
	return style
}

// look returns the style and link at an offset of r's text. span is the index of a span at or
// before the offset; look advances it to the offset's span.
func (r *Row) look(at int, span *int) (sgr.Style, string) {
	for *span < len(r.Spans) && r.Spans[*span].End <= at {
		*span++
	}
	if *span == len(r.Spans) {
		return sgr.Style{}, ""
	}
	s := &r.Spans[*span]
	return s.Style, s.Link
}

// A piece is a range of columns of a row: the cells from firstCell to before lastCell, with the
// text from start to end, and whether halves of wide characters lead and trail them.
type piece struct {
	start, end          int
	firstCell, lastCell int
	lead, trail         bool
}

// cut returns the piece for the columns from from up to but not including to of r.
func cut(r *Row, from, to int) piece {
	if r.Sizes == nil {
		return piece{start: from, end: to}
	}
	col, at, i := 0, 0, 0
	for ; col < from; i++ {
		col += 1 + int(r.Sizes[i]>>7)
		at += int(r.Sizes[i] &^ vt.WideCell)
	}
	p := piece{start: at, firstCell: i, lead: col > from}
	for ; col < to; i++ {
		col += 1 + int(r.Sizes[i]>>7)
		if col > to {
			p.trail = true
			break
		}
		at += int(r.Sizes[i] &^ vt.WideCell)
	}
	p.end, p.lastCell = at, i
	return p
}

// row returns the assembled row, without trailing blanks in the default style.
func (b *builder) row() Row {
	text, spans := b.text, b.spans
	if n := len(spans); n > 0 && spans[n-1].Style == (sgr.Style{}) && spans[n-1].Link == "" {
		last := &spans[n-1]
		kept := len(bytes.TrimRight(text[last.Start:last.End], " "))
		trimmed := last.End - last.Start - kept
		text = text[:len(text)-trimmed]
		if !b.simple {
			b.sizes = b.sizes[:len(b.sizes)-trimmed]
		}
		if last.End = last.Start + kept; kept == 0 {
			spans = spans[:n-1]
		}
	}
	r := Row{vt.Line{Text: string(text)}}
	if len(spans) > 1 || len(spans) == 1 && (spans[0].Style != (sgr.Style{}) || spans[0].Link != "") {
		r.Spans = slices.Clone(spans)
	}
	if !b.simple && slices.ContainsFunc(b.sizes, func(size byte) bool { return size != 1 }) {
		r.Sizes = slices.Clone(b.sizes)
	}
	return r
}
