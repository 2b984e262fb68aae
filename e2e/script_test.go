// Package e2e runs the built commands the way a user does.
package e2e

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	root "ui-mcp"

	"ui-mcp/internal/cli/uimcp"
	"ui-mcp/internal/cli/wsh"
	bundled "ui-mcp/internal/install"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/signals"
)

func TestMain(m *testing.M) {
	testscript.Main(withBrowser{m}, map[string]func(){
		"ui-mcp": func() {
			keepOwn()
			os.Exit(uimcp.Main("0.1.0", nil))
		},
		"wsh": func() { os.Exit(wsh.Main("0.1.0", nil)) },
		// As released: what it installs is newer than what any version before has installed.
		"ui-mcp-next": func() {
			v, err := bundled.Version(root.Readme)
			if err != nil {
				panic(err)
			}
			root.Readme = strings.Replace(root.Readme, "**Version: "+v+"**", "**Version: 99.0.0**", 1)
			os.Exit(uimcp.Main("99.0.0", nil))
		},
	})
}

// keepOwn keeps the server of "ui-mcp mcp" to its client, so that it has ended when the client has,
// also where a page is just being closed: it would write into folders that the test removes. Tests
// of a shared one say how long it stays.
func keepOwn() {
	if len(os.Args) > 1 && os.Args[1] == "mcp" && !slices.ContainsFunc(os.Args, func(arg string) bool {
		return arg == "--own" || arg == "--serving" || arg == "--unconfigured" || strings.HasPrefix(arg, "--linger")
	}) {
		os.Args = slices.Insert(os.Args, 2, "--own")
	}
}

// withBrowser runs tests and ends the browser that they shared.
type withBrowser struct{ m *testing.M }

func (w withBrowser) Run() int {
	signals.Default()
	return browser.Main(w.m)
}

func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"jsonrpc": checkMessages},
	})
}

// checkMessages checks that every line of a file, such as stdout, is a JSON-RPC message.
//
//	jsonrpc FILE
func checkMessages(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: jsonrpc FILE")
	}
	text := ts.ReadFile(args[0])
	if text == "" {
		ts.Fatalf("%s is empty", args[0])
	}
	for line := range strings.Lines(text) {
		var msg struct {
			Version string `json:"jsonrpc"`
		}
		if err := json.Unmarshal([]byte(line), &msg); err != nil || msg.Version != "2.0" {
			ts.Fatalf("%s has a line that is not a JSON-RPC message: %q", args[0], line)
		}
	}
}
