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
		b = fmt.Appendf(b, `<span style="display:inline-block;vertical-align:top;overflow:hidden;width:%dpx;height:%dpx">`+
			`<span style="display:inline-block;transform-origin:0 0;transform:%s">`, s.cols*s.w, s.h, s.enlarged(l.size, "px"))
		tail = "</span></span>"
	}
	col, link := 0, ""
	for rest := l.cells; len(rest) > 0; {
		var r run
		r, rest = nextRun(rest)
		if to := r.cells[0].link; to != link {
			b = startLink(endLink(b, link), to, ` rel="noopener noreferrer" style="color:inherit;text-decoration:none"`)
			link = to
		}
		for ; col < r.col; col++ {
			b = append(b, ' ')
		}
		b = s.appendSpan(b, r, standard)
		col = r.end
	}
	return append(endLink(b, link), tail...)
}

// appendSpan appends a run, in an element if it needs a style. Shapes are invisible text; they and
// single cells have a width of their own.
func (s *scene) appendSpan(b []byte, r run, standard rgb) []byte {
	c := &r.cells[0]
	var styles []string
	add := func(format string, args ...any) { styles = append(styles, fmt.Sprintf(format, args...)) }
	if r.drawn || r.single {
		add("display:inline-block;width:%dpx", (r.end-r.col)*s.w)
	}
	switch {
	case r.drawn:
		add("color:transparent")
	case c.fg != standard && slices.ContainsFunc(r.cells, func(c cell) bool { return !c.blank() }):
		add("color:#%06x", c.fg)
	}
	if r.single {
		add("text-align:center")
	}
	if c.attr.Has(sgr.Bold) {
		add("font-weight:bold")
	}
	if c.attr.Has(sgr.Italic) {
		add("font-style:italic")
	}
	tail := ""
	if len(styles) > 0 {
		b = fmt.Appendf(b, `<span style="%s">`, strings.Join(styles, ";"))
		tail = "</span>"
	}
	for i := range r.cells {
		b = appendText(b, r.cells[i].text)
	}
	return append(b, tail...)
}
