package core

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A Run types a line as soon as it will be read, and waits for what becomes of it. Runs take turns,
// in their order. The answer is a [Ran].
type Run struct {
	ID   uint64
	From Sender
	Line string
	// Timeout is the silence after which a program counts as waiting where nothing tells, and a
	// command as ended.
	Timeout time.Duration
	// Background ends the wait when the command has begun, and Begin reports that with [Begun].
	Background, Begin bool
	// AtPrompt types the line only when the shell prompts. Refuse does not wait for a program that
	// works, nor for somebody who types: the error is then [NotTyped].
	AtPrompt, Refuse bool
	// Entries are the ledger's for the line, which is never typed where a secret is read.
	Entries []Typed
}

// A RunState is what is known about a command when a [Run] ends.
type RunState string

const (
	// Done: the shell reported that the command has ended, or that it has not run the line.
	Done RunState = "done"
	// Unknown: the shell is ready for the next line, and has not told whether it has run this one.
	Unknown RunState = "unknown"
	// Waiting: the command has started, and seems to wait for input.
	Waiting RunState = "waiting"
	// Asked: it waits for input, and a person is being asked for that.
	Asked RunState = "asked"
	// Silent: it was quiet for long enough; nothing more is known.
	Silent RunState = "quiet"
	// StillRuns: it has not ended, and was not waited for any longer.
	StillRuns RunState = "running"
)

// Ran is the answer to a [Run].
type Ran struct {
	State RunState
	// NotRun says that the shell has shown that it did not run the line, which is wrong, unfinished
	// or only a comment. The line is Done, and not in the shell's editor any more.
	NotRun   bool
	ExitCode *int          // nil when it is not known, or no command was run
	Duration time.Duration // of the command; 0 when it is not known
	// First and Last are the IDs of the marks of its output: a line may be several commands. They
	// are 0 if they are not known.
	First, Last uint64
}

// A runWait is a [Run] that has not ended. The first one has typed or offered its line, or will
// next: the shell watches its fate if that was at a prompt.
type runWait struct {
	Run
	Why   hindrance      // why the line was not typed at the last look
	Sent  time.Time      // when it was; zero: it was not
	Asked int            // how often it was offered since the editor last answered
	Shell tty.Foreground // if a Begun or Background is to come: the job that read the line
}

func (in Run) apply(s *Session) error {
	in.AtPrompt = in.AtPrompt || slices.ContainsFunc(s.Waits, func(w *wait) bool { return w.Run != nil })
	return s.wait(&wait{ID: in.ID, Run: &runWait{Run: in}})
}

// leave ends what has been done for a run. The error says why its line was not typed, and what to
// do; it is nil if the line was typed.
func (r *runWait) leave(s *Session) error {
	switch {
	case r.Sent.IsZero():
		return s.notTyped(r.Why)
	case s.withdraw(r):
		return s.notTyped(byEditor)
	case s.Shell.Offer.From.Kind != "": // the editor says that it has found none
		_ = s.sys.Withdraw()
	}
	s.Shell.Watch = nil
	return nil
}

func (r *runWait) look(s *Session, id uint64) (again time.Duration, _ Result, err error) {
	if w := s.Shell.Watch; !r.Sent.IsZero() && w != nil && w.State == lineOffered {
		if !s.Shell.Editor.Held && s.Keyboard == nil {
			if rest := s.patience(); rest > 0 {
				return rest, nil, nil
			}
		}
		s.withdraw(r)
	}
	if r.Sent.IsZero() {
		if rest, err := s.typeLine(id, r); r.Sent.IsZero() {
			if err == nil && (r.Refuse && r.Why.lasts() || r.Why == byStart) {
				err = s.notTyped(r.Why)
			}
			return rest, nil, err
		}
	}
	w := s.Shell.Watch
	var ran Ran
	if w != nil {
		ran.State, again, err = s.judge(r)
		if ran.State == Done && w.Outcome != outcomeRan && strings.TrimSpace(r.Line) != "" {
			if ran.NotRun = w.Outcome == outcomeDropped; !ran.NotRun {
				ran.State = Unknown
			}
		}
	} else if quiet, rest := s.judgeSilence(r); quiet {
		ran.State = Silent
	} else {
		again = rest
	}
	if (r.Background || r.Begin) && ran.State == "" && err == nil {
		begun, rest := s.judgeBegun(r, again)
		if begun && r.Begin {
			s.emit(Begun{id})
			r.Begin = false
		}
		switch {
		case !begun:
			again = rest
		case r.Background:
			ran.State = StillRuns
		}
	}
	if ran.State == "" {
		return again, nil, err
	}
	if s.PersonAsked && (ran.State == Waiting || ran.State == Silent) {
		ran.State = Asked
	}
	if ran.State == Done {
		if ran.ExitCode = w.Exit; w.From != 0 {
			ran.Duration, ran.First, ran.Last = w.Ended.Sub(w.Began), w.From, w.To
		}
	}
	return 0, ran, nil
}

