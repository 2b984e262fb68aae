package cells

import (
	"bytes"
	"slices"

	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// A builder assembles a row from left to right, in memory that it reuses.
type builder struct {
	text  []byte
	sizes []byte // of all cells
	spans []vt.Span
	// simple says that each cell so far has one byte and one column.
	simple bool
}

func (b *builder) reset() {
	*b = builder{text: b.text[:0], sizes: b.sizes[:0], spans: b.spans[:0], simple: true}
}

// add appends a cell.
func (b *builder) add(c *vt.Cell) {
	size := byte(len(c.Text))
	if c.Width == 2 {
		size |= vt.WideCell
	}
	b.simple = b.simple && size == 1
	b.sizes = append(b.sizes, size)
	start := len(b.text)
	b.text = append(b.text, c.Text...)
	if n := len(b.spans); n > 0 && b.spans[n-1].Style == c.Style && b.spans[n-1].Link == c.Link {
		b.spans[n-1].End = len(b.text)
		return
	}
	b.spans = append(b.spans, vt.Span{Start: start, End: len(b.text), Style: c.Style, Link: c.Link})
}

// row returns the assembled row, without trailing blanks in the default style.
func (b *builder) row() Row {
	text, spans := b.text, b.spans
	if n := len(spans); n > 0 && spans[n-1].Style == (sgr.Style{}) && spans[n-1].Link == "" {
		last := &spans[n-1]
		kept := len(bytes.TrimRight(text[last.Start:last.End], " "))
		trimmed := last.End - last.Start - kept
		text = text[:len(text)-trimmed]
		b.sizes = b.sizes[:len(b.sizes)-trimmed]
		if last.End = last.Start + kept; kept == 0 {
			spans = spans[:n-1]
		}
	}
	r := Row{vt.Line{Text: string(text)}}
	if len(spans) > 1 || len(spans) == 1 && (spans[0].Style != (sgr.Style{}) || spans[0].Link != "") {
		r.Spans = slices.Clone(spans)
	}
	if !b.simple {
		r.Sizes = slices.Clone(b.sizes)
	}
	return r
}
