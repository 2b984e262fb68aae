package uimcp

import (
	"flag"
	"io"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/testkit/clidocs"
)

var update = flag.Bool("update", false, "rewrite docs/ui-mcp-commands.md")

// Documents, help and messages call ui-mcp with commands and flags that exist.
func TestDocumentedCalls(t *testing.T) {
	std := commandline.Streams{Out: io.Discard, Err: io.Discard}
	parse := func(args []string) error {
		_, _, err := new(grammar).program("", std).Parse(args)
		return err
	}
	clidocs.CheckCalls(t, "ui-mcp", parse, new(grammar).program("", std).Model())
}

// docs/ui-mcp-commands.md describes every command with its flags.
func TestReference(t *testing.T) {
	const intro = `This is what "ui-mcp COMMAND --help" and "ui-mcp man COMMAND" print, on one page,
which "go test ./internal/cli/uimcp -run TestReference -update" writes. [README.md](../README.md)
introduces the commands, and has the settings of a project.`
	clidocs.CheckReference(t, "ui-mcp-commands.md", intro, new(grammar).program("", commandline.Streams{}).Model(), *update)
}
