//go:build linux || darwin

package e2e

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/leak"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

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
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	const password = "correct-horse-battery"
	search := leak.For(t, password)
	home := shortDir(t)
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
		cmd := exec.Command("wsh", args...)
		cmd.Env, cmd.Dir = sandbox(home), home
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("wsh %q: %v\n%s", args, err, out)
		}
		search.Text("wsh "+args[0], string(out))
	}
	if n := search.Tree(home); n == 0 {
		t.Error("no file was searched")
	}
	search.Processes()
}
