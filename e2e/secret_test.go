//go:build linux || darwin

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/leak"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// An agent runs a command that asks for a password. The person types it in a page, and it is
// nowhere but in that program: not in what the agent gets, in events, recordings and logs, on disk,
// in what other pages get, nor in what the page keeps.
func TestSecretIsNowhere(t *testing.T) {
	t.Parallel()
	needPrograms(t, "bash")
	const password = "correct-horse-battery"
	search := leak.For(t, password)
	home := testkit.ShortDir(t)
	base := filepath.Join(home, "shop", ".claude", "ui")
	if err := os.MkdirAll(base, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("ui-mcp", "mcp", "--dir", base, "--toolsets", "ui,popup,terminal", "--log-level", "debug")
	cmd.Dir, cmd.Env = filepath.Join(home, "shop"), sandbox(home)
	var log testkit.Log
	cmd.Stderr = &log
	var dialogs sync.Map // what the client's own dialog was asked
	agent, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "0"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}},
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			dialogs.Store(r.Params.Message, true)
			return &mcp.ElicitResult{Action: "cancel"}, nil
		},
	}).Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: wait.Patience}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	t.Cleanup(func() { agent.Close() })
	call, results := collectResults(t, agent)
	wsh := func(args ...string) string { return wshIn(t, home, args...) }
	page := strings.TrimSuffix(call("ui_start", nil), "/") + "/popup"
	call("wsh_create_session", map[string]any{"name": "work"})
	wsh("record", "work", "--start")
	events, ended := watchIn(t, home, "work")
	wait.Until(t, "the session is watched", func() bool {
		call("wsh_run_command", map[string]any{"session": "work", "input": "echo watched"})
		return strings.Contains(events.String(), "watched")
	})
	b := browser.New(t)
	tab, other := b.Tab(), b.Tab()
	other.Open(page)
	other.Wait(`document.querySelector("ui-popup").dataset.ready === "true"`)
	other.Run(`
		window.frames_ = [];
		const socket = new WebSocket("ws://" + location.host + "/popup-ws");
		socket.onmessage = (event) => window.frames_.push(event.data);
		socket.onopen = () => socket.send(JSON.stringify({ type: "hello", focused: false }));
	`)
	other.Wait(`window.frames_.length > 0`)
	tab.Open(page)

	call("wsh_run_command", map[string]any{"session": "work", "input": `read -rs -p "Password: " p; echo; echo "got ${#p} characters"`, "background": true})
	tab.Wait(dialog("h2") + `.textContent === "A program in the terminal “work” asks for a secret" && ` + settled)
	tab.Wait(dialog(".message pre") + `.textContent.includes("Password:")`)
	wait.Until(t, "the agent learns that the person is asked", func() bool {
		return strings.Contains(call("wsh_list_sessions", nil), `"person_asked":true`)
	})
	tab.Press("9") // a digit is text
	tab.Press(browser.Backspace)
	tab.Press(password)
	tab.Wait(dialog("input.text") + `.value.length === ` + "21 && " + dialog("input.text") + `.type === "password"`)
	tab.Press(browser.Enter)
	if got := call("wsh_await_quiesce", map[string]any{"session": "work", "wait_for": "got 21 characters"}); !strings.Contains(got, "found") {
		t.Error(got)
	}
	tab.Wait(`document.querySelector("ui-popup").dataset.state === "idle"`)
	other.Wait(`window.frames_.length > 0 && JSON.parse(window.frames_.at(-1)).history?.length === 1`)

	// All that the agent, another program of the person and another page can get.
	call("wsh_get_screen", map[string]any{"session": "work"})
	call("wsh_get_scrollback", map[string]any{"session": "work"})
	call("wsh_list_sessions", nil)
	call("ui_status", nil)
	search.Text("the results of tools", results())
	typed := wsh("typed", "work", "--json")
	if !strings.Contains(typed, `"kind":"question"`) || strings.Contains(typed, `"count":21`) {
		t.Errorf("the ledger: %s", typed)
	}
	search.Text("the ledger", typed)
	for _, args := range [][]string{{"screen", "work"}, {"scrollback", "work"}, {"list", "--json"}, {"record", "work", filepath.Join(home, "work.cast"), "--save"}} {
		search.Text("wsh "+strings.Join(args, " "), wsh(args...))
	}
	call("wsh_send_input", map[string]any{"session": "work", "input": "exit\r"})
	ended()
	if !strings.Contains(events.String(), "got 21") {
		t.Errorf("wsh watch printed %s", events.String())
	}
	search.Text("events", events.String())
	dialogs.Range(func(message, _ any) bool {
		t.Errorf("the client's own dialog was asked: %s", message)
		return true
	})
	search.Text("messages to another page", browser.Eval[string](other, `JSON.stringify(window.frames_)`))
	for _, tab := range []*browser.Tab{tab, other} {
		search.Text("the document", browser.Eval[string](tab, `document.querySelector("ui-popup").shadowRoot.innerHTML + [...document.querySelector("ui-popup").shadowRoot.querySelectorAll("input, textarea")].map((e) => e.value)`))
		search.Text("the page's storage", browser.Eval[string](tab, `JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage })`))
	}
	if n := search.Tree(home); n == 0 {
		t.Error("no file was searched")
	}
	search.Processes()
	tab.Close()
	other.Close() // else the server outlives its client
	if err := agent.Close(); err != nil {
		t.Error(err)
	}
	search.Text("the log", log.String())
	if n := search.Tree(home); n == 0 {
		t.Error("no file was searched")
	}
	if popups, err := os.ReadDir(filepath.Join(base, "popups")); err != nil && !os.IsNotExist(err) || len(popups) > 0 {
		t.Errorf("%d questions are stored, %v", len(popups), err)
	}
}

