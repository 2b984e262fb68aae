package mcpterm

import (
	"context"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/mcpserver"
)

const awaitTool = "wsh_await_quiesce"

type awaitInput struct {
	Session        string  `json:"session"`
	TimeoutMS      *uint64 `json:"timeout_ms,omitempty" jsonschema:"silence that counts; default 2000"`
	MaxWaitMS      *uint64 `json:"max_wait_ms,omitempty" jsonschema:"default 30000; more than 300000 counts as that"`
	LastGeneration *uint64 `json:"last_generation,omitempty" jsonschema:"generation of an earlier answer: wait for activity first"`
	Fresh          bool    `json:"fresh,omitempty" jsonschema:"count only silence from now on"`
	WaitFor        string  `json:"wait_for,omitempty" jsonschema:"a text to wait for instead"`
	Pattern        bool    `json:"pattern,omitempty" jsonschema:"wait_for is a regexp"`
	Prompt         bool    `json:"prompt,omitempty" jsonschema:"wait for the shell's prompt"`
	State          string  `json:"state,omitempty" jsonschema:"a state to wait for, or needs_me: line, secret or a command's end"`
	Exit           bool    `json:"exit,omitempty" jsonschema:"wait for the program's end"`
	Keys           bool    `json:"keys,omitempty" jsonschema:"wait for captured keys"`
}

// needsMe is what callers give instead of a state to wait until a session needs a person or an
// agent.
const needsMe = "needs_me"

// An awaited is the answer of wsh_await_quiesce.
type awaited struct {
	Generation *uint64    `json:"generation,omitempty"` // left out when the program has ended
	Status     string     `json:"status"`
	Error      string     `json:"error,omitempty"`        // of a wait that was in vain
	State      string     `json:"state,omitempty"`        // likewise: of the session
	Asked      bool       `json:"person_asked,omitempty"` // a person is being asked for what it waits for
	Text       string     `json:"text,omitempty"`
	Line       string     `json:"line,omitempty"`
	ExitCode   *int       `json:"exit_code,omitempty"`
	More       bool       `json:"more,omitempty"`
	Exit       *wire.Exit `json:"exit,omitempty"`
	Keys       []any      `json:"keys,omitempty"` // see keyNames
	Missed     int        `json:"missed,omitempty"`
}

func (f *Face) addAwait(s *mcpserver.Server) {
	add(s, f, mcpserver.Tool{
		Name:        awaitTool,
		Title:       "Wait for silence",
		Description: "Waits until a session has been silent for timeout_ms, or for a text, a state, the prompt or the exit. Returns generation: pass it as last_generation to wait for what comes next. Fails after max_wait_ms or when the program ends.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
	}, func(ctx context.Context, in awaitInput) (mcpserver.Result, error) {
		v, err := f.await(ctx, in)
		if fault.KindOf(err) != fault.Timeout || err == nil {
			return mcpserver.Answer(v, err)
		}
		late := awaited{Status: "timeout", Error: err.Error()}
		if now, err := do(ctx, f, terminals.GetSession, terminals.Target{Session: in.Session}); err == nil {
			late.State, late.Asked = now.State, now.PersonAsked
		}
		res, err := mcpserver.JSON(late)
		return res.AsError(), err
	}, terminals.Read)
}

// plain is for answers whose lines are not needed.
var plain = terminals.Formatted{Format: string(wire.Plain)}

// check returns an error for arguments that contradict each other.
func (in awaitInput) check() error {
	var chosen []string
	for _, c := range []struct {
		name  string
		given bool
	}{{"wait_for", in.WaitFor != ""}, {"prompt", in.Prompt}, {"state", in.State != ""}, {"exit", in.Exit}, {"keys", in.Keys}} {
		if c.given {
			chosen = append(chosen, c.name)
		}
	}
	switch {
	case len(chosen) > 1:
		return fault.New(fault.Invalid, "give one of %s, not all: a call waits for one thing", strings.Join(chosen, " and "))
	case in.Pattern && in.WaitFor == "":
		return fault.New(fault.Invalid, `missing argument "wait_for": pattern says that it is a regular expression`)
	case in.LastGeneration != nil && (in.WaitFor != "" || in.Prompt || in.Exit):
		return fault.New(fault.Invalid, "last_generation cannot be used with %s, which waits for nothing newer: leave it out", chosen[0])
	case in.Fresh && len(chosen) > 0:
		return fault.New(fault.Invalid, "fresh is about silence and cannot be used with %s: leave it out", chosen[0])
	}
	return nil
}

