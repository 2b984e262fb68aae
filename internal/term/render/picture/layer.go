package picture

import (
	"fmt"
	"math"

	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// A layer collects what is drawn below the text, as few paths: one for each colour.
type layer struct {
	geometry
	paths []*pathData
	index map[pathKey]*pathData
	last  *pathData // the one used last
}

type pathKey struct {
	color rgb
	alpha uint32
	kind  pathKind
}

// A pathKind is how a path is drawn. Later kinds are above earlier ones.
type pathKind uint8

const (
	background pathKind = iota
	sharp               // of whole pixels
	soft
	stroked
)

type pathData struct {
	pathKey
	d []byte
}

func (l *layer) path(k pathKey) *pathData {
	if l.last != nil && l.last.pathKey == k {
		return l.last
	}
	if p := l.index[k]; p != nil {
		l.last = p
		return p
	}
	if l.index == nil {
		l.index = map[pathKey]*pathData{}
	}
	p := &pathData{pathKey: k}
	l.index[k], l.last = p, p
	l.paths = append(l.paths, p)
	return p
}

func (p *pathData) rect(x, y int, r rect) {
	w := r.x1 - r.x0
	p.d = fmt.Appendf(p.d, "M%d %dh%dv%dh-%dz", x+r.x0, y+r.y0, w, r.y1-r.y0, w)
}

func (p *pathData) outline(x, y int, o path) {
	p.d = fmt.Appendf(p.d, "M%v %v%s", rounded(float64(x)+o.x), rounded(float64(y)+o.y), o.d)
	if !o.open {
		p.d = append(p.d, 'z')
	}
}

// rounded returns a number with at most two decimals.
func rounded(x float64) float64 { return math.Round(x*100)/100 + 0 } // 0 for -0

// row adds the graphics of a row of cells at height y. base is the colour of the ground.
func (l *layer) row(cells []cell, y int, base rgb) {
	for i := 0; i < len(cells); {
		c := &cells[i]
		end := c.col + c.width
		j := i + 1
		for ; j < len(cells) && cells[j].bg == c.bg && cells[j].col == end; j++ {
			end += cells[j].width
		}
		if c.bg != base {
			l.path(pathKey{c.bg, 256, background}).rect(0, y, rect{c.col * l.w, 0, end * l.w, l.h})
		}
		i = j
	}
	for i := range cells {
		c := &cells[i]
		x := c.col * l.w
		if !c.blank() {
			if r, ok := c.shape(); ok {
				s := shapeOf(r, l.w, l.h, l.stroke)
				for _, r := range s.rects {
					l.path(pathKey{c.fg, s.alpha, sharp}).rect(x, y, r)
				}
				for _, o := range s.paths {
					kind := soft
					if o.open {
						kind = stroked
					}
					l.path(pathKey{c.fg, s.alpha, kind}).outline(x, y, o)
				}
			}
		}
		if !c.decorated() {
			continue
		}
		if c.attr.Underline() == sgr.UnderlineCurly {
			l.wave(c, x, y)
		}
		c.decorations(l.geometry, func(r rect, color rgb) { l.path(pathKey{color, 256, sharp}).rect(x, y, r) })
	}
}

func (c *cell) decorated() bool {
	return c.mark != noMark || c.attr.Has(sgr.Strikethrough|sgr.Overline) || c.attr.Underline() != sgr.UnderlineNone
}

// wave adds a curly underline: per column one period of two curves, which look like a sine.
func (l *layer) wave(c *cell, x, y int) {
	middle, most := l.geometry.wave()
	p := l.path(pathKey{c.line, 256, stroked})
	p.d = fmt.Appendf(p.d, "M%d %v", x, rounded(float64(y)+middle))
	half := float64(l.w) / 2
	for range c.width {
		for _, amplitude := range [...]float64{-most, most} {
			// The control point of a parabola is at twice its height.
			p.d = fmt.Appendf(p.d, "q%v %v %v 0", rounded(half/2), rounded(2*amplitude), rounded(half))
		}
	}
}

func (l *layer) append(b []byte) []byte {
	for kind := background; kind <= stroked; kind++ {
		for _, p := range l.paths {
			if p.kind != kind {
				continue
			}
			switch kind {
			case background, sharp:
				b = append(b, `<path shape-rendering="crispEdges" fill="`...)
			case soft:
				b = append(b, `<path fill="`...)
			case stroked:
				b = fmt.Appendf(b, `<path fill="none" stroke-width="%d" stroke="`, l.stroke)
			}
			b = fmt.Appendf(b, "#%06x", p.color)
			if p.alpha != 256 {
				b = fmt.Appendf(b, `" opacity="%v`, rounded(float64(p.alpha)/256))
			}
			b = append(b, `" d="`...)
			b = append(b, p.d...)
			b = append(b, "\"/>\n"...)
		}
	}
	return b
}

// layers appends all graphics of a scene, without the ground, and the text that each returns for
// a line. Lines of double size are in groups of their own, which are enlarged and, for lines of
// double height, clipped.
func (s *scene) layers(b []byte, each func(b []byte, y int, l line) []byte) []byte {
	main := layer{geometry: s.geometry}
	var text, doubles []byte
	for y := range s.rows {
		l := s.line(y)
		if l.size == vt.SingleSize {
			if s.base != s.page {
				main.path(pathKey{s.base, 256, background}).rect(0, 0, rect{0, y * s.h, s.cols * s.w, (y + 1) * s.h})
			}
			main.row(l.cells, y*s.h, s.base)
			text = each(text, y, l)
			continue
		}
		own := layer{geometry: s.geometry}
		if s.base != s.page {
			own.path(pathKey{s.base, 256, background}).rect(0, 0, rect{0, 0, l.cols * s.w, s.h})
		}
		own.row(l.cells, 0, s.base)
		doubles = s.openDouble(doubles, y, l.size)
		doubles = own.append(doubles)
		doubles = each(doubles, 0, l)
		doubles = append(doubles, "</g></svg>\n"...)
	}
	b = main.append(b)
	b = append(b, text...)
	return append(b, doubles...)
}

// openDouble appends the start of a group for a line of double size: an inner picture, which clips,
// and an enlarged group.
func (s *scene) openDouble(b []byte, y int, size vt.LineSize) []byte {
	enlarged := "scale(2)"
	switch size {
	case vt.DoubleWidth:
		enlarged = "scale(2,1)"
	case vt.DoubleBottom:
		enlarged = fmt.Sprintf("translate(0,-%d) scale(2)", s.h)
	}
	return fmt.Appendf(b, `<svg x="0" y="%d" width="%d" height="%d"><g transform="%s">`, y*s.h, s.cols*s.w, s.h, enlarged)
}
