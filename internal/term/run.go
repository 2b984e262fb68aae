package term

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/fault"
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
	// that waits for a line when the call is made gets it.
	AtPrompt bool
	// Refuse makes the call fail at once while a command works or a person types.
	Refuse bool
}

// DefaultOutput is how much of a command's output is returned, in bytes.
const DefaultOutput = 64 << 10

// A Run is the result of a command.
type Run struct {
	core.Ran
	Screen     *vt.Snapshot
	Generation uint64 // for Quiesce
	vt.Printed        // of a Done command, if the shell marks its prompts
	// Complete says that it is all that the command has printed.
	Complete bool
}

// isControl reports whether a character would be a key if a line were typed with it.
func isControl(c rune) bool { return (c < ' ' || c == 0x7f) && !strings.ContainsRune("\n\r\t", c) }

// WithBegun returns a context with which [Session.RunCommand] calls begun, at most once and before
// it returns, when the command has begun and signals and keys reach it. begun must not block.
func WithBegun(ctx context.Context, begun func()) context.Context {
	return context.WithValue(ctx, key[func()]{}, begun)
}

// RunCommand types a line, presses Enter, and waits for the outcome: for the end of the command if
// the session's shell is followed, otherwise for silence after its output. The shell's marks say
// which line was run, so the result is never another line's. One command runs at a time; other
// callers wait.
//
// The line is typed only where it is read: at a prompt of the shell whose editor is empty, or at a
// program that waits for a line, as far as the system tells; where it does not, after Timeout of
// silence behind text. What a program has typed at the prompt without Enter is dropped; what a
// person has is not, and the line waits.
//
// If the line was not typed within MaxWait, the error is of kind Timeout with the detail NotTyped,
// and says what hindered it. If it is not permitted (see [Session.permit]), the error is of kind
// Precondition with the detail [core.NotPermitted]; if it has control characters other than tabs
// and line ends, or the terminal would cut it, of the same kind with the detail NotTyped. If the
// command has not ended within MaxWait, the error is of kind Timeout, and the command keeps
// running; if the program of the session ends, it is Gone. The Run then has the screen, if that can
// still be read.
func (s *Session) RunCommand(ctx context.Context, line string, o RunOptions) (Run, error) {
	q, err := QuiesceOptions{Timeout: o.Timeout, MaxWait: o.MaxWait}.Complete()
	if err != nil {
		return Run{}, err
	}
	o.Timeout, o.MaxWait = q.Timeout, q.MaxWait
	o.Output = cmp.Or(o.Output, DefaultOutput)
	o.Head = min(o.Head, o.Output)
	if i := strings.IndexFunc(line, isControl); i >= 0 {
		return Run{}, fault.With(core.NotTyped, fault.New(fault.Precondition,
			"the line has the control character %U, which is a key: nothing was typed. Send keys as input (wsh_send_input), not as a command", rune(line[i])))
	}
	what := typing{Typed: core.Typed{From: value[core.Sender](ctx), Kind: core.InputLine, Text: line, Count: utf8.RuneCountInString(line)}}
	if err := s.permit(ctx, &what, func(st *state) ([]byte, error) {
		return core.TypedLine(line, st.term.Input()), nil
	}); err != nil {
		return Run{}, err
	}
	over := fault.New(fault.Timeout, "the command in session %q is not over after %v: wait on, look at the screen, or press C-c", s.Name(), o.MaxWait)
	defer s.clients.Wait()()
	limited, cancel := context.WithTimeoutCause(ctx, o.MaxWait, over)
	defer cancel()
	early := fault.With(core.NotTyped, fault.New(fault.Timeout, "your line was not typed into session %q: there was no time to wait", s.Name()))
	p := &caller{notTyped: early, permitted: func(st *state, b []byte) error { return s.stillPermitted(st, &what, b, true) }}
	p.begun = value[func()](ctx)
	run, err := awaitAnswerFor(limited, s, p, func(id uint64) core.Input {
		return core.Run{
			ID: id, From: what.From, Line: line, Timeout: o.Timeout, AtPrompt: o.AtPrompt, Refuse: o.Refuse, Background: o.Background, Begin: p.begun != nil,
			Entries: []core.Typed{what.Typed},
		}
	}, func(st *state, r core.Ran) Run {
		run := Run{Ran: r, Screen: st.snapshot(), Generation: st.core.Idle.Count}
		if r.First != 0 {
			p, ok := st.term.Printed(r.First, r.Last, o.Head, o.Output)
			p.Cut = p.Cut || !ok
			run.Printed, run.Complete = p, !p.Cut && !p.Alternate
		}
		return run
	})
	if k := fault.KindOf(err); k != fault.Timeout && k != fault.Gone || err == nil {
		return run, err
	}
	var notTyped error
	shown := s.do(ctx, func(st *state) error {
		notTyped = p.notTyped
		run.Screen, run.Generation = st.snapshot(), st.core.Idle.Count
		return nil
	})
	switch late := errors.Is(err, over); {
	case late && notTyped != nil:
		err = notTyped
	case late:
		run.State = core.StillRuns
	}
	if shown != nil {
		return Run{}, err
	}
	return run, err
}
