package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// axeScript is where tools/need installs axe.
const axeScript = "../scratch/axe/node_modules/axe-core/axe.min.js"

// openTerminalChat begins a conversation with an agent that has terminals, too.
func openTerminalChat(t *testing.T, o apphost.Options, flags ...string) *chat {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "project", ".claude", "ui")
	cmd := exec.Command("ui-mcp", append([]string{"mcp", "--dir", dir, "--toolsets", "ui,popup,terminal"}, flags...)...)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_RUNTIME_DIR="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "SHELL=/bin/sh", "PS1=$ ", "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=")
	c := &chat{Host: apphost.New(t, apphost.Stdio(cmd), o), t: t, dir: dir}
	c.stop = func() { _ = cmd.Process.Signal(os.Interrupt) }
	return c
}

// openHTTPTerminalChat does so over Streamable HTTP.
func openHTTPTerminalChat(t *testing.T, o apphost.Options, flags ...string) *chat {
	t.Helper()
	s := newServe(t)
	s.start("0", "0", append([]string{"--toolsets", "ui,popup,terminal"}, flags...)...)
	return s.chat(o)
}

// created returns the name and the URL of the session that a call has created.
func (c *chat) created(call *apphost.Call) (session, url string) {
	c.t.Helper()
	r := call.Result()
	var answer struct{ Session, URL string }
	if err := json.Unmarshal([]byte(r.Text()), &answer); err != nil || r.IsError {
		c.t.Fatalf("the result = %s (%v)", r.Text(), err)
	}
	return answer.Session, answer.URL
}

// rows is the expression for the text of the terminal in a view.
const rows = `(document.querySelector(".ui-chat-terminal .xterm-rows")?.innerText ?? "")`

// allowTyping lets the person allow a frame to type.
func allowTyping(content *browser.Tab) {
	content.Run(buttonOf("Type here") + `.click()`)
	content.Wait(`document.querySelector("dialog.terminal-confirm[open]")`)
	content.Run(buttonOf("Allow typing") + `.click()`)
	content.Wait(`!document.querySelector("dialog.terminal-confirm") && document.querySelector(".xterm-helper-textarea")`)
}

// A terminal in the chat follows the session, and types once the person has allowed it there.
func TestTerminalInTheChat(t *testing.T) {
	t.Parallel()
	terminalInTheChat(t, openTerminalChat(t, apphost.Options{}), load.Full(), load.Full())
}

// It does so over HTTP, in a host that holds back much of what views may expect.
func TestTerminalInTheChatOverHTTP(t *testing.T) {
	load.Long(t, "TestTerminalInTheChat has a host that offers all, over standard streams")
	t.Parallel()
	terminalInTheChat(t, openHTTPTerminalChat(t, apphost.Options{Modern: true, HoldInput: true, StripStructured: true}), true, true)
}

// terminalInTheChat is the story of a terminal in a chat, with a flood of output and with a view
// that displays an app and a terminal in turns if that is wanted.
func terminalInTheChat(t *testing.T, c *chat, flood, alternate bool) {
	t.Helper()
	c.Call("ui_start", nil).Result() // which fails where it has started
	call := c.Call("wsh_create_session", nil)
	session, url := c.created(call)
	if !strings.Contains(url, "/terminals/s/"+session) {
		t.Errorf("the result has the URL %q", url)
	}
	view := call.View()
	content := view.Content()
	content.Wait(rows + `.includes("$")`)
	c.ok("wsh_run_command", map[string]any{"session": session, "input": "echo agent-$((40+2))"})
	content.Wait(rows + `.includes("agent-42")`)

	// Without the person's permission, nothing is typed; the first key asks for it.
	content.Run(`document.querySelector(".terminal-view").focus()`)
	content.Press("x")
	content.Wait(`document.querySelector("dialog.terminal-confirm[open]")`)
	content.Run(buttonOf("Cancel") + `.click()`)
	content.Wait(`!document.querySelector("dialog.terminal-confirm")`)
	allowTyping(content)
	content.Wait(rows + `.includes("agent-42")`)
	content.Press("echo person-$((6*7))\r")
	content.Wait(rows + `.includes("person-42")`)
	screen := c.ok("wsh_get_screen", map[string]any{"session": session})
	if !strings.Contains(screen, "person-42") || strings.Contains(screen, "xecho") {
		t.Errorf("the screen = %s", screen)
	}
	if bad := view.Violations(); len(bad) != 0 {
		t.Errorf("the policy has stopped %q", bad)
	}

	// A flood is skipped: what is displayed is the present screen.
	if flood {
		c.ok("wsh_run_command", map[string]any{"session": session, "input": "seq 1 200000 | sed s/^/n/"})
		content.Wait(rows + `.includes("n200000")`)
	}
	if got := browser.Eval[int](content, `document.documentElement.scrollWidth - innerWidth`); got > 0 {
		t.Errorf("%d pixels are cut off", got)
	}
	if alternate {
		c.alternate(session)
		// Displayed once more, the view knows its terminal by the result of its call only.
		c.created(c.Call("wsh_create_session", map[string]any{"name": "later"}))
		again := view.Remount()
		wait.Until(t, "the terminal is displayed once more", func() bool {
			again.Wait(`(view.frame.scrollIntoView(), true)`) // what is above may grow
			return browser.Eval[bool](again.Content(), fmt.Sprintf(`document.querySelector(".ui-chat-title").textContent === %q && `+rows+`.includes("$")`, session))
		})
		again.Close()
	}

	// The program ends, and the view says so.
	c.ok("wsh_manage_session", map[string]any{"session": session, "action": "kill"})
	content.Wait(`/^The (program was ended by SIG|program has ended with|session was removed)/.test(document.querySelector(".terminal-notice").textContent)`)
}

