package picture

import (
	"fmt"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/sgr"
)

// SVG draws a frame as an SVG document. The text is text, in the viewer's fonts: each run has its
// column and its width, so that it is in place in any font. It loads nothing and runs nothing. An
// error is of kind Invalid.
func SVG(f *render.Frame, o Options) ([]byte, error) {
	s, err := newDocument(f, o)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, 4096+s.rows*s.cols*4)
	text := s.resolve(sgr.Style{}).fg
	b = fmt.Appendf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d"`+
		` style="font-variant-ligatures:none" font-family="%s" font-size="%v" fill="#%06x">`+"\n",
		s.width(), s.height(), s.width(), s.height(), fontFamily, rounded(s.em), text)
	if f.Title != "" {
		b = append(b, "<title>"...)
		b = appendText(b, f.Title)
		b = append(b, "</title>\n"...)
	}
	b = fmt.Appendf(b, `<rect width="100%%" height="100%%" rx="%d" fill="#%06x"/>`+"\n"+`<g transform="translate(%d %d)">`+"\n",
		s.pad/2, s.page, s.pad, s.pad)
	b = s.layers(b, func(b []byte, y int, l line) []byte {
		link := ""
		for rest := l.cells; len(rest) > 0; {
			r, after := nextRun(rest)
			if to := r.cells[0].link; to != link {
				b = startLink(endLink(b, link), to)
				link = to
			}
			// Viewers make one blank of several, so a run has no two in sequence.
			for i := 1; i < len(r.cells); i++ {
				if r.cells[i-1].blank() && r.cells[i].blank() {
					r.cells, r.end, after = r.cells[:i], r.col+i, rest[i:]
					break
				}
			}
			b = s.appendRun(b, r, y*s.h+s.baseline, text)
			rest = after
		}
		return endLink(b, link)
	})
	return append(b, "</g>\n</svg>\n"...), nil
}

// Size returns the size of a picture in pixels, or an error of kind Invalid if a PNG of it would be
// too large.
func Size(f *render.Frame, o Options) (width, height int, err error) {
	s, err := newScene(f, o)
	if err != nil {
		return 0, 0, err
	}
	width, height = s.width(), s.height()
	if width*height > maxPixels || max(width, height) > maxSide {
		return 0, 0, fault.New(fault.Invalid, "the picture would have %d by %d pixels, and %d are the most, %d on a side: choose a smaller cell, or fewer rows", width, height, maxPixels, maxSide)
	}
	return width, height, nil
}

// appendRun appends a text element, unless the run is blank or made of shapes.
func (s *scene) appendRun(b []byte, r run, y int, standard rgb) []byte {
	row, col, end := r.cells, r.col, r.end
	if r.drawn {
		return b
	}
	for len(row) > 0 && row[0].blank() {
		row, col = row[1:], col+row[0].width
	}
	for len(row) > 0 && row[len(row)-1].blank() {
		end -= row[len(row)-1].width
		row = row[:len(row)-1]
	}
	if len(row) == 0 {
		return b
	}
	c := &row[0]
	if r.single {
		b = fmt.Appendf(b, `<text y="%d" x="%v" text-anchor="middle"`, y, rounded(float64(col+end)/2*float64(s.w)))
	} else {
		b = fmt.Appendf(b, `<text y="%d" x="%d" textLength="%d" lengthAdjust="spacingAndGlyphs"`, y, col*s.w, (end-col)*s.w)
	}
	if c.fg != standard {
		b = fmt.Appendf(b, ` fill="#%06x"`, c.fg)
	}
	if c.attr.Has(sgr.Bold) {
		b = append(b, ` font-weight="bold"`...)
	}
	if c.attr.Has(sgr.Italic) {
		b = append(b, ` font-style="italic"`...)
	}
	b = append(b, '>')
	for i := range row {
		b = appendText(b, row[i].text)
	}
	return append(b, "</text>\n"...)
}

// startLink and endLink append the start and the end of a link, unless it is "".
func startLink(b []byte, link string) []byte {
	if link == "" {
		return b
	}
	return append(appendText(append(b, `<a href="`...), link), `">`...)
}

func endLink(b []byte, link string) []byte {
	if link == "" {
		return b
	}
	return append(b, "</a>"...)
}
