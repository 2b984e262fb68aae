package cells

import (
	"ui-mcp/internal/term/sgr"
)

// A segment is what some columns of the row being painted have: part of another row, or blanks.
type segment struct {
	from, to int // columns of the row being painted
	source   Row // without text for blanks
	col      int // position of source's first column, even if it is hidden
	style    sgr.Style
}

// A Painter paints rows, one after the other, each in layers: later paint covers earlier. If it
// covers one half of a wide character, the other half becomes a blank in the same style. The zero
// Painter is ready for Reset. It is not safe for concurrent use.
type Painter struct {
	cols     int
	segments []segment // cover all columns, in order
	spare    []segment
	builder  builder
}

// Reset starts a row of cols blanks.
func (p *Painter) Reset(cols int) {
	p.cols = cols
	p.segments = append(p.segments[:0], segment{to: cols})
}

// Fill paints the columns from from up to but not including to with blanks.
func (p *Painter) Fill(from, to int, style sgr.Style) {
	p.lay(segment{from: max(from, 0), to: min(to, p.cols), style: style})
}

// Paint paints the text of r starting at column col, clipped to the columns from from up to but not
// including to. A wide character cut by the clipping becomes a blank. Text without a background
// gets the given one. Columns to the right of the text are left alone.
func (p *Painter) Paint(r Row, col, from, to int, background sgr.Color) {
	p.lay(segment{
		from: max(from, 0, col), to: min(to, p.cols, col+r.Columns()),
		source: r, col: col, style: sgr.Style{BG: background},
	})
}

func (p *Painter) lay(s segment) {
	if s.from >= s.to {
		return
	}
	out := p.spare[:0]
	for _, old := range p.segments {
		if left := old; left.from < s.from {
			left.to = min(old.to, s.from)
			out = append(out, left)
		}
		if old.from <= s.from && s.from < old.to {
			out = append(out, s)
		}
		if right := old; right.to > s.to {
			right.from = max(old.from, s.to)
			out = append(out, right)
		}
	}
	p.segments, p.spare = out, p.segments
}

// Row returns the painted row, without trailing blanks in the default style.
func (p *Painter) Row() Row {
	b := &p.builder
	b.reset()
	for i := range p.segments {
		s := &p.segments[i]
		if s.source.Text == "" {
			b.blanks(s.to-s.from, s.style, "")
		} else {
			b.part(&s.source, s.from-s.col, s.to-s.col, s.style.BG)
		}
	}
	return b.row()
}
