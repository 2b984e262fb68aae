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

// searchPause is how long a waiter lets output gather before it searches again, so that a flood is
// searched in pieces.
const searchPause = 5 * time.Millisecond

// WaitFor waits until the expression matches the text on the screen, or in lines that have scrolled
// off it since the call; ^ and $ match at the ends of lines. The error is of kind Timeout after
// maxWait (0 means DefaultWait), and Gone if the program ends without a match.
func (s *Session) WaitFor(ctx context.Context, expression string, maxWait time.Duration) (Match, error) {
	re, err := regexp.Compile("(?m)" + expression)
	if err != nil {
		return Match{}, fault.Wrap(fault.Invalid, err, "%q is no regular expression", expression)
	}
	if re.MatchString("") {
		return Match{}, fault.New(fault.Invalid, "the regular expression %q matches no text at all, so anything", expression)
	}
	o, err := QuiesceOptions{MaxWait: maxWait}.complete()
	if err != nil {
		return Match{}, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.MaxWait, fault.New(fault.Timeout,
		"%q did not appear in session %q within %v: look at its screen", expression, s.Name(), o.MaxWait))
	defer cancel()
	changed, end, err := s.subscribe(ctx)
	if err != nil {
		return Match{}, err
	}
	defer end()
	var search searcher
	for {
		var text string
		var screen *vt.Snapshot
		var exit *pty.Exit
		err := s.do(ctx, func(st *state) error {
			screen, exit = st.term.Snapshot(), st.status.exit
			text = search.text(st.term, screen)
			return nil
		})
		if err != nil {
			return Match{}, err
		}
		if at := re.FindStringIndex(text); at != nil {
			begin := strings.LastIndexByte(text[:at[0]], '\n') + 1
			line, _, _ := strings.Cut(text[begin:], "\n")
			return Match{Text: text[at[0]:at[1]], Line: line, Screen: screen}, nil
		}
		if exit != nil {
			return Match{}, s.goneError(*exit)
		}
		if err := s.pause(ctx, changed, 0); err != nil {
			return Match{}, err
		}
		if err := s.pause(ctx, s.ended, searchPause); err != nil {
			return Match{}, err
		}
	}
}

// WaitForText is [Session.WaitFor] with a literal text.
func (s *Session) WaitForText(ctx context.Context, text string, maxWait time.Duration) (Match, error) {
	return s.WaitFor(ctx, regexp.QuoteMeta(text), maxWait)
}

// A searcher remembers how far the text has been searched.
type searcher struct {
	begun  bool
	next   uint64 // the first line that may still change
	layout uint64
}

// text returns the text that was not searched yet, or may have changed: the screen, and the lines
// that have scrolled off it.
func (f *searcher) text(t *vt.Terminal, screen *vt.Snapshot) string {
	_, top, end := t.Extent()
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
	f.next = top
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
