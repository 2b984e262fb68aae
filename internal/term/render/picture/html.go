package picture

import (
	"fmt"
	"slices"
	"strings"

	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// HTML draws a frame as a page, or as a pre element for other pages: see [Options]. The text can be
// selected and copied as it is on the screen. Below it is an SVG element with everything that is
// not text: backgrounds, lines, box drawing, the cursor. All styles are inline; it loads nothing
// and runs nothing. An error is of kind Invalid.
func HTML(f *render.Frame, o Options) ([]byte, error) {
	s, err := newDocument(f, o)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, 4096+s.rows*s.cols*4)
	if !o.Fragment {
		b = append(b, "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>"...)
		b = appendText(b, f.Title)
		b = fmt.Appendf(b, "</title>\n</head>\n<body style=\"margin:0;background:#%06x\">\n", s.page)
	}
	text := s.resolve(sgr.Style{}).fg
	// Columns have the same width in any monospaced font.
	b = fmt.Appendf(b, `<pre style="position:relative;display:inline-block;margin:0;overflow:hidden;`+
		`border-radius:%dpx;padding:%dpx;width:%dpx;box-sizing:content-box;font:%vpx/%dpx %s;font-variant-ligatures:none;`+
		`letter-spacing:calc(%dpx - 1ch);text-align:left;white-space:pre;tab-size:8;direction:ltr;unicode-bidi:bidi-override;`+
		`color:#%06x;background:#%06x">`,
		s.pad/2, s.pad, s.cols*s.w, rounded(s.em), s.h, fontFamily, s.w, text, s.page)
	b = s.appendGraphics(b)
	b = append(b, `<span style="position:relative">`...)
	for y := range s.rows {
		if y > 0 {
			b = append(b, '\n')
		}
		b = s.appendLine(b, s.line(y), text)
	}
	b = append(b, "</span></pre>\n"...)
	if !o.Fragment {
		b = append(b, "</body>\n</html>\n"...)
	}
	return b, nil
}

// appendGraphics appends everything that is not text, stretched to the columns of the text.
func (s *scene) appendGraphics(b []byte) []byte {
	w, h := s.cols*s.w, s.rows*s.h
	b = fmt.Appendf(b, `<svg aria-hidden="true" preserveAspectRatio="none" style="position:absolute;pointer-events:none;`+
		`left:%dpx;top:%dpx;width:%dpx;height:%dpx" viewBox="0 0 %d %d">`+"\n", s.pad, s.pad, w, h, w, h)
	b = s.layers(b, nil)
	return append(b, "</svg>"...)
}

func (s *scene) appendLine(b []byte, l line, standard rgb) []byte {
	tail := ""
	if l.size != vt.SingleSize {
		transform := "scale(2)"
		switch l.size {
		case vt.DoubleWidth:
			transform = "scaleX(2)"
		case vt.DoubleBottom:
			transform = fmt.Sprintf("translateY(-%dpx) scale(2)", s.h)
		}
		b = fmt.Appendf(b, `<span style="display:inline-block;vertical-align:top;overflow:hidden;width:%dpx;height:%dpx">`+
			`<span style="display:inline-block;transform-origin:0 0;transform:%s">`, s.cols*s.w, s.h, transform)
		tail = "</span></span>"
	}
	col := 0
	for rest := l.cells; len(rest) > 0; {
		// Cells that are written alike share an element; those that need a width of their own are
		// in elements within it.
		first := rest
		for ; col < first[0].col; col++ {
			b = append(b, ' ')
		}
		n := 1
		col = first[0].col + first[0].width
		for n < len(rest) && rest[n].col == col && (alike(&first[0], &rest[n]) || rest[n].blank() && rest[n].link == first[0].link) {
			col += rest[n].width
			n++
		}
		rest = rest[n:]
		b = s.appendAlike(b, first[:n], standard)
	}
	return append(b, tail...)
}

func (s *scene) appendAlike(b []byte, row []cell, standard rgb) []byte {
	c := &row[0]
	var styles []string
	if c.link != "" {
		styles = append(styles, "text-decoration:none")
	}
	if c.link != "" || c.fg != standard && slices.ContainsFunc(row, func(c cell) bool { return !c.blank() }) {
		styles = append(styles, fmt.Sprintf("color:#%06x", c.fg))
	}
	if c.attr.Has(sgr.Bold) {
		styles = append(styles, "font-weight:bold")
	}
	if c.attr.Has(sgr.Italic) {
		styles = append(styles, "font-style:italic")
	}
	tail := ""
	switch style := strings.Join(styles, ";"); {
	case c.link != "":
		b = append(b, `<a rel="noopener noreferrer" href="`...)
		b = appendText(b, c.link)
		b = fmt.Appendf(b, `" style="%s">`, style)
		tail = "</a>"
	case style != "":
		b = fmt.Appendf(b, `<span style="%s">`, style)
		tail = "</span>"
	}
	for len(row) > 0 {
		if n := countShapes(row); n > 0 {
			b = s.appendBox(b, row[:n], true)
			row = row[n:]
			continue
		}
		var r run
		r, row = nextRun(row)
		if r.single {
			b = s.appendBox(b, r.cells, false)
			continue
		}
		for i := range r.cells {
			b = appendText(b, r.cells[i].text)
		}
	}
	return append(b, tail...)
}

// countShapes returns how many cells at the start of a row are drawn by code.
func countShapes(row []cell) int {
	for i := range row {
		if _, ok := row[i].shape(); !ok {
			return i
		}
	}
	return len(row)
}

// appendBox appends cells as a box with a width of its own, in which text may be invisible.
func (s *scene) appendBox(b []byte, row []cell, invisible bool) []byte {
	width := 0
	for i := range row {
		width += row[i].width
	}
	look := "text-align:center"
	if invisible {
		look = "color:transparent"
	}
	b = fmt.Appendf(b, `<span style="display:inline-block;width:%dpx;%s">`, width*s.w, look)
	for i := range row {
		b = appendText(b, row[i].text)
	}
	return append(b, "</span>"...)
}