func (f *Face) await(ctx context.Context, in awaitInput) (awaited, error) {
	if err := in.check(); err != nil {
		return awaited{}, err
	}
	of, limit := terminals.Target{Session: in.Session}, terminals.Deadline{MaxWaitMS: in.MaxWaitMS}
	switch {
	case in.Exit:
		exit, err := wait(ctx, f, "the end of session "+in.Session, terminals.AwaitExit, terminals.ExitQuery{Target: of, Deadline: limit})
		return awaited{Status: "ended", Exit: &exit}, err
	case in.Prompt:
		p, err := wait(ctx, f, "the prompt of session "+in.Session, terminals.AwaitPrompt, terminals.PromptQuery{Target: of, Formatted: plain, Deadline: limit})
		return awaited{Status: "prompt", Generation: &p.Generation, ExitCode: p.ExitCode, More: p.More}, err
	case in.State != "":
		return f.awaitState(ctx, in, of, limit)
	case in.Keys:
		k, err := wait(ctx, f, "keys in session "+in.Session, terminals.AwaitKeys, terminals.KeysQuery{Target: of, Deadline: limit, LastGeneration: in.LastGeneration})
		v := awaited{Status: "keys", Generation: &k.Generation, Keys: keyNames(k.Events), Missed: k.Missed}
		if len(k.Events) == 0 {
			v.Status = "released"
		}
		return v, err
	case in.WaitFor != "":
		q := terminals.TextQuery{Target: of, Formatted: plain, Deadline: limit, Text: in.WaitFor}
		if in.Pattern {
			q.Text, q.Pattern = "", in.WaitFor
		}
		m, err := wait(ctx, f, "a text in session "+in.Session, terminals.AwaitText, q)
		if err != nil {
			return awaited{}, err
		}
		return awaited{Status: "found", Generation: f.generation(ctx, of), Text: m.Text, Line: m.Line}, nil
	}
	idle, err := wait(ctx, f, "silence in session "+in.Session, terminals.AwaitIdle, terminals.IdleQuery{
		Target: of, Formatted: plain, Silence: terminals.Silence{TimeoutMS: in.TimeoutMS}, Deadline: limit, LastGeneration: in.LastGeneration, Fresh: in.Fresh,
	})
	return awaited{Status: "idle", Generation: &idle.Generation, Asked: err == nil && f.isPersonAsked(ctx, of)}, err
}

// isPersonAsked reports whether a person is being asked for what the program of a session waits
// for.
func (f *Face) isPersonAsked(ctx context.Context, of terminals.Target) bool {
	now, err := do(ctx, f, terminals.GetSession, of)
	return err == nil && now.PersonAsked
}

// awaitState waits for a state. The status of the answer is the state.
func (f *Face) awaitState(ctx context.Context, in awaitInput, of terminals.Target, limit terminals.Deadline) (awaited, error) {
	q := terminals.StateQuery{Target: of, Formatted: plain, Deadline: limit, LastGeneration: in.LastGeneration}
	if in.State != needsMe {
		q.States = []string{in.State}
	}
	a, err := wait(ctx, f, "a state of session "+in.Session, terminals.AwaitState, q)
	if err != nil {
		return awaited{}, err
	}
	v := awaited{Status: string(a.State), Generation: &a.Generation, ExitCode: a.ExitCode, Asked: f.isPersonAsked(ctx, of)}
	if a.State == core.StateEnded {
		v.Generation = nil
		if now, err := do(ctx, f, terminals.GetSession, of); err == nil {
			v.Exit = now.Exit
		}
	}
	return v, nil
}

