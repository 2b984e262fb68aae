//go:build linux || darwin

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

const officeLua = `
Office = session:prototype("Office", { open = true, name = "dev", note = "" })
function Office:close() self.open = false end
function Office:terminals() return self.open and { self } or {} end
Office.Row = session:prototype("Office.Row", {})
if not session.reloading then
    office = Office:new()
    dev = terminal.create({ name = "dev" })
end
`

// attached returns how many clients a session has.
func (a *allAgent) attached(name string) int {
	a.t.Helper()
	var got []struct {
		Name    string
		Clients int
	}
	if err := json.Unmarshal([]byte(a.ok("wsh_list_sessions", nil)), &got); err != nil {
		a.t.Fatal(err)
	}
	for _, s := range got {
		if s.Name == name {
			return s.Clients
		}
	}
	return -1
}

// openPage opens the page of the first session in a browser.
func (a *allAgent) openPage() *browser.Tab {
	a.t.Helper()
	var status struct{ URL string }
	if err := json.Unmarshal([]byte(a.ok("ui_status", nil)), &status); err != nil {
		a.t.Fatal(err)
	}
	tab := browser.New(a.t).Tab()
	tab.Open(status.URL + "/1/")
	return tab
}

// A page of an app displays terminals, in which the person types. The page's own scripts reach
// neither them nor their server.
func TestTerminalInApp(t *testing.T) {
	t.Parallel()
	needPrograms(t, "bash")
	home := testkit.ShortDir(t)
	a := startAllToolsets(t, home, "shop")
	a.ok("ui_start", nil)
	testkit.Write(t, a.ui, "apps/office/app.lua", officeLua)
	testkit.Write(t, a.ui, "apps/office/viewdefs/Office.DEFAULT.html", `<template><div>
		<button id="close" ui-action="close()">close</button>
		<ul ui-viewlist="terminals()"><li></li></ul>
		<ui-terminal id="none" session="no-such"></ui-terminal>
		</div></template>`)
	testkit.Write(t, a.ui, "apps/office/viewdefs/Office.list-item.html", `<template><li><ui-terminal id="dev" ui-attr-session="name" fit></ui-terminal></li></template>`)
	shown := a.ok("ui_display", map[string]any{"name": "office"})
	var status struct {
		URL          string
		TerminalsURL string `json:"terminals_url"`
	}
	if err := json.Unmarshal([]byte(a.ok("ui_status", nil)), &status); err != nil || !strings.HasPrefix(status.TerminalsURL, "http://localhost:") {
		t.Fatalf("ui_status: %+v, %v, %s", status, err, shown)
	}
	tab := browser.New(t).Tab()
	tab.Open(status.URL + "/1/")
	const frame = `document.querySelector("#dev").shadowRoot.querySelector("iframe")`
	tab.Wait(frame)
	inside := tab.Frame(frame)
	inside.Wait(`terminalViews.length === 1 && terminalViews[0].state.is === "attached"`)
	inside.Wait(`document.querySelector("textarea")`)
	// Its colours follow the person's preference, and it is the same frame.
	for _, dark := range []bool{true, false, true} {
		tab.Dark(dark)
		inside.Wait(`document.querySelector(".terminal-view").style.getPropertyValue("--terminal-background") === "` + map[bool]string{true: "#12161c", false: "#ffffff"}[dark] + `"`)
	}
	tab.Run(`document.querySelector("#dev").focus()`)
	inside.Wait(`document.activeElement.tagName === "TEXTAREA"`)
	tab.Press("echo person-$((40+2))\r")
	wait.Until(t, "the shell has run what the person typed", func() bool {
		return strings.Contains(a.ok("wsh_get_screen", map[string]any{"session": "dev"}), "person-42")
	})
	var inspected string
	defer func() {
		if t.Failed() {
			t.Logf("ui_inspect: %s", inspected)
		}
	}()
	wait.Until(t, "ui_inspect describes the terminals", func() bool { // the prompt follows the output
		inspected = a.ok("ui_inspect", nil)
		return strings.Contains(inspected, `ui-terminal "dev": prompt`) && strings.Contains(inspected, "person-42") && strings.Contains(inspected, `ui-terminal "no-such": there is no such terminal`)
	})
	// The page cannot reach into the frame, nor use the server that it uses.
	if got := browser.Eval[bool](tab, frame+`.contentDocument === null`); !got {
		t.Error("the page reads the document of the frame")
	}
	port := status.URL[strings.LastIndexByte(status.URL, ':'):]
	for _, url := range []string{"http://localhost" + port + "/terminals/sessions", status.URL + "/terminals/sessions"} {
		tab.Run(`window.got = undefined; fetch(` + quote(url) + `).then((r) => r.text()).then((t) => { window.got = t }, () => { window.got = "refused" })`)
		tab.Wait(`window.got !== undefined`)
		if got := browser.Eval[string](tab, `window.got`); strings.Contains(got, "pid") {
			t.Errorf("the page reads %s: %s", url, got)
		}
		tab.Run(`window.got = undefined; { const s = new WebSocket(` + quote(strings.Replace(url, "http", "ws", 1)+"/dev/ws/attach") + `); s.onopen = () => { window.got = "open" }; s.onclose = () => { window.got ??= "refused" } }`)
		tab.Wait(`window.got !== undefined`)
		if got := browser.Eval[string](tab, `window.got`); got != "refused" {
			t.Errorf("the page opens the socket at %s", url)
		}
	}
	none := tab.Frame(`document.querySelector("#none").shadowRoot.querySelector("iframe")`)
	none.Wait(`document.querySelector(".terminal-notice").textContent.includes("There is no session")`)
	// A terminal of that name appears when there is one, and so does the next one.
	a.ok("wsh_create_session", map[string]any{"name": "no-such", "command": "cat"})
	none.Wait(`terminalViews[0].state.is === "attached"`)
	first := browser.Eval[string](none, `terminalViews[0].state.session.id`)
	a.ok("wsh_manage_session", map[string]any{"session": "no-such", "action": "kill"})
	none.Wait(`terminalViews[0].state.is === "ended"`)
	a.ok("wsh_create_session", map[string]any{"name": "no-such", "command": "cat"})
	none.Wait(`terminalViews[0].state.is === "attached"`)
	if second := browser.Eval[string](none, `terminalViews[0].state.session.id`); second == first {
		t.Errorf("the terminal is still %s", first)
	}
	// The person leaves the terminal by its key.
	tab.Press("M", browser.Ctrl, browser.Shift)
	tab.Wait(`document.activeElement !== document.querySelector("#dev")`)
	// A row that is removed leaves nothing behind.
	if n := a.attached("dev"); n != 1 {
		t.Errorf("%d clients are attached", n)
	}
	tab.Click("#close")
	wait.Until(t, "the terminal of the removed row has left", func() bool { return a.attached("dev") == 0 })
	if errs := tab.ConsoleErrors(); len(errs) > 0 && !strings.Contains(strings.Join(errs, ""), "terminals") {
		t.Errorf("errors in the console: %q", errs)
	}
}

