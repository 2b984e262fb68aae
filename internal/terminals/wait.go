package terminals

import (
	"cmp"
	"context"
	"math"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/expect"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals/wire"
)

// Deadline is the part of inputs that says how long to wait.
type Deadline struct {
	MaxWaitMS *uint64 `json:"max_wait_ms,omitempty" jsonschema:"milliseconds to wait at most; more than 5 minutes count as 5 minutes" default:"30000" min:"0"`
}

// Longest returns how long a call waits at most.
func (d Deadline) Longest() time.Duration {
	return cmp.Or(milliseconds(d.MaxWaitMS), term.DefaultWait)
}

// Silence is the part of inputs that says which silence to wait for.
type Silence struct {
	TimeoutMS *uint64 `json:"timeout_ms,omitempty" jsonschema:"milliseconds of silence to wait for" default:"2000" min:"0"`
}

// IdleQuery is the input of [AwaitIdle].
type IdleQuery struct {
	Target
	Formatted
	Silence
	Deadline
	LastGeneration *uint64 `json:"last_generation,omitempty" jsonschema:"generation of an earlier answer: wait for something new first, and then for silence"`
	Fresh          bool    `json:"fresh,omitempty" jsonschema:"count only silence after the call; overrides last_generation" default:"false"`
}

// Idle is the answer of [AwaitIdle].
type Idle struct {
	Screen          wire.Screen `json:"screen"`
	ScrollbackLines uint64      `json:"scrollback_lines" jsonschema:"lines of history and screen that can be read"`
	Generation      uint64      `json:"generation" jsonschema:"for last_generation"`
	LastActivityMS  int64       `json:"last_activity_ms" jsonschema:"milliseconds since the last output or input"`
}

// RaceQuery is the input of [AwaitAnyIdle].
type RaceQuery struct {
	Tags []string `json:"tags,omitzero" jsonschema:"wait only for sessions with one of these tags"`
	Formatted
	Silence
	Deadline
	LastSession    string  `json:"last_session,omitempty" jsonschema:"session of an earlier answer, for last_generation"`
	LastGeneration *uint64 `json:"last_generation,omitempty" jsonschema:"generation of that answer: of that session wait for something new first"`
	Fresh          bool    `json:"fresh,omitempty" jsonschema:"count only silence after the call; overrides last_generation" default:"false"`
}

// AnyIdle is the answer of [AwaitAnyIdle].
type AnyIdle struct {
	Session string `json:"session" jsonschema:"the session that is idle, for last_session"`
	Idle
}

// TextQuery is the input of [AwaitText].
type TextQuery struct {
	Target
	Formatted
	Deadline
	Text    string `json:"text,omitempty" jsonschema:"text to wait for, of at most 1,000 bytes"`
	Pattern string `json:"pattern,omitempty" jsonschema:"regular expression to wait for instead of a text, of at most 1,000 bytes; ^ and $ match at the ends of lines"`
}

// Match is the answer of [AwaitText].
type Match struct {
	Text   string      `json:"text" jsonschema:"the text that matched"`
	Line   string      `json:"line" jsonschema:"the line in which it begins, joined if it was wrapped"`
	Screen wire.Screen `json:"screen"`
}

// PromptQuery is the input of [AwaitPrompt].
type PromptQuery struct {
	Target
	Formatted
	Deadline
}

// Prompt is the answer of [AwaitPrompt].
type Prompt struct {
	Quiet      bool        `json:"quiet,omitempty" jsonschema:"no shell marks its prompts here, but a program seems to wait for a line"`
	More       bool        `json:"more" jsonschema:"whether the shell asks for the rest of an unfinished line"`
	ExitCode   *int        `json:"exit_code,omitempty" jsonschema:"exit status of the command before, if the shell reported it"`
	Screen     wire.Screen `json:"screen"`
	Generation uint64      `json:"generation" jsonschema:"for last_generation of wait.idle"`
}

// StateQuery is the input of [AwaitState].
type StateQuery struct {
	Target
	Formatted
	Deadline
	States         []string `json:"states,omitzero" jsonschema:"states to wait for: running, prompt, line, secret, fullscreen or ended; left out: line or secret, unless a person is being asked, or prompt after a command has ended"`
	LastGeneration *uint64  `json:"last_generation,omitempty" jsonschema:"generation of an earlier answer: wait for something new first"`
}

