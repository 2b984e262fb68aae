package picture

import (
	"image"
	"image/draw"
	"math"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// A glyphMask says how much of each pixel a character covers. x and y count from its cell.
type glyphMask struct {
	x, y, w, h int
	alpha      []uint8
}

// A maskKey identifies the mask of a character.
type maskKey struct {
	text  string
	style fontStyle
	width int // columns
	geometry
}

// scratch is memory for making masks.
type scratch struct {
	raster vector.Rasterizer
	image  image.Alpha
}

// maxMaskPixels bounds the memory of all masks that are kept.
const maxMaskPixels = 4 << 20

// mask returns the mask of a cell's text, which must not be blank. f.mu must be held.
func (f *Fonts) mask(c *cell, g geometry) *glyphMask {
	k := maskKey{c.text, styleOf(c), c.width, g}
	if m := f.masks[k]; m != nil {
		return m
	}
	if f.pixels > maxMaskPixels {
		clear(f.masks)
		f.pixels = 0
	}
	m := f.makeMask(c, g, k.style)
	if f.masks == nil {
		f.masks = map[maskKey]*glyphMask{}
	}
	f.masks[k] = m
	f.pixels += len(m.alpha) + 64
	return m
}

func styleOf(c *cell) fontStyle {
	return fontStyle(c.attr&emphasis&1) | fontStyle(c.attr&emphasis>>1&2)
}

func (f *Fonts) makeMask(c *cell, g geometry, st fontStyle) *glyphMask {
	if r, ok := c.shape(); ok {
		s := shapeOf(r, g.w/g.kx, g.h/g.ky, g.stroke/g.ky)
		return f.shapeMask(s.enlarged(g), g)
	}
	// Room for parts outside the cell, such as slanted tops and accents.
	margin := g.w / 2
	box := image.Rect(-margin, -margin, c.width*g.w+margin, g.h+margin)
	z := f.begin(box)
	first := true
	for _, r := range c.text {
		switch {
		case !first && !drawn(r):
			continue
		case f.glyph(z, r, c.width, g, st, first):
		case first:
			missing(z, c.width, g)
		}
		first = false
	}
	return f.end(box)
}

// drawn reports whether a code point after the first of a cluster is drawn over it. Marks are; a
// joiner of emoji and the emoji after it are not, since the fonts have no joined forms.
func drawn(r rune) bool {
	return unicode.Is(unicode.M, r) && !(r >= 0xfe00 && r <= 0xfe0f) && r != 0x20e3
}

// A canvas collects outlines in pixels relative to a cell's upper left.
type canvas struct {
	*vector.Rasterizer
	dx, dy float64
}

func (z canvas) add(p path) {
	for _, s := range p {
		at := func(i int) (x, y float32) { return float32(s.points[i].x + z.dx), float32(s.points[i].y + z.dy) }
		ax, ay := at(0)
		switch s.kind {
		case 'M':
			z.ClosePath()
			z.MoveTo(ax, ay)
		case 'L':
			z.LineTo(ax, ay)
		case 'Q':
			bx, by := at(1)
			z.QuadTo(ax, ay, bx, by)
		default:
			bx, by := at(1)
			cx, cy := at(2)
			z.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	z.ClosePath()
}

// begin starts a mask with the given bounds.
func (f *Fonts) begin(box image.Rectangle) canvas {
	f.scratch.raster.Reset(box.Dx(), box.Dy())
	f.scratch.raster.DrawOp = draw.Src
	return canvas{&f.scratch.raster, float64(-box.Min.X), float64(-box.Min.Y)}
}

// end returns the mask of what was drawn, without empty rows and columns at its edges.
func (f *Fonts) end(box image.Rectangle) *glyphMask {
	img := &f.scratch.image
	n := box.Dx() * box.Dy()
	if cap(img.Pix) < n {
		img.Pix = make([]uint8, n)
	}
	img.Pix, img.Stride, img.Rect = img.Pix[:n], box.Dx(), image.Rect(0, 0, box.Dx(), box.Dy())
	clear(img.Pix)
	f.scratch.raster.Draw(img, img.Rect, image.Opaque, image.Point{})
	return cropped(img.Pix, box)
}

// cropped returns the pixels of a box without its empty edges.
func cropped(pix []uint8, box image.Rectangle) *glyphMask {
	w, h := box.Dx(), box.Dy()
	x0, y0, x1, y1 := w, h, 0, 0
	for y := range h {
		for x := range w {
			if pix[y*w+x] != 0 {
				x0, x1 = min(x0, x), max(x1, x+1)
				y0, y1 = min(y0, y), y+1
			}
		}
	}
	m := &glyphMask{}
	if x0 >= x1 {
		return m
	}
	m.x, m.y, m.w, m.h = box.Min.X+x0, box.Min.Y+y0, x1-x0, y1-y0
	m.alpha = make([]uint8, 0, m.w*m.h)
	for y := y0; y < y1; y++ {
		m.alpha = append(m.alpha, pix[y*w+x0:y*w+x1]...)
	}
	// Sixteen steps look as well as 256, and most pictures then have few enough colours for a
	// palette, which makes them smaller and faster to write.
	for i, a := range m.alpha {
		m.alpha[i] = uint8((int(a) + 8) / 17 * 17)
	}
	return m
}

func (f *Fonts) shapeMask(s shape, g geometry) *glyphMask {
	box := image.Rect(0, 0, g.w, g.h)
	z := f.begin(box)
	for _, p := range s.paths {
		z.add(p)
	}
	m := f.end(box)
	full := make([]uint8, g.w*g.h)
	for y := range m.h {
		copy(full[(m.y+y)*g.w+m.x:], m.alpha[y*m.w:(y+1)*m.w])
	}
	for _, r := range s.rects {
		for y := max(r.y0, 0); y < min(r.y1, g.h); y++ {
			for x := max(r.x0, 0); x < min(r.x1, g.w); x++ {
				full[y*g.w+x] = 255
			}
		}
	}
	if s.alpha < 256 {
		for i, a := range full {
			full[i] = uint8(uint32(a) * s.alpha / 256)
		}
	}
	return cropped(full, box)
}

// missing draws a box of the width of the missing character.
func missing(z canvas, width int, g geometry) {
	t := float64(g.stroke)
	x0, x1 := t, float64(width*g.w)-t
	y1 := float64(g.baseline)
	y0 := y1 - math.Round(float64(g.xHeight)*1.33)
	z.add(polygon(point{x0, y0}, point{x1, y0}, point{x1, y1}, point{x0, y1}))
	// The inside turns the other way around, which makes it a hole.
	z.add(polygon(point{x0 + t, y0 + t}, point{x0 + t, y1 - t}, point{x1 - t, y1 - t}, point{x1 - t, y0 + t}))
}

// slant is how far italics lean, where a font has none.
const slant = 0.18

// glyph draws a code point, and reports whether a font has it. first means that it is the base of a
// cluster and not a mark.
func (f *Fonts) glyph(z canvas, r rune, width int, g geometry, st fontStyle, first bool) bool {
	for _, x := range f.order(st) {
		id, err := x.font.GlyphIndex(&f.buffer, r)
		if err != nil || id == 0 {
			continue
		}
		p := f.fit(x, id, width, g, st, first)
		segments, err := x.font.LoadGlyph(&f.buffer, id, fixed.I(unitsPerEm), nil)
		if err != nil {
			continue // a bitmap, for example
		}
		outline := p.outline(segments)
		for _, shift := range p.shifts {
			canvas{z.Rasterizer, z.dx + shift, z.dy}.add(outline)
		}
		return true
	}
	return false
}

// A placement puts an outline of the em 1 into a cell: its scale, its origin, how it leans, and by
// how much it is shifted to the right each time it is drawn, which thickens it.
type placement struct {
	sx, sy, x, y, slant float64
	shifts              []float64
}

// fit returns where a glyph goes: on the baseline, in the middle of its columns, and made smaller
// if it is wider than they are.
func (f *Fonts) fit(x *face, id sfnt.GlyphIndex, width int, g geometry, st fontStyle, first bool) placement {
	advance := x.glyphAdvance(&f.buffer, id)
	columns := float64(width * g.w)
	em := g.em * float64(g.kx)
	if x.fixed && x.width > 0 {
		em = float64(g.w) / x.width
	} else if width == 2 && advance > 0 {
		em = min(columns/advance, 1.12*em)
	}
	p := placement{sx: em, x: 0, y: float64(g.baseline), shifts: []float64{0}}
	if first {
		if advance*em > columns*1.02 {
			p.sx = columns / advance
		}
		p.x = (columns - advance*p.sx) / 2
	} else if advance == 0 {
		p.x = columns // marks without a width of their own are to the left of their origin
	}
	p.sy = p.sx * float64(g.ky) / float64(g.kx)
	lacks := st &^ x.style
	if lacks&italicStyle != 0 {
		p.slant = slant
	}
	if lacks&boldStyle != 0 {
		half := float64(g.stroke) * 0.3
		p.shifts = []float64{-half, half}
	}
	if !x.fixed && width == 2 {
		// In the middle of the cell: ideographs and emoji have their own idea of a baseline.
		middle := (x.ascent - x.descent) / 2 * p.sy
		p.y = float64(g.h)/2 + middle
	}
	return p
}

func (p placement) outline(segments sfnt.Segments) path {
	const unit = 1.0 / 64 / unitsPerEm
	var out path
	for _, s := range segments {
		points := make([]point, [...]int{1, 1, 2, 3}[s.Op])
		for i := range points {
			x, y := float64(s.Args[i].X)*unit, float64(s.Args[i].Y)*unit
			points[i] = point{p.x + p.sx*(x-p.slant*y), p.y + p.sy*y}
		}
		out = append(out, segment{"MLQC"[s.Op], points})
	}
	return out
}
