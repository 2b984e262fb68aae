package picture

import (
	"math"

	"ui-mcp/internal/term/vt"
)

// A raster is a picture in pixels.
type raster struct {
	w, h int
	pix  []rgb // by rows
	// top and bottom bound the rows that may be drawn to.
	top, bottom int
}

func newRaster(w, h int, ground rgb) *raster {
	r := &raster{w: w, h: h, pix: make([]rgb, w*h), bottom: h}
	r.fill(rect{0, 0, w, h}, ground)
	return r
}

// fill fills pixels; parts outside the picture are ignored.
func (r *raster) fill(a rect, c rgb) {
	x0, x1 := max(a.x0, 0), min(a.x1, r.w)
	if x0 >= x1 {
		return
	}
	first := max(a.y0, r.top)
	for y := first; y < min(a.y1, r.bottom); y++ {
		row := r.pix[y*r.w+x0 : y*r.w+x1]
		if y > first {
			copy(row, r.pix[first*r.w+x0:first*r.w+x1])
			continue
		}
		for i := range row {
			row[i] = c
		}
	}
}

// stamp paints a mask at x, y.
func (r *raster) stamp(m *glyphMask, x, y int, c rgb) {
	x, y = x+m.x, y+m.y
	from, to := max(0, -x), min(m.w, r.w-x)
	if from >= to {
		return
	}
	for i := max(0, r.top-y); i < min(m.h, r.bottom-y); i++ {
		alpha := m.alpha[i*m.w+from : i*m.w+to]
		row := r.pix[(y+i)*r.w+x+from:]
		row = row[:len(alpha)]
		for j, a := range alpha {
			switch a {
			case 0:
			case 255:
				row[j] = c
			default:
				row[j] = row[j].mix(c, uint32(a))
			}
		}
	}
}

// blend paints one pixel with a part of a colour between 0 and 1.
func (r *raster) blend(x, y int, c rgb, part float64) {
	if part > 0 && x >= 0 && x < r.w && y >= r.top && y < r.bottom {
		p := &r.pix[y*r.w+x]
		*p = p.mix(c, uint32(min(part, 1)*256))
	}
}

// drawLine paints a row of a scene whose upper left is x, y.
func (r *raster) drawLine(f *Fonts, s *scene, l line, x, y int) {
	r.top, r.bottom = y, min(y+s.h, r.h)
	if s.base != s.page {
		r.fill(rect{x, y, x + s.cols*s.w, y + s.h}, s.base)
	}
	g := s.geometry.scaled(l.size)
	if l.size == vt.DoubleBottom {
		y -= s.h
	}
	for i := range l.cells {
		if c := &l.cells[i]; c.bg != s.base {
			left := x + c.col*g.w
			r.fill(rect{left, y, left + c.width*g.w, y + g.h}, c.bg)
		}
	}
	for i := range l.cells {
		c := &l.cells[i]
		left := x + c.col*g.w
		if c.decorated() {
			if c.attr.Underline() == vt.UnderlineCurly {
				r.wave(s.geometry, g, c, left, y)
			}
			c.decorations(s.geometry, func(d rect, color rgb) {
				d = g.enlarged(d)
				r.fill(rect{left + d.x0, y + d.y0, left + d.x1, y + d.y1}, color)
			})
		}
		if !c.blank() {
			r.stamp(f.mask(c, g), left, y, c.fg)
		}
	}
}

// wave paints a curly underline of a cell, whose geometry g may be enlarged.
func (r *raster) wave(single, g geometry, c *cell, x, y int) {
	w := single.wave()
	w.y, w.amplitude, w.thickness = w.y*float64(g.ky), w.amplitude*float64(g.ky), w.thickness*float64(g.ky)
	for i := range c.width * g.w {
		at := float64(i) + 0.5
		middle := w.at(at, float64(g.w))
		// A steep stroke is higher than it is thick.
		slope := w.at(at+0.5, float64(g.w)) - w.at(at-0.5, float64(g.w))
		half := w.thickness / 2 * math.Sqrt(1+slope*slope)
		for j := int(middle - half); float64(j) < middle+half; j++ {
			r.blend(x+i, y+j, c.line, min(float64(j+1), middle+half)-max(float64(j), middle-half))
		}
	}
}
