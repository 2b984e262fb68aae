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

// textOf returns a line between two positions, with a line end instead of blanks at its end unless
// it wraps or is the last.
func (t *Terminal) textOf(n uint64, from, to Position) string {
	l := t.line(n)
	start, end := 0, len(l.Text)
	if n == to.Line {
		end = l.offset(to.Col)
	}
	if n == from.Line {
		start = min(l.offset(from.Col), end)
	}
	s := l.Text[start:end]
	if n != to.Line && !l.Wraps {
		s = strings.TrimRight(s, " ") + "\n"
	}
	return s
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
	before := to.Line
	if to.Col > 0 {
		before++
	}
	text := func(n uint64) string { return t.textOf(n, from, to) }
	if next, all := take(from.Line, before, limit, false, text); next >= before {
		return Excerpt{Text: all}
	}
	first, begin := take(from.Line, before, head, false, text)
	last, final := take(first, before, limit-head, true, text)
	return Excerpt{Text: begin + final, At: len(begin), From: first, Before: last}
}

// take returns up to limit bytes of the text of lines from up to before, taken from their start or
// from their end, and the number of the line that follows them or with which they begin. It takes a
// part of a line only if no whole line fits; the part does not count.
func take(from, before uint64, limit int, end bool, text func(n uint64) string) (uint64, string) {
	var parts []string
	size := 0
	for from < before && limit > 0 {
		n := from
		if end {
			n = before - 1
		}
		s := text(n)
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
