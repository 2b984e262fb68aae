package term

import (
	"context"
	"errors"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/idle"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/vt"
)

// RunOptions define how long to wait for a command.
type RunOptions struct {
	// Timeout is the silence after which a command counts as ended without marks; 0 means
	// DefaultSilence.
	Timeout time.Duration
	// MaxWait is how long to wait in total; 0 means DefaultWait.
	MaxWait time.Duration
	// Output is how many bytes of output to return at most; 0 means DefaultOutput.
	Output int
}

// DefaultOutput is how much of a command's output is returned, in bytes.
const DefaultOutput = 64 << 10

// A RunState is what is known about a command when RunCommand returns.
type RunState string

const (
	// Done: the shell reported that the command has ended.
	Done RunState = "done"
	// Waiting: the command has started, and seems to wait for input.
	Waiting RunState = "waiting"
	// Silent: it was quiet for long enough; nothing more is known.
	Silent RunState = "quiet"
)

// A Run is the result of a command.
type Run struct {
	Screen     *vt.Snapshot
	Generation uint64 // for Quiesce
	State      RunState
	// The following is known if the shell marks its prompts.
	ExitCode *int          // nil when it is not known, or no command was run
	Duration time.Duration // of the command; 0 when it is not known
	// Output is the command's output as plain text, if it is Done: only its end unless Complete.
	Output   string
	Complete bool
}

// How long to wait for overdue marks.
const (
	silentGrace = 300 * time.Millisecond // for a command that shows nothing at all
	markGrace   = 200 * time.Millisecond // between marks that belong together
	beginGrace  = DefaultSilence         // for a shell to begin a command
	startGrace  = 5 * time.Second        // for a new shell to show its first prompt
)

// A runWatch tracks the marks of a running command.
type runWatch struct {
	began, ended time.Time // the command; zero until it has
	seen         time.Time // the newest mark
	output, end  uint64    // marks
	exit         *int
	prompt       bool // the shell waits for the next command
}

// see handles a mark.
func (w *runWatch) see(m vt.Mark, now time.Time) {
	w.seen = now
	switch m.Kind {
	case vt.MarkOutput:
		if w.output == 0 {
			w.output, w.began = m.ID, now
		}
		w.prompt = false
	case vt.MarkEnd:
		if w.output != 0 {
			w.end, w.ended = m.ID, now
		}
		if m.HasExitCode {
			w.exit = new(m.ExitCode)
		}
	case vt.MarkCommand:
		w.prompt = true
	}
}

// RunCommand types a line, presses Enter, and waits: for the end of the command if the shell marks
// its prompts, otherwise for silence after its output. One command runs at a time; others wait.
//
// If the command has not ended within MaxWait, the error is of kind Timeout, and the command
// continues; if the session's program ends, it is Gone. In both cases the Run has the screen.
func (s *Session) RunCommand(ctx context.Context, line string, o RunOptions) (Run, error) {
	q, err := QuiesceOptions{Timeout: o.Timeout, MaxWait: o.MaxWait}.complete()
	if err != nil {
		return Run{}, err
	}
	o.Timeout, o.MaxWait = q.Timeout, q.MaxWait
	if o.Output == 0 {
		o.Output = DefaultOutput
	}
	over := fault.New(fault.Timeout, "the command in session %q is not over after %v: wait on, look at the screen, or press C-c", s.Name(), o.MaxWait)
	limited, cancel := context.WithTimeoutCause(ctx, o.MaxWait, over)
	defer cancel()
	select {
	case s.running <- struct{}{}:
		defer func() { <-s.running }()
	case <-limited.Done():
		return Run{}, context.Cause(limited)
	}
	run, err := s.run(limited, line, o)
	if err != nil && run.Screen == nil && (errors.Is(err, over) || fault.KindOf(err) == fault.Gone) {
		if shown := s.do(ctx, func(st *state) error {
			run.Screen, run.Generation = st.term.Snapshot(), st.idle.Generation()
			return nil
		}); shown != nil {
			return Run{}, err
		}
	}
	return run, err
}

// run is RunCommand while no other command runs.
func (s *Session) run(ctx context.Context, line string, o RunOptions) (Run, error) {
	changed, end, err := s.subscribe(ctx)
	if err != nil {
		return Run{}, err
	}
	defer end()
	if err := s.awaitPrompt(ctx, changed, mustPaste(line)); err != nil {
		return Run{}, err
	}
	w := &runWatch{}
	var sent time.Time
	var before uint64
	marked := false // the shell will tell
	err = s.doRunning(ctx, func(st *state) error {
		text, whole := typed(line, st.mode())
		marked = st.prompts() && whole
		if err := s.send(st, text); err != nil {
			return err
		}
		sent, before = st.idle.Last(), st.idle.Generation()
		st.watch = w
		return nil
	})
	if err != nil {
		return Run{}, err
	}
	defer s.exec.Post(func() {
		if s.st.watch == w {
			s.st.watch = nil
		}
	})
	blank := strings.TrimSpace(line) == ""
	for {
		var run Run
		var v idle.Verdict
		err := s.doRunning(ctx, func(st *state) error {
			now := time.Now()
			if marked {
				run.State, v = s.judgeMarks(st, w, now, o.Timeout, blank)
			} else {
				v = s.judgeSilence(st, now, o.Timeout, sent, before)
				run.State = Silent
			}
			if v.Quiet {
				s.report(st, w, &run, o.Output)
			}
			return nil
		})
		if err != nil {
			return Run{}, err
		}
		if v.Quiet {
			return run, nil
		}
		if !marked {
			err = s.quietPause(ctx, changed, v.Ask)
		} else {
			err = s.pause(ctx, changed, v.Ask)
		}
		if err != nil {
			return Run{}, err
		}
	}
}

