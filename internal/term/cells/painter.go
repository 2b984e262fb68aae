package cells

import (
	"cmp"
	"slices"

	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// A Painter paints rows, one after the other, each in layers: later paint covers earlier. If it
// covers one half of a wide character, the other half becomes a blank in the same style. The zero
// Painter is ready for Reset. It is not safe for concurrent use.
type Painter struct {
	cells   []vt.Cell // one for each column; the second of a wide character has no width
	builder builder
}

// Reset starts a row of cols blanks.
func (p *Painter) Reset(cols int) {
	p.cells = slices.Grow(p.cells[:0], cols)[:cols]
	for i := range p.cells {
		p.cells[i] = vt.Cell{Text: " ", Width: 1}
	}
}

// Fill paints the columns from from up to but not including to with blanks.
func (p *Painter) Fill(from, to int, style sgr.Style) {
	for x := max(from, 0); x < min(to, len(p.cells)); x++ {
		p.put(x, vt.Cell{Text: " ", Width: 1, Style: style})
	}
}

// Paint paints the text of r starting at column col, clipped to the columns from from up to but not
// including to. A wide character cut by the clipping becomes a blank. Text without a background
// gets the given one. Columns to the right of the text are left alone.
func (p *Painter) Paint(r Row, col, from, to int, background sgr.Color) {
	from, to = max(from, 0), min(to, len(p.cells))
	for w := r.Walk(); w.Next() && col+w.Col < to; {
		c, x := w.Cell, col+w.Col
		c.Style.BG = cmp.Or(c.Style.BG, background)
		switch {
		case x >= from && x+c.Width <= to:
			p.put(x, c)
		case c.Width == 2 && x+1 >= from && from < to:
			c.Text, c.Width = " ", 1
			p.put(max(x, from), c)
		}
	}
}

// put paints a cell at a column, and as many as it has.
func (p *Painter) put(x int, c vt.Cell) {
	p.split(x)
	p.split(x + c.Width)
	p.cells[x] = c
	if c.Width == 2 {
		p.cells[x+1].Width = 0
	}
}

// split makes blanks of a wide character that is on both sides of a column's left edge.
func (p *Painter) split(x int) {
	if x < len(p.cells) && p.cells[x].Width == 0 {
		p.cells[x-1].Text, p.cells[x-1].Width = " ", 1
		p.cells[x] = p.cells[x-1]
	}
}

// Row returns the painted row, without trailing blanks in the default style.
func (p *Painter) Row() Row {
	p.builder.reset()
	for i := range p.cells {
		if c := &p.cells[i]; c.Width > 0 {
			p.builder.add(c)
		}
	}
	return p.builder.row()
}