// typeLine types or offers the line of a run if it would be read. Otherwise it returns when to look
// again even if nothing has changed.
func (s *Session) typeLine(id uint64, r *runWait) (rest time.Duration, err error) {
	if first := slices.IndexFunc(s.Waits, func(w *wait) bool { return w.Run != nil }); s.Waits[first].ID != id {
		r.Why = byTurn
		return 0, nil
	}
	if err := s.Keyboard.Refuses(s.sys.Name()); err != nil { // a ready key, too
		return 0, err
	}
	r.Why, rest = s.hinders(r.AtPrompt, r.Timeout)
	prompts := s.Shell.prompts()
	r.AtPrompt = r.AtPrompt || prompts
	if r.Why != isRead {
		return rest, nil
	}
	text, mode := TypedLine(r.Line, s.sys.Input()), s.sys.Mode()
	if !prompts {
		if err := s.fits(text, mode); err != nil {
			return 0, err
		}
	}
	if err := s.sys.Permitted(id, text); err != nil {
		return 0, err
	}
	if r.Background || r.Begin { // asking the system takes longer than all the rest
		r.Shell = s.sys.Foreground()
	}
	if prompts {
		return 0, s.offer(r)
	}
	if err := s.write(Write{Bytes: text, Typed: true}); err != nil {
		return 0, err
	}
	s.sent(r.From, InputLine, r.Line, text, mode)
	s.log(r.Entries...)
	r.Sent, r.Entries = s.now, nil
	return 0, nil
}

// offer lets the shell's editor take the line of a run.
func (s *Session) offer(r *runWait) error {
	p := &s.Shell
	if r.Asked++; r.Asked > maxPressed {
		return s.notTyped(byEditor)
	}
	line := strings.TrimRight(strings.ReplaceAll(r.Line, "\r\n", "\n"), "\r\n")
	p.Offer = offer{p.Offer.N + 1, r.From, r.Line, r.Entries}
	if err := s.sys.Offer(p.Offer.N, line); err != nil {
		return fault.With(NotTyped, fault.New(fault.Internal, "your line was not typed into session %q: %v", s.sys.Name(), err))
	}
	p.Watch = &fate{N: p.N, Whole: !strings.ContainsAny(line, "\r\n")}
	r.Sent = s.now
	key := readyKey
	if p.Editor.Draft.Kind.isPerson() {
		key = askKey
	}
	err := s.press(key)
	if err != nil {
		s.withdraw(r)
	}
	return err
}

// withdraw ends the offer of a run's line. It reports false if the editor has taken the line.
func (s *Session) withdraw(r *runWait) bool {
	w := s.Shell.Watch
	if w == nil || w.State != lineOffered || !s.sys.Withdraw() {
		return false
	}
	if !w.Seen.IsZero() {
		r.Asked = 0
	}
	s.Shell.Watch, r.Sent = nil, time.Time{}
	return true
}

// taken records that the shell's editor has taken the line that was offered.
func (s *Session) taken() {
	p := &s.Shell
	o := p.Offer
	p.Offer = offer{N: o.N}
	s.emit(Taken{o.N})
	s.drives(o.From, InputLine, o.Line, []byte("\r"), PhaseEditing)
	p.Editor.Entered, p.Editor.Unread = s.now, true
	s.Ledger.add(s.now, o.Entries...) // the output of the mark wakes who waits for it
}

// fits returns why a terminal that hands over lines would cut a line.
func (s *Session) fits(text []byte, mode tty.Mode) error {
	if s.MaxLine == 0 || mode == tty.ModeKeys {
		return nil
	}
	for line := range bytes.SplitSeq(text, []byte("\r")) {
		if len(line) > s.MaxLine {
			return fault.With(NotTyped, fault.New(fault.Precondition,
				"the terminal of session %q hands over lines of at most %d bytes now, and would cut yours of %d: write it to a file, and run that", s.sys.Name(), s.MaxLine, len(line)))
		}
	}
	return nil
}

// TypedLine returns the bytes to type for a line. Several lines, and one with tabs, which would be
// completed, are pasted if the program takes that.
func TypedLine(line string, m vt.Input) []byte {
	line = strings.TrimRight(strings.NewReplacer("\r\n", "\r", "\n", "\r").Replace(line), "\r")
	if strings.ContainsAny(line, "\r\t") && m.Modes.Has(vt.ModeBracketedPaste) {
		return append(keys.Paste(line, m), '\r')
	}
	return []byte(line + "\r")
}
