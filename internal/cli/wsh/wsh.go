// Package wsh is the wsh command line: it reads the flags, wires the parts of the terminal server
// together and owns the process's streams and signals.
package wsh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/fault"
)

// Exit statuses.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2 // also for requests that can never succeed as written
)

const begin = `wsh serves terminal sessions to programs and AI agents, over HTTP on this machine.

To start it: wsh server

Run "wsh --help" for all commands.
`

const description = `Serve terminal sessions to programs and AI agents.

Examples:
  wsh server                            serve on http://127.0.0.1:8080
  wsh server -L work --bind 127.0.0.1:0 another one, on a port that is free
  curl -H 'Content-Type: application/json' -d '{"name":"build"}' http://127.0.0.1:8080/sessions
  curl -d 'make
  ' http://127.0.0.1:8080/sessions/build/input
  curl 'http://127.0.0.1:8080/sessions/build/idle?timeout_ms=500&format=plain'`

// grammar is the command line. Its tags are the documentation.
type grammar struct {
	Server  serverCommand    `cmd:"" help:"Serve terminal sessions over HTTP until stopped."`
	MCP     mcpCommand       `cmd:"" name:"mcp" help:"Serve the tools of terminals over MCP on standard input and output."`
	Install installCommand   `cmd:"" help:"Write the skills that teach agents to use terminals into a project."`
	Version versionCommand   `cmd:"" help:"Print the version."`
	Print   kong.VersionFlag `name:"version" help:"Print the version."`
}

// Streams are the standard streams of one run of the command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// An env is the part of the process that a command may use.
type env struct {
	Streams
	version string
}

// Main runs the command line of the process and returns its exit status. caught, unless nil, is
// called when signals are handled, and reports whether one to stop came before; see package early.
func Main(version string, caught func() bool) int {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	context.AfterFunc(ctx, stop) // the second signal kills the process
	if caught != nil && caught() {
		stop()
	}
	return Run(ctx, version, os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr})
}

// Run executes one command line and returns its exit status: 0 for success, 1 for a failure, 2 for
// a usage error. When ctx is done it ends early, with success.
func Run(ctx context.Context, ver string, args []string, std Streams) int {
	if len(args) == 0 {
		fmt.Fprint(std.Err, begin)
		return exitUsage
	}
	var g grammar
	exited := -1
	e := env{Streams: std, version: ver}
	parser, err := kong.New(&g,
		kong.Name("wsh"),
		kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoAppDescFormat: true, WrapUpperBound: 100}),
		kong.Vars{"version": version.Line("wsh", ver)},
		kong.Writers(std.Out, std.Err),
		// kong continues after exiting; only the first status counts.
		kong.Exit(func(status int) {
			if exited < 0 {
				exited = status
			}
		}),
	)
	if err != nil {
		panic(fmt.Sprintf("the grammar of the command line: %v", err))
	}
	chosen, err := parser.Parse(args)
	switch {
	case exited >= 0:
		return exited
	case err != nil:
		if _, ok := errors.AsType[*fault.Error](err); ok {
			return fail(std, err)
		}
		fmt.Fprintf(std.Err, "wsh: %s (\"wsh --help\" tells more)\n", err)
		return exitUsage
	}
	switch chosen.Command() {
	case "server":
		err = g.Server.run(ctx, e)
	case "mcp":
		err = g.MCP.run(ctx, e)
	case "install":
		err = g.Install.run(e)
	case "version":
		err = g.Version.run(e)
	default:
		panic(fmt.Sprintf("command %q is in the grammar but not here", chosen.Command()))
	}
	if err != nil {
		return fail(std, err)
	}
	return exitOK
}

// fail reports an error and returns the exit status.
func fail(std Streams, err error) int {
	fmt.Fprintf(std.Err, "wsh: %v\n", err)
	if fault.KindOf(err) == fault.Invalid {
		return exitUsage
	}
	return exitFailure
}

type versionCommand struct{}

func (versionCommand) run(e env) error {
	_, err := fmt.Fprintln(e.Out, version.Line("wsh", e.version))
	return err
}
