package picture

import (
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
