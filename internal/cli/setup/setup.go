// Package setup adds our servers to the settings of the clients that are installed, and removes
// them again. It shows each change first, and writes it when the person agrees.
//
// It edits files and runs no command of a client: a change of a file can be shown first.
package setup

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"ui-mcp/internal/cli/clients"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/settings"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/packaging"
)

// Flags are the flags of the command.
type Flags struct {
	Client  []string `enum:"claude-code,claude-desktop,vscode,vscode-insiders,cursor,codex,zed,gemini,windsurf,opencode" placeholder:"NAME" help:"Only these clients, also if they are not found, separated by commas: claude-code, claude-desktop, vscode, vscode-insiders, cursor, codex, zed, gemini, windsurf, opencode."`
	Project bool     `help:"Change the settings of the project in this directory instead of yours. Others get them with the project."`
	Print   bool     `xor:"remove,yes" help:"Print what to add by hand, and where, and change nothing."`
	Remove  bool     `xor:"remove" help:"Remove what was added."`
	Yes     bool     `short:"y" xor:"yes" help:"Change the files without asking."`
	JSON    bool     `name:"json" help:"Print a JSON array of the clients and what was done to their settings. It asks nothing."`
}

// Details are the last part of what --help prints.
const Details = `Each change of a file is shown as a diff before you are asked. Comments, order and layout of the file stay. Where the entry starts another copy of this program, only its path changes. A copy that npx or uvx has made for one call does not stay, so clients start it by that command. An entry of the same name that starts something else is replaced only if you say so. --remove takes the entry out, and a table or a file that is then empty. Without a terminal to ask, nothing changes unless there is --yes. Exit status: 1 if a change was not made, else 0.

    PROGRAM setup
    PROGRAM setup --client cursor,codex --yes
    PROGRAM setup --project
    PROGRAM setup --print --client zed
    PROGRAM setup --remove`

// Options say what to set up.
type Options struct {
	Flags
	Program  string // ui-mcp or wsh: its name, and the name of the entry
	Hooks    bool   // of clients, instead of servers
	Dir      string // what ui-mcp gets as --dir, or ""
	DirGiven bool   // the person has chosen Dir
	Streams  commandline.Streams
}

type setup struct {
	Options
	machine  clients.Machine
	packages packaging.Command // of the program
	start    start             // of the program, by clients
	project  string            // the directory
	terminal bool              // a person reads and answers
	out      *bufio.Writer     // for the person; its error stays
}

// A result says what has become of one client.
type result struct {
	Client string `json:"client"`
	File   string `json:"file"`
	Change effect `json:"change"` // that is needed
	Done   bool   `json:"done"`   // the settings are as they should be
	Diff   string `json:"diff,omitempty"`
	Text   string `json:"text,omitempty"` // that a person adds
	Error  string `json:"error,omitempty"`
}

// Run shows and makes the changes for the user with an environment, and for the project in the
// working directory. The error has the status 1 if one of them was not made.
func Run(ctx context.Context, o Options, vars environ.Variables) error {
	s := setup{Options: o, machine: clients.This(vars), terminal: commandline.IsTerminal(o.Streams.In) && commandline.IsTerminal(o.Streams.Err)}
	file, err := os.Executable()
	if err != nil {
		return err
	}
	names := packaging.Load()
	s.packages = names.Command(o.Program)
	if s.start, err = self(vars, file, names, o.Program); err != nil && !s.Remove {
		return err
	}
	if s.project, err = os.Getwd(); err != nil {
		return err
	}
	return s.run(ctx)
}

func (s setup) run(ctx context.Context) error {
	switch {
	case s.Remove: // which starts nothing
	case s.Project && clients.IsSameFile(clients.Find(s.machine.Vars, s.Program), s.start[0]):
		s.start = start{s.Program} // each who has the project finds it in PATH
	case !s.Project && s.machine.System == "windows" && s.start[0] == "npx":
		s.start = append(start{"cmd", "/c"}, s.start...) // it is a script there, which some clients cannot start
	}
	list, err := s.chosen()
	if err != nil {
		return err
	}
	s.out = bufio.NewWriter(s.Streams.Out)
	if s.JSON {
		s.out, s.terminal = bufio.NewWriter(io.Discard), false
	}
	failed := false
	var results []result
	for _, c := range list {
		r := result{Client: c.ID, Change: none}
		err := s.client(ctx, c, &r)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			s.say("%s: %v", c.Name, err)
			if s.out.Flush() != nil {
				return err // which cannot be said there
			}
			r.Error = err.Error()
			failed = true
		}
		results = append(results, r)
	}
	if s.JSON {
		if err := json.NewEncoder(s.Streams.Out).Encode(results); err != nil {
			return err
		}
	}
	if err := s.out.Flush(); err != nil {
		return err
	}
	if failed {
		return &commandline.StatusError{Status: commandline.ExitFailure}
	}
	return nil
}

// say prints a line for a person. What files contain cannot change how the terminal looks.
func (s setup) say(format string, args ...any) {
	fmt.Fprintln(s.out, safetext.Visible(fmt.Sprintf(format, args...)))
}

