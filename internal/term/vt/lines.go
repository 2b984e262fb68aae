package vt

import (
	"bytes"
	"slices"
	"strings"
)

// Extent returns the numbers of the available lines: the history has lines first to screen-1, the
// primary screen has lines screen to end-1.
func (t *Terminal) Extent() (first, screen, end uint64) {
	return t.history.first, t.history.next, t.history.next + uint64(len(t.primary.rows))
}

// Lines returns up to n lines of the history and the primary screen, and the number of the first
// one: from, or the oldest line if from is no longer kept. It does so even while the alternate
// screen is active. Output does not change numbers, so reading on from the number after the last
// neither skips nor repeats a line, unless [Snapshot.Layout] has changed in between. Lines returns
// the present text even during a synchronized update.
func (t *Terminal) Lines(from uint64, n int) (first uint64, lines []Line) {
	oldest, screen, end := t.Extent()
	first = max(from, oldest)
	if first >= end || n <= 0 {
		return first, nil
	}
	last := min(end, first+uint64(n))
	lines = make([]Line, 0, last-first)
	for i := first; i < last; i++ {
		if i < screen {
			lines = append(lines, t.unpackLine(t.history.line(i)))
		} else {
			lines = append(lines, t.rowLine(t.primary.rows[i-screen]))
		}
	}
	return first, lines
}

// Text returns the plain text between two positions in the history and the primary screen, at most
// limit bytes. It joins wrapped lines and drops trailing blanks. complete reports whether all of
// the text is still kept and within the limit; if not, Text returns the end of it.
func (t *Terminal) Text(from, to Position, limit int) (text string, complete bool) {
	oldest, screen, end := t.Extent()
	complete = from.Line >= oldest
	if !complete {
		from = Position{Line: oldest}
	}
	if to.Line >= end {
		to = Position{Line: end - 1, Col: t.cols}
	}
	// Backwards, because the end matters most.
	var parts []string
	size := 0
	for i := to.Line + 1; i > from.Line && size <= limit; i-- {
		n := i - 1
		var l Line
		if n < screen {
			l = t.unpackLine(t.history.line(n))
		} else {
			l = t.rowLine(t.primary.rows[n-screen])
		}
		s := l.Text
		if n == to.Line {
			s = s[:l.offset(to.Col)]
		} else if !l.Wraps {
			s += "\n"
		}
		if n == from.Line {
			s = s[min(l.offset(from.Col), len(s)):]
		}
		parts = append(parts, s)
		size += len(s)
	}
	b := make([]byte, 0, size)
	for _, s := range slices.Backward(parts) {
		b = append(b, s...)
		if end, ok := bytes.CutSuffix(b, []byte("\n")); ok {
			b = append(bytes.TrimRight(end, " "), '\n')
		}
	}
	text = string(b)
	if len(text) > limit {
		text, complete = strings.ToValidUTF8(text[len(text)-limit:], ""), false
	}
	return text, complete
}
