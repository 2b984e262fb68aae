package run

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

const (
	exitLate    = 124 // the time to wait is over, as in timeout(1)
	exitMissing = 127 // there is no such session, or no server, as of the shell's wait
)

type Wait struct {
	Sessions []caller.SessionName `arg:"" optional:"" name:"session" help:"The session, or several: then each of them, on whatever servers."`
	Idle     bool                 `xor:"what" help:"Wait until there is neither output nor input."`
	Text     string               `xor:"what" placeholder:"STRING" help:"Wait until a text is on the screen."`
	Pattern  string               `xor:"what" placeholder:"REGEXP" help:"Wait until a regular expression matches; ^ and $$ are the ends of lines."`
	Prompt   bool                 `xor:"what" help:"Wait until the shell prompts; where none marks its prompts, until a program seems to wait for a line, and print \"quiet\"."`
	Exit     bool                 `xor:"what" help:"Wait until the program has ended, and end with its status."`
	NeedsMe  bool                 `xor:"what" help:"Wait until the program waits for a line or a secret, an agent asks or is idle, or a command has ended and the shell prompts; print which, as in \"claude asks\"."`
	Tags     []caller.TagName     `name:"tag" placeholder:"TAG" help:"Wait for all sessions that have this tag, with --exit also for those that have ended; with --needs-me, for any of them, and print its name, too. May be repeated."`
	All      bool                 `help:"Wait for all sessions that run; with --needs-me, for any of them, and print its name, too."`
	Quiet    caller.Duration      `default:"2s" placeholder:"DURATION" help:"How long there must be nothing for --idle (default: ${default})."`
	Timeout  caller.Duration      `short:"t" placeholder:"DURATION" help:"How long to wait (default: forever)."`
	caller.JSONFlag
}

func (c Wait) Run(ctx context.Context, e caller.Env) error {
	if c.Timeout.Duration < 0 || c.Quiet.Duration < 0 {
		return fault.New(fault.Invalid, "a time to wait cannot be negative")
	}
	several := c.All || len(c.Tags) > 0
	anyOf := several && c.NeedsMe
	switch {
	case !c.Idle && !c.Prompt && !c.Exit && !c.NeedsMe && c.Text == "" && c.Pattern == "":
		return fault.New(fault.Invalid, "what to wait for? Give --idle, --text, --pattern, --prompt, --exit or --needs-me; a text must not be empty")
	case several && len(c.Sessions) > 0:
		return fault.New(fault.Invalid, "give either sessions, or --tag or --all")
	case !several && len(c.Sessions) == 0:
		return fault.New(fault.Invalid, "which session? Give its name; \"wsh list\" lists them")
	}
	err := e.WithServer(ctx, func(r *caller.Remote) error {
		if !anyOf && (several || len(c.Sessions) > 1) {
			return c.waitEach(ctx, e, r)
		}
		var raw json.RawMessage
		var err error
		if anyOf {
			raw, err = c.waitAny(ctx, r)
		} else {
			session := caller.Track(ctx, r, c.Sessions[0])
			session.Note = e.Note
			raw, err = c.wait(ctx, session)
		}
		if fault.KindOf(err) == fault.Timeout {
			return &commandline.StatusError{Status: exitLate, Err: fmt.Errorf("%w", err)}
		}
		if err != nil {
			return err
		}
		if c.JSON {
			err = e.PrintJSON(raw)
		}
		return cmp.Or(err, c.finish(e, raw))
	})
	if fault.KindOf(err) == fault.NotFound {
		return &commandline.StatusError{Status: exitMissing, Err: err}
	}
	return err
}

// finish prints what a person wants to know of an answer, and returns the error for the status.
func (c Wait) finish(e caller.Env, raw json.RawMessage) error {
	var a answer
	if err := json.Unmarshal(raw, &a); err != nil {
		return err
	}
	switch {
	case c.Exit:
		return caller.WithStatus(a.Exit)
	case c.JSON || c.Idle || c.Prompt && !a.Quiet:
		return nil
	case c.Text != "" || c.Pattern != "":
		return e.Printf("%s\n", a.Line)
	case a.Session != "":
		a.Session += "  "
	}
	return e.Printf("%s%s\n", a.Session, c.outcome(a))
}

// An answer is what any operation that waits returns.
type answer struct {
	wire.Exit
	Session string
	State   string
	Agent   *wire.Agent
	Line    string
	Quiet   bool
}

// outcome is an answer in a word or two, except that to --exit.
func (c Wait) outcome(a answer) string {
	switch {
	case c.NeedsMe && a.Agent != nil:
		return a.Agent.String()
	case c.NeedsMe:
		return a.State
	case c.Idle:
		return "idle"
	case c.Prompt && a.Quiet:
		return "quiet"
	case c.Prompt:
		return "prompt"
	}
	return "found"
}

// wait waits as often as needed, since a server waits for some minutes at most.
func (c Wait) wait(ctx context.Context, t *caller.Tracked) (raw json.RawMessage, err error) {
	err = t.Await(ctx, c.Timeout.Duration, func(to terminals.Target, most terminals.Deadline) error {
		o, in := c.operation(to, most)
		return t.Server.Do(ctx, terminals.Everything, o, in, &raw)
	})
	return raw, err
}

// operation returns what to wait for: the operation and its input.
func (c Wait) operation(session terminals.Target, most terminals.Deadline) (o *terminals.Operation, in any) {
	plain := terminals.Formatted{Format: "plain"}
	switch {
	case c.Idle:
		quiet := uint64(c.Quiet.Milliseconds())
		return &terminals.AwaitIdle.Operation, &terminals.IdleQuery{Target: session, Formatted: plain, Deadline: most, Silence: terminals.Silence{TimeoutMS: &quiet}}
	case c.Prompt:
		return &terminals.AwaitPrompt.Operation, &terminals.PromptQuery{Target: session, Formatted: plain, Deadline: most}
	case c.NeedsMe:
		return &terminals.AwaitState.Operation, &terminals.StateQuery{Target: session, Formatted: plain, Deadline: most}
	case c.Exit:
		return &terminals.AwaitExit.Operation, &terminals.ExitQuery{Target: session, Deadline: most}
	}
	return &terminals.AwaitText.Operation, &terminals.TextQuery{Target: session, Formatted: plain, Deadline: most, Text: c.Text, Pattern: c.Pattern}
}
