package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/png"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/render"
)

// PNG draws a frame as a PNG. A character that no font has becomes a box of its width. An error is
// of kind Invalid, in particular if there would be more than [MaxPixels].
func (f *Fonts) PNG(frame *render.Frame, o Options) ([]byte, error) {
	s, err := newScene(frame, o)
	if err != nil {
		return nil, err
	}
	w, h := s.width(), s.height()
	if w*h > MaxPixels {
		return nil, fault.New(fault.Invalid, "the picture would have %d by %d pixels, and %d are the most: choose a smaller cell, or fewer rows", w, h, MaxPixels)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.draw(s).encode(), nil
}

// draw draws a scene. f.mu must be held.
func (f *Fonts) draw(s *scene) *raster {
	r := newRaster(s.width(), s.height(), s.page)
	for y := range s.rows {
		r.drawLine(f, s, s.line(y), s.pad, s.pad+y*s.h)
	}
	return r
}

// encode returns the picture as a PNG. A palette makes it smaller and faster to write, since
// terminals have few colours. A higher compression takes half as long again, for a seventh less.
func (r *raster) encode() []byte {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&b, r.image()); err != nil {
		panic(err) // memory accepts everything
	}
	return b.Bytes()
}

func (r *raster) image() image.Image {
	bounds := image.Rect(0, 0, r.w, r.h)
	if colors, pixels := r.indexed(); colors != nil {
		palette := make(color.Palette, len(colors))
		for i, c := range colors {
			palette[i] = c.rgba()
		}
		return &image.Paletted{Pix: pixels, Stride: r.w, Rect: bounds, Palette: palette}
	}
	img := image.NewRGBA(bounds)
	for i, c := range r.pix {
		copy(img.Pix[4*i:], []byte{byte(c >> 16), byte(c >> 8), byte(c), 0xff})
	}
	return img
}

func (c rgb) rgba() color.RGBA { return color.RGBA{byte(c >> 16), byte(c >> 8), byte(c), 0xff} }

// indexed returns the colours of a picture that has at most 256 of them, and the index of each
// pixel's colour. Otherwise it returns nil.
func (r *raster) indexed() (colors []rgb, pixels []uint8) {
	// An open hash table, because a map takes as long as everything else together.
	const bits = 10
	var table [1 << bits]struct {
		color rgb
		index uint8
		used  bool
	}
	pixels = make([]uint8, len(r.pix))
	last, index := ^rgb(0), uint8(0)
	for i, c := range r.pix {
		if c != last {
			slot := uint32(c) * 0x9e3779b1 >> (32 - bits)
			for table[slot].used && table[slot].color != c {
				slot = (slot + 1) % (1 << bits)
			}
			if e := &table[slot]; !e.used {
				if len(colors) == 256 {
					return nil, nil
				}
				e.color, e.index, e.used = c, uint8(len(colors)), true
				colors = append(colors, c)
			}
			last, index = c, table[slot].index
		}
		pixels[i] = index
	}
	return colors, pixels
}
