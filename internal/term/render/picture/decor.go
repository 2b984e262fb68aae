package picture

import (
	"ui-mcp/internal/term/sgr"
)

// decorations calls draw for each rectangle of the lines below, through and above a cell's text,
// and of a cursor that is a line. The cell's upper left is 0, 0. A curly underline is left to the
// caller: see [geometry.wave].
func (c *cell) decorations(g geometry, draw func(rect, rgb)) {
	width := c.width * g.w
	for _, r := range g.underline(c.attr.Underline(), c.col*g.w, width) {
		draw(r, c.line)
	}
	if c.attr.Has(sgr.Strikethrough) {
		y := g.baseline - g.xHeight/2 - g.stroke/2
		draw(rect{0, y, width, y + g.stroke}, c.fg)
	}
	if c.attr.Has(sgr.Overline) {
		draw(rect{0, 0, width, g.stroke}, c.fg)
	}
	thick := g.stroke + 1
	switch c.mark {
	case underlineMark:
		draw(rect{0, g.h - thick, width, g.h}, c.markColor)
	case barMark:
		draw(rect{0, 0, thick, g.h}, c.markColor)
	}
}

// underline returns the rectangles of an underline below width pixels, of which the first has the
// column x in the row, so that patterns continue from cell to cell.
func (g geometry) underline(u sgr.Underline, x, width int) []rect {
	t := g.stroke
	y := g.underlineAt()
	switch u {
	case sgr.UnderlineSingle:
		return []rect{{0, y, width, y + t}}
	case sgr.UnderlineDouble:
		return []rect{{0, y - t, width, y}, {0, y + t, width, y + 2*t}}
	case sgr.UnderlineDotted:
		return pattern(x, width, y, t, 2*t, t)
	case sgr.UnderlineDashed:
		return pattern(x, width, y, t, 6*t, 4*t)
	}
	return nil
}

// underlineAt returns the upper edge of a single underline.
func (g geometry) underlineAt() int {
	room := g.h - g.baseline // for three strokes, as a double underline needs
	return g.baseline + max((room-g.stroke)/2, min(room, g.stroke))
}

// pattern returns strokes of on pixels in each period.
func pattern(x, width, y, t, period, on int) []rect {
	var out []rect
	for at := -(x % period); at < width; at += period {
		if r := (rect{max(at, 0), y, min(at+on, width), y + t}); r.x0 < r.x1 {
			out = append(out, r)
		}
	}
	return out
}

// wave returns the height of the middle line of a curly underline, and its amplitude. A cell has
// one period of it.
func (g geometry) wave() (y, amplitude float64) {
	t, room := float64(g.stroke), float64(g.h-g.baseline)
	amplitude = min(room/3, 0.14*float64(g.w))
	return float64(g.baseline) + min(room/2+t/2, room-amplitude-t/2), amplitude
}
