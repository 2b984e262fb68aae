package term

import (
	"context"
	"regexp"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/vt"
)

// A Match is the text that WaitFor has found.
type Match struct {
	Text   string // what the expression matched
	Line   string // the line in which it begins, as one however it was wrapped
	Screen *vt.Snapshot
}

// WaitFor waits until the expression matches the text on the screen, or text that has scrolled off
// it since the call, however short the history is; ^ and $ match at the ends of lines. Text that is
// erased again before it has scrolled may be missed. The error is of kind Timeout after maxWait (0
// means DefaultWait), and Gone when the program ends without a match.
func (s *Session) WaitFor(ctx context.Context, expression string, maxWait time.Duration) (Match, error) {
	re, err := compile(expression)
	if err != nil {
		return Match{}, err
	}
	o, err := QuiesceOptions{MaxWait: maxWait}.complete()
	if err != nil {
		return Match{}, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.MaxWait, fault.New(fault.Timeout,
		"%q did not appear in session %q within %v: look at its screen", expression, s.Name(), o.MaxWait))
	defer cancel()
	f := &search{re: re, found: make(chan struct{})}
	err = s.do(ctx, func(st *state) error {
		f.look(st)
		if !f.matched && st.status.exit != nil {
			return s.goneError(*st.status.exit)
		}
		if !f.matched {
			st.searches[f] = struct{}{}
		}
		return nil
	})
	if err != nil {
		return Match{}, err
	}
	defer s.exec.Post(func() { delete(s.st.searches, f) })
	select {
	case <-f.found:
		return f.match, nil
	case <-s.ended:
	case <-ctx.Done():
		return Match{}, context.Cause(ctx)
	}
	select {
	case <-f.found: // in the last output
		return f.match, nil
	default:
		return Match{}, s.goneError(*s.Info().Exit)
	}
}

// WaitForText is [Session.WaitFor] with a literal text.
func (s *Session) WaitForText(ctx context.Context, text string, maxWait time.Duration) (Match, error) {
	return s.WaitFor(ctx, regexp.QuoteMeta(text), maxWait)
}

// A search is a call of WaitFor. The executor owns it until found is closed.
type search struct {
	re      *regexp.Regexp
	matched bool
	match   Match
	found   chan struct{} // closed when there is a match

	begun  bool
	next   uint64 // the first line that may still change
	layout uint64
}

// write updates the screen with output. While somebody waits for text, the screen is searched
// before anything can have scrolled off it.
func (st *state) write(b []byte) {
	for len(b) > 0 && len(st.searches) > 0 {
		n := scrollsWithin(b, st.term)
		_, _ = st.term.Write(b[:n]) // a terminal cannot refuse
		b = b[n:]
		st.look()
	}
	_, _ = st.term.Write(b)
}

// look searches the screen for everything that somebody waits for.
func (st *state) look() {
	for f := range st.searches {
		if f.look(st); f.matched {
			delete(st.searches, f)
		}
	}
}

// scrollsWithin returns how many bytes of output can be written so that a line which they write is
// still on the screen afterwards, unless a sequence scrolls by several lines.
func scrollsWithin(b []byte, t *vt.Terminal) int {
	cols, rows := t.Size()
	lines, col := 0, 0
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c >= '\n' && c <= '\f':
			lines, col = lines+1, 0
		case c == 0x1b:
			if n := styleLength(b[i:]); n > 0 {
				i += n - 1
			} else {
				lines++
			}
		default:
			if col++; col == cols {
				lines, col = lines+1, 0
			}
		}
		if lines >= rows-1 {
			return i + 1
		}
	}
	return len(b)
}

// styleLength returns the length of the SGR sequence with which b starts, or 0.
func styleLength(b []byte) int {
	if len(b) < 3 || b[1] != '[' {
		return 0
	}
	for i, c := range b[2:] {
		switch {
		case c == 'm':
			return i + 3
		case c < '0' || c > ';':
			return 0
		}
	}
	return 0
}

// maxWrapped is how many rows of a wrapped line are searched again after they have scrolled off,
// since its end may still change.
const maxWrapped = 16

// look searches the text for the expression.
func (f *search) look(st *state) {
	screen := st.term.Snapshot()
	text := f.text(st.term, screen)
	at := f.re.FindStringIndex(text)
	if at == nil {
		return
	}
	begin := strings.LastIndexByte(text[:at[0]], '\n') + 1
	line, _, _ := strings.Cut(text[begin:], "\n")
	f.match, f.matched = Match{Text: text[at[0]:at[1]], Line: line, Screen: screen}, true
	close(f.found)
}

// text returns the text that has not been searched or may have changed: the screen, and the lines
// that have scrolled off it.
func (f *search) text(t *vt.Terminal, screen *vt.Snapshot) string {
	oldest, top, end := t.Extent()
	if !f.begun || f.layout != screen.Layout || f.next > top {
		f.begun, f.layout, f.next = true, screen.Layout, top
	}
	var b strings.Builder
	if screen.AltScreen() {
		if f.next < top {
			_, lines := t.Lines(f.next, int(top-f.next))
			join(&b, lines, -1, 0)
		}
		join(&b, screen.Lines, screen.Cursor.Row, screen.Cursor.Col)
	} else {
		first, lines := t.Lines(f.next, int(end-f.next))
		join(&b, lines, int(top-first)+screen.Cursor.Row, screen.Cursor.Col)
	}
	for f.next = top; f.next > oldest && top-f.next < maxWrapped; f.next-- {
		if _, above := t.Lines(f.next-1, 1); len(above) == 0 || !above[0].Wraps {
			break
		}
	}
	return b.String()
}

// join writes lines with line ends, joining wrapped ones. It omits trailing blanks, except those
// before the cursor, with which prompts end.
func join(b *strings.Builder, lines []vt.Line, cursorRow, cursorCol int) {
	for y, l := range lines {
		if l.Wraps {
			b.WriteString(l.Text)
			continue
		}
		text := l.Plain()
		b.WriteString(text)
		if y == cursorRow {
			columns := l.Columns() - (len(l.Text) - len(text))
			b.WriteString(strings.Repeat(" ", max(cursorCol-columns, 0)))
		}
		b.WriteByte('\n')
	}
}

// WaitExit waits for the program to end and returns how it ended. The error is of kind Timeout
// after maxWait (0 means DefaultWait).
func (s *Session) WaitExit(ctx context.Context, maxWait time.Duration) (pty.Exit, error) {
	o, err := QuiesceOptions{MaxWait: maxWait}.complete()
	if err != nil {
		return pty.Exit{}, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.MaxWait, fault.New(fault.Timeout,
		"the program of session %q has not ended within %v: wait on, or kill it", s.Name(), o.MaxWait))
	defer cancel()
	if err := s.pause(ctx, s.ended, 0); err != nil {
		return pty.Exit{}, err
	}
	return *s.Info().Exit, nil
}