// awaitPrompt waits for a moment until a shell that marks its prompts has finished one that it has
// started, or its first; and if a line must be pasted, until the shell has enabled bracketed paste,
// which it does after its prompt.
func (s *Session) awaitPrompt(ctx context.Context, changed <-chan struct{}, paste bool) error {
	begin := time.Now()
	for {
		var rest time.Duration
		err := s.doRunning(ctx, func(st *state) error {
			switch {
			case !st.marks && s.marks:
				rest = startGrace - time.Since(s.created)
			case st.prompts() && (st.mark.Kind != vt.MarkCommand || paste && !st.term.Modes().Has(vt.ModeBracketedPaste)):
				rest = markGrace - time.Since(begin)
			}
			return nil
		})
		if err != nil || rest <= 0 {
			return err
		}
		if err := s.pause(ctx, changed, rest); err != nil {
			return err
		}
	}
}

// prompts reports whether a shell that marks its prompts waits for a command.
func (st *state) prompts() bool { return st.marks && st.mark.Kind != vt.MarkOutput }

// mustPaste reports whether typing a line would change its meaning: several lines would be several
// commands, with prompts in between, and tabs would trigger completion.
func mustPaste(line string) bool {
	return strings.ContainsAny(strings.TrimRight(line, "\r\n"), "\r\n\t")
}

// typed returns the input for a line, and whether a shell takes it as a whole.
func typed(line string, m keys.Mode) (text []byte, whole bool) {
	paste := mustPaste(line)
	line = strings.NewReplacer("\r\n", "\r", "\n", "\r").Replace(line)
	line = strings.TrimRight(line, "\r")
	switch {
	case !paste:
		return []byte(line + "\r"), true
	case m.Modes.Has(vt.ModeBracketedPaste):
		return append(keys.Paste(line, m), '\r'), true
	}
	return []byte(line + "\r"), !strings.Contains(line, "\r")
}

// judgeMarks reports whether a command has ended, by the shell's marks.
func (s *Session) judgeMarks(st *state, w *runWatch, now time.Time, timeout time.Duration, blank bool) (RunState, idle.Verdict) {
	over := idle.Verdict{Quiet: true}
	if s.unread.Load() {
		return "", idle.Verdict{}
	}
	switch {
	case w.prompt && (w.end != 0 || blank):
		return Done, over
	case w.end != 0 || w.prompt:
		// The person's own marks may lack the end of the prompt. A new prompt without a command
		// means that the shell has redrawn it, or that the line was not a command: a comment, a
		// mistake.
		if rest := markGrace - now.Sub(w.seen); rest > 0 {
			return "", idle.Verdict{Ask: rest}
		}
		return Done, over
	}
	if w.output == 0 { // the shell is about to begin it, however busy the machine is
		timeout = max(timeout, beginGrace)
	}
	v := st.idle.Check(now, idle.Wait{Timeout: timeout})
	if v.Quiet && !s.asks(st, w) {
		return "", idle.Verdict{Ask: timeout} // it may ask without a word: look again
	}
	return Waiting, v
}

// asks reports whether a silent command seems to wait for the person. A busy one leaves the
// keyboard alone and ends its lines; a shell that has not started the command wants more of it.
func (s *Session) asks(st *state, w *runWatch) bool {
	screen := st.term.Snapshot()
	return w.output == 0 || screen.AltScreen() || screen.Cursor.Col > 0 || s.process.Asks()
}

// judgeSilence reports whether it has been quiet for long enough since the last input. The program
// gets a moment to answer, however short the timeout.
func (s *Session) judgeSilence(st *state, now time.Time, timeout time.Duration, sent time.Time, before uint64) idle.Verdict {
	v := s.check(st, now, idle.Wait{Timeout: timeout})
	if rest := silentGrace - now.Sub(sent); v.Quiet && st.idle.Generation() == before && rest > 0 {
		return idle.Verdict{Ask: rest}
	}
	return v
}

// report fills in the result of a command.
func (s *Session) report(st *state, w *runWatch, run *Run, limit int) {
	run.Screen, run.Generation = st.term.Snapshot(), st.idle.Generation()
	if w.end == 0 || run.State != Done {
		return
	}
	run.ExitCode, run.Duration = w.exit, w.ended.Sub(w.began)
	to, ok := st.term.Mark(w.end)
	if !ok || to.Alternate {
		return
	}
	from, ok := st.term.Mark(w.output)
	oldest, _, _ := st.term.Extent()
	if !ok {
		from.At = vt.Position{Line: oldest}
	}
	if from.Alternate || to.At.Line < from.At.Line || to.At.Line == from.At.Line && to.At.Col < from.At.Col {
		return // the command has cleared the screen
	}
	run.Output, run.Complete = st.term.Text(from.At, to.At, limit)
	// If the last line has no end, zsh pads it with blanks to start its prompt on the next line.
	run.Output = strings.TrimRight(run.Output, " ")
	run.Complete = run.Complete && ok
}
