//go:build unix

package wsh

import (
	"io"
	"testing"

	"ui-mcp/internal/testkit/clidocs"
)

// Documents, help and messages call wsh with commands and flags that exist.
func TestDocumentedCalls(t *testing.T) {
	t.Setenv("WSH_CONFIG", "/dev/null")
	std := Streams{Out: io.Discard, Err: io.Discard}
	parse := func(args []string) error {
		_, _, err := new(grammar).program("", std).Parse(args)
		return err
	}
	clidocs.CheckCalls(t, "wsh", parse, new(grammar).program("", std).Model())
}

// docs/wsh-commands.md describes every command with its flags.
func TestReference(t *testing.T) {
	const intro = `This is what "wsh help COMMAND" and "wsh man COMMAND" print, on one page, which
"go test ./internal/cli/wsh -run TestReference -update" writes. [wsh.md](wsh.md) introduces the
commands; [wsh-attach.md](wsh-attach.md) has the keys of an attached terminal, and
[terminal.md](terminal.md) what the server's flags mean in its configuration file.`
	clidocs.CheckReference(t, "wsh-commands.md", intro, new(grammar).program("", Streams{}).Model(), *update)
}
