package picture

import (
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/sgr"
)

// fontFamily names the fonts: the first one that the viewer has.
const fontFamily = `'JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace`

// newDocument returns the scene of a document, or an error if the document could become too large.
func newDocument(f *render.Frame, o Options) (*scene, error) {
	s, err := newScene(f, o)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, row := range f.Lines[s.first : s.first+s.rows] {
		size += documentSize(row)
	}
	if size > maxDocument {
		return nil, fault.New(fault.Invalid, "the picture would be too large, since so many cells have colours of their own: choose fewer rows")
	}
	return s, nil
}

// documentSize returns more bytes than a row needs in a document: for each style with its link and
// its graphics, for each character with a width of its own, and for each letter.
func documentSize(row cells.Row) int {
	size := 8*len(row.Text) + 64
	for _, s := range row.Spans {
		size += 600 + 6*len(s.Link)
	}
	for i := range len(row.Text) {
		if row.Text[i] >= 0xc0 { // the first byte of a code point beyond ASCII
			size += 150
		}
	}
	return size
}

// appendText appends text, escaped for HTML and XML. It leaves out characters that XML cannot have
// and those that change the order of what follows: a terminal shows text from left to right.
func appendText(b []byte, text string) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == '<':
				b = append(b, "&lt;"...)
			case c == '>':
				b = append(b, "&gt;"...)
			case c == '&':
				b = append(b, "&amp;"...)
			case c == '"':
				b = append(b, "&#34;"...)
			case c >= ' ' && c != 0x7f:
				b = append(b, c)
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case safetext.Disturbs(r), n == 1 && r == utf8.RuneError:
		default:
			b = append(b, text[i:i+n]...)
		}
		i += n
	}
	return b
}

// plain reports whether every monospaced font has a cell's text in one column.
func (c *cell) plain() bool {
	if c.width != 1 {
		return false
	}
	if len(c.text) == 1 {
		return true
	}
	r, n := utf8.DecodeRuneInString(c.text)
	return n == len(c.text) && (r >= 0xa0 && r < 0x250 && r != 0xad || r >= 0x370 && r < 0x483 || r >= 0x48a && r < 0x530)
}

// A run is a sequence of cells that are written as one text.
type run struct {
	cells    []cell
	col, end int
	drawn    bool // by code
	single   bool // one cell, whose width in the font may differ
}

// emphasis has the attributes that change the letters.
const emphasis = sgr.Bold | sgr.Italic

// follows reports whether a cell's text is written as that of a.
func (c *cell) follows(a *cell) bool {
	return a.link == c.link && (c.blank() || a.fg == c.fg && a.attr&emphasis == c.attr&emphasis)
}

func nextRun(row []cell) (run, []cell) {
	c := &row[0]
	_, drawn := c.shape()
	r := run{col: c.col, end: c.col + c.width, drawn: drawn, single: !drawn && !c.plain()}
	n := 1
	for ; !r.single && n < len(row) && row[n].col == r.end && row[n].follows(c); n++ {
		if _, ok := row[n].shape(); ok != drawn || !ok && !row[n].plain() {
			break
		}
		r.end++
	}
	r.cells = row[:n]
	return r, row[n:]
}
