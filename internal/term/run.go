package term

import (
	"context"
	"errors"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/idle"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// RunOptions define how long to wait for a command.
type RunOptions struct {
	// Timeout is the silence after which a command counts as ended without marks; 0 means
	// DefaultSilence.
	Timeout time.Duration
	// MaxWait is how long to wait in total; 0 means DefaultWait.
	MaxWait time.Duration
	// Output is how many bytes of output to return at most; 0 means DefaultOutput. If there are
	// more, up to Head of these are the output's start, and the others its end.
	Output, Head int
	// Background returns when the command has begun, so that a signal or a key reaches it.
	Background bool
	// AtPrompt types the line only when the shell prompts, and waits for that. Otherwise a command
	// that runs when the call is made gets the line.
	AtPrompt bool
}

// DefaultOutput is how much of a command's output is returned, in bytes.
const DefaultOutput = 64 << 10

// A RunState is what is known about a command when RunCommand returns.
type RunState string

const (
	// Done: the shell reported that the command has ended, or that it has not run the line.
	Done RunState = "done"
	// Unknown: the shell is ready for the next line, and has not told whether it has run this one.
	Unknown RunState = "unknown"
	// Waiting: the command has started, and seems to wait for input.
	Waiting RunState = "waiting"
	// Asked: it waits for input, and a person is being asked for that: see
	// [Session.AwaitRequest].
	Asked RunState = "asked"
	// Silent: it was quiet for long enough; nothing more is known.
	Silent RunState = "quiet"
	// StillRuns: it has not ended, and was not waited for any longer.
	StillRuns RunState = "running"
)

// A Run is the result of a command.
type Run struct {
	Screen     *vt.Snapshot
	Generation uint64 // for Quiesce
	State      RunState
	// NotRun says that the shell has shown that it did not run the line, which is wrong, unfinished
	// or only a comment. The line is Done, and not in the shell's editor any more.
	NotRun bool
	// The following is known if the shell marks its prompts.
	ExitCode *int          // nil when it is not known, or no command was run
	Duration time.Duration // of the command; 0 when it is not known
	// Output is the command's output as plain text, if it is Done, without its middle unless
	// Complete.
	Output   string
	Complete bool
	Omitted  Omitted
}

// Omitted says what is missing from a command's output. The zero value means nothing.
type Omitted struct {
	At           int    // where lines were left out of the output, in bytes
	From, Before uint64 // the numbers of these lines: From to Before-1; both 0 if there are none
	// Start reports whether the history does not have the start of the output any more.
	Start bool
}

// How long to wait for overdue marks.
const (
	silentGrace = 300 * time.Millisecond // for a command that shows nothing at all
	markGrace   = 200 * time.Millisecond // between marks that belong together
	beginGrace  = DefaultSilence         // for a shell to begin a command
	forkGrace   = time.Second            // for a shell to start the program of a command
	beginPause  = 5 * time.Millisecond   // between looks whether it has
	startGrace  = 5 * time.Second        // for a program to start, if nothing reveals when it has
	editorGrace = time.Second            // for a line editor that has started to mark its prompt
	answerGrace = 5 * time.Second        // for a line editor to answer a ready key
)

type begunKey struct{}

// WithBegun returns a context with which [Session.RunCommand] calls begun when the command has
// begun, so that a signal or a key reaches it: at most once, before it returns. begun must not
// block.
func WithBegun(ctx context.Context, begun func()) context.Context {
	return context.WithValue(ctx, begunKey{}, begun)
}

// RunCommand types a line, presses Enter, and waits for the outcome: for the end of the command if
// the shell marks its prompts, otherwise for silence after its output. The shell's own marks say
// which line was run, so the result is never another line's. Text that somebody has typed at the
// prompt without Enter is dropped. One command runs at a time; other callers wait.
//
// A line is not typed before the shell prompts for the first time, since programs that run when the
// shell starts could read it. If the program marks no prompts, the line is not typed before it
// reads, where the system tells that.
//
// If the line was not typed within MaxWait, since another command was running or the shell did not
// prompt, the error is of kind Timeout with the detail NotTyped. If it is not permitted (see
// [Session.permit]), the error is of kind Precondition with the detail [NotPermitted]. If the
// command has not ended within MaxWait, the error is of kind Timeout, and the command keeps
// running; if the program of the session ends, it is Gone. The Run then has the screen, if that can
// still be read.
func (s *Session) RunCommand(ctx context.Context, line string, o RunOptions) (Run, error) {
	q, err := QuiesceOptions{Timeout: o.Timeout, MaxWait: o.MaxWait}.complete()
	if err != nil {
		return Run{}, err
	}
	o.Timeout, o.MaxWait = q.Timeout, q.MaxWait
	if o.Output == 0 {
		o.Output = DefaultOutput
	}
	o.Head = min(o.Head, o.Output)
	what := typedCommand(line)
	what.From = senderOf(ctx)
	if err := s.permit(ctx, &what, func(st *state) ([]byte, error) {
		text, _ := typed(line, st.mode())
		return text, nil
	}); err != nil {
		return Run{}, err
	}
	over := fault.New(fault.Timeout, "the command in session %q is not over after %v: wait on, look at the screen, or press C-c", s.Name(), o.MaxWait)
	limited, cancel := context.WithTimeoutCause(ctx, o.MaxWait, over)
	defer cancel()
	waited, err := s.takeTurn(limited)
	if errors.Is(err, over) {
		return Run{}, s.whyNotTyped(false, o)
	}
	if err != nil {
		return Run{}, err
	}
	o.AtPrompt = o.AtPrompt || waited
	defer func() { <-s.running }()
	run, typed, err := s.run(limited, what, o)
	switch {
	case errors.Is(err, over) && typed:
		run.State = StillRuns
	case errors.Is(err, over):
		err = s.whyNotTyped(true, o)
	}
	if k := fault.KindOf(err); err != nil && run.Screen == nil && (k == fault.Timeout || k == fault.Gone) {
		if shown := s.do(ctx, func(st *state) error {
			run.Screen, run.Generation = st.snapshot(), st.idle.Generation()
			return nil
		}); shown != nil {
			return Run{}, err
		}
	}
	return run, err
}

// run is RunCommand while no other command is being run.
func (s *Session) run(ctx context.Context, what typing, o RunOptions) (_ Run, typed bool, err error) {
	r, err := s.typeLine(ctx, what, o)
	if err != nil {
		return Run{}, false, err
	}
	defer s.exec.Post(func() { s.st.unwatch(r.watch) })
	begun, _ := ctx.Value(begunKey{}).(func())
	var run Run
	err = s.awaitRunning(ctx, func(st *state) (_ verdict, err error) {
		now := time.Now()
		var v idle.Verdict
		run = Run{}
		known := r.watch.known
		if known {
			run.State, v, err = s.judgeMarks(st, r, now)
			if w := r.watch; run.State == Done && !w.ran && !r.blank {
				if run.NotRun = w.dropped; !w.dropped {
					run.State = Unknown
				}
			}
		} else {
			run.State, v = Silent, s.judgeSilence(st, r, now)
		}
		if (o.Background || begun != nil) && !v.Quiet && err == nil {
			b := s.judgeBegun(st, r, v, now)
			if b.Quiet && begun != nil {
				begun()
				begun = nil
			}
			if o.Background {
				run.State, v = StillRuns, b
			} else if !b.Quiet {
				v = b
			}
		}
		if v.Quiet {
			if st.status.asked && (run.State == Waiting || run.State == Silent) {
				run.State = Asked
			}
			s.report(st, r.watch, &run, o)
		}
		return verdict{over: v.Quiet, again: v.Ask, still: !known}, err
	})
	if err != nil {
		return Run{}, true, err
	}
	return run, true, nil
}

// A typedLine is a line that has been typed.
type typedLine struct {
	watch   *runWatch
	timeout time.Duration
	blank   bool           // it contains no command
	sent    time.Time      // when it was typed
	shell   tty.Foreground // the job that read the line, or the zero value
	reads   bool           // something waited for it
	before  uint64         // the generation then
}

// typeLine types a line as soon as the shell is ready for it.
func (s *Session) typeLine(ctx context.Context, what typing, o RunOptions) (*typedLine, error) {
	line := what.Text
	r := &typedLine{timeout: o.Timeout, blank: strings.TrimSpace(line) == ""}
	attempt := lineAttempt{paste: mustPaste(line), atPrompt: o.AtPrompt}
	return r, s.awaitRunning(ctx, func(st *state) (verdict, error) {
		if err := s.keyboardTaken(); err != nil { // before a ready key is pressed, too
			return verdict{}, err
		}
		now := time.Now()
		if rest, err := s.beforeTyping(st, &attempt, now); err != nil || rest > 0 {
			return verdict{again: rest}, err
		}
		text, whole := typed(line, st.mode())
		if err := s.stillPermitted(st, &what, text, true); err != nil {
			return verdict{}, err
		}
		r.shell, r.reads = s.process.Foreground(), s.process.Reads() == tty.Reads
		if attempt.unsure && attempt.asked > 0 {
			text = append([]byte("\x15"), text...) // C-u drops what an editor may have taken of the key
		}
		mode, secret := s.process.Mode(), s.secretLine(st)
		entries := what.entries(secret)
		if err := s.enqueue(st, text); err != nil {
			return verdict{}, err
		}
		st.follow(text, secret)
		st.typed(what.From, what.Kind, line, text, mode, st.shell.phase)
		st.ledger.add(now, entries...)
		st.notify()
		st.shell.lines.typed(text, now)
		s.stir(st, now)
		r.sent, r.before = st.idle.Last(), st.idle.Generation()
		r.watch = st.shell.newWatch(whole && !attempt.unsure)
		r.watch.whole = !attempt.paste
		r.watch.alone = r.watch.alone && whole
		return verdict{over: true}, nil
	})
}

// newWatch returns the watch of a line that has just been typed. known says that the shell takes it
// as one line, and that no earlier input can interfere.
func (p *shellState) newWatch(known bool) *runWatch {
	w := &runWatch{n: p.n, alone: !p.unclear, pressed: p.pressed}
	w.known = known && (p.phase == phaseEditing || p.phase == phaseHooks)
	if !w.known {
		p.unclear, p.sound = true, false
	}
	p.watch = w
	return w
}

// unwatch ends a watch.
func (st *state) unwatch(w *runWatch) {
	p := &st.shell
	if p.watch == w {
		p.watch = nil
	}
	for _, m := range [...]*vt.Mark{w.output, w.end} {
		if m != nil {
			st.term.Untrack(&m.At)
		}
	}
	if w.known && !w.over {
		p.unclear = true
	}
}

// A lineAttempt is what typeLine remembers while it waits.
type lineAttempt struct {
	paste    bool      // the line must be pasted
	atPrompt bool      // it is for the shell, and not for a command
	prompted bool      // there was a prompt
	n        uint64    // its number
	since    time.Time // when it came, or when a ready key was pressed
	asked    int       // how often that was
	unsure   bool      // it was not answered
}

// recheck is how often to check conditions that no mark announces.
const recheck = 50 * time.Millisecond

// beforeTyping returns how long to wait before looking again whether a line can be typed, or 0 if
// it can. Between the end of a command and the next prompt, the terminal may echo what is typed and
// take several lines for several commands.
func (s *Session) beforeTyping(st *state, a *lineAttempt, now time.Time) (time.Duration, error) {
	s.followExec(st, now)
	p := &st.shell
	quiet := now.Sub(st.idle.Last())
	brackets := st.term.Modes().Has(vt.ModeBracketedPaste)
	switch p.phase {
	case phaseUnmarked:
		return s.beforeMarks(st, now)
	case phaseRunning, phaseMore:
		if a.prompted || a.atPrompt { // by a line from before, while this one is for the shell
			return recheck, nil
		}
		if !p.signalled.IsZero() {
			return s.afterSignal(st, now), nil
		}
		return 0, nil
	}
	if s.unread.Load() {
		return recheck, nil
	}
	if !a.prompted || a.n != p.n {
		a.prompted, a.n, a.since = true, p.n, now
	}
	if p.phase == phaseHooks {
		switch {
		case p.keyed && s.takesKeys(), !p.keyed && (brackets || p.marked):
			if quiet < markGrace { // otherwise, the end of the prompt is not marked
				return markGrace - quiet, nil
			}
			if !p.marked && p.brackets == bracketsUsed && !brackets {
				return recheck, nil // something else takes keys
			}
			p.unclear = p.unclear || !p.marked // what makes the marks may be lost
		case quiet >= beginGrace && st.asksOnScreen():
			a.unsure = true
			return 0, nil
		default:
			return recheck, nil
		}
	}
	if rest := p.lines.wait(now); rest > 0 && !p.keyed { // its marks would be taken for those of the line
		return rest, nil
	}
	if p.unclear && p.keyed && !a.unsure {
		return s.askReady(st, a, now)
	}
	if brackets {
		p.brackets = bracketsUsed
	} else if a.paste && p.brackets != bracketsUnused {
		// They are asked for just after the prompt.
		if rest := beginGrace - now.Sub(a.since); rest > 0 {
			return rest, nil
		}
		if p.brackets == bracketsUnknown {
			p.brackets = bracketsUnused
		}
	}
	return 0, nil
}

// afterSignal is beforeTyping while the shell has not marked the end of a command that got a
// signal, or of an unfinished line. The shell drops input when a signal interrupts it, and what a
// dying command leaves unread runs unseen, so the line waits for the prompt, unless the command has
// survived: it still waits for input, or has run for long enough.
func (s *Session) afterSignal(st *state, now time.Time) time.Duration {
	since := now.Sub(st.shell.signalled)
	if since >= answerGrace {
		return 0
	}
	if st.shell.phase == phaseRunning && since >= silentGrace && now.Sub(st.idle.Last()) >= silentGrace {
		editor, reads := s.takesKeys(), s.process.Reads()
		switch {
		case s.isBehind():
		case editor && s.process.Foreground().PID == s.pid: // the shell's own, about to prompt
		case reads == tty.Reads, reads == tty.ReadingUnknown && editor:
			return 0
		}
	}
	return min(recheck, answerGrace-since)
}

// beforeMarks is beforeTyping while there were no marks. Nothing is typed until a program reads:
// the shell and what its start-up files run may take any time.
func (s *Session) beforeMarks(st *state, now time.Time) (time.Duration, error) {
	p := &st.shell
	mode, reads, quiet := s.process.Mode(), s.process.Reads(), now.Sub(st.idle.Last())
	if s.isBehind() {
		return recheck, nil
	}
	if p.name != "" && !p.plain {
		if reads == tty.Reads && mode != tty.ModeKeys && quiet >= DefaultSilence && s.isShell(st) {
			return 0, fault.With(NotTyped, fault.New(fault.Timeout,
				"the start-up files of the shell in session %q ask for something; your line was not typed: look at the screen and answer with input", s.Name()))
		}
		if !s.marksNothing(st, mode, reads, quiet, now) {
			return recheck, nil
		}
		p.plain = true
	}
	switch {
	case reads == tty.ReadsNot:
		return recheck, nil
	case reads == tty.Reads, mode == tty.ModeKeys:
		return 0, nil
	case quiet >= editorGrace && st.asksOnScreen():
		return 0, nil
	}
	return startGrace - now.Sub(s.created), nil
}

// marksNothing reports whether a shell that was started to mark its prompts does not: a line editor
// reads, and is not of that shell, or has not marked its prompt for long enough.
func (s *Session) marksNothing(st *state, mode tty.Mode, reads tty.Reading, quiet time.Duration, now time.Time) bool {
	switch {
	case mode == tty.ModeSecret, quiet < markGrace:
		return false
	case !s.isShell(st):
		return mode == tty.ModeKeys || reads == tty.Reads
	case mode != tty.ModeKeys || reads == tty.ReadsNot:
		return false
	case st.term.Modes().Has(vt.ModeBracketedPaste):
		return quiet >= editorGrace
	}
	return quiet >= editorGrace && now.Sub(s.created) >= startGrace
}

// isShell reports whether the job in the foreground may be the shell that the session has started:
// start-up files can run others, and replace it.
func (s *Session) isShell(st *state) bool {
	f := s.process.Foreground()
	return f.PID == 0 || f.PID == s.pid && (f.Name == "" || f.Name == st.shell.name)
}

// askReady presses a ready key once the line editor can read it, and waits for the answer. A
// command that has just begun may read the key instead, so it is sent again.
func (s *Session) askReady(st *state, a *lineAttempt, now time.Time) (time.Duration, error) {
	p := &st.shell
	if p.pressedAt != p.n { // another program has read it, or a signal has dropped it
		p.asking = false
	}
	switch {
	case !p.asking && !s.takesKeys():
		if s.process.Reads() == tty.Reads && now.Sub(st.idle.Last()) >= beginGrace {
			a.unsure = true // the shell reads without a line editor
			return 0, nil
		}
		return recheck, nil // a line has been read, and its command is about to begin
	case !p.asking && a.asked < 2:
		a.asked++
		a.since = now
		return answerGrace, s.pressReady(st)
	case p.asking && now.Sub(a.since) < answerGrace:
		return answerGrace - now.Sub(a.since), nil
	case p.asking:
		p.asking = false // another program has read it
		return recheck, nil
	}
	a.unsure = true
	return 0, nil
}

func (s *Session) pressReady(st *state) error {
	return s.enqueue(st, []byte(st.shell.press()))
}

// mustPaste reports whether typing a line would change its meaning: several lines would be several
// commands, with prompts in between, and tabs would be completed.
func mustPaste(line string) bool {
	return strings.ContainsAny(strings.TrimRight(line, "\r\n"), "\r\n\t")
}

// typed returns the bytes to type for a line, and whether a shell takes it as a whole.
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

// report fills in the result of a command.
func (s *Session) report(st *state, w *runWatch, run *Run, o RunOptions) {
	run.Screen, run.Generation = st.snapshot(), st.idle.Generation()
	if w.end == nil || run.State != Done {
		return
	}
	if run.ExitCode = w.exit; w.output == nil {
		return // the screen may have the output
	}
	run.Duration = w.ended.Sub(w.began)
	oldest, _, _ := st.term.Extent()
	from, to := *w.output, *w.end
	if to.Alternate || to.At.Line < oldest {
		return
	}
	cut := from.At.Line < oldest
	if cut {
		from.At, o.Head = vt.Position{Line: oldest}, 0
	}
	if from.Alternate || to.At.Line < from.At.Line || to.At.Line == from.At.Line && to.At.Col < from.At.Col {
		return // the command has cleared the screen
	}
	e := st.term.Excerpt(from.At, to.At, o.Head, o.Output)
	run.Output, run.Omitted = e.Text, Omitted{e.At, e.From, e.Before, cut}
	run.Complete = run.Omitted == Omitted{}
	if !st.shell.keyed {
		// Where the last line has no end, zsh fills it with blanks to begin its prompt on the next.
		run.Output = strings.TrimRight(run.Output, " ")
	}
}
