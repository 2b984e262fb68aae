//go:build linux || darwin

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/leak"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// An app with a server that it starts and watches, and a shell that it uses for tasks.
const siteLua = `
Site = session:prototype("Site", { address = "", requests = 0, outcome = "nothing run yet", answer = "", results = EMPTY })

function Site:web()
    return terminal.get("web") or terminal.create({ name = "web", command = "python3 -u -m http.server --bind 127.0.0.1 0", rows = 6, cols = 70 })
end
function Site:shell()
    return terminal.get("tasks") or terminal.create({ name = "tasks", rows = 12, cols = 90 })
end
function Site:webState() return self:web().state end
function Site:shellState() return self:shell().state end
function Site:lastCommand() return self:shell().lastCommand end
function Site:shots() return { self._shot, self._other } end
function Site:hasNoAddress() return self.address == "" end

function Site:fetch()
    self.outcome = "running"
    self:shell():run("curl -sS " .. self.address .. " | wc -l", function(result, err)
        self.outcome = err or ("status " .. tostring(result.status) .. ", " .. result.output:gsub("%s+$", "") .. " lines")
    end)
end

-- The second command waits until the first has its answer.
function Site:deploy()
    self.outcome = "asked"
    self:shell():run("read -p 'Deploy where? ' place; echo to $place", function(result, err)
        self.results = (self.results ~= EMPTY and self.results or "") .. (err or result.state) .. ";"
    end)
    self:shell():run("echo deployed to $place", function(result, err)
        self.outcome = err or result.output:gsub("%s+$", "")
    end)
end

function Site:asks() return self:shell().waits ~= nil end
function Site:asksNot() return not self:asks() end
function Site:reply()
    self:shell():submit(self.answer)
    self.answer = ""
end

Site.Shot = session:prototype("Site.Shot", { name = "" })

if not session.reloading then
    site = Site:new({ _shot = Site.Shot:new({ name = "web" }), _other = Site.Shot:new({ name = "tasks" }) })
end
site:web():on("output", function(output)
    for _, line in ipairs(output.lines) do
        site.address = line:match("%((http://[^)]+)%)") or site.address
        if line:find('"GET ') then site.requests = site.requests + 1 end
    end
end)
`

const siteView = `<template>
  <div class="stack">
    <h1>Site</h1>
    <div class="card stack">
      <p>Server: <strong id="web-state" ui-value="webState()"></strong> <span id="address" ui-value="address"></span>, <span id="requests" ui-value="requests"></span> requests</p>
      <ul class="list" ui-viewlist="shots()"><li></li></ul>
    </div>
    <div class="card stack">
      <div class="row">
        <button id="fetch" variant="primary" ui-action="fetch()" ui-attr-disabled="hasNoAddress()">Fetch</button>
        <button id="deploy" ui-action="deploy()">Deploy</button>
        <span>Shell: <strong id="shell-state" ui-value="shellState()"></strong></span>
        <span id="outcome" ui-value="outcome"></span>
      </div>
      <p class="muted">Last command: <code id="last" ui-value="lastCommand().line"></code> <span id="status" ui-value="lastCommand().status"></span> <span id="title" ui-value="shell().title"></span></p>
      <form class="row" id="question" ui-attr-hidden="asksNot()">
        <label>The shell asks <input ui-value="answer"></label>
        <button type="submit" ui-action="reply()">Answer</button>
      </form>
      <ui-terminal id="tasks" session="tasks" rows="12" fit></ui-terminal>
    </div>
  </div>
</template>`

const shotView = `<template><li class="stack"><small ui-value="name"></small><ui-terminal ui-attr-session="name" rows="6" cols="70" overview></ui-terminal></li></template>`

