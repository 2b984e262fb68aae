package picture

import (
	"strconv"
	"unicode/utf8"
)

// A shape is a character drawn by code instead of a font, in a cell whose upper left is 0, 0.
type shape struct {
	rects []rect // pixels that are filled completely
	paths []path // areas and lines with soft edges
	// alpha is how much of the colour they get, of 256.
	alpha uint32
}

// A rect has the pixels from x0 and y0 up to but not including x1 and y1.
type rect struct{ x0, y0, x1, y1 int }

// A path is an area within a closed outline, or a light line: where it begins, and the rest as SVG
// has it, relative to that.
type path struct {
	x, y float64
	d    []byte
	open bool // it is a line
}

// by appends a command with numbers: lengths, and of an arc its flags.
func (p *path) by(command byte, numbers ...float64) {
	p.d = append(p.d, command)
	for i, n := range numbers {
		if i > 0 {
			p.d = append(p.d, ' ')
		}
		p.d = strconv.AppendFloat(p.d, rounded(n), 'f', -1, 64)
	}
}

// arc appends a quarter or half of an ellipse to a point so far away.
func (p *path) arc(rx, ry float64, clockwise bool, dx, dy float64) {
	sweep := 0.0
	if clockwise {
		sweep = 1
	}
	p.by('a', rx, ry, 0, 0, sweep, dx, dy)
}

type point struct{ x, y float64 }

func polygon(points ...point) path {
	p := path{x: points[0].x, y: points[0].y}
	for i, at := range points[1:] {
		p.by('l', at.x-points[i].x, at.y-points[i].y)
	}
	return p
}

func stroke(points ...point) path {
	p := polygon(points...)
	p.open = true
	return p
}

// drawnByCode reports whether a character is a shape and not for the font.
func drawnByCode(r rune) bool {
	return r >= 0x2500 && r <= 0x259f || r >= 0x2800 && r <= 0x28ff || r >= 0x23ba && r <= 0x23bd || r == '⎿' ||
		r >= 0x1fb00 && r <= 0x1fb3b || r >= 0xe0b0 && r <= 0xe0bf
}

// shapeOf returns the shape of a character that is drawn by code, in a cell of w by h pixels with
// light strokes of t pixels.
func shapeOf(r rune, w, h, t int) shape {
	s := shape{alpha: 256}
	m := box{w: w, h: h, t: t}
	switch {
	case r >= 0x1fb00:
		s.rects = m.sextant(r)
	case r >= 0xe0b0:
		s.paths = powerline(r, float64(w), float64(h), float64(t))
	case r >= 0x2800:
		s.paths = braille(r, w, h)
	case r >= 0x2580:
		if r >= '░' && r <= '▓' {
			s.alpha = 64 * uint32(r-'░'+1)
		}
		s.rects = m.block(r)
	case r >= 0x2500:
		s.rects, s.paths = m.line(r)
	case r == '⎿': // which tools use as a branch of a tree
		x, y := w/4, h*3/4
		s.rects = []rect{{x, 0, x + t, y + t}, {x + t, y, w, y + t}}
	default: // scan lines 1, 3, 7 and 9 of the DEC graphics
		y := [...]int{0, h / 4, h * 3 / 4, h - t}[r-0x23ba]
		s.rects = []rect{{0, y, w, y + t}}
	}
	return s
}

// shape returns the character of a cell that is drawn by code, and false if it is for the font.
func (c *cell) shape() (rune, bool) {
	if len(c.text) < 3 || c.width != 1 {
		return 0, false
	}
	r, n := utf8.DecodeRuneInString(c.text)
	return r, n == len(c.text) && drawnByCode(r)
}