func (s setup) chosen() ([]clients.Client, error) {
	var list []clients.Client
	for _, c := range clients.All() {
		if s.Hooks {
			if s.DirGiven {
				return nil, fault.New(fault.Invalid, "a hook asks at the server of the project that its client works in: leave out --dir, or add \"ui-mcp hook --dir DIR\" to the settings by hand")
			}
			hooks, has := c.WithHooks()
			if !has && slices.Contains(s.Client, c.ID) {
				return nil, fault.New(fault.Invalid, "%s has no hooks that could answer its permission prompts, or tell what its agent does", c.Name)
			}
			if c = hooks; !has {
				continue
			}
		}
		switch isNamed := slices.Contains(s.Client, c.ID); {
		case isNamed && s.Project && !c.HasProjects():
			return nil, fault.New(fault.Invalid, "%s has no settings of projects: leave out --project", c.Name)
		case isNamed, len(s.Client) == 0 && (!s.Project || c.HasProjects()) && s.machine.IsInstalled(c):
			list = append(list, c)
		}
	}
	if s.Project { // two editors share a file
		list = slices.CompactFunc(list, func(a, b clients.Client) bool {
			return a.ProjectFile(s.project) == b.ProjectFile(s.project)
		})
	}
	if len(list) == 0 {
		return nil, fault.New(fault.NotFound, "no client is found: name one, as in --client cursor, or see what to add with --print --client cursor")
	}
	return list, nil
}

func (s setup) arguments(c clients.Client) []string {
	switch {
	case c.Hooks != nil:
		return append([]string{"hook"}, c.HookArgs...)
	case s.Dir == "":
		return []string{"mcp"}
	}
	return []string{"mcp", "--dir", c.BaseDir(s.Dir, s.project, s.DirGiven)}
}

// scope says for which projects an entry is.
func (s setup) scope(c clients.Client) string {
	args := s.arguments(c)
	switch dir := args[len(args)-1]; {
	case s.Project:
		return "this project"
	case filepath.IsAbs(dir):
		return "the apps in " + dir + " alone"
	}
	return "all projects"
}

func (s setup) file(c clients.Client) (string, error) {
	if s.Project {
		return c.ProjectFile(s.project), nil
	}
	return s.machine.UserFile(c)
}

func (s setup) client(ctx context.Context, c clients.Client, r *result) error {
	file, err := s.file(c)
	if err != nil {
		return err
	}
	r.File = file
	if s.Print {
		return s.print(c, r)
	}
	for {
		ch, err := s.plan(c, file)
		if errors.Is(err, settings.ErrByHand) && !s.Remove {
			s.say("%s, %s", c.Name, file)
			if err := s.print(c, r); err != nil {
				return err
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w; nothing was changed", file, err)
		}
		r.Change = ch.effect
		if ch.effect == none {
			s.say("%s: %s (%s)", c.Name, ch.note, file)
			r.Done = true
			return nil
		}
		if err := s.checkWritable(file, ch.info); err != nil {
			return fmt.Errorf("%s: %w; nothing was changed", file, err)
		}
		r.Diff = ch.diff()
		if err := s.show(ch, r.Diff); err != nil {
			return fmt.Errorf("%w; nothing was changed", err)
		}
		if err := s.agreed(ctx, ch); err != nil {
			return err
		}
		err = ch.write()
		if errors.Is(err, errChanged) {
			s.say("%s has changed meanwhile. Again:", file)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w; nothing was changed", file, err)
		}
		r.Done = true
		if ch.effect == removes && ch.note != "" {
			s.say("%s: all others are removed", c.Name)
		} else if ch.effect == removes {
			s.say("%s: removed", c.Name)
		} else {
			s.say("%s: %s for %s. %s", c.Name, done[ch.effect], s.scope(c), c.Reload)
			if h, _ := c.WithHooks(); c.Hooks == nil && slices.Contains(h.Hooks, clients.Permission) && s.Program == "ui-mcp" {
				s.say("To answer its permission prompts in your browser, too: ui-mcp setup --hooks")
			}
		}
		return nil
	}
}

var done = map[effect]string{adds: "added", repoints: "updated", replaces: "replaced"}

// show prints a change as a diff, which a person must see before it is made.
func (s setup) show(ch change, diff string) error {
	s.say("%s, %s", ch.client.Name, ch.file)
	if ch.note != "" {
		s.say("%s", ch.note)
	}
	fmt.Fprint(s.out, safetext.Lines(diff))
	return s.out.Flush()
}

func (ch change) diff() string {
	from, to := ch.file, ch.file
	if ch.before == nil {
		from = os.DevNull
	}
	if ch.after == nil {
		to = os.DevNull
	}
	text := string(diff.Diff(from, lines(ch.before), to, lines(ch.after)))
	_, text, _ = strings.Cut(text, "\n") // the command line of diff
	return text
}

// lines returns a text with plain line ends, which a diff is to be about.
func lines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// agreed asks whether to make a change, and returns an error if not.
func (s setup) agreed(ctx context.Context, ch change) error {
	switch {
	case ch.effect == replaces && (s.Yes || !s.terminal):
		return fmt.Errorf("%s: it has another %q, which only you can replace: call this in a terminal without --yes; nothing was changed", ch.file, s.Program)
	case s.Yes:
		return nil
	case !s.terminal:
		return fmt.Errorf("%s: nothing was changed: add that by hand, or call this with --yes", ch.file)
	}
	question := "Change this file?"
	if ch.effect == replaces {
		question = fmt.Sprintf("That %q is not this program. Replace it?", s.Program)
	}
	if !commandline.Confirmed(ctx, s.Streams.In, s.Streams.Err, question) {
		return fmt.Errorf("nothing was changed")
	}
	return nil
}

// print prints what a person adds to the settings of a client.
func (s setup) print(c clients.Client, r *result) error {
	var block []byte
	for _, name := range s.names(c) {
		var err error
		if block, err = settings.Add(c.Format, block, s.path(c, name), s.entry(c, s.arguments(c))); err != nil {
			return err
		}
	}
	r.Text = string(block)
	s.say("%s, in %s:", c.Name, r.File)
	_, err := fmt.Fprintf(s.out, "\n%s\n", block)
	return err
}