// An app starts a server, watches its output, runs commands for the person and passes on their
// answers, while the agent looks on.
func TestAppWithTerminals(t *testing.T) {
	load.Long(t, "TestTerminalInApp types into a terminal in an app")
	t.Parallel()
	for _, program := range []string{"bash", "python3", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	home := shortDir(t)
	a := startAllToolsets(t, home, "shop")
	a.ok("ui_start", nil)
	testkit.Write(t, a.ui, "apps/site/app.lua", siteLua)
	testkit.Write(t, a.ui, "apps/site/viewdefs/Site.DEFAULT.html", siteView)
	testkit.Write(t, a.ui, "apps/site/viewdefs/Site.Shot.list-item.html", shotView)
	a.ok("ui_display", map[string]any{"name": "site"})
	tab := a.openPage()
	shot := func(name string) {
		if dir := os.Getenv("SHOTS"); dir != "" {
			tab.Screenshot(dir + "/" + name + ".png")
		}
	}
	tab.Wait(`document.querySelector("#address")?.textContent.startsWith("http://127.0.0.1:")`)
	tab.WaitText("#shell-state", "prompt")
	tab.Click("#fetch")
	tab.Wait(`/^status 0, \d+ lines$/.test(document.querySelector("#outcome").textContent)`)
	tab.WaitText("#requests", "1")
	tab.Wait(`document.querySelector("#last").textContent.startsWith("curl -sS http://127.0.0.1:")`)
	tab.WaitText("#status", "0")
	for i := range 3 {
		frame := tab.Frame(fmt.Sprintf(`document.querySelectorAll("ui-terminal")[%d].shadowRoot.querySelector("iframe")`, i))
		frame.Wait(`performance.getEntriesByName("terminal-first-picture").length > 0`)
	}
	shot("site-fetched")

	tab.Click("#deploy")
	tab.Wait(`document.querySelector("#question").checkVisibility()`)
	wait.Until(t, "the agent sees what the shell asks", func() bool {
		got := a.ok("ui_inspect", nil)
		return strings.Contains(got, "Deploy where?") && strings.Contains(got, `ui-terminal "tasks": line`)
	})
	shot("site-asks")
	// The second command is called already, and must not become the answer.
	wait.Until(t, "the first command waits", func() bool {
		return strings.Contains(a.ok("ui_run", map[string]any{"code": `return site.results`}), "waiting;")
	})
	tab.Type("#question input", "the moon")
	tab.Click("#question button")
	tab.WaitText("#outcome", "deployed to the moon")
	tab.Wait(`!document.querySelector("#question").checkVisibility()`)
	if got := a.ok("wsh_get_screen", map[string]any{"session": "tasks"}); !strings.Contains(got, "to the moon") {
		t.Errorf("the screen: %s", got)
	}
	shot("site-deployed")
	tab.Dark(true)
	shot("site-dark")
	a.ok("wsh_run_command", map[string]any{"session": "tasks", "input": `printf '\033]2;deploying\007'`})
	tab.WaitText("#title", "deploying")
	a.ok("ui_run", map[string]any{"code": `site:web():keys("C-c")`})
	tab.WaitText("#web-state", "ended")
	if errs := tab.ConsoleErrors(); len(errs) > 0 {
		t.Errorf("errors in the console: %q", errs)
	}
}

// The attributes of terminals in pages do what they say.
func TestAttributesOfTerminals(t *testing.T) {
	load.Long(t, "TestTerminalInApp types into a terminal with the attribute fit")
	t.Parallel()
	home := shortDir(t)
	a := startAllToolsets(t, home, "shop")
	a.ok("ui_start", nil)
	testkit.Write(t, a.ui, "apps/attributes/app.lua", `
Attributes = session:prototype("Attributes", {})
if not session.reloading then
    attributes = Attributes:new()
    for _, name in ipairs({ "sized", "fitted", "scaled", "watched", "small" }) do
        terminal.create({ name = name, command = "cat", rows = 12, cols = 60 })
    end
end`)
	testkit.Write(t, a.ui, "apps/attributes/viewdefs/Attributes.DEFAULT.html", `<template><div class="stack">
		<ui-terminal id="sized" session="sized" rows="12" cols="60"></ui-terminal>
		<ui-terminal id="fitted" session="fitted" rows="8" cols="40" fit></ui-terminal>
		<ui-terminal id="scaled" session="scaled" rows="6"></ui-terminal>
		<ui-terminal id="watched" session="watched" rows="6" readonly></ui-terminal>
		<ui-terminal id="small" session="small" rows="6" overview></ui-terminal>
		</div></template>`)
	a.ok("ui_display", map[string]any{"name": "attributes"})
	tab := a.openPage()
	tab.Size(900, 1000)
	frames := map[string]*browser.Tab{}
	for _, id := range []string{"sized", "fitted", "scaled", "watched", "small"} {
		tab.Wait(`document.querySelector("#` + id + `")?.shadowRoot.querySelector("iframe")`)
		frames[id] = tab.Frame(`document.querySelector("#` + id + `").shadowRoot.querySelector("iframe")`)
		frames[id].Wait(`terminalViews[0].state.is === "attached" && performance.getEntriesByName("terminal-first-picture").length > 0`)
	}
	size := func(session string) string {
		return strings.Trim(a.ok("ui_run", map[string]any{"code": `local t = terminal.get("` + session + `"); return t.cols .. "x" .. t.rows`}), `"`)
	}
	if dir := os.Getenv("SHOTS"); dir != "" {
		tab.Screenshot(dir + "/attributes.png")
	}
	const letters = `document.querySelector(".xterm-screen").getBoundingClientRect().height / 12`
	if whole, small := browser.Eval[float64](frames["sized"], letters), browser.Eval[float64](frames["scaled"], letters); whole < 15 || small > whole*0.7 || small < whole*0.4 {
		t.Errorf("rows are %.1f pixels high where there is room for all, and %.1f in half of it", whole, small)
	}
	typeInto := func(id, text string) {
		tab.Run(`document.querySelector("#` + id + `").focus()`)
		frames[id].Wait(`document.hasFocus()`)
		tab.Press(text + "\r")
	}
	typeInto("fitted", "fits")
	wait.Until(t, "the terminal has the size of its element", func() bool { return size("fitted") != "60x12" })
	if got := size("fitted"); !regexp.MustCompile(`^4[0-3]x8$`).MatchString(got) { // how wide letters are is known only in the frame
		t.Errorf("an element of 40 × 8 characters gives its terminal %s", got)
	}
	typeInto("scaled", "stays")
	typeInto("watched", "nothing")
	tab.Run(`document.activeElement?.blur()`)
	tab.ClickOn(`document.querySelector("#small")`)
	if browser.Eval[bool](tab, `document.activeElement === document.querySelector("#small")`) {
		t.Error("an overview takes the focus")
	}
	wait.Until(t, "what was typed is displayed", func() bool {
		return strings.Contains(a.ok("wsh_get_screen", map[string]any{"session": "scaled"}), "stays")
	})
	for _, id := range []string{"scaled", "watched", "small", "sized"} {
		if got := size(id); got != "60x12" {
			t.Errorf("%s has %s", id, got)
		}
	}
	if got := a.ok("wsh_get_screen", map[string]any{"session": "watched"}); strings.Contains(got, "nothing") {
		t.Errorf("a terminal with readonly was typed into: %s", got)
	}
	// Without the attribute, the same element takes keys.
	tab.Run(`document.querySelector("#watched").removeAttribute("readonly")`)
	frames["watched"] = tab.Frame(`document.querySelector("#watched").shadowRoot.querySelector("iframe")`)
	frames["watched"].Wait(`terminalViews[0].state.is === "attached" && document.querySelector("textarea")`)
	typeInto("watched", "something")
	wait.Until(t, "what was typed is displayed", func() bool {
		return strings.Contains(a.ok("wsh_get_screen", map[string]any{"session": "watched"}), "something")
	})
	if errs := tab.ConsoleErrors(); len(errs) > 0 {
		t.Errorf("errors in the console: %q", errs)
	}
}

// A program in a terminal of an app asks for a secret, and nobody is attached who could type: the
// person is asked above the app, and the app learns how the command has ended.
func TestPromptInAppIsAsked(t *testing.T) {
	load.Long(t, "TestSecretIsNowhere answers a program's prompt in a page, and TestTerminalInApp types in an app")
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	const password = "paper-clip-lantern"
	search := leak.For(t, password)
	home := shortDir(t)
	a := startAllToolsets(t, home, "shop")
	a.ok("ui_start", nil)
	testkit.Write(t, a.ui, "apps/lock/app.lua", `
Lock = session:prototype("Lock", { result = "locked", ended = "" })
function Lock:open()
    lockShell:run("read -rs -p 'Passphrase: ' p; echo; echo \"got ${#p}\"", function(result, err) self.result = err or result.state end)
end
if not session.reloading then
    lock = Lock:new()
    lockShell = terminal.create({ name = "lock", rows = 6, cols = 70 })
end
lockShell:on("command", function(command) lock.ended = "status " .. tostring(command.status) end)`)
	testkit.Write(t, a.ui, "apps/lock/viewdefs/Lock.DEFAULT.html", `<template><div class="card stack">
		<div class="row"><button id="open" variant="primary" ui-action="open()">Open</button><span id="result" ui-value="result"></span><span id="ended" ui-value="ended"></span></div>
		<ui-terminal session="lock" rows="6" overview></ui-terminal>
		</div></template>`)
	a.ok("ui_display", map[string]any{"name": "lock"})
	tab := a.openPage()
	tab.Wait(`document.querySelector("ui-popup")?.dataset.ready === "true"`)
	tab.Click("#open")
	questions := tab.Frame(dialog("iframe"))
	questions.Wait(dialog("h2") + `.textContent === "A program in the terminal “lock” asks for a secret" && ` + settled)
	questions.Wait(dialog(".message pre") + `.textContent.includes("Passphrase:")`)
	tab.WaitText("#result", "asked")
	if dir := os.Getenv("SHOTS"); dir != "" {
		tab.Screenshot(dir + "/lock-asked.png")
	}
	tab.Press(password)
	questions.Wait(dialog("input.text") + fmt.Sprintf(`.value.length === %d`, len(password)))
	tab.Press(browser.Enter)
	tab.WaitText("#ended", "status 0")
	if got := a.ok("wsh_get_screen", map[string]any{"session": "lock"}); !strings.Contains(got, fmt.Sprintf("got %d", len(password))) {
		t.Errorf("the screen: %s", got)
	}
	for tool, args := range map[string]map[string]any{
		"ui_inspect": nil, "ui_status": nil, "wsh_list_sessions": nil, "wsh_get_screen": {"session": "lock"}, "wsh_get_scrollback": {"session": "lock"},
		"ui_run": {"code": `return { lock, lockShell:screen(), lockShell.lastCommand }`},
	} {
		search.Text(tool, a.ok(tool, args))
	}
	search.Text("the page", browser.Eval[string](tab, `document.documentElement.outerHTML + JSON.stringify([{ ...sessionStorage }, { ...localStorage }])`))
	if n := search.Tree(home); n == 0 {
		t.Error("no file was searched")
	}
	search.Processes()
}