func quote(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

const wallLua = `
Wall = session:prototype("Wall", { open = true })
Wall.Tile = session:prototype("Wall.Tile", { session = "dev" })
function Wall:toggle() self.open = not self.open end
function Wall:tiles() return self.open and self._tiles or {} end
if not session.reloading then
    terminal.create({ name = "dev", command = "cat" })
    wall = Wall:new({ _tiles = {} })
    for i = 1, %d do wall._tiles[i] = Wall.Tile:new({}) end
end
`

// The terminals in a list are unmounted without leaving anything: neither a frame, nor a client of
// the session, nor an element in the memory of the page.
func TestTerminalsInList(t *testing.T) {
	load.Long(t, "TestTerminalInApp has a terminal in an app")
	t.Parallel()
	home := testkit.ShortDir(t)
	n := load.Count(6, 30)
	a := startAllToolsets(t, home, "shop")
	a.ok("ui_start", nil)
	testkit.Write(t, a.ui, "apps/wall/app.lua", fmt.Sprintf(wallLua, n))
	testkit.Write(t, a.ui, "apps/wall/viewdefs/Wall.DEFAULT.html", `<template><div><button id="toggle" ui-action="toggle()">toggle</button><ul ui-viewlist="tiles()"><li></li></ul></div></template>`)
	testkit.Write(t, a.ui, "apps/wall/viewdefs/Wall.Tile.list-item.html", `<template><li><ui-terminal ui-attr-session="session" rows="4" overview></ui-terminal></li></template>`)
	a.ok("ui_display", map[string]any{"name": "wall"})
	tab := a.openPage()
	tab.Run(`window.mounted = []`)
	for i := range 3 {
		tab.Wait(fmt.Sprintf(`document.querySelectorAll("ui-terminal").length === %d`, n))
		wait.Until(t, "all terminals are attached", func() bool { return a.attached("dev") == n })
		if i == 0 { // browsers let few pages draw with WebGL at a time
			inside := tab.Frame(`document.querySelector("ui-terminal").shadowRoot.querySelector("iframe")`)
			inside.Wait(`performance.getEntriesByName("terminal-first-picture").length > 0`)
			if got := browser.Eval[int](inside, `performance.getEntriesByType("resource").filter((e) => e.name.endsWith("webgl.js")).length`); got != 0 {
				t.Error("an overview draws with WebGL")
			}
		}
		tab.Run(`window.mounted.push(...[...document.querySelectorAll("ui-terminal")].map((e) => new WeakRef(e)))`)
		tab.Click("#toggle")
		tab.Wait(`document.querySelectorAll("ui-terminal").length === 0`)
		wait.Until(t, "all terminals have left", func() bool { return a.attached("dev") == 0 })
		tab.Click("#toggle")
	}
	tab.Click("#toggle")
	tab.Wait(`document.querySelectorAll("ui-terminal").length === 0`)
	wait.Until(t, "the page has forgotten the terminals", func() bool {
		tab.CollectGarbage()
		return browser.Eval[int](tab, `mounted.filter((ref) => ref.deref() !== undefined).length`) == 0
	})
	if errs := tab.ConsoleErrors(); len(errs) > 0 {
		t.Errorf("errors in the console: %q", errs)
	}
}

// The attributes of terminals in pages do what they say.
func TestAttributesOfTerminals(t *testing.T) {
	load.Long(t, "TestTerminalInApp types into a terminal with the attribute fit")
	t.Parallel()
	home := testkit.ShortDir(t)
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
