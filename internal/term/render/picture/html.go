package picture

import (
	"strconv"

	"ui-mcp/internal/term/render"
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
		b = append(b, "</title>\n</head>\n<body style=\"margin:0;background:"...)
		b = s.page.appendHex(b)
		b = append(b, "\">\n"...)
	}
	text := s.resolve(vt.Style{}).fg
	b = append(b, `<pre style="position:relative;display:inline-block;margin:0;overflow:hidden;border-radius:`...)
	b = strconv.AppendInt(b, int64(s.pad/2), 10)
	b = append(b, `px;padding:`...)
	b = strconv.AppendInt(b, int64(s.pad), 10)
	b = append(b, `px;width:`...)
	b = strconv.AppendInt(b, int64(s.cols*s.w), 10)
	b = append(b, `px;box-sizing:content-box;font:`...)
	b = appendNumber(b, s.em)
	b = append(b, "px/"...)
	b = strconv.AppendInt(b, int64(s.h), 10)
	b = append(b, "px "...)
	b = append(b, fontFamily...)
	b = append(b, `;font-variant-ligatures:none;letter-spacing:calc(`...)
	// Columns have the same width in any monospaced font.
	b = strconv.AppendInt(b, int64(s.w), 10)
	b = append(b, `px - 1ch);text-align:left;white-space:pre;tab-size:8;direction:ltr;unicode-bidi:bidi-override;color:`...)
	b = text.appendHex(b)
	b = append(b, `;background:`...)
	b = s.page.appendHex(b)
	b = append(b, `">`...)
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
	b = append(b, `<svg aria-hidden="true" preserveAspectRatio="none" style="position:absolute;pointer-events:none;left:`...)
	b = strconv.AppendInt(b, int64(s.pad), 10)
	b = append(b, `px;top:`...)
	b = strconv.AppendInt(b, int64(s.pad), 10)
	b = append(b, `px;width:`...)
	b = strconv.AppendInt(b, int64(s.cols*s.w), 10)
	b = append(b, `px;height:`...)
	b = strconv.AppendInt(b, int64(s.rows*s.h), 10)
	b = append(b, `px`...)
	b = appendViewBox(b, s.cols*s.w, s.rows*s.h)
	b = append(b, ">\n"...)
	b = s.layers(b, nil)
	return append(b, "</svg>"...)
}

// appendLine appends the text of a row.
func (s *scene) appendLine(b []byte, l line, standard rgb) []byte {
	tail := ""
	if l.size != vt.SingleSize {
		b = append(b, `<span style="display:inline-block;vertical-align:top;overflow:hidden;width:`...)
		b = strconv.AppendInt(b, int64(s.cols*s.w), 10)
		b = append(b, `px;height:`...)
		b = strconv.AppendInt(b, int64(s.h), 10)
		b = append(b, `px"><span style="display:inline-block;transform-origin:0 0;transform:`...)
		switch l.size {
		case vt.DoubleWidth:
			b = append(b, `scaleX(2)">`...)
		case vt.DoubleTop:
			b = append(b, `scale(2)">`...)
		default:
			b = append(b, `translateY(-`...)
			b = strconv.AppendInt(b, int64(s.h), 10)
			b = append(b, `px) scale(2)">`...)
		}
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
	start := len(b)
	tag := "span"
	if c.link != "" {
		tag = "a"
		b = append(b, `<a rel="noopener noreferrer" href="`...)
		b = appendText(b, c.link)
		b = append(b, `" style="text-decoration:none;color:`...)
		b = c.fg.appendHex(b)
		b = append(b, ';')
	} else {
		b = append(b, `<span style="`...)
	}
	styled := len(b)
	if c.link == "" && c.fg != standard && !allBlank(row) {
		b = append(b, "color:"...)
		b = c.fg.appendHex(b)
		b = append(b, ';')
	}
	if c.attr.Has(vt.Bold) {
		b = append(b, "font-weight:bold;"...)
	}
	if c.attr.Has(vt.Italic) {
		b = append(b, "font-style:italic;"...)
	}
	if len(b) == styled && c.link == "" {
		b, tag = b[:start], ""
	} else {
		b = append(b[:len(b)-1], `">`...) // without the last semicolon
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
	if tag != "" {
		b = append(b, "</"...)
		b = append(b, tag...)
		b = append(b, '>')
	}
	return b
}

func allBlank(row []cell) bool {
	for i := range row {
		if !row[i].blank() {
			return false
		}
	}
	return true
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
	b = append(b, `<span style="display:inline-block;width:`...)
	b = strconv.AppendInt(b, int64(width*s.w), 10)
	if invisible {
		b = append(b, `px;color:transparent">`...)
	} else {
		b = append(b, `px;text-align:center">`...)
	}
	for i := range row {
		b = appendText(b, row[i].text)
	}
	return append(b, "</span>"...)
}