// wshIn runs wsh in a home, and returns what it prints.
func wshIn(t *testing.T, home string, args ...string) string {
	t.Helper()
	cmd := exec.Command("wsh", args...)
	cmd.Env, cmd.Dir = sandbox(home), home
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("wsh %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// watchIn has "wsh watch" print all events of a session in a home. ended waits for its end, which
// comes with that of the session.
func watchIn(t *testing.T, home, session string) (events *testkit.Log, ended func()) {
	t.Helper()
	watch := exec.Command("wsh", "watch", session, "--json", "--events", "input,output,state,command,title,exit,lines,overlay")
	watch.Env, watch.Dir = sandbox(home), home
	events = &testkit.Log{}
	var failure testkit.Log
	watch.Stdout, watch.Stderr = events, &failure
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	return events, func() {
		t.Helper()
		if err := watch.Wait(); err != nil {
			t.Errorf("wsh watch: %v\n%s", err, failure.String())
		}
	}
}

// An app that keeps all that it can learn about its terminal.
const vaultLua = `
Vault = session:prototype("Vault", { waits = "" })
if not session.reloading then
    vault = Vault:new({ _learnt = {} })
    locker = terminal.create({ name = "locker", record = true, rows = 10, cols = 60 })
end
local function learn(what) return function(v) table.insert(vault._learnt, { what = what, value = v }) end end
for _, event in ipairs({ "output", "idle", "command", "waits", "exit", "title", "bell" }) do locker:on(event, learn(event), 300) end
function Vault:ask()
    locker:run("read -rs -p 'Password: ' p; echo; echo \"got ${#p} characters\"", learn("run"))
    locker:wait("secret", function(s) self.waits = s end)
end
function Vault:learnt()
    locker:typed(learn("typed"))
    locker:call("screen.get", learn("screen.get"))
    locker:call("session.list", learn("session.list"))
    return { self._learnt, locker:screen(), { locker:lines(0) }, locker.lastCommand, locker.title }
end
`

// The person types a secret in the terminal of an app's page, and it is nowhere but in the program:
// neither in what the app and the agent can learn, nor in the page, in recordings, files and logs.
func TestSecretInApp(t *testing.T) {
	load.Long(t, "TestSecretIsNowhere types a secret in a page, and TestTerminalInApp types in an app")
	t.Parallel()
	needPrograms(t, "bash")
	const password = "correct-horse-battery"
	search := leak.For(t, password)
	home := testkit.ShortDir(t)
	a := startAllToolsets(t, home, "shop")
	a.ok("ui_start", nil)
	testkit.Write(t, a.ui, "apps/vault/app.lua", vaultLua)
	testkit.Write(t, a.ui, "apps/vault/viewdefs/Vault.DEFAULT.html", `<template><div>
		<span id="waits" ui-value="waits"></span><ui-terminal session="locker"></ui-terminal><ui-terminal session="locker" overview></ui-terminal>
		</div></template>`)
	a.ok("ui_display", map[string]any{"name": "vault"})
	tab := a.openPage()
	tab.Run(`window.messages = []; window.addEventListener("message", (event) => messages.push(event.data))`)
	const frame = `document.querySelector("ui-terminal").shadowRoot.querySelector("iframe")`
	tab.Wait(frame)
	inside := tab.Frame(frame)
	inside.Wait(`terminalViews[0].state.is === "attached" && document.querySelector("textarea")`)
	a.ok("ui_run", map[string]any{"code": `vault:ask()`})
	tab.WaitText("#waits", "secret")
	tab.Run(`document.querySelector("ui-terminal").focus()`)
	inside.Wait(`document.activeElement.tagName === "TEXTAREA"`)
	tab.Press(password + "\r")
	var learnt string
	wait.Until(t, "the app has learnt all that there is", func() bool {
		learnt = a.ok("ui_run", map[string]any{"code": `return vault:learnt()`})
		for _, what := range []string{"got 21 characters", `"what":"output"`, `"what":"command"`, `"what":"idle"`, `"what":"waits"`, `"what":"run"`, `"what":"typed"`, `"secret":true`} {
			if !strings.Contains(learnt, what) {
				return false
			}
		}
		return true
	})
	search.Text("what the app has learnt", learnt)
	for tool, args := range map[string]map[string]any{
		"ui_inspect": nil, "ui_status": nil, "wsh_list_sessions": nil, "wsh_get_screen": {"session": "locker"}, "wsh_get_scrollback": {"session": "locker"},
	} {
		search.Text(tool, a.ok(tool, args))
	}
	search.Text("the page", browser.Eval[string](tab, `document.documentElement.outerHTML + JSON.stringify([messages, { ...sessionStorage }, { ...localStorage }])`))
	search.Text("the frame", browser.Eval[string](inside, `document.documentElement.outerHTML + [...document.querySelectorAll("textarea, input")].map((e) => e.value) + JSON.stringify([{ ...sessionStorage }, { ...localStorage }])`))
	for _, args := range [][]string{{"typed", "locker", "--json"}, {"record", "locker", filepath.Join(home, "locker.cast"), "--save"}} {
		search.Text("wsh "+args[0], wshIn(t, home, args...))
	}
	if n := search.Tree(home); n == 0 {
		t.Error("no file was searched")
	}
	search.Processes()
}
