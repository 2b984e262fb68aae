// Package e2e runs the built commands the way a user does.
package e2e

import (
	"encoding/json"
	"os"
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
		"ui-mcp": func() { os.Exit(uimcp.Main("0.1.0")) },
		"wsh":    func() { os.Exit(wsh.Main("0.1.0")) },
		// As released: what it installs is newer than what any version before has installed.
		"ui-mcp-next": func() {
			v, err := bundled.Version(root.Readme)
			if err != nil {
				panic(err)
			}
			root.Readme = strings.Replace(root.Readme, "**Version: "+v+"**", "**Version: 99.0.0**", 1)
			os.Exit(uimcp.Main("99.0.0"))
		},
	})
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
