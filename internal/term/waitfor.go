package term

import (
	"context"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/expect"
	"ui-mcp/internal/term/pattern"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// MaxSearches is how many callers may wait for text in a session.
const MaxSearches = 64

// WaitFor waits until the expression (see [pattern.Compile]) matches the text on the screen, or
// text that has scrolled off the primary screen since the call, however short the history is. Text
// that is erased again before it has scrolled may be missed. The error is of kind Timeout after
// maxWait (0 means DefaultWait), Gone when the program ends without a match, and Exhausted while
// MaxSearches callers wait for text in the session.
func (s *Session) WaitFor(ctx context.Context, expression string, maxWait time.Duration) (expect.Match, error) {
	return s.waitFor(ctx, expression, pattern.Compile, maxWait)
}

// WaitForText is [Session.WaitFor] with a literal text.
func (s *Session) WaitForText(ctx context.Context, text string, maxWait time.Duration) (expect.Match, error) {
	return s.waitFor(ctx, text, pattern.Literal, maxWait)
}

func (s *Session) waitFor(ctx context.Context, what string, compile func(string, bool) (*pattern.Pattern, error), maxWait time.Duration) (expect.Match, error) {
	p, err := compile(what, false)
	if err != nil {
		return expect.Match{}, err
	}
	ctx, cancel := s.within(ctx, maxWait, "%q did not appear in session %q within %v: look at its screen", what, s.Name())
	defer cancel()
	found := make(chan expect.Match, 1)
	wait := &expect.Wait{Pattern: p, Found: func(m expect.Match) { found <- m }}
	err = s.do(ctx, func(st *state) error {
		switch {
		case st.texts.Find(st.term, wait, time.Now()):
		case st.core.Exit != nil:
			return s.goneError(*st.core.Exit)
		case st.texts.Len() >= MaxSearches:
			return fault.New(fault.Exhausted, "%d calls wait for text in session %q already, which is the limit", MaxSearches, s.Name())
		default:
			st.texts.Add(st.term, wait)
		}
		return nil
	})
	if err != nil {
		return expect.Match{}, err
	}
	defer s.exec.Post(func() { s.st.texts.Remove(s.st.term, wait) })
	select {
	case m := <-found:
		return m, nil
	case <-s.ended:
	case <-ctx.Done():
		return expect.Match{}, context.Cause(ctx)
	}
	select {
	case m := <-found: // in the last output
		return m, nil
	default:
		return expect.Match{}, s.goneError(*s.Info().Exit)
	}
}

func (s *Session) write(st *state, b []byte) {
	defer s.lookSoon(st) // also after a panic
	st.texts.Write(st.term, b, time.Now())
}

// lookSoon looks for text that callers wait for, now or after a pause.
func (s *Session) lookSoon(st *state) {
	if st.looking {
		return
	}
	if rest := st.texts.Due(st.term, time.Now()); rest > 0 {
		st.looking = true
		s.after(rest, func(st *state) {
			st.looking = false
			s.lookSoon(st)
		})
	}
}

// WaitExit waits for the program to end and returns how it ended. The error is of kind Timeout
// after maxWait (0 means DefaultWait).
func (s *Session) WaitExit(ctx context.Context, maxWait time.Duration) (tty.Exit, error) {
	ctx, cancel := s.within(ctx, maxWait, "the program of session %q has not ended within %v: wait on, or kill it", s.Name())
	defer cancel()
	if ctx.Err() != nil { // also if it has ended already
		return tty.Exit{}, context.Cause(ctx)
	}
	if err := s.pause(ctx, s.ended, 0); err != nil {
		return tty.Exit{}, err
	}
	return *s.Info().Exit, nil
}

// A Prompt is what WaitPrompt has found.
type Prompt struct {
	core.Prompted
	Screen     *vt.Snapshot
	Generation uint64 // for Quiesce
}

// WaitPrompt waits until the shell prompts for a line, and has read the lines that were typed
// before; where no shell is followed, until a program seems to wait for a line. A line that was
// typed but not entered does not matter to a shell. The error is of kind Timeout after maxWait (0
// means DefaultWait), and Gone when the program ends.
func (s *Session) WaitPrompt(ctx context.Context, maxWait time.Duration) (Prompt, error) {
	ctx, cancel := s.within(ctx, maxWait, "the shell in session %q did not prompt within %v: look at its screen", s.Name())
	defer cancel()
	return awaitAnswer(ctx, s, func(id uint64) core.Input { return core.AwaitPrompt{ID: id} }, func(st *state, r core.Prompted) Prompt {
		return Prompt{r, st.snapshot(), st.core.Idle.Count}
	})
}
