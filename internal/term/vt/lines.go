package vt

import (
	"bytes"
	"slices"
	"strings"

	"ui-mcp/internal/term/scrollback"
)

// Extent returns the numbers of the available lines: the history has lines first to screen-1, the
// primary screen has lines screen to end-1.
func (t *Terminal) Extent() (first, screen, end uint64) {
	return t.history.First, t.history.Next, t.history.Next + uint64(len(t.primary.rows))
}

// Lines returns up to n lines of the history and the primary screen, and the number of the first
// one: from, or the oldest line if from is no longer kept. It does so even while the alternate
// screen is active. Output does not change numbers, so reading on from the number after the last
// neither skips nor repeats a line, unless [Snapshot.Layout] has changed in between. Lines returns
// the present text even during a synchronized update.
func (t *Terminal) Lines(from uint64, n int) (first uint64, lines []Line) {
	oldest, _, end := t.Extent()
	return readLines(max(from, oldest), end, n, t.line)
}

// line returns a line of the history or the primary screen, which must have it.
func (t *Terminal) line(n uint64) Line {
	if n < t.history.Next {
		return t.unpackLine(t.history.Line(n))
	}
	return t.rowLine(t.primary.rows[n-t.history.Next])
}

// readLines reads up to n lines from number first to before end, and returns first, too.
func readLines(first, end uint64, n int, line func(uint64) Line) (uint64, []Line) {
	if first >= end || n <= 0 {
		return first, nil
	}
	lines := make([]Line, min(end-first, uint64(n)))
	for i := range lines {
		lines[i] = line(first + uint64(i))
	}
	return first, lines
}

// A History is the lines that had scrolled off the primary screen at one moment. Later output,
// which makes the terminal drop them, leaves it as it is; only links can be lost. It must not be
// used at the same time as its terminal.
type History struct {
	term  *Terminal // its links
	lines scrollback.Lines
}

// History returns the present history. That costs eight bytes for each line, and the memory of
// those that the terminal drops while the History is in use.
func (t *Terminal) History() *History { return &History{t, t.history.Clone()} }

// Lines returns up to n lines, and the number of the first one: from, or the oldest line if from is
// older. The numbers are those that the terminal had given them.
func (h *History) Lines(from uint64, n int) (first uint64, lines []Line) {
	return readLines(max(from, h.lines.First), h.lines.Next, n, func(n uint64) Line { return h.term.unpackLine(h.lines.Line(n)) })
}

// AppendHistory appends the text of the lines from number from up to, but not including, number to,
// as far as they have scrolled off the screen and are kept. It costs less than [Terminal.Lines]. It
// joins wrapped lines; others lose trailing blanks, and get a line end.
func (t *Terminal) AppendHistory(b []byte, from, to uint64) []byte {
	for n := max(from, t.history.First); n < min(to, t.history.Next); n++ {
		packed, start := t.history.Line(n), len(b)
		if packed[0]&scrollback.Plain != 0 {
			b = append(b, packed[1:]...)
		} else {
			for runs := scrollback.Read(packed); runs.Next(); {
				b = append(b, runs.Run.Text...)
			}
		}
		if packed[0]&scrollback.Wraps == 0 {
			b = append(b[:start+len(bytes.TrimRight(b[start:], " "))], '\n')
		}
	}
	return b
}

// A passage is the lines between two positions, in which from is before to.
type passage struct {
	line     func(uint64) Line
	from, to Position
}

// end returns the number after its last line.
func (p passage) end() uint64 {
	if p.to.Col > 0 {
		return p.to.Line + 1
	}
	return p.to.Line
}

// text returns the part of a line that is in the passage, with a line end instead of blanks at its
// end unless it wraps or is the last.
func (p passage) text(n uint64) string {
	l := p.line(n)
	start, end := 0, len(l.Text)
	if n == p.to.Line {
		end = l.offset(p.to.Col)
	}
	if n == p.from.Line {
		start = min(l.offset(p.from.Col), end)
	}
	s := l.Text[start:end]
	if n != p.to.Line && !l.Wraps {
		s = strings.TrimRight(s, " ") + "\n"
	}
	return s
}

// Text returns the plain text between two positions, as [Terminal.Excerpt] does, from the lines
// that a function returns. It reports false if there are more than limit bytes.
func Text(line func(uint64) Line, from, to Position, limit int) (string, bool) {
	p := passage{line, from, to}
	next, text := p.take(from.Line, p.end(), limit, false)
	return text, next >= p.end()
}

// join joins the texts of consecutive lines, and drops blanks of wrapped ones before line ends.
func join(parts []string) string {
	size := 0
	for _, s := range parts {
		size += len(s)
	}
	b := make([]byte, 0, size)
	for _, s := range parts {
		b = append(b, s...)
		if end, ok := bytes.CutSuffix(b, []byte("\n")); ok {
			b = append(bytes.TrimRight(end, " "), '\n')
		}
	}
	return string(b)
}

// An Excerpt is the plain text between two positions: wrapped lines are joined, and blanks at the
// ends of lines dropped. The middle of a long one is left out.
type Excerpt struct {
	Text string
	// At is the position in Text, in bytes, at which lines were left out: those numbered From to
	// Before-1. From and Before are 0 if no lines were left out.
	At           int
	From, Before uint64
}

// Excerpt returns the text between two positions in the history and the primary screen. If there
// are more than limit bytes, it returns up to head bytes of the start, and the rest from the end:
// whole lines, or a part of a single line that is longer. If the start is not kept any more, the
// excerpt begins with the oldest line.
func (t *Terminal) Excerpt(from, to Position, head, limit int) Excerpt {
	oldest, _, end := t.Extent()
	if from.Line < oldest {
		from = Position{Line: oldest}
	}
	if to.Line >= end {
		to = Position{Line: end - 1, Col: t.cols}
	}
	p := passage{t.line, from, to}
	next, all := p.take(from.Line, p.end(), limit, false)
	if next >= p.end() {
		return Excerpt{Text: all}
	}
	first, begin := p.take(from.Line, p.end(), head, false)
	last, final := p.take(first, p.end(), limit-head, true)
	return Excerpt{Text: begin + final, At: len(begin), From: first, Before: last}
}

// take returns up to limit bytes of the text of lines from up to before, taken from their start or
// from their end, and the number of the line that follows them or with which they begin. It takes a
// part of a line only if no whole line fits; the part does not count.
func (p passage) take(from, before uint64, limit int, end bool) (uint64, string) {
	var parts []string
	size := 0
	for from < before && limit > 0 {
		n := from
		if end {
			n = before - 1
		}
		s := p.text(n)
		if size += len(s); size > limit {
			if len(parts) == 0 && end {
				parts = append(parts, strings.ToValidUTF8(s[len(s)-limit:], ""))
			} else if len(parts) == 0 {
				parts = append(parts, strings.ToValidUTF8(s[:limit], ""))
			}
			break
		}
		parts = append(parts, s)
		if end {
			before--
		} else {
			from++
		}
	}
	if end {
		slices.Reverse(parts)
		return before, join(parts)
	}
	return from, join(parts)
}

// KeepFrom makes the history keep the lines from a number on, at most 131,072 of them beyond its
// limit, until the next call. [math.MaxUint64] keeps none. So an owner that reads all lines, but
// not after each Write, misses none.
func (t *Terminal) KeepFrom(n uint64) {
	t.history.KeepFrom(n)
}
