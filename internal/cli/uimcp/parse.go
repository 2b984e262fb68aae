package uimcp

import (
	"fmt"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/version"
)

// begin is printed if no command is given.
const begin = `ui-mcp shows live UIs, written by an AI agent, in your browser.

To add it to Claude Code:   claude mcp add ui-mcp -- ui-mcp mcp
To try it without an agent: ui-mcp serve --demo contacts

Run "ui-mcp --help" for all commands.
`

const description = `Show live UIs, written by an AI agent, in a browser.

Examples:
  claude mcp add ui-mcp -- ui-mcp mcp  add it to Claude Code
  ui-mcp mcp --dir .claude/ui          what an MCP client starts
  ui-mcp serve --demo contacts         try a demo app without an agent
  ui-mcp event                         print the events for the agent
  ui-mcp install --force               write the bundled files again
  source <(ui-mcp completion bash)     complete commands in this shell

Exit status: 0 for success, also when stopped; 1 when something failed; 2 for an invalid command
line. Failures are one line on standard error. "ui-mcp ask" has a status for each kind of answer.`

// newParser returns a parser that fills g from args. It calls exited with the status after printing
// help or the version.
func newParser(g *grammar, args []string, ver string, std Streams, exited func(status int)) *kong.Kong {
	parser, err := commandline.Parser(&g.global, &g.commands, args,
		kong.Name("ui-mcp"),
		kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoAppDescFormat: true, WrapUpperBound: 100}),
		kong.Vars{"version": version.Line("ui-mcp", ver)},
		kong.Writers(std.Out, std.Err),
		kong.Exit(exited),
	)
	if err != nil {
		panic(fmt.Sprintf("the grammar of the command line: %v", err))
	}
	return parser
}

// parse returns the command in args. If there is nothing to run, it returns nil and the exit
// status: after help or the version, on standard output, or after a usage error, on standard error.
func parse(ver string, args []string, std Streams) (command, int) {
	if len(args) == 0 {
		fmt.Fprint(std.Err, begin)
		return nil, exitUsage
	}
	var g grammar
	exited := -1
	// kong continues after exiting; only the first status counts.
	parser := newParser(&g, args, ver, std, func(status int) {
		if exited < 0 {
			exited = status
		}
	})
	if err := commandline.CheckCommand(parser.Model.Node, args); err != nil {
		return nil, usageError(std, err)
	}
	chosen, err := parser.Parse(args)
	switch {
	case exited >= 0:
		return nil, exited
	case err != nil:
		return nil, usageError(std, err)
	}
	c, ok := chosen.Selected().Target.Addr().Interface().(command)
	if !ok {
		panic(fmt.Sprintf("command %q cannot be run", chosen.Command()))
	}
	return c, exitOK
}

func usageError(std Streams, problem error) int {
	fmt.Fprintf(std.Err, "ui-mcp: %v (\"ui-mcp --help\" tells more)\n", problem)
	return exitUsage
}
