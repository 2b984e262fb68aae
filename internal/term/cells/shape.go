package cells

import (
	"strings"
	"unicode/utf8"

	"ui-mcp/internal/term/vt"
)

// A Piece is text in one style. A line feed in it begins a new row; other
// control characters show nothing, but a tab, which fills up with blanks to the
// next multiple of eight characters.
type Piece struct {
	Text  string
	Style vt.Style
}

const tabWidth = 8

// runesPerColumn bounds how much of a row of text is looked at: what combines
// beyond that in every single column means nothing to anyone.
const runesPerColumn = 16

// Shape lays out pieces one after the other. It returns at most rows rows, and
// of each what fits into cols columns, which may be up to [vt.MaxSize]; a wide
// character of which only the first column fits is left out. A Row keeps blanks
// at its end, since they cover what is below.
func Shape(pieces []Piece, cols, rows int) []Row {
	if cols <= 0 || rows <= 0 {
		return nil
	}
	var out []Row
	for _, l := range layOut(pieces, min(cols, vt.MaxSize), rows) {
		out = append(out, l.row(pieces))
	}
	return out
}

// Measure returns how many columns and rows the pieces need, at most
// [vt.MaxSize] of each.
func Measure(pieces []Piece) (cols, rows int) {
	lines := layOut(pieces, vt.MaxSize, vt.MaxSize)
	for _, l := range lines {
		cols = max(cols, l.Columns())
	}
	return cols, len(lines)
}

// A shaped line is a line of a terminal in which the colour of the text is the
// number of its piece.
type shaped struct{ vt.Line }

// row returns the line in the styles of the pieces.
func (s shaped) row(pieces []Piece) Row {
	r := FromLine(s.Line)
	styled := false
	spans := make([]vt.Span, len(r.Spans))
	for i, span := range r.Spans {
		red, green, blue, _ := span.Style.FG.RGB()
		span.Style = pieces[int(red)<<16|int(green)<<8|int(blue)].Style
		styled = styled || span.Style != vt.Style{}
		spans[i] = span
	}
	r.Spans = nil
	if styled {
		r.Spans = spans
	}
	return r
}

// layOut has a terminal lay out the pieces, since nobody else knows how. Rows
// that are too long wrap there: what is in the first of the resulting lines is
// what fits.
func layOut(pieces []Piece, cols, rows int) []shaped {
	t, err := vt.New(vt.Options{Cols: cols, Rows: 1, Scrollback: vt.MaxScrollback})
	if err != nil {
		return nil // cols is within the limits
	}
	w := writer{rows: rows, limit: runesPerColumn*cols + runesPerColumn}
	for i, p := range pieces {
		if p.Text == "" {
			continue
		}
		// Always a colour of its own, so that the terminal keeps blanks.
		w.out = append(w.out, "\x1b["...)
		w.out = vt.Style{FG: vt.RGB(uint8(i>>16), uint8(i>>8), uint8(i))}.AppendSGR(w.out)
		w.out = append(w.out, 'm')
		w.text(p.Text)
	}
	if len(w.out) == 0 {
		return nil
	}
	if _, err := t.Write(w.out); err != nil {
		return nil // a terminal takes everything
	}
	first, _, end := t.Extent()
	_, lines := t.Lines(first, int(end-first))
	out := make([]shaped, 0, min(rows, len(lines)))
	wrapped := false
	for _, l := range lines {
		if !wrapped {
			out = append(out, shaped{l})
		}
		wrapped = l.Wraps
	}
	return out
}

// A writer collects what a terminal is to lay out.
type writer struct {
	out   []byte
	rows  int // that may still come, this one included
	limit int // runes looked at in one row
	n     int // runes in this row
}

func (w *writer) text(s string) {
	for w.rows > 0 {
		line, rest, more := strings.Cut(s, "\n")
		w.line(line)
		if !more {
			return
		}
		s = rest
		if w.rows--; w.rows > 0 {
			w.out = append(w.out, "\r\n"...)
			w.n = 0
		}
	}
}

func (w *writer) line(s string) {
	for _, r := range s {
		switch {
		case w.n >= w.limit:
			return
		case r == '\t':
			for {
				w.out = append(w.out, ' ')
				if w.n++; w.n%tabWidth == 0 {
					break
				}
			}
		case r < ' ' || r >= 0x7f && r < 0xa0:
		default:
			w.out = utf8.AppendRune(w.out, r)
			w.n++
		}
	}
}
