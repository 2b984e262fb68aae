package picture

import (
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// A scene is a frame cut to the requested part, with its colours resolved to RGB.
type scene struct {
	geometry
	cols, rows int
	// page is the colour around the cells, and base the colour of blanks without a background.
	page, base rgb

	scheme  *scheme
	frame   *render.Frame
	first   int // row of the frame
	cursor  bool
	style   sgr.Style // the last one resolved
	look    look      // and its look
	scratch []cell
}

// A look is a style in the colours in which it is drawn.
type look struct {
	fg, bg, line rgb
	attr         sgr.Attr
}

type cell struct {
	look
	col, width int
	text       string // one grapheme cluster; a blank if nothing is to be drawn
	link       string // a target, which package vt has found safe to follow, or ""
	mark       mark
	markColor  rgb
}

// A mark is a cursor that does not change its cell's colours.
type mark uint8

const (
	noMark mark = iota
	underlineMark
	barMark
)

type line struct {
	size  vt.LineSize
	cols  int    // that are visible
	cells []cell // from left to right; columns without one are blank. Valid until the next line.
}

func newScene(f *render.Frame, o Options) (*scene, error) {
	o, err := o.check(f)
	if err != nil {
		return nil, err
	}
	c := schemes[o.Theme]
	s := &scene{
		geometry: geometryOf(o.Cell), cols: f.Cols, rows: o.Rows,
		scheme: c, frame: f, first: o.FirstRow, cursor: f.Cursor.Visible && !o.NoCursor,
	}
	s.page, s.base = c.color(f.Background, c.background), c.background
	if f.Reverse {
		s.page, s.base = c.color(f.Foreground, c.text), c.text
	}
	s.look = s.resolve(sgr.Style{})
	return s, nil
}

// width and height are the size of the picture in pixels.
func (s *scene) width() int  { return s.cols*s.w + 2*s.pad }
func (s *scene) height() int { return s.rows*s.h + 2*s.pad }

func (s *scene) resolve(st sgr.Style) look {
	l := look{fg: s.scheme.color(st.FG, s.scheme.text), bg: s.scheme.color(st.BG, s.scheme.background), attr: st.Attr}
	if st.Attr.Has(sgr.Inverse) != s.frame.Reverse {
		l.fg, l.bg = l.bg, l.fg
	}
	if st.Attr.Has(sgr.Faint) {
		l.fg = l.fg.mix(l.bg, 112)
	}
	l.line = s.scheme.color(st.UnderlineColor, l.fg)
	return l
}

// lookOf is resolve with the last result kept: neighbours usually have one style.
func (s *scene) lookOf(st sgr.Style) look {
	if st != s.style {
		s.style, s.look = st, s.resolve(st)
	}
	return s.look
}

func (s *scene) line(y int) line {
	row := s.frame.Lines[s.first+y]
	l := line{size: row.Size, cols: row.Size.Columns(s.cols), cells: s.scratch[:0]}
	w := row.Walk()
	for w.Next() && w.Col+w.Width <= l.cols {
		c := cell{look: s.lookOf(w.Style), col: w.Col, width: w.Width, text: w.Text, link: w.Link}
		if c.attr.Has(sgr.Conceal) {
			c.text = " "
		}
		l.cells = append(l.cells, c)
	}
	if at := s.frame.Cursor; s.cursor && at.Row == s.first+y {
		l.cells = s.withCursor(l.cells, min(at.Col, l.cols-1))
	}
	s.scratch = l.cells
	return l
}

func (s *scene) withCursor(row []cell, col int) []cell {
	i := len(row)
	for i > 0 && row[i-1].col+row[i-1].width > col {
		i--
	}
	if i == len(row) {
		row = append(row, cell{look: s.lookOf(sgr.Style{}), col: col, width: 1, text: " "})
		if s.frame.Background != 0 && !s.frame.Reverse {
			row[i].bg = s.page
		}
	}
	c := &row[i]
	color := s.scheme.text
	if s.frame.Reverse {
		color = s.scheme.background
	}
	switch {
	case s.frame.CursorColor != 0:
		color = s.scheme.color(s.frame.CursorColor, color)
	case s.frame.Foreground != 0 && !s.frame.Reverse:
		color = s.scheme.color(s.frame.Foreground, color)
	}
	switch s.frame.Cursor.Shape {
	case vt.CursorUnderline:
		c.mark, c.markColor = underlineMark, color
	case vt.CursorBar:
		c.mark, c.markColor = barMark, color
	default:
		if color == c.bg { // as on inverse text
			color = c.fg
		}
		c.fg, c.bg = c.bg, color
		c.line = c.fg
	}
	return row
}

func (c *cell) blank() bool {
	if len(c.text) < 2 {
		return c.text == " " || c.text == ""
	}
	r, n := utf8.DecodeRuneInString(c.text)
	return n == len(c.text) && unicode.IsSpace(r)
}
