package cells

import "ui-mcp/internal/term/vt"

// A segment is what shows in some columns of a row that is being painted: part
// of another row, or blanks.
type segment struct {
	from, to int // columns of the row that is being painted
	source   Row // for blanks, one without text
	col      int // where the first column of source is, or would be
	style    vt.Style
}

// A Painter paints one row after the other, each in layers: what is painted
// later covers what was there. Where it covers one half of a wide character,
// the other half becomes a blank of the same style. The zero Painter is ready
// for Reset. One goroutine may use it at a time.
type Painter struct {
	cols     int
	segments []segment // of all columns, in order
	spare    []segment
	builder  builder
}

// Reset begins a row of cols blanks.
func (p *Painter) Reset(cols int) {
	p.cols = cols
	p.segments = append(p.segments[:0], segment{to: cols})
}

// Fill paints the columns from up to, not including, to with blanks.
func (p *Painter) Fill(from, to int, style vt.Style) {
	p.lay(segment{from: max(from, 0), to: min(to, p.cols), style: style})
}

// Paint paints the text of r from column col on, as far as it is within the
// columns from up to, not including, to. A wide character of which only half is
// within them becomes a blank. Text that has no background of its own gets the
// given one. Columns right of the text are left as they are.
func (p *Painter) Paint(r Row, col, from, to int, background vt.Color) {
	p.lay(segment{
		from: max(from, 0, col), to: min(to, p.cols, col+r.Columns()),
		source: r, col: col, style: vt.Style{BG: background},
	})
}

// lay puts a segment above what is there.
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

// Row returns what was painted, without blanks in the default style at its end.
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