// generation returns the present generation of a session, or nil if its program has ended.
func (f *Face) generation(ctx context.Context, of terminals.Target) *uint64 {
	idle, err := do(ctx, f, terminals.AwaitIdle, terminals.IdleQuery{
		Target: of, Formatted: plain, Silence: terminals.Silence{TimeoutMS: new(uint64)}, Deadline: terminals.Deadline{MaxWaitMS: new(uint64(1000))},
	})
	if err != nil {
		return nil
	}
	return &idle.Generation
}

type runInput struct {
	Session    string  `json:"session"`
	Input      string  `json:"input" jsonschema:"Enter is pressed after it"`
	TimeoutMS  *uint64 `json:"timeout_ms,omitempty" jsonschema:"silence that means the end; default 2000"`
	MaxWaitMS  *uint64 `json:"max_wait_ms,omitempty" jsonschema:"default 30000; more than 300000 counts as that"`
	Format     string  `json:"format,omitempty" enum:"styled plain" jsonschema:"default styled"`
	Background bool    `json:"background,omitempty" jsonschema:"return at once"`
	Busy       string  `json:"busy,omitempty" jsonschema:"wait (default) or refuse while something else runs or a person types"`
}

// A ran is the answer of wsh_run_command.
type ran struct {
	Error string `json:"error,omitempty"`
	terminals.Run
	Exit *wire.Exit `json:"exit,omitempty"` // of the session's program
	URL  string     `json:"url,omitempty"`  // of its page in the person's browser
}

func (f *Face) addRun(s *mcpserver.Server) {
	add(s, f, mcpserver.Tool{
		Name:  "wsh_run_command",
		Title: "Run a command",
		Description: "Types a command line, waits for its end, and returns screen, generation, state and, if the shell tells, exit_code, duration_ms and output, without lines omitted.from to omitted.before if it is long. " +
			"state: done; unknown (it may have run: look); waiting (for input: wsh_send_input); asked (the person is: wait); quiet (maybe done). " +
			"After max_wait_ms it fails with state running: use wsh_await_quiesce, or press C-c.",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.No, OpenWorld: mcpserver.Yes},
		Meta:  f.viewMeta,
	}, func(ctx context.Context, in runInput) (mcpserver.Result, error) {
		of := terminals.Target{Session: in.Session}
		f.Views.Used(full(ctx, in.Session))
		run, err := wait(ctx, f, "a command in session "+in.Session, terminals.RunCommand, terminals.CommandLine{
			Target: of, Formatted: terminals.Formatted{Format: in.Format},
			Silence: terminals.Silence{TimeoutMS: in.TimeoutMS}, Deadline: terminals.Deadline{MaxWaitMS: in.MaxWaitMS},
			Line: strings.TrimSuffix(strings.TrimSuffix(in.Input, "\n"), "\r"), MaxOutput: maxOutput, Head: headOutput, Background: in.Background, Busy: in.Busy,
		})
		if err != nil && run.Screen == nil {
			return mcpserver.Result{}, err
		}
		answer := newRan(run)
		answer.URL = f.Views.URL(full(ctx, in.Session))
		if err == nil {
			return mcpserver.JSON(answer)
		}
		answer.Error = err.Error()
		if fault.KindOf(err) == fault.Gone {
			if info, err := do(ctx, f, terminals.GetSession, of); err == nil {
				answer.Exit = info.Exit
			}
		}
		res, err := mcpserver.JSON(answer)
		return res.AsError(), err
	}, terminals.Type|terminals.Read)
}

// newRan returns the result of a command, with a mark where lines of its output were left out.
func newRan(r terminals.Run) ran {
	if r.Screen != nil {
		r.Screen.Lines = compact(r.Screen.Lines)
	}
	if o := r.Omitted; o != nil && o.At != nil {
		r.Output = r.Output[:*o.At] + gap + r.Output[*o.At:]
	}
	return ran{Run: r}
}

// How much of a command's output is returned, and how much of that is its start, in bytes; the
// screen also has its end.
const maxOutput, headOutput = 16 << 10, 4 << 10

// gap stands where lines of a command's output were left out.
const gap = "[…]\n"
