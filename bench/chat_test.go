package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
)

// openChat displays a counter in a conversation: ui-mcp on standard streams, behind a real host in
// a real Chromium.
func openChat(b *testing.B) (*apphost.Host, *apphost.View) {
	b.Helper()
	dir := filepath.Join(b.TempDir(), ".claude", "ui")
	cmd := exec.Command(built(b, "ui-mcp", "ui-mcp/cmd/ui-mcp"), "mcp", "--own", "--dir", dir)
	// The program's alone: the host builds its page, which would not find what is built already.
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+b.TempDir(), "XDG_RUNTIME_DIR="+b.TempDir())
	host := apphost.New(b, apphost.Stdio(cmd), apphost.Options{})
	testkit.Write(b, dir, "apps/counter/app.lua", `Counter = session:prototype("Counter", { count = 0 })
counter = counter or session:create(Counter, { count = 0 })
function Counter:more() self.count = self.count + 1 end
`)
	testkit.Write(b, dir, "apps/counter/viewdefs/Counter.DEFAULT.html",
		`<template><div><output id="count" ui-value="count"></output><button id="more" ui-action="more()">More</button></div></template>`)
	host.Call("ui_start", nil).Result()
	view := host.Call("ui_display", map[string]any{"name": "counter"}).View()
	view.Content().WaitText("#count", "0")
	return host, view
}

// BenchmarkChat measures what a person waits for in the chat. "click" is the time from a click
// until the view displays what it has changed on the server, also relative to a bare call of a tool
// by the view, which alternates with it. "push" is the time from a call of ui_run until the view
// displays the change. "paint" is the time from the view's HTML until its first picture.
func BenchmarkChat(b *testing.B) {
	host, view := openChat(b)
	content := view.Content()
	// Frames that nobody can see are not painted: the results of later calls move them out of
	// sight.
	b.Run("paint", func(b *testing.B) {
		var paints stopwatch
		for b.Loop() {
			again := view.Remount()
			again.Content().Wait(`document.querySelector("#count")`)
			paints = append(paints, again.Painted())
			again.Close()
		}
		paints.report(b)
	})
	b.Run("click", func(b *testing.B) {
		const click = `(() => {
			const begun = performance.now();
			const shown = new Promise((done) => new MutationObserver((_, observer) => { observer.disconnect(); done(performance.now() - begun); })
				.observe(document.querySelector("#count"), { childList: true, characterData: true, subtree: true }));
			document.querySelector("#more").click();
			return shown;
		})()`
		var clicks, bare stopwatch
		for b.Loop() {
			clicks.add(browser.Eval[float64](content, click))
			_, _, took := view.CallTool("ui_relay", map[string]any{"v": 1, "view": "of-no-view-that-is-known"})
			bare = append(bare, took)
		}
		clicks.report(b)
		bare.report(b, "bare-")
	})
	b.Run("push", func(b *testing.B) {
		var pushes stopwatch
		for b.Loop() {
			content.Run(`window.changed = 0; new MutationObserver((_, observer) => { observer.disconnect(); window.changed = Date.now(); })
				.observe(document.querySelector("#count"), { childList: true, characterData: true, subtree: true })`)
			call := host.Call("ui_run", map[string]any{"code": "counter:more()"})
			content.Wait("window.changed")
			pushes.add(browser.Eval[float64](content, "window.changed") - call.Begun())
		}
		pushes.report(b)
	})
}