// Attained is the answer of [AwaitState].
type Attained struct {
	State      core.State  `json:"state" jsonschema:"the state that was waited for"`
	Agent      *wire.Agent `json:"agent,omitempty" jsonschema:"the agent in the foreground, if one is known to be there: its name, and its state (working, asks or idle)"`
	ExitCode   *int        `json:"exit_code,omitempty" jsonschema:"at a prompt: exit status of the command before, if the shell reported it"`
	Screen     wire.Screen `json:"screen"`
	Generation uint64      `json:"generation" jsonschema:"for last_generation"`
}

// KeysQuery is the input of [AwaitKeys].
type KeysQuery struct {
	Target
	Deadline
	LastGeneration *uint64 `json:"last_generation,omitempty" jsonschema:"generation of an earlier answer: wait for what is typed later; left out: everything since input was captured"`
}

// Keys is the answer of [AwaitKeys].
type Keys struct {
	Events     []overlay.InputEvent `json:"events" jsonschema:"what was typed, as in input events; empty if input is not captured"`
	Missed     int                  `json:"missed,omitempty" jsonschema:"how many events before these were dropped: 1,000 are kept, of at most 64 KiB"`
	Mode       overlay.InputMode    `json:"mode" jsonschema:"passthrough or capture, now"`
	Generation uint64               `json:"generation" jsonschema:"for last_generation"`
}

// ExitQuery is the input of [AwaitExit].
type ExitQuery struct {
	Target
	Deadline
}

// CommandLine is the input of [RunCommand].
type CommandLine struct {
	Target
	Formatted
	Silence
	Deadline
	Line       string `json:"line" jsonschema:"the command line; Enter is pressed after it"`
	MaxOutput  int    `json:"max_output,omitempty" jsonschema:"bytes of output to return at most; its end is kept" default:"65536" min:"0"`
	Head       int    `json:"head_output,omitempty" jsonschema:"how many of these bytes to keep of its start, if it is longer" default:"0" min:"0"`
	Background bool   `json:"background,omitempty" jsonschema:"return when the command has begun; keys such as C-c reach it then" default:"false"`
	AtPrompt   bool   `json:"at_prompt,omitempty" jsonschema:"type the line only when the shell prompts; otherwise a command that waits for a line when the call is made gets it; a call that has to wait for another command is always for the shell" default:"false"`
	Busy       string `json:"busy,omitempty" jsonschema:"wait (the default), or refuse at once, while the line would not be read: a command works, or somebody types there"`
}

// Run is the answer of [RunCommand].
type Run struct {
	State      core.RunState `json:"state,omitempty" jsonschema:"done; unknown: the shell is ready again, and has not told what became of the line: look at the screen before you repeat it; waiting: it waits for input; asked: it waits for input, and a person is being asked for that; quiet: nothing more is known; running: it has not ended, and the time to wait is over or background was asked for; left out when the line was not typed"`
	NotRun     bool          `json:"not_run,omitempty" jsonschema:"the shell has shown that it dropped the line, which is wrong, unfinished or a comment"`
	ExitCode   *int          `json:"exit_code,omitempty" jsonschema:"exit status, if the shell reported it"`
	DurationMS int64         `json:"duration_ms,omitempty" jsonschema:"milliseconds that the command took, if the shell reported its end"`
	Output     string        `json:"output,omitempty" jsonschema:"what a command wrote that is done, as plain text; taken from the stream of its output, so that it does not matter what it did to the screen" foreign:"lines"`
	Complete   bool          `json:"complete,omitempty" jsonschema:"whether output is all of it"`
	Omitted    *Omitted      `json:"omitted,omitempty" jsonschema:"what is missing from output"`
	Screen     *wire.Screen  `json:"screen,omitempty"`
	Generation uint64        `json:"generation" jsonschema:"for last_generation of wait.idle"`
}

// Omitted says what is missing from a command's output.
type Omitted struct {
	At         *int   `json:"at,omitempty" jsonschema:"where in output lines were left out, in bytes"`
	From       uint64 `json:"from,omitempty" jsonschema:"number of the first line left out, for from of scrollback.get; left out if the program has cleared the screen, or lines were wrapped again"`
	Before     uint64 `json:"before,omitempty" jsonschema:"number of the line after the last one left out"`
	FullScreen bool   `json:"full_screen,omitempty" jsonschema:"the command also had the alternate screen, as editors and pagers do; output does not have what was there"`
}

