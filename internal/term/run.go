package term

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/vt"
)

// RunOptions define how long to wait for a command.
type RunOptions struct {
	// Timeout is the silence after which a command counts as ended where the shell marks nothing; 0
	// means DefaultSilence.
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
type RunState = core.RunState

const (
	Done      = core.Done
	Unknown   = core.Unknown
	Waiting   = core.Waiting
	Asked     = core.Asked
	Silent    = core.Silent
	StillRuns = core.StillRuns
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
	// Output is a Done command's output as plain text, without its middle unless Complete.
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

type begunKey struct{}

// WithBegun returns a context with which [Session.RunCommand] calls begun, at most once and before
// it returns, when the command has begun and signals and keys reach it. begun must not block.
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
	o.Output = cmp.Or(o.Output, DefaultOutput)
	o.Head = min(o.Head, o.Output)
	what := typedCommand(line)
	what.From = senderOf(ctx)
	if err := s.permit(ctx, &what, func(st *state) ([]byte, error) {
		text, _ := core.TypedLine(line, st.mode())
		return text, nil
	}); err != nil {
		return Run{}, err
	}
	over := fault.New(fault.Timeout, "the command in session %q is not over after %v: wait on, look at the screen, or press C-c", s.Name(), o.MaxWait)
	limited, cancel := context.WithTimeoutCause(ctx, o.MaxWait, over)
	defer cancel()
	p := &caller{first: true, permitted: func(st *state, b []byte) error { return s.stillPermitted(st, &what, b, true) }}
	p.begun, _ = ctx.Value(begunKey{}).(func())
	run, err := awaitAnswerFor(limited, s, p, func(id uint64) core.Input {
		return core.Run{
			ID: id, From: what.From, Line: line, Timeout: o.Timeout, AtPrompt: o.AtPrompt, Background: o.Background, Begin: p.begun != nil,
			Open: what.entries(false), Secret: what.entries(true),
		}
	}, func(st *state, r core.Ran) Run {
		run := Run{Screen: st.snapshot(), Generation: st.core.Idle.Generation(), State: r.State, NotRun: r.NotRun, ExitCode: r.ExitCode, Duration: r.Duration}
		run.report(st, r, o)
		return run
	})
	if k := fault.KindOf(err); k != fault.Timeout && k != fault.Gone || err == nil {
		return run, err
	}
	first, typed := true, false
	shown := s.do(ctx, func(st *state) error {
		first, typed = p.first, p.typed
		run.Screen, run.Generation = st.snapshot(), st.core.Idle.Generation()
		return nil
	})
	switch late := errors.Is(err, over); {
	case late && typed:
		run.State = StillRuns
	case late && !first:
		return Run{}, s.whyNotTyped(false, o)
	case late:
		err = s.whyNotTyped(true, o)
	}
	if shown != nil {
		return Run{}, err
	}
	return run, err
}

// report adds a command's output to its result.
func (run *Run) report(st *state, r core.Ran, o RunOptions) {
	if r.From == nil {
		return // the screen may have the output
	}
	oldest, _, _ := st.term.Extent()
	from, to := *r.From, *r.To
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
	if !r.Keyed {
		// Where the last line has no end, zsh fills it with blanks to begin its prompt on the next.
		run.Output = strings.TrimRight(run.Output, " ")
	}
}

// maxQuotedLine bounds the part of a command line that an error quotes, in bytes.
const maxQuotedLine = 60

// whyNotTyped returns the error about a line that was not typed in time, which says what it has
// waited for. turn says that no other caller was running a command.
func (s *Session) whyNotTyped(turn bool, o RunOptions) error {
	info := s.Info()
	last, line := info.LastCommand, ""
	runs := last != nil && !last.Ended
	if runs && last.Line != "" {
		line = ": " + quoteLine(last.Line)
	}
	waits := map[State]string{StateLine: "a line", StateSecret: "a secret"}[info.State]
	switch {
	case turn && !runs:
		return fault.With(NotTyped, fault.New(fault.Timeout,
			"the shell in session %q has not prompted for %v; your line was not typed: look at the screen", info.Name, o.MaxWait))
	case waits != "":
		return fault.With(NotTyped, fault.New(fault.Timeout,
			"another command in session %q waits for %s%s; yours is for the shell, and was not typed: answer that command or press C-c, then run yours again", info.Name, waits, line))
	}
	return fault.With(NotTyped, fault.New(fault.Timeout, "another command is running in session %q%s; yours was not typed", info.Name, line))
}

// quoteLine quotes the start of a command line.
func quoteLine(line string) string {
	start, _, more := strings.Cut(line, "\n")
	if len(start) > maxQuotedLine {
		start, more = safetext.Cut(start, maxQuotedLine), true
	}
	if more {
		start += "…"
	}
	return strconv.Quote(start)
}
