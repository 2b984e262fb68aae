package uimcp

import (
	"fmt"
	"os"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/version"
)

// begin is printed if no command is given.
const begin = `ui-mcp shows live UIs, written by an AI agent, in your browser.

To add it to your clients:  ui-mcp setup
To try it without an agent: ui-mcp demo

Run "ui-mcp --help" for all commands.
`

const description = `Show live UIs, written by an AI agent, in a browser.

Examples:
  ui-mcp setup                         add it to the clients that you have
  ui-mcp mcp --dir .claude/ui          what an MCP client starts
  ui-mcp demo                          try it without an agent
  ui-mcp event                         print the events for the agent
  ui-mcp install --force               write the bundled files again
  source <(ui-mcp completion bash)     complete commands in this shell

Exit status: 0 for success, also when stopped; 1 when something failed; 2 for an invalid command
line. Failures are one line on standard error. "ui-mcp ask" has a status for each kind of answer.`

// program returns the command line of ui-mcp. Parsing it fills g.
func (g *grammar) program(ver string, std commandline.Streams) commandline.Program {
	return commandline.Program{
		Name: "ui-mcp", Version: version.Line("ui-mcp", ver), Description: description,
		Globals: &g.global, Commands: &g.commands, Details: details, Environ: os.Environ(), Out: std.Out, Err: std.Err,
	}
}

// parse returns the command in args. If there is nothing to run, it returns nil and the exit
// status: after help or the version, on standard output, or after a usage error, on standard error.
func parse(ver string, args []string, std commandline.Streams) (*kong.Context, int) {
	if len(args) == 0 {
		fmt.Fprint(std.Err, begin)
		return nil, commandline.ExitUsage
	}
	chosen, status, err := new(grammar).program(ver, std).Parse(args)
	if err != nil {
		fmt.Fprintf(std.Err, "ui-mcp: %v (\"ui-mcp --help\" tells more)\n", err)
		return nil, commandline.ExitUsage
	}
	return chosen, status
}
