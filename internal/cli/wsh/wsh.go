// Package wsh is the wsh command line: it reads the flags and owns the process's streams and
// signals.
//
// Each command is a struct, whose tags are its flags and help, with a method Run; details has the
// rest of its help. grammar parses the command line into one of them. Run gets a [caller.Env]
// (streams, variables, the server), and most begin with its Connect or ConnectOrStart, which return
// a [caller.Remote]: the client of the server's operations, and of other hosts' through it.
//
//	args → grammar → command.Run(env) → remote → an operation → text, or JSON with --json
//
// Commands that belong together have a room, a package below this one: attaching, display, run,
// others, and serving for the server itself. The small ones are here, in a file of their own name.
//
// A command decides nothing about terminals: what it prints is the answer of an operation. Standard
// output has answers only; notes and errors go to standard error.
package wsh

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/completion"
	"ui-mcp/internal/cli/docserver"
	"ui-mcp/internal/cli/doctor"
	"ui-mcp/internal/cli/ending"
	"ui-mcp/internal/cli/footprint"
	"ui-mcp/internal/cli/manual"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/cli/wsh/attaching"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/cli/wsh/display"
	"ui-mcp/internal/cli/wsh/others"
	"ui-mcp/internal/cli/wsh/run"
	"ui-mcp/internal/cli/wsh/serving"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/terminals/wire"
)

const description = `Terminals that people and AI agents share.

Without a command, wsh starts a session in the present directory, and a server if there is none,
and attaches this terminal to it. Ctrl+\ twice detaches; "wsh attach NAME" attaches again.

    wsh                                      a shell in this directory
    wsh --name build -c 'make watch'         a session that runs a command
    wsh attach build                         come back to it
    wsh run -- make test                     run a command in a session, and print its output
    wsh send build 'make clean' -k Enter     type into a session
    wsh screen build                         what it displays
    wsh wait build --prompt && echo done     wait until the shell prompts
    wsh server                               serve on http://127.0.0.1:8080

The status is 0 for success, 1 for a failure, and 2 for a mistake on the command line. "wsh help
COMMAND" describes a command; "wsh help keys" the keys of an attached terminal; there are also
"wsh help" sizes, states, settings and environment.`

// grammar is the command line. Its tags are the documentation.
type grammar struct {
	global   globalFlags
	commands commands
}

// globalFlags are flags of every command.
type globalFlags struct {
	caller.Where
	Print kong.VersionFlag `name:"version" help:"Print the version."`
}

// commands are the commands of wsh. [commandline.Program] reads the tags.
type commands struct {
	New    attaching.New    `cmd:"" group:"Every day:" default:"withargs" help:"Start a session and attach this terminal to it, as wsh does without a command."`
	Attach attaching.Attach `cmd:"" group:"Every day:" help:"Attach this terminal to a session."`
	List   listCommand      `cmd:"" group:"Every day:" aliases:"ls" help:"List sessions."`
	Run    run.Command      `cmd:"" group:"Every day:" help:"Run a command in a session, print its output and end with its status."`
	Send   sendCommand      `cmd:"" group:"Every day:" help:"Type text into a session, paste it, or press keys."`
	Screen display.Screen   `cmd:"" group:"Every day:" help:"Print what a session displays, as text or a picture."`
	Wait   run.Wait         `cmd:"" group:"Every day:" help:"Wait for a session: for silence, a text, the prompt or its end."`
	Kill   killCommand      `cmd:"" group:"Every day:" help:"Kill what runs in sessions, and remove them."`

	Watch  attaching.Watch `cmd:"" group:"Sessions, and who is attached:" help:"Look at a session as it changes, without typing or deciding its size."`
	Detach detachCommand   `cmd:"" group:"Sessions, and who is attached:" help:"Detach terminals from sessions: all, or one."`
	Lead   leadCommand     `cmd:"" group:"Sessions, and who is attached:" help:"Make a terminal the one that decides the size of a session."`
	Rename renameCommand   `cmd:"" group:"Sessions, and who is attached:" help:"Give a session another name."`
	Tag    tagCommand      `cmd:"" group:"Sessions, and who is attached:" help:"Add tags to a session, remove some, or print them."`

	Scrollback display.Scrollback `cmd:"" group:"Looking back:" help:"Print the lines that have scrolled off a session's screen, and the screen."`
	Search     display.Search     `cmd:"" group:"Looking back:" help:"Find text in the history of a session."`
	Typed      display.Typed      `cmd:"" group:"Looking back:" help:"Print who has typed what into a session."`
	Record     display.Record     `cmd:"" group:"Looking back:" help:"Record a session as an asciicast."`

	Overlay overlayCommand `cmd:"" group:"On a session's screen:" help:"Put text on top of a session's screen, or list or remove it."`
	Panel   panelCommand   `cmd:"" group:"On a session's screen:" help:"Put a panel at an edge of a session's screen, or list or remove it."`

	Server  serving.Command `cmd:"" group:"The server:" help:"Serve terminal sessions over HTTP until stopped."`
	Status  statusCommand   `cmd:"" group:"The server:" help:"Describe the running server."`
	Stop    stopCommand     `cmd:"" group:"The server:" help:"Stop the server."`
	Persist persistCommand  `cmd:"" group:"The server:" help:"Print or change whether the server stays when no program runs any more."`
	Token   tokenCommand    `cmd:"" group:"The server:" help:"Print the server's token, or manage others."`
	Logs    logsCommand     `cmd:"" group:"The server:" help:"Print the log of a server that another command has started."`
	Config  configCommand   `cmd:"" group:"The server:" help:"Print the settings, and where each comes from; or check the configuration file."`

	Servers others.Servers `cmd:"" group:"Other machines:" help:"List servers on other machines, whose sessions are HOST/SESSION, add one, or remove one."`
	Hub     others.Hub     `cmd:"" group:"Other machines:" help:"Let hosts reach each other that cannot connect to each other."`

	MCP        mcpCommand               `cmd:"" group:"Agents and help:" name:"mcp" help:"Serve the tools of terminals over MCP on standard input and output."`
	Setup      setupCommand             `cmd:"" group:"Agents and help:" help:"Add wsh to the clients that are installed, or remove it."`
	Install    installCommand           `cmd:"" group:"Agents and help:" help:"Write the skills that teach agents to use terminals into a project."`
	Doctor     doctor.Command           `cmd:"" group:"Agents and help:" help:"Examine servers, clients and permissions, and say what to do."`
	Help       helpCommand              `cmd:"" group:"Agents and help:" help:"Describe a command or a topic: keys, sizes, states, settings or environment."`
	Docs       docserver.Command        `cmd:"" group:"Agents and help:" help:"Display the documentation in the browser, or print a page of it."`
	Man        manual.Command           `cmd:"" group:"Agents and help:" help:"Print a manual page, or write all of them into a directory."`
	Completion completion.ScriptCommand `cmd:"" group:"Agents and help:" help:"Print a script that lets a shell complete these commands."`
	Version    versionCommand           `cmd:"" group:"Agents and help:" help:"Print the version."`
	Complete   completeCommand          `cmd:"" group:"Agents and help:" hidden:""`
}

