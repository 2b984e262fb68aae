//go:build linux || darwin

package e2e

import (
	"os"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// An agent and a person share a terminal in the app terminals: the person takes the keyboard,
// types, and gives it back.
func TestWorkbench(t *testing.T) {
	load.Long(t, "TestTerminalInApp types into a terminal in an app")
	t.Parallel()
	needPrograms(t, "bash")
	home := testkit.ShortDir(t)
	a := startAllToolsets(t, home, "shop")
	a.ok("ui_start", nil)
	a.ok("ui_display", map[string]any{"name": "terminals"})
	tab := a.openPage()
	tab.Wait(`document.body.innerText.includes("Nothing runs yet")`)
	a.ok("wsh_create_session", map[string]any{"name": "build"})
	a.ok("wsh_run_command", map[string]any{"session": "build", "input": "false agent-was-here"})
	tab.Wait(`document.querySelector(".workbench-row code")?.textContent === "false agent-was-here"`)
	tab.Wait(`document.querySelector(".workbench-detail header").innerText.includes("status 1")`)
	tab.Wait(`document.querySelector(".workbench-ledger").innerText.includes("false agent-was-here")`)
	const frame = `document.querySelector("ui-terminal").shadowRoot.querySelector("iframe")`
	inside := tab.Frame(frame)
	inside.Wait(`terminalViews[0].state.is === "attached" && document.querySelector("textarea")`)
	// Another name does not disturb the person who types.
	tab.Run(`window.before = ` + frame)
	for _, name := range []string{"renamed", "build"} {
		a.ok("ui_run", map[string]any{"code": `terminal.list()[1]:rename("` + name + `")`})
		tab.WaitText(".workbench-detail h2", name)
	}
	if !browser.Eval[bool](tab, frame+` === before`) {
		t.Error("the frame of a terminal is another one after it was renamed")
	}

	const button = `[...document.querySelectorAll(".workbench-detail button")].find((b) => !b.hidden && b.textContent === `
	tab.ClickOn(button + `"Take over")`)
	tab.Wait(`document.querySelector(".workbench-detail .notice").checkVisibility()`)
	for tool, args := range map[string]map[string]any{
		"wsh_run_command": {"session": "build", "input": "echo no"},
		"wsh_send_input":  {"session": "build", "input": "no"},
	} {
		if texts, failed := testkit.Call(t, a.ClientSession, tool, args); !failed || !strings.Contains(strings.Join(texts, ""), "The person has the keyboard") {
			t.Errorf("%s while the person has the keyboard: %s", tool, texts)
		}
	}
	tab.Wait(`document.activeElement === document.querySelector("ui-terminal")`) // the person can type at once
	inside.Wait(`document.activeElement.tagName === "TEXTAREA"`)
	tab.Press("echo mine-$((40+2))\r")
	wait.Until(t, "the shell has run what the person typed", func() bool {
		return strings.Contains(a.ok("wsh_get_screen", map[string]any{"session": "build"}), "mine-42")
	})
	tab.ClickOn(button + `"Give the keyboard back")`)
	tab.Wait(button + `"Take over")`)
	if got := a.ok("wsh_run_command", map[string]any{"session": "build", "input": "echo mine again"}); !strings.Contains(got, "mine again") {
		t.Errorf("afterwards: %s", got)
	}
	tab.Wait(`document.querySelector(".workbench-entry.person")`)
	tab.Wait(`/^\d+ × \d+, as page-\d+ has it$/.test(document.querySelector(".workbench-size").textContent)`)
	if dir := os.Getenv("SHOTS"); dir != "" {
		tab.Screenshot(dir + "/workbench-light.png")
		tab.Dark(true)
		tab.Wait("true")
		tab.Screenshot(dir + "/workbench-dark.png")
	}

	// Closing asks while a program runs, also who clicks twice.
	a.ok("wsh_run_command", map[string]any{"session": "build", "input": "sleep 1000", "background": true})
	tab.Wait(`document.querySelector(".workbench-dot.busy")`)
	tab.Run(`for (let i = 0; i < 2; i++) ` + button + `"Close").click()`)
	tab.Wait(`document.querySelector(".workbench-closing").checkVisibility()`)
	tab.WaitText(".workbench-closing > span", "“sleep 1000” runs here, and ends with the terminal.")
	tab.ClickOn(button + `"Keep it")`)
	tab.Wait(`!document.querySelector(".workbench-closing").checkVisibility()`)
	if got := a.ok("wsh_get_screen", map[string]any{"session": "build"}); !strings.Contains(got, "sleep 1000") {
		t.Errorf("kept: %s", got)
	}
	tab.ClickOn(button + `"Close")`)
	tab.ClickOn(button + `"End it and close")`)
	tab.Wait(`document.body.innerText.includes("Nothing runs yet")`)
	// A program ends while the person has the keyboard, and others by themselves.
	for _, s := range [][2]string{{"a", "cat"}, {"failing", "exit 3"}, {"stopped", "kill -TERM $$"}} {
		a.ok("wsh_create_session", map[string]any{"name": s[0], "command": s[1]})
	}
	const row = `[...document.querySelectorAll(".workbench-row")].find((r) => r.querySelector(".workbench-name").innerText.trim() === `
	tab.Wait(row + `"failing")?.querySelector("small").textContent === "ended with 3"`)
	tab.Wait(row + `"stopped")?.querySelector("small").textContent === "ended by SIGTERM"`)
	tab.WaitText(".workbench-detail h2", "a")
	tab.Wait(frame)
	inside = tab.Frame(frame)
	inside.Wait(`terminalViews[0].state.is === "attached" && document.querySelector("textarea")`)
	tab.ClickOn(button + `"Take over")`)
	tab.Wait(`document.querySelector(".workbench-detail .notice").checkVisibility()`)
	tab.Run(`document.querySelector("ui-terminal").focus()`)
	inside.Wait(`document.activeElement.tagName === "TEXTAREA"`)
	tab.Press("d", browser.Ctrl)
	tab.Wait(row + `"a")?.querySelector("small").textContent === "ended with 0"`)
	tab.Wait(`!document.querySelector(".workbench-detail .notice").checkVisibility()`)
	for _, name := range []string{"a", "failing", "stopped"} {
		a.ok("wsh_manage_session", map[string]any{"session": name, "action": "kill"})
	}
	tab.Wait(`document.body.innerText.includes("Nothing runs yet")`)
	if got := a.ok("ui_inspect", nil); strings.Contains(got, "problem") && strings.Contains(got, "apps/terminals") {
		t.Errorf("the app has problems: %s", got)
	}
	a.ok("wsh_create_session", map[string]any{"name": "idle"})
	tab.Wait(`document.querySelector(".workbench-row small")?.textContent === "ready"`)
	tab.ClickOn(button + `"Close")`)
	tab.Wait(`document.body.innerText.includes("Nothing runs yet")`)
}

// What insists is there for the command that was stopped: also if the page learns later than the
// person that it runs, and for ten seconds, whatever was stopped before.
func TestWorkbenchInsists(t *testing.T) {
	t.Parallel()
	a := startAllToolsets(t, testkit.ShortDir(t), "shop")
	a.ok("ui_start", nil)
	a.ok("ui_display", map[string]any{"name": "terminals"})
	got := a.ok("ui_run", map[string]any{"code": `
		local timers, set, clear = {}, session.setTimeout, session.clearTimeout
		session.setTimeout = function(_, f) table.insert(timers, f); return #timers end
		session.clearTimeout = function(_, n) if n then timers[n] = function() end end end
		local sent = {}
		local function did(_, what) table.insert(sent, what) end
		local t = { state = "running", running = true, keys = did, signal = did }
		t.lastCommand = { number = 1, line = "old", running = false }
		local row = WorkbenchRow:new({ terminal = t })
		row:stop()
		t.lastCommand = { number = 2, line = "slow to appear", running = true }
		local learned = row:isStopping()
		t.lastCommand = { number = 2, line = "slow to appear", running = false }
		t.state = "prompt"
		t.state, t.lastCommand = "running", { number = 3, line = "another", running = true }
		local again = row:isStopping()
		row:stop()
		t.lastCommand = { number = 4, line = "the last", running = true }
		row:stop()
		timers[2]()
		local kept = row:isStopping()
		timers[3]()
		row:terminate()
		row:insist()
		session.setTimeout, session.clearTimeout = set, clear
		local is = {}
		for i, b in ipairs({ learned, again, kept, row:isStopping() }) do is[i] = tostring(b) end
		return table.concat(is, ", ") .. ", " .. table.concat(sent, " ")`})
	if want := "true, false, true, false, C-c C-c C-c TERM KILL"; !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}
