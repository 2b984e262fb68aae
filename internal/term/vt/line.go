package vt

import (
	"iter"
	"slices"
	"strings"

	"ui-mcp/internal/term/scrollback"
	"ui-mcp/internal/term/sgr"
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

	// Sizes has a byte for each cell: the length of its text in bytes, plus WideCell if it takes
	// two columns. Nil means that each cell has one byte and one column.
	Sizes []byte
}

// WideCell is the bit of a cell that takes two columns: see [Line.Sizes].
const WideCell = 0x80

// A Span is a range of bytes of a line's text in one style.
type Span struct {
	Start, End int
	Style      sgr.Style
	Link       string // the target of a hyperlink (OSC 8), or ""
}

// Plain returns the text without trailing blanks.
func (l Line) Plain() string { return strings.TrimRight(l.Text, " ") }

// A Cell is one character of a line, with its position and style.
type Cell struct {
	Col, Width int    // first column, and number of columns: 1 or 2
	Text       string // one grapheme cluster
	Style      sgr.Style
	Link       string
}

// Cells returns the cells of the text, from left to right. The columns after them are empty.
func (l Line) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for w := l.Walk(); w.Next() && yield(w.Cell); {
		}
	}
}

// A Walker visits the cells of a line from left to right.
type Walker struct {
	Cell // the current cell; blank after the last one

	line   Line
	at     int // offset of the next cell in the text
	cell   int // number of the next cell
	span   int
	inSpan int // offset up to which Style and Link are valid
}

// Walk returns a walker before the first cell.
func (l Line) Walk() Walker { return Walker{line: l} }

// Next advances to the next cell, if there is one. After the last one, Col is behind the text.
func (w *Walker) Next() bool {
	w.Col += w.Width
	if w.at == len(w.line.Text) {
		w.Cell = Cell{Col: w.Col}
		return false
	}
	size := 1
	w.Width = 1
	if w.line.Sizes != nil {
		s := w.line.Sizes[w.cell]
		size = int(s &^ WideCell)
		w.Width += int(s >> 7)
	}
	if w.at >= w.inSpan {
		w.nextSpan()
	}
	w.Text = w.line.Text[w.at : w.at+size]
	w.at += size
	w.cell++
	return true
}

func (w *Walker) nextSpan() {
	if w.span == len(w.line.Spans) {
		w.Style, w.Link, w.inSpan = sgr.Style{}, "", len(w.line.Text)
		return
	}
	s := &w.line.Spans[w.span]
	w.span++
	w.Style, w.Link, w.inSpan = s.Style, s.Link, s.End
}

// Columns returns the width of the text in columns.
func (l Line) Columns() int {
	if l.Sizes == nil {
		return len(l.Text)
	}
	n := len(l.Sizes)
	for _, s := range l.Sizes {
		n += int(s >> 7)
	}
	return n
}

// offset returns the byte offset of the cell at column col, or the length of the text.
func (l Line) offset(col int) int {
	if l.Sizes == nil {
		return min(col, len(l.Text))
	}
	at := 0
	for _, s := range l.Sizes {
		col -= 1 + int(s>>7)
		if col < 0 {
			break
		}
		at += int(s &^ WideCell)
	}
	return at
}

// unpacking is scratch memory for unpackLine.
type unpacking struct {
	text  []byte
	sizes []byte
	spans []Span
}

func (t *Terminal) unpackLine(packed []byte) Line {
	l := Line{Wraps: packed[0]&scrollback.Wraps != 0, Size: LineSize(packed[0] >> scrollback.SizeShift)}
	if packed[0]&scrollback.Plain != 0 {
		l.Text = string(packed[1:])
		return l
	}
	text, sizes, spans := t.unpacking.text[:0], t.unpacking.sizes[:0], t.unpacking.spans[:0]
	simple, styled := true, false
	var before scrollback.Pen
	for runs := scrollback.Read(packed); runs.Next(); {
		r := &runs.Run
		if simple && !r.ASCII {
			simple = false
			for range text {
				sizes = append(sizes, 1)
			}
		}
		if !simple {
			sizes = appendSizes(sizes, r)
		}
		start := len(text)
		text = append(text, r.Text...)
		if n := len(spans); n > 0 && r.Pen == before {
			spans[n-1].End = len(text)
			continue
		}
		before = r.Pen
		styled = styled || before != scrollback.Pen{}
		spans = append(spans, Span{Start: start, End: len(text), Style: before.Public(), Link: t.links.uri(before.Link)})
	}
	l.Text = string(text)
	if !simple {
		l.Sizes = slices.Clone(sizes)
	}
	if styled {
		l.Spans = slices.Clone(spans)
	}
	t.unpacking = unpacking{text, sizes, spans}
	return l
}

func appendSizes(b []byte, r *scrollback.Run) []byte {
	flag := byte(r.Width-1) * WideCell
	for rest := *r; len(rest.Text) > 0; {
		n := rest.CellSize()
		b = append(b, byte(n)|flag)
		rest.Text = rest.Text[n:]
	}
	return b
}
