package cells

import (
	"slices"
	"strings"
	"unicode/utf8"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// A Piece is text in one style. A line feed starts a new row, and a tab adds blanks up to the next
// multiple of eight characters; other control characters are dropped.
type Piece struct {
	Text  string
	Style sgr.Style
}

const tabWidth = 8

// runesPerColumn bounds how much of a row of text is processed. No meaningful text has more
// combining characters than this in every column.
const runesPerColumn = 16

// Shape lays out pieces one after the other. It returns at most rows rows, each cut to cols
// columns, at most [vt.MaxSize]; a wide character of which only the first column fits is dropped.
// The rows keep trailing blanks, because blanks cover the layers below.
func Shape(pieces []Piece, cols, rows int) []Row {
	if cols <= 0 || rows <= 0 {
		return nil
	}
	var out []Row
	for _, l := range layOut(pieces, min(cols, vt.MaxSize), rows) {
		r := FromLine(l).Restyled(func(s sgr.Style) sgr.Style {
			red, green, blue, _ := s.FG.RGB()
			return pieces[int(red)<<16|int(green)<<8|int(blue)].Style
		})
		if !slices.ContainsFunc(r.Spans, func(s vt.Span) bool { return s.Style != sgr.Style{} }) {
			r.Spans = nil
		}
		out = append(out, r)
	}
	return out
}

// Measure returns the size of the pieces in columns and rows, at most [vt.MaxSize] of each.
func Measure(pieces []Piece) (cols, rows int) {
	lines := layOut(pieces, vt.MaxSize, vt.MaxSize)
	for _, l := range lines {
		cols = max(cols, l.Columns())
	}
	return cols, len(lines)
}

// layOut lays out the pieces by writing them to a terminal, which alone knows how. Long rows wrap
// there, and the first of the resulting lines is the part that fits. The colour of the text is the
// number of its piece.
func layOut(pieces []Piece, cols, rows int) []vt.Line {
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
		w.out = sgr.Style{FG: sgr.RGB(uint8(i>>16), uint8(i>>8), uint8(i))}.AppendSGR(w.out)
		w.out = append(w.out, 'm')
		w.text(p.Text)
	}
	if len(w.out) == 0 {
		return nil
	}
	if _, err := t.Write(w.out); err != nil {
		return nil // a terminal accepts everything
	}
	first, _, end := t.Extent()
	_, lines := t.Lines(first, int(end-first))
	out := make([]vt.Line, 0, min(rows, len(lines)))
	wrapped := false
	for _, l := range lines {
		if len(out) == rows {
			break
		}
		if !wrapped {
			out = append(out, l)
		}
		wrapped = l.Wraps
	}
	return out
}

// A writer collects the output for the terminal that does the layout.
type writer struct {
	out   []byte
	rows  int // rows left, including the current one
	limit int // runes processed per row
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
		case safetext.Disturbs(r):
		default:
			w.out = utf8.AppendRune(w.out, r)
			w.n++
		}
	}
}