// A command is the chosen command with its flags.
type command interface {
	Run(ctx context.Context, e caller.Env) error
}

// Main runs the command line of the process and returns its exit status.
func Main(version string) int {
	files.KeepInherited()
	completeEnvironment()
	ctx, stop := ending.Context()
	defer stop()
	defer footprint.AfterStart()()
	return Run(ctx, version, os.Args[1:], os.Environ(), commandline.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}

// Run executes one command line and returns its exit status: 0 for success, 1 for a failure, 2 for
// a usage error. When ctx is done it ends early, with success. It reads no variables but vars.
func Run(ctx context.Context, ver string, args []string, vars environ.Variables, std commandline.Streams) int {
	var g grammar
	chosen, status, err := g.program(ver, vars, std).Parse(args)
	switch {
	case err != nil:
		if _, ok := errors.AsType[*fault.Error](err); ok {
			return commandline.Fail("wsh", std.Err, err)
		}
		return usageError(std, err)
	case chosen == nil:
		return status
	}
	e := caller.Env{Streams: std, Vars: vars, Where: g.global.Where, Named: chosenServer(chosen, vars, g.global.Where), Version: ver}
	sessions := sessionArguments(chosen)
	e.Starts = slices.ContainsFunc(sessions, func(name string) bool { return wire.HostOf(name) != "" }) // it knows the others
	if !e.Named {
		e.Where, err = locate(ctx, e, sessions)
	}
	if err == nil {
		call := commandline.Call{Streams: std, Program: new(grammar).program(ver, vars, std), Version: ver}
		err = commandline.Run(ctx, chosen, call, func(c command) error { return c.Run(ctx, e) })
	}
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		if s, ok := errors.AsType[caller.EndSignal](err); ok {
			return s.Status()
		}
		return caller.ExitInterrupted
	}
	if err != nil {
		return commandline.Fail("wsh", std.Err, err)
	}
	return commandline.ExitOK
}

// program returns the command line of wsh. Parsing it fills g.
func (g *grammar) program(ver string, vars environ.Variables, std commandline.Streams) commandline.Program {
	return commandline.Program{
		Name: "wsh", Version: version.Line("wsh", ver), Description: description, Vars: kong.Vars{"detach_key": `ctrl-\`},
		Globals: &g.global, Commands: &g.commands, Details: details, Topics: topics, Environ: vars, Out: std.Out, Err: std.Err,
	}
}

// plainWords removes from kong's messages the empty choice, which stands for the default, and the
// word for a value of no particular type.
var plainWords = strings.NewReplacer(`one of "",`, "one of ", `,"" but got`, " but got", "expected value value", "expected a value")

func usageError(std commandline.Streams, err error) int {
	help := "wsh"
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok {
		if path := commandline.Path(wrong.Context.Selected()); path != "" {
			help += " " + path
		}
	}
	text := plainWords.Replace(err.Error())
	if help == "wsh send" && strings.HasPrefix(text, "unknown flag") {
		text += `: put -- before a text that begins with "-"`
	}
	fmt.Fprintf(std.Err, "wsh: %s (\"%s --help\" tells more)\n", text, help)
	return commandline.ExitUsage
}
