//go:build linux || darwin

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A person tries the demo, an agent connects as the page says and works in it, and Ctrl-C ends all
// of it, while the page is open and programs run, and removes it.
func TestDemoWithAgent(t *testing.T) {
	load.Long(t, "TestDemoLeavesNothing runs the demo, and TestDemo uses its page")
	t.Parallel()
	home := shortDir(t)
	temporary := filepath.Join(home, "tmp")
	if err := os.Mkdir(temporary, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("ui-mcp", "demo")
	cmd.Env = append(os.Environ(), "HOME="+home, "TMPDIR="+temporary, "XDG_RUNTIME_DIR=", "XDG_CACHE_HOME=", "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=", "SHELL=/bin/sh")
	url, stop := serveUntilEnd(t, cmd)
	tab := browser.New(t).Tab()
	tab.Open(url)
	tab.WaitText(".catalog-card", "Plan")

	tab.Wait(`customElements.get("sl-copy-button") && document.querySelector(".demo-connect code").textContent.endsWith("/mcp")`)
	words := strings.Fields(browser.Eval[string](tab, `document.querySelector(".demo-connect sl-copy-button").value`))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	agent, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil).Connect(ctx, &mcp.StreamableClientTransport{Endpoint: words[len(words)-1]}, nil)
	if err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	for tool, args := range map[string]map[string]any{
		"ui_run":             {"code": `demo.board:add("Bake") return #demo.board.columns[1].cards`},
		"wsh_create_session": {"name": "busy", "command": "trap \"\" INT HUP; sleep 1000"},
	} {
		if res, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args}); err != nil || res.IsError {
			t.Fatalf("%s: %+v, %v", tool, res, err)
		}
	}
	tab.Wait(`[...document.querySelectorAll(".catalog-card")].some((card) => card.textContent === "Bake")`)

	for range 5 { // a person who does not wait
		_ = cmd.Process.Signal(os.Interrupt)
		wait.Pause(10 * time.Millisecond)
	}
	stop()
	for _, dir := range []string{temporary, filepath.Join(home, ".cache")} {
		if left, err := os.ReadDir(dir); len(left) > 0 || err != nil && !os.IsNotExist(err) {
			t.Errorf("%s has %v, %v", dir, left, err)
		}
	}
}
