package wsh

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals/wire"
)

// Who only follows a session, as a page that lists it, is not attached to it.
func TestPersonsAttached(t *testing.T) {
	s := wire.Session{Clients: 4, Attached: []wire.Client{{Kind: "attach"}, {Kind: "page"}, {Kind: "websocket"}, {Kind: "raw"}}}
	if got := attachedTo(s); got != "2 clients" {
		t.Errorf("%s", got)
	}
	if got := attachedTo(wire.Session{Clients: 1, Attached: s.Attached[2:3]}); got != "-" {
		t.Errorf("an open page: %s", got)
	}
}

func TestColourOfState(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]string{"ended 1": "31", "secret": "33", "running": "", "ended 0": "2", "claude asks": "33"} {
		if got := colourOfState(state); got != want {
			t.Errorf("%s: %q, want %q", state, got, want)
		}
	}
}

// Every command that prints something has --json, and no other has. What it prints is checked by
// the scripts in testdata/commands.
func TestJSONEverywhere(t *testing.T) {
	t.Parallel()
	without := []string{
		"new", "attach", // take over the terminal
		"server", "mcp", "hub start", // serve
		"hub config",                 // prints the settings of another program
		"help", "completion", "logs", // are for people and for shells
		"complete", "servers", "servers pipe",
	}
	for _, c := range new(grammar).program("", nil, commandline.Streams{}).Model().Leaves(false) {
		hasJSON := slices.ContainsFunc(c.Flags, func(f *kong.Flag) bool { return f.Name == "json" })
		if name := commandline.Path(c); hasJSON == slices.Contains(without, name) {
			t.Errorf("wsh %s: has --json: %v", name, hasJSON)
		}
	}
}

// The help of each command has an example, begins with a capital and ends with a period.
func TestHelpIsComplete(t *testing.T) {
	t.Parallel()
	model := new(grammar).program("", nil, commandline.Streams{}).Model()
	for path := range details {
		if _, unknown := commandline.Find(model.Node, strings.Fields(path)); unknown != "" {
			t.Errorf("there is no command %q", path)
		}
	}
	var scripts strings.Builder
	for _, file := range fault.Must(filepath.Glob("testdata/commands/*.txtar")) {
		scripts.Write(fault.Must(os.ReadFile(file)))
	}
	inGo := []string{"docs", "hub accept", "hub config", "hub list", "hub withdraw", "new", "servers add"}
	for _, c := range model.Leaves(true) {
		name := commandline.Path(c)
		if !strings.Contains(scripts.String(), "wsh "+name) && !slices.Contains(inGo, name) {
			t.Errorf("no script in testdata/commands calls wsh %s", name)
		}
		if !strings.HasSuffix(c.Help, ".") {
			t.Errorf("wsh %s: the help %q is no sentence", name, c.Help)
		}
		for _, f := range c.Flags {
			if !f.Hidden && !strings.HasSuffix(f.Help, ".") {
				t.Errorf("wsh %s --%s: the help %q is no sentence", name, f.Name, f.Help)
			}
		}
		whole := c.Detail + c.Parent.Detail
		if !strings.Contains(whole, "    wsh") && !strings.Contains(whole, "wsh "+name) {
			t.Errorf("wsh %s --help has no example", name)
		}
	}
}
