package render

import (
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// An encoder writes output for a terminal, and tracks the terminal's state.
type encoder struct {
	out        []byte
	cols, rows int
	row, col   int  // the cursor; col is cols if the last column was printed to
	unsure     bool // the cursor may be elsewhere
	joined     bool // the next character might join the one before it
	style      sgr.Style
	link       string
}

func (e *encoder) csi(n int, final byte) {
	e.out = append(e.out, "\x1b["...)
	if n != 1 {
		e.out = strconv.AppendInt(e.out, int64(n), 10)
	}
	e.out = append(e.out, final)
}

func (e *encoder) mode(n string, on bool) {
	e.out = append(append(e.out, "\x1b[?"...), n...)
	if on {
		e.out = append(e.out, 'h')
	} else {
		e.out = append(e.out, 'l')
	}
}

// home records that the cursor is at the upper left.
func (e *encoder) home() { e.row, e.col, e.unsure, e.joined = 0, 0, false, false }

// move moves the cursor with the shortest sequence.
func (e *encoder) move(row, col int) {
	sure := !e.unsure && e.col < e.cols
	switch {
	case sure && e.row == row && e.col == col && !e.joined:
		return
	case sure && e.row == row && col > e.col:
		e.csi(col-e.col, 'C')
	case !e.unsure && col == 0 && (e.row == row || e.row == row-1):
		e.out = append(e.out, '\r')
		if e.row != row {
			e.out = append(e.out, '\n')
		}
	default:
		e.out = append(e.out, "\x1b["...)
		if row > 0 || col > 0 {
			e.out = strconv.AppendInt(e.out, int64(row+1), 10)
		}
		if col > 0 {
			e.out = append(e.out, ';')
			e.out = strconv.AppendInt(e.out, int64(col+1), 10)
		}
		e.out = append(e.out, 'H')
	}
	e.row, e.col, e.unsure, e.joined = row, col, false, false
}

func (e *encoder) print(c vt.Cell) {
	if e.joined || e.col > 0 && joins(c.Text) {
		// A sequence keeps the two apart, wherever the terminal has the cursor.
		e.joined = true
		e.unsure = true
		e.move(e.row, c.Col)
	}
	e.setLink(c.Link)
	e.setStyle(c.Style)
	e.out = append(e.out, c.Text...)
	e.col = c.Col + c.Width
	switch {
	case joins(c.Text):
		e.unsure, e.joined = true, true
	case len(c.Text) > 1:
		// Terminals disagree on the width of several code points together.
		if _, n := utf8.DecodeRuneInString(c.Text); n < len(c.Text) {
			e.unsure, e.joined = true, true
		}
	}
}

// joins reports whether text may become part of the character before it, and has another width
// then: the letters of flags, skin tones, and marks that take a column of their own.
func joins(text string) bool {
	if text[0] < 0x80 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text)
	switch {
	case r < 0x300:
		return false
	case r == 0xFF9E, r == 0xFF9F: // voiced marks of half width
		return true
	}
	return r >= 0x1F1E6 && r <= 0x1F1FF || r >= 0x1F3FB && r <= 0x1F3FF || unicode.Is(unicode.M, r)
}

// plain sets the default style, and no link.
func (e *encoder) plain() {
	e.setLink("")
	e.setStyle(sgr.Style{})
}

func (e *encoder) setLink(uri string) {
	if uri == e.link {
		return
	}
	e.out = append(append(append(e.out, "\x1b]8;;"...), uri...), "\x1b\\"...)
	e.link = uri
}

func (e *encoder) setStyle(s sgr.Style) {
	if s != e.style {
		e.out = s.AppendSGRFrom(e.out, e.style)
		e.style = s
	}
}

// cursorStyle is DECSCUSR.
func (e *encoder) cursorStyle(c vt.Cursor) {
	n := 2*int(c.Shape) + 2
	if c.Blinks {
		n--
	}
	e.out = fmt.Appendf(e.out, "\x1b[%d q", n)
}
