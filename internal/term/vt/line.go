package vt

import (
	"iter"
	"slices"
	"strings"
)

// A Line is one row of text. It is immutable.
type Line struct {
	// Text is the row's text without the empty columns at its end. It includes coloured blanks and,
	// if the row wraps, all blanks.
	Text string
	// Spans are the styles of the text, in order, without gaps. Nil means that all of it is in the
	// default style, without links.
	Spans []Span
	// Wraps means that the text did not fit and continues in the next line.
	Wraps bool
	// Size is how large the characters are drawn. Only the first half of the columns of a line of
	// double width is visible.
	Size LineSize

	// sizes has a byte for each cell: the length of its text in bytes, plus wideCell if it takes
	// two columns. Nil means that each cell has one byte and one column.
	sizes []byte
}

const wideCell = 0x80

// A Span is a range of bytes of a line's text in one style.
type Span struct {
	Start, End int
	Style      Style
	Link       string // the target of a hyperlink (OSC 8), or ""
}

// Plain returns the text without trailing blanks.
func (l Line) Plain() string { return strings.TrimRight(l.Text, " ") }

// A Cell is one character of a line, with its position and style.
type Cell struct {
	Col, Width int    // first column, and number of columns: 1 or 2
	Text       string // one grapheme cluster
	Style      Style
	Link       string
}

// Cells returns the cells of the text, from left to right. The columns after them are empty.
func (l Line) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		var c Cell
		span, at := 0, 0
		for i := 0; at < len(l.Text); i++ {
			size := 1
			c.Width = 1
			if l.sizes != nil {
				size = int(l.sizes[i] &^ wideCell)
				if l.sizes[i]&wideCell != 0 {
					c.Width = 2
				}
			}
			for span < len(l.Spans) && l.Spans[span].End <= at {
				span++
			}
			if span < len(l.Spans) {
				c.Style, c.Link = l.Spans[span].Style, l.Spans[span].Link
			}
			c.Text = l.Text[at : at+size]
			if !yield(c) {
				return
			}
			at += size
			c.Col += c.Width
		}
	}
}

// Columns returns the width of the text in columns.
func (l Line) Columns() int {
	if l.sizes == nil {
		return len(l.Text)
	}
	n := len(l.sizes)
	for _, s := range l.sizes {
		n += int(s >> 7)
	}
	return n
}

// offset returns the byte offset of the cell at column col, or the length of the text.
func (l Line) offset(col int) int {
	if l.sizes == nil {
		return min(col, len(l.Text))
	}
	at := 0
	for _, s := range l.sizes {
		col -= 1 + int(s>>7)
		if col < 0 {
			break
		}
		at += int(s &^ wideCell)
	}
	return at
}

// unpacking is scratch memory for unpackLine.
type unpacking struct {
	text  []byte
	sizes []byte
	spans []Span
}

// unpackLine converts a packed line to a Line.
func (t *Terminal) unpackLine(packed []byte) Line {
	l := Line{Wraps: packed[0]&packedWraps != 0, Size: LineSize(packed[0] >> packedSize)}
	if packed[0]&packedPlain != 0 {
		l.Text = string(packed[1:])
		return l
	}
	text, sizes, spans := t.unpacking.text[:0], t.unpacking.sizes[:0], t.unpacking.spans[:0]
	simple, styled := true, false
	var before pen
	for runs := readRuns(packed); runs.next(); {
		r := &runs.run
		if simple && !r.ascii {
			simple = false
			for range text {
				sizes = append(sizes, 1)
			}
		}
		if !simple {
			sizes = appendSizes(sizes, r)
		}
		start := len(text)
		text = append(text, r.text...)
		if n := len(spans); n > 0 && r.pen == before {
			spans[n-1].End = len(text)
			continue
		}
		before = r.pen
		styled = styled || before != pen{}
		spans = append(spans, Span{Start: start, End: len(text), Style: before.public(), Link: t.links.uri(before.link)})
	}
	l.Text = string(text)
	if !simple {
		l.sizes = slices.Clone(sizes)
	}
	if styled {
		l.Spans = slices.Clone(spans)
	}
	t.unpacking = unpacking{text, sizes, spans}
	return l
}

// appendSizes appends the sizes of r's cells.
func appendSizes(b []byte, r *run) []byte {
	flag := byte(r.width-1) * wideCell
	for rest := *r; len(rest.text) > 0; {
		n := rest.cellSize()
		b = append(b, byte(n)|flag)
		rest.text = rest.text[n:]
	}
	return b
}

// public returns the part of a pen that the package exports.
func (p pen) public() Style {
	p.Attr &^= protected
	return p.Style
}
