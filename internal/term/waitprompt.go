package term

import (
	"bytes"
	"context"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/vt"
)

// A Prompt is what WaitPrompt has found.
type Prompt struct {
	Screen     *vt.Snapshot
	Generation uint64 // for Quiesce
	More       bool   // the shell asks for the rest of an unfinished line
	ExitCode   *int   // of the last command, if the shell reported one
}

// WaitPrompt waits until the shell prompts for a line, and has read the lines that were typed
// before. A line that was typed but not entered does not matter. The error is of kind Timeout after
// maxWait (0 means DefaultWait), Gone when the program ends, and of kind Precondition with the
// detail [NoPrompts] if the program marks no prompts.
func (s *Session) WaitPrompt(ctx context.Context, maxWait time.Duration) (Prompt, error) {
	ctx, cancel := within(ctx, maxWait, "the shell in session %q did not prompt within %v: look at its screen", s.Name())
	defer cancel()
	var prompt Prompt
	err := s.awaitRunning(ctx, func(st *state) (verdict, error) {
		now := time.Now()
		p := &st.shell
		if p.phase == phaseUnmarked {
			rest := startGrace - now.Sub(st.idle.Last())
			if rest <= 0 {
				return verdict{}, fault.With(NoPrompts, fault.New(fault.Precondition,
					"the program of session %q marks no prompts: wait until it is quiet, or for a text", s.Name()))
			}
			return verdict{again: rest}, nil
		}
		if p.phase != phaseEditing && p.phase != phaseMore {
			return verdict{}, nil
		}
		rest := p.lines.wait(now)
		if rest <= 0 && !s.unread.Load() {
			prompt = Prompt{st.snapshot(), st.idle.Generation(), p.phase == phaseMore, p.exit}
			return verdict{over: true}, nil
		}
		return verdict{again: rest}, nil
	})
	return prompt, err
}

// typedLines counts the lines that were typed and that the shell has not read yet, as far as its
// marks tell: a program that it runs may have read some of them instead.
type typedLines struct {
	n       int
	since   time.Time // when the newest was typed, or the newest prompt was displayed
	running bool      // a command runs
	during  int       // how many of the newest lines were typed during commands
	last    time.Time // when the newest was typed, whether it was read or not; zero: there was none
}

var pasteEnd = []byte("\x1b[201~")

// typed counts the lines in input. Line ends within brackets do not count.
func (l *typedLines) typed(b []byte, now time.Time) {
	for len(b) > 0 {
		text, rest, pasted := bytes.Cut(b, []byte("\x1b[200~"))
		if n := bytes.Count(text, []byte("\r")) + bytes.Count(text, []byte("\n")); n > 0 {
			l.n += n
			l.since, l.last = now, now
			if l.running {
				l.during += n
			} else {
				l.during = 0
			}
		}
		if !pasted {
			return
		}
		_, b, _ = bytes.Cut(rest, pasteEnd)
	}
}

// see handles a mark of the shell, which was in a phase before.
func (l *typedLines) see(m vt.Mark, before shellPhase, now time.Time) {
	read := false
	switch m.Kind {
	case vt.MarkOutput:
		read = true
	case vt.MarkEnd:
		read = before != phaseRunning && before != phaseUnmarked // the line was not run
	case vt.MarkPrompt:
		read = m.Variant == variantMore
	case vt.MarkCommand:
		l.since = now
	}
	if read && l.n > 0 {
		l.n--
		l.during = min(l.during, l.n)
	}
	l.running = m.Kind == vt.MarkOutput
}

// wait returns for how long a shell that prompts may still begin to read what was typed. Lines that
// were typed while a command ran were most likely read by that: a shell that prompts afterwards and
// has them reads them at once.
func (l *typedLines) wait(now time.Time) time.Duration {
	grace := beginGrace
	switch l.n {
	case 0:
		return 0
	case l.during:
		grace = markGrace
	}
	rest := grace - now.Sub(l.since)
	if rest <= 0 {
		l.n, l.during = 0, 0 // something else has read them, or they were dropped
	}
	return rest
}
