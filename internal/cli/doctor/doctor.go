// Package doctor examines what the commands need of a machine and what runs there: "ui-mcp doctor"
// and "wsh doctor" say what they find, and what to do about it.
//
// It changes nothing. It connects to servers of the same user only, and asks them for their version
// and how many servers on other machines they know.
package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/safetext"
)

// A State is the outcome of one examination.
type State string

const (
	OK      State = "ok"
	Note    State = "note"    // something is missing that not everyone needs
	Problem State = "problem" // something does not work, or is open to other users
)

// A Check is one thing that was examined.
type Check struct {
	Subject string `json:"subject"` // a word or two: "server", "Claude Code"
	State   State  `json:"state"`
	Text    string `json:"text"`
	Do      string `json:"do,omitempty"` // what to do about it
}

// A Program is the command that was called.
type Program struct {
	Name    string // ui-mcp or wsh
	Version string // as the linker set it
	Vars    environ.Variables
}

// answerTime is how long a server may take to answer.
const answerTime = 3 * time.Second

// A Command is the command line of "doctor".
type Command struct {
	JSON bool `name:"json" help:"Print the checks as a JSON array."`
}

// Run implements [commandline.Shared].
func (c Command) Run(ctx context.Context, e commandline.Call) error {
	return Run(ctx, Program{Name: e.Program.Name, Version: e.Version, Vars: e.Program.Environ}, e.Out, c.JSON)
}

// Run examines everything, and writes one line for each check, or JSON. If there is a problem, the
// error has the status 1 and no text.
func Run(ctx context.Context, p Program, out io.Writer, asJSON bool) error {
	checks := Examine(ctx, p)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := write(out, checks, asJSON); err != nil {
		return err
	}
	for _, c := range checks {
		if c.State == Problem {
			return &commandline.StatusError{Status: commandline.ExitFailure}
		}
	}
	return nil
}

// Examine returns what it finds, in the order in which people read it.
func Examine(ctx context.Context, p Program) []Check {
	e := &examination{Program: p, quiet: slog.New(slog.DiscardHandler)}
	e.programs()
	e.folder()
	e.servers(ctx)
	e.clients()
	e.shell()
	e.machine()
	return e.checks
}

type examination struct {
	Program
	checks []Check
	quiet  *slog.Logger
}

func (e *examination) add(state State, subject, do, format string, args ...any) {
	e.checks = append(e.checks, Check{subject, state, fmt.Sprintf(format, args...), do})
}

func write(out io.Writer, checks []Check, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(checks)
	}
	width := 0
	for _, c := range checks {
		width = max(width, len(c.Subject))
	}
	var b strings.Builder
	for _, c := range checks {
		fmt.Fprintf(&b, "%-7s  %-*s  %s\n", c.State, width, c.Subject, safetext.Visible(c.Text))
		if c.Do != "" {
			fmt.Fprintf(&b, "%*s%s\n", 7+2+width+2, "", safetext.Visible(c.Do))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
