package picture

import (
	"strconv"

	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
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
	b = s.openSVG(b, s.width(), s.height())
	b = append(b, ` style="font-variant-ligatures:none" font-family="`...)
	b = append(b, fontFamily...)
	b = append(b, `" font-size="`...)
	b = appendNumber(b, s.em)
	b = append(b, `" fill="`...)
	text := s.resolve(vt.Style{}).fg
	b = text.appendHex(b)
	b = append(b, "\">\n"...)
	if f.Title != "" {
		b = append(b, "<title>"...)
		b = appendText(b, f.Title)
		b = append(b, "</title>\n"...)
	}
	b = append(b, `<rect width="100%" height="100%" rx="`...)
	b = strconv.AppendInt(b, int64(s.pad/2), 10)
	b = append(b, `" fill="`...)
	b = s.page.appendHex(b)
	b = append(b, "\"/>\n<g transform=\"translate("...)
	b = strconv.AppendInt(b, int64(s.pad), 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(s.pad), 10)
	b = append(b, ")\">\n"...)
	b = s.layers(b, func(b []byte, y int, l line) []byte {
		link := ""
		for rest := l.cells; len(rest) > 0; {
			r, after := nextRun(rest)
			if r.cells[0].link != link {
				b = endLink(b, link)
				link = r.cells[0].link
				b = startLink(b, link)
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

// openSVG appends the start of a picture, up to further attributes.
func (s *scene) openSVG(b []byte, width, height int) []byte {
	b = append(b, `<svg xmlns="http://www.w3.org/2000/svg" width="`...)
	b = strconv.AppendInt(b, int64(width), 10)
	b = append(b, `" height="`...)
	b = strconv.AppendInt(b, int64(height), 10)
	return appendViewBox(b, width, height)
}

func appendViewBox(b []byte, width, height int) []byte {
	b = append(b, `" viewBox="0 0 `...)
	b = strconv.AppendInt(b, int64(width), 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(height), 10)
	return append(b, '"')
}

// appendRun appends a text element, unless the run is blank or made of shapes.
func (s *scene) appendRun(b []byte, r run, y int, standard rgb) []byte {
	row, col, end := r.cells, r.col, r.end
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
	if _, ok := c.shape(); ok {
		return b
	}
	b = append(b, `<text y="`...)
	b = strconv.AppendInt(b, int64(y), 10)
	b = append(b, `" x="`...)
	if r.single {
		b = appendNumber(b, float64(col+end)/2*float64(s.w))
		b = append(b, `" text-anchor="middle"`...)
	} else {
		b = strconv.AppendInt(b, int64(col*s.w), 10)
		b = append(b, `" textLength="`...)
		b = strconv.AppendInt(b, int64((end-col)*s.w), 10)
		b = append(b, `" lengthAdjust="spacingAndGlyphs"`...)
	}
	if c.fg != standard {
		b = append(b, ` fill="`...)
		b = c.fg.appendHex(b)
		b = append(b, '"')
	}
	if c.attr.Has(vt.Bold) {
		b = append(b, ` font-weight="bold"`...)
	}
	if c.attr.Has(vt.Italic) {
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
	b = append(b, `<a href="`...)
	b = appendText(b, link)
	return append(b, `">`...)
}

func endLink(b []byte, link string) []byte {
	if link == "" {
		return b
	}
	return append(b, "</a>\n"...)
}
