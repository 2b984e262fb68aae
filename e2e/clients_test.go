package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
)

// An agent exits, the person goes on in the page, which says so, and the next agent is told.
func TestAppOutlivesAgent(t *testing.T) {
	t.Parallel()
	first := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	testkit.Write(t, first.dir, "apps/poll/app.lua", `
Poll = session:prototype("Poll", { votes = 0 })
function Poll:vote()
    self.votes = self.votes + 1
    mcp.pushState({ app = "poll", event = "vote", votes = self.votes })
end
if not session.reloading then poll = Poll:new() end`)
	testkit.Write(t, first.dir, "apps/poll/viewdefs/Poll.DEFAULT.html",
		`<template><button id="vote" ui-action="vote()">Vote</button><p id="votes" ui-value="votes"></p></template>`)
	url := first.ok("ui_start", nil)
	first.ok("ui_display", map[string]any{"name": "poll"})
	tab := browser.New(t).Tab()
	tab.Open(url)
	tab.Wait(`document.querySelector("#votes")?.textContent === "0"`)
	if err := first.mcp.Close(); err != nil {
		t.Error(err)
	}
	const notice = `document.querySelector(".ui-connection")`
	tab.Wait(notice + `.textContent.includes("No agent is connected") && !` + notice + `.hidden`)
	tab.Click("#vote")
	tab.Wait(`document.querySelector("#votes").textContent === "1"`)

	next := start(t, first.dir)
	if text, isError := next.call("ui_start", nil); !isError || !strings.HasPrefix(text, "Server already running\nit is at "+url) ||
		!strings.Contains(text, "Events that wait: 1") {
		t.Errorf("the next agent is told %q", text)
	}
	tab.Wait(notice + `.hidden`)
	next.returns("return poll.votes", "1")
	if status, events := get(t, next.agentURL("/wait?timeout=30")); status != 200 || !strings.Contains(events, `"votes":1`) {
		t.Errorf("the events: %d %s", status, events)
	}
	dir, err := filepath.EvalSymlinks(first.dir)
	if err != nil {
		t.Fatal(err)
	}
	servers := discovery.Look(os.Environ())
	i := slices.IndexFunc(servers, func(s discovery.Server) bool { return s.Dir == dir })
	if i < 0 {
		t.Fatalf("none of the servers %v runs the app in %s", servers, dir)
	}
	if err := next.mcp.Close(); err != nil {
		t.Error(err)
	}
	tab.Close()
	// It ends after its port files are gone, and may write meanwhile.
	wait.Until(t, "the server has ended", func() bool {
		p, err := os.FindProcess(servers[i].PID)
		return err != nil || p.Signal(syscall.Signal(0)) != nil
	})
}