// Operations that wait.
var (
	AwaitIdle = onSession(Operation{
		Name: "wait.idle", Aliases: []Alias{{Name: "await_idle", Needs: []string{"timeout_ms"}}, {Name: "await_quiesce", Needs: []string{"timeout_ms"}, Late: "quiesce_timeout"}}, Kind: Wait, Right: Read, Doc: "Waits until there has been neither output nor input for a while.",
		Fails: []Failure{invalid, gone, notQuiet},
	}, func(ctx context.Context, s *term.Session, in IdleQuery) (Idle, error) {
		quiet, err := s.Quiesce(ctx, term.QuiesceOptions{
			Timeout: silence(in.TimeoutMS), MaxWait: milliseconds(in.MaxWaitMS), LastGeneration: in.LastGeneration, Fresh: in.Fresh,
		})
		if err != nil {
			return Idle{}, err
		}
		return newIdle(quiet, in.format()), nil
	})

	AwaitAnyIdle = onServer(Operation{
		Name: "wait.any_idle", Aliases: []Alias{{Name: "await_any_idle", Members: tagIsTags, Needs: []string{"timeout_ms"}}}, Kind: Wait, Right: Read,
		Doc:   "Waits until the first of several sessions is idle, as in wait.idle. Sessions that are created meanwhile take part; those whose program ends drop out.",
		Fails: []Failure{invalid, notQuiet, {fault.NotFound, registry.NoSessions, "no session whose program runs matches"}},
	}, func(ctx context.Context, l *Local, by Grant, in RaceQuery) (AnyIdle, error) {
		tagged := &label.Scope{Tags: in.Tags}
		if len(in.Tags) == 0 {
			tagged = nil
		}
		s, quiet, err := l.sessions.QuiesceAny(ctx, registry.RaceOptions{
			QuiesceOptions: term.QuiesceOptions{
				Timeout: silence(in.TimeoutMS), MaxWait: milliseconds(in.MaxWaitMS), LastGeneration: in.LastGeneration, Fresh: in.Fresh,
			},
			Last:  in.LastSession,
			Match: func(i term.Info) bool { return tagged.Covers(i.Name, i.Tags) && by.covers(i.Name, i.Tags) },
		})
		if err != nil {
			return AnyIdle{}, err
		}
		return AnyIdle{s.Name(), newIdle(quiet, in.format())}, nil
	})

	AwaitText = onSession(Operation{
		Name: "wait.text", Aliases: also("await_text"), Kind: Wait, Right: Read, Doc: "Waits until a text is on the screen, or has scrolled off it since the call.",
		Fails: []Failure{invalid, gone, late, {Kind: fault.Exhausted, When: "64 calls wait for text in the session already"}},
	}, func(ctx context.Context, s *term.Session, in TextQuery) (Match, error) {
		var m expect.Match
		var err error
		switch {
		case (in.Text == "") == (in.Pattern == ""):
			return Match{}, fault.New(fault.Invalid, "give either text or pattern")
		case in.Text != "":
			m, err = s.WaitForText(ctx, in.Text, milliseconds(in.MaxWaitMS))
		default:
			m, err = s.WaitFor(ctx, in.Pattern, milliseconds(in.MaxWaitMS))
		}
		if err != nil {
			return Match{}, err
		}
		return Match{m.Text, m.Line, wire.NewScreen(m.Screen, in.format())}, nil
	})

	AwaitPrompt = onSession(Operation{
		Name: "wait.prompt", Aliases: also("await_prompt"), Kind: Wait, Right: Read, Doc: "Waits until the shell prompts, and has read the lines that were typed before; without a shell that marks its prompts, until a program seems to wait for a line (quiet). command.run does both at once.",
		Fails: []Failure{invalid, gone, late},
	}, func(ctx context.Context, s *term.Session, in PromptQuery) (Prompt, error) {
		p, err := s.WaitPrompt(ctx, milliseconds(in.MaxWaitMS))
		if err != nil {
			return Prompt{}, err
		}
		return Prompt{p.Quiet, p.More, p.ExitCode, wire.NewScreen(p.Screen, in.format()), p.Generation}, nil
	})

	AwaitState = onSession(Operation{
		Name: "wait.state", Aliases: also("await_state"), Kind: Wait, Right: Read,
		Doc:   "Waits until a session is in one of the given states, or else until it needs somebody: the program waits for a line or a secret, an agent asks or is idle, or a command has ended and the shell prompts.",
		Fails: []Failure{invalid, gone, late},
	}, func(ctx context.Context, s *term.Session, in StateQuery) (Attained, error) {
		o := term.StateOptions{LastGeneration: in.LastGeneration, MaxWait: milliseconds(in.MaxWaitMS)}
		for _, state := range in.States {
			o.States = append(o.States, core.State(state))
		}
		a, err := s.WaitState(ctx, o)
		if err != nil {
			return Attained{}, err
		}
		return Attained{a.State, wire.NewAgent(a.Agent), a.ExitCode, wire.NewScreen(a.Screen, in.format()), a.Generation}, nil
	})

	AwaitKeys = onSessionOf(Operation{
		Name: "wait.keys", Aliases: also("await_keys"), Kind: Wait, Right: Read,
		Doc:   "Waits until a person has typed something while input was captured. Returns at once while input is not captured, and when it is released.",
		Fails: []Failure{invalid, gone, late},
	}, func(ctx context.Context, _ *Local, by Grant, s *term.Session, in KeysQuery) (Keys, error) {
		k, err := s.WaitKeys(ctx, term.KeysOptions{LastGeneration: in.LastGeneration, MaxWait: milliseconds(in.MaxWaitMS), MayCapture: by.mayCapture()})
		if err != nil {
			return Keys{}, err
		}
		if k.Events == nil {
			k.Events = []overlay.InputEvent{}
		}
		return Keys{k.Events, k.Missed, k.Mode, k.Generation}, nil
	})

	AwaitExit = onSession(Operation{
		Name: "wait.exit", Aliases: also("await_exit"), Kind: Wait, Right: Read, Doc: "Waits until the program has ended, and tells how it did.",
		Fails: []Failure{invalid, late},
	}, func(ctx context.Context, s *term.Session, in ExitQuery) (wire.Exit, error) {
		exit, err := s.WaitExit(ctx, milliseconds(in.MaxWaitMS))
		if err != nil {
			return wire.Exit{}, err
		}
		return *wire.NewExit(exit), nil
	})

	RunCommand = onSession(Operation{
		Name: "command.run", Aliases: []Alias{{Name: "run_command", Members: map[string]string{"command": "line"}}}, Kind: Wait, Right: Type | Read,
		Doc:   "Types a command line, presses Enter and waits for its end, or for silence where the shell does not mark its prompts. The screen is returned even when the time to wait is over or the program ends.",
		Fails: []Failure{invalid, gone, late, {fault.Timeout, core.NotTyped, "the line would not have been read: a command works, waits for a secret or has the whole screen, an unfinished line or what a person has typed is there, or the shell did not prompt"}, {fault.Precondition, core.NotTyped, "the line has control characters, or the terminal would cut it"}, exhausted, unasked, pending},
	}, func(ctx context.Context, s *term.Session, in CommandLine) (Run, error) {
		if in.MaxOutput < 0 || in.Head < 0 {
			return Run{}, fault.New(fault.Invalid, "max_output and head_output cannot be negative")
		}
		if in.Busy != "" && in.Busy != "wait" && in.Busy != "refuse" {
			return Run{}, fault.New(fault.Invalid, "busy is wait or refuse, not %q", in.Busy)
		}
		r, err := s.RunCommand(ctx, in.Line, term.RunOptions{
			Timeout: silence(in.TimeoutMS), MaxWait: milliseconds(in.MaxWaitMS), Output: in.MaxOutput, Head: in.Head, Background: in.Background, AtPrompt: in.AtPrompt, Refuse: in.Busy == "refuse",
		})
		run := Run{
			State: r.State, NotRun: r.NotRun, ExitCode: r.ExitCode, DurationMS: wire.Milliseconds(r.Duration), Output: r.Output,
			Complete: r.Complete, Generation: r.Generation,
		}
		if p := r.Printed; p.Cut || p.Alternate {
			run.Omitted = &Omitted{From: p.From, Before: p.Before, FullScreen: p.Alternate}
			if p.Cut {
				run.Omitted.At = &p.At
			}
		}
		if r.Screen != nil {
			run.Screen = new(wire.NewScreen(r.Screen, in.format()))
		}
		return run, err
	})
)

func newIdle(q term.Quiet, f wire.Format) Idle {
	return Idle{wire.NewScreen(q.Screen, f), q.End, q.Generation, wire.Milliseconds(q.Since)}
}

// milliseconds returns a time to wait, at most [term.MaxWait]. The domain takes 0 for its default,
// so a 0 from the caller becomes the shortest time.
func milliseconds(ms *uint64) time.Duration { return min(silence(ms), term.MaxWait) }

// silence is milliseconds without a limit: what is waited for may be longer than a call.
func silence(ms *uint64) time.Duration {
	if ms == nil {
		return 0
	}
	return max(time.Duration(min(*ms, math.MaxInt64/uint64(time.Millisecond)))*time.Millisecond, time.Nanosecond)
}

var waitOps = ops(
	RunCommand, AwaitIdle, AwaitAnyIdle, AwaitText, AwaitPrompt, AwaitState, AwaitKeys, AwaitExit,
)
