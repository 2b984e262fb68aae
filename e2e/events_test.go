package e2e

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// An agent without a shell collects events by a tool, as others do with /wait: the page says that
// it listens, other calls go on, and what a client that has gone did not get is there for the next.
func TestEventsByATool(t *testing.T) {
	load.Long(t, "mcpui tries the tool, internal/events who gets what")
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	url := s.ok("ui_start", nil)
	writeActApp(s)
	s.ok("ui_display", map[string]any{"name": "act"})
	tab := browser.New(t).Tab()
	tab.Open(url)
	tab.Wait(`document.body.textContent.includes("Add")`)
	listens := func(want string) {
		t.Helper()
		wait.Until(t, "mcp:pollingEvents() returned "+want, func() bool { return s.run("return mcp:pollingEvents()") == want })
	}
	listen := func(ctx context.Context) <-chan string {
		got := make(chan string, 1)
		go func() {
			res, err := s.mcp.CallTool(ctx, &mcp.CallToolParams{Name: "ui_inspect", Arguments: map[string]any{"events": true, "timeout": 60}})
			if err != nil {
				got <- err.Error()
				return
			}
			got <- res.Content[0].(*mcp.TextContent).Text
		}()
		return got
	}
	listens("false")
	first := listen(t.Context())
	listens("true") // ui_run does not wait for it
	tab.Wait(`document.body.textContent.includes("Agent listening")`)
	s.run(`mcp.pushState({ n = 1 })`)
	if got := wait.For(t, "events", first); got != `[{"n":1}]` {
		t.Errorf("the events are %s", got)
	}
	tab.Wait(`document.body.textContent.includes("Agent not listening")`)

	ctx, cancel := context.WithCancel(t.Context())
	second := listen(ctx)
	listens("true")
	cancel()
	wait.For(t, "the end of the call", second)
	listens("false")
	s.run(`mcp.pushState({ n = 2 }) mcp.pushState({ n = 3 })`)
	if got := s.ok("ui_inspect", map[string]any{"events": true}); got != `[{"n":2},{"n":3}]` {
		t.Errorf("afterwards, the events are %s", got)
	}
	if got := s.ok("ui_inspect", map[string]any{"events": true, "timeout": 1}); got != `[]` {
		t.Errorf("without events: %s", got)
	}
}