// alternate makes a view display a terminal and an app in turn. Nothing stays of what it displayed
// before.
func (c *chat) alternate(session string) {
	c.t.Helper()
	clearing := c.Call("wsh_run_command", map[string]any{"session": session, "input": "clear"})
	clearing.Result() // some hosts deliver the input then, which must not come in between
	view := clearing.View()
	content := live(view)
	view.Wait(`(view.frame.scrollIntoView(), true)`) // a terminal that nobody can see is not painted
	content.Wait(rows + `.includes("$")`)
	call := func(arguments string) {
		content.Run(`postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-input", params: { arguments: ` + arguments + ` } }, "*")`)
	}
	var before [4]int
	for i := range load.Count(3, 6) {
		call(`{ sessionId: "1" }`)
		content.Wait(`document.querySelector(".ui-chat > [ui-app]").firstElementChild && !document.querySelector(".ui-chat-terminal") && document.documentElement.dataset.uiState === "live"`)
		call(fmt.Sprintf(`{ session: %q }`, session))
		content.Wait(`!document.querySelector("[ui-app]") && ` + rows + `.includes("$")`)
		now := [...]int{
			content.Listeners("window"), content.Listeners("document"),
			browser.Eval[int](content, `document.adoptedStyleSheets.length`), browser.Eval[int](content, `document.body.childElementCount`),
		}
		switch {
		case i == 0:
			before = now
		case now != before:
			c.t.Fatalf("displayed %d times, the view has %v listeners of the window and the document, sheets and elements, %v at first", i+1, now, before)
		}
	}
	view.Close()
	c.views(3) // of the calls before
}

// A terminal in a narrow frame has text that can be read, is accessible, fills the window when
// asked, and finds its session again under another name when the connection breaks.
func TestTerminalInANarrowChat(t *testing.T) {
	load.Long(t, "TestTerminalInTheChat has a wide one")
	t.Parallel()
	c := openTerminalChat(t, apphost.Options{Width: 300, LateSize: true})
	call := c.Call("wsh_create_session", map[string]any{"name": "old"})
	c.created(call)
	view := call.View()
	content := live(view)
	content.Wait(rows + `.includes("$")`)
	const fontSize = `parseFloat(getComputedStyle(document.querySelector(".xterm-rows")).fontSize)`
	content.Wait(fontSize + ` === 13 && document.querySelector(".terminal-pans").scrollWidth > 600`)
	// The view that replaces the first one has the same text.
	allowTyping(content)
	content.Wait(`document.querySelector(".terminal-pans")?.scrollWidth > 600`)
	named(t, "the chat", content)
	if script, err := os.ReadFile(axeScript); err != nil {
		t.Log("axe is not installed: tools/need axe does that")
	} else {
		content.Run(string(script))
		for _, dark := range []bool{false, true} {
			c.Dark(dark)
			content.Wait(fmt.Sprintf(`document.documentElement.classList.contains("sl-theme-dark") === %v`, dark))
			found := browser.Eval[[]string](content, `axe.run(document, { resultTypes: ["violations"], preload: false, iframes: false }).then(({ violations }) => violations
				.filter(({ impact }) => impact === "serious" || impact === "critical")
				.map(({ id, nodes }) => id + ": " + nodes.map((n) => n.html + " " + n.failureSummary).join(" | ").slice(0, 600)))`)
			if len(found) > 0 {
				t.Errorf("dark: %v:\n%s", dark, strings.Join(found, "\n"))
			}
		}
	}
	const cut = `document.documentElement.scrollWidth - innerWidth`
	if got := browser.Eval[int](content, cut); got > 0 {
		t.Errorf("%d pixels are cut off", got)
	}
	content.Run(buttonOf("Full screen") + `.click()`)
	content.Wait(`innerWidth === 1000 && document.querySelector(".ui-chat-terminal").clientHeight > innerHeight / 2`)
	content.Wait(`document.querySelector(".xterm-rows").childElementCount > 40`)
	if got := browser.Eval[int](content, cut); got > 0 {
		t.Errorf("on the full screen, %d pixels are cut off", got)
	}
	content.Run(buttonOf("Back to the chat") + `.click()`)
	content.Wait(`innerWidth === 300`)

	c.ok("wsh_manage_session", map[string]any{"session": "old", "action": "rename", "new_name": "new"})
	hellos := func() (ids []string) {
		for _, r := range view.Requests() {
			var args struct{ View, Token string }
			if json.Unmarshal(r.Arguments, &args) == nil && args.Token != "" {
				ids = append(ids, args.View)
			}
		}
		return ids
	}
	ids := hellos()
	view.CallTool("ui_relay", map[string]any{"v": 1, "view": ids[len(ids)-1], "bye": true})
	wait.Until(t, "the view is connected again", func() bool { return len(hellos()) > len(ids) })
	live(view)
	c.ok("wsh_run_command", map[string]any{"session": "new", "input": "echo again-$((40+2))"})
	content.Wait(rows + `.includes("again-42")`)
	content.Run(`document.querySelector(".xterm-helper-textarea").focus()`)
	content.Press("echo typed-$((6*7))\r")
	content.Wait(rows + `.includes("typed-42")`)
}
