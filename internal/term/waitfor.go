package term

import (
	"context"
	"time"

	"ui-mcp/internal/term/pattern"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A Match is the text that WaitFor has found.
type Match struct {
	Text   string // what the expression matched
	Line   string // the line in which it begins, unwrapped
	Screen *vt.Snapshot
}

// MaxSearches is how many callers may wait for text in a session.
const MaxSearches = 64

// WaitFor waits until the expression (see [pattern.Compile]) matches the text on the screen, or
// text that has scrolled off the primary screen since the call, however short the history is. Text
// that is erased again before it has scrolled may be missed. The error is of kind Timeout after
// maxWait (0 means DefaultWait), Gone when the program ends without a match, and Exhausted while
// MaxSearches callers wait for text in the session.
func (s *Session) WaitFor(ctx context.Context, expression string, maxWait time.Duration) (Match, error) {
	p, err := pattern.Compile(expression, false)
	if err != nil {
		return Match{}, err
	}
	return s.waitFor(ctx, expression, p, maxWait)
}

// WaitForText is [Session.WaitFor] with a literal text.
func (s *Session) WaitForText(ctx context.Context, text string, maxWait time.Duration) (Match, error) {
	p, err := pattern.Literal(text, false)
	if err != nil {
		return Match{}, err
	}
	return s.waitFor(ctx, text, p, maxWait)
}

func (s *Session) waitFor(ctx context.Context, what string, p *pattern.Pattern, maxWait time.Duration) (Match, error) {
	ctx, cancel := within(ctx, maxWait, "%q did not appear in session %q within %v: look at its screen", what, s.Name())
	defer cancel()
	f := &search{pattern: p, found: make(chan struct{})}
	if err := s.do(ctx, func(st *state) error { return s.startSearch(st, f) }); err != nil {
		return Match{}, err
	}
	defer s.exec.Post(func() { delete(s.st.searches.all, f) })
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

// WaitExit waits for the program to end and returns how it ended. The error is of kind Timeout
// after maxWait (0 means DefaultWait).
func (s *Session) WaitExit(ctx context.Context, maxWait time.Duration) (tty.Exit, error) {
	ctx, cancel := within(ctx, maxWait, "the program of session %q has not ended within %v: wait on, or kill it", s.Name())
	defer cancel()
	if ctx.Err() != nil { // also if it has ended already
		return tty.Exit{}, context.Cause(ctx)
	}
	if err := s.pause(ctx, s.ended, 0); err != nil {
		return tty.Exit{}, err
	}
	return *s.Info().Exit, nil
}
