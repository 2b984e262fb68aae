package vt

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Line is one row of text. It never changes, and may be copied and read
// anywhere.
type Line struct {
	// Text is what the row shows, without the empty columns at its end. Coloured
	// blanks are kept, and all blanks are where the row goes on in the next one.
	Text string
	// Spans are the styles of the whole text, in order. Nil means that all of it
	// is in the default style, without links.
	Spans []Span
	// Wraps says that the text goes on in the next line, because it did not fit.
	Wraps bool

	// sizes has a byte for each cell: how many bytes of text it has, and wideCell
	// if it takes two columns. Nil means one byte and one column each.
	sizes []byte
}

const wideCell = 0x80

// A Span is a piece of a line's text, by the offsets of its bytes, in one style.
type Span struct {
	Start, End int
	Style      Style
	Link       string // the target of a hyperlink (OSC 8), or ""
}

// Plain returns the text without blanks at its end.
func (l Line) Plain() string { return strings.TrimRight(l.Text, " ") }

// A Cell is a place in a line.
type Cell struct {
	Col, Width int    // the first column, and how many: 1 or 2
	Text       string // one grapheme cluster
	Style      Style
	Link       string
}

// Cells returns the cells of the text, from left to right. Columns after them
// are empty.
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

// Columns returns how many columns the text takes.
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

// offset returns the offset in the text of the cell at column col, or the length
// of the text.
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

// unpacking is memory for unpackLine.
type unpacking struct {
	text  []byte
	sizes []byte
	spans []Span
}

// unpackLine returns a packed line as a Line.
func (t *Terminal) unpackLine(packed []byte) Line {
	l := Line{Wraps: packed[0]&packedWraps != 0}
	if packed[0]&packedPlain != 0 {
		l.Text = string(packed[1:])
		return l
	}
	text, sizes, spans := t.unpacking.text[:0], t.unpacking.sizes[:0], t.unpacking.spans[:0]
	simple, styled := true, false
	var before pen
	for runs := readRuns(packed); runs.next(); {
		r := &runs.run
		if simple && r.kind != runASCII {
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

// appendSizes appends the sizes of the cells of r.
func appendSizes(b []byte, r *run) []byte {
	var width byte
	if r.cellWidth() == 2 {
		width = wideCell
	}
	switch r.kind {
	case runCluster, runWideCluster:
		return append(b, byte(len(r.text))|width)
	case runASCII:
		for range r.n {
			b = append(b, 1)
		}
		return b
	}
	for rest := r.text; len(rest) > 0; {
		_, n := utf8.DecodeRune(rest)
		b = append(b, byte(n)|width)
		rest = rest[n:]
	}
	return b
}

// public returns what others may know of a pen.
func (p pen) public() Style {
	p.Attr &^= protected
	return p.Style
}
