package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
)

// allLua and the view definitions below use every feature of view definitions.
const allLua = `
Thing = session:prototype("Thing", { name = "" })
All = session:prototype("All", {
    text = "text", on = true, color = "rgb(1, 2, 3)", html = "<b>bold</b>", swap = "<i>one</i>", code = "",
    key = "", log = "", field = "", hint = "", things = EMPTY,
})
Starred = session:prototype("Starred", {})
function Starred:new(variable)
    return session:create(Starred, { item = variable.getValue() })
end
function Starred:label() return "*" .. self.item.name end
function All:note(what) self.log = self.log .. tostring(what) .. ";" end
function All:act() self:note("act") end
function All:over() self:note("over") end
function All:save() self:note("save") end
function All:keyed(key) self:note("key " .. tostring(key)) end
function All:picked(value) self:note("picked " .. tostring(value)) end
function All:first() return self.things[1] end
function All:none() return nil end
if not session.reloading then
    all = All:new({ things = { Thing:new({ name = "a" }), Thing:new({ name = "b" }) } })
end
`

var allDefs = map[string]string{
	"All.DEFAULT": `<template><div>
		<p id="text" ui-value="text" ui-attr-title="hint" ui-attr-hidden="none()" ui-class-on="on" ui-style-color="color" ui-style---own="text"></p>
		<div id="html" ui-html="html"></div>
		<div><em id="swap" ui-html="swap?replace"></em></div>
		<div id="code" ui-code="code"></div>
		<button id="act" ui-action="act()">act</button>
		<button id="pick" value="7" ui-action="picked(_)">pick</button>
		<button id="over" ui-event-mouseover="over()" ui-event-dblclick="picked(_)" value="8">over</button>
		<input id="field" ui-value="field?keypress" ui-event-keypress-enter="keyed(_)" ui-event-keypress-ctrl-s="save()" ui-event-keypress-escape="key">
		<div id="fallback" ui-view="first()"></div>
		<div id="small" ui-view="first()" ui-namespace="small"></div>
		<ul id="list" ui-viewlist="things"><li></li></ul>
		<ol ui-namespace="small"><li><ul id="inherited" ui-viewlist="things"></ul></li></ol>
		<ul id="starred" ui-viewlist="things" ui-item-wrapper="Starred"><li></li></ul>
		<div id="wrapped"><div ui-view="things?wrapper=lua.ViewList"></div></div>
	</div></template>`,
	"Thing.DEFAULT":   `<template><b ui-value="name"></b></template>`,
	"Thing.small":     `<template><small ui-value="name"></small></template>`,
	"Thing.list-item": `<template><li ui-value="name"></li></template>`,
	"Starred.DEFAULT": `<template><li ui-value="label()"></li></template>`,
}

// Every attribute works in a real browser.
func TestBindings(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	url := s.ok("ui_start", nil)
	s.write("apps/all/app.lua", allLua)
	for key, src := range allDefs {
		s.write("apps/all/viewdefs/"+key+".html", src)
	}
	s.ok("ui_display", map[string]any{"name": "all"})
	tab := browser.New(t).Tab()
	tab.Open(url)
	tab.WaitText("#text", "text")
	shows := func(want map[string]string) {
		t.Helper()
		for expression, value := range want {
			tab.Wait(fmt.Sprintf(`String(%s) === %s`, expression, quoted(value)))
		}
	}
	const markup = `.replace(/ (ui-[\w-]*="[^"]*"|id="ui-\d+")/g, "")` // without what the page adds
	shows(map[string]string{
		`document.querySelector("#text").className`:                                              "on",
		`getComputedStyle(document.querySelector("#text")).color`:                                "rgb(1, 2, 3)",
		`getComputedStyle(document.querySelector("#text")).getPropertyValue("--own")`:            "text",
		`document.querySelector("#text").hidden`:                                                 "false",
		`document.querySelector("#html").innerHTML`:                                              "<b>bold</b>",
		`document.querySelector("#swap").outerHTML`:                                              `<i id="swap">one</i>`,
		`document.querySelector("#fallback").outerHTML` + markup:                                 `<b id="fallback">a</b>`,
		`document.querySelector("#small").outerHTML` + markup:                                    `<small id="small">a</small>`,
		`document.querySelector("#list").innerHTML` + markup:                                     `<li>a</li><li>b</li>`,
		`document.querySelector("#inherited").innerHTML` + markup:                                `<small>a</small><small>b</small>`,
		`document.querySelector("#starred").textContent`:                                         "*a*b",
		`[...document.querySelectorAll("#wrapped li")].map((e) => e.textContent).join()`:         "a,b",
		`typeof uiApp.updateValue + typeof uiStore.get + uiStore.get("field") + uiErrors.length`: "functionfunction0",
	})
	s.run(`all.text, all.hint, all.on, all.color = "new", "a hint", false, nil
		all.html, all.swap, all.code = "", "two", "element.textContent = 'ran ' + value.length"
		table.insert(all.things, 1, Thing:new({ name = "c" }))`)
	shows(map[string]string{
		`document.querySelector("#text").title`:                   "a hint",
		`document.querySelector("#text").className`:               "",
		`document.querySelector("#html").innerHTML`:               "",
		`document.querySelector("#swap").outerHTML`:               `<span id="swap">two</span>`,
		`document.querySelector("#code").textContent`:             "ran 43",
		`document.querySelector("#small").textContent`:            "c",
		`document.querySelector("#inherited").innerHTML` + markup: `<small>c</small><small>a</small><small>b</small>`,
		`document.querySelector("#starred").textContent`:          "*c*a*b",
	})

	logged := func(want string) {
		t.Helper()
		tab.Wait(`document.documentElement.dataset.uiPending === "0"`)
		if got := s.run(`local log = all.log all.log = "" return log`); got != quoted(want) {
			t.Errorf("the app heard %s, want %q", got, want)
		}
	}
	tab.Click("#act")
	logged("act;")
	tab.Click("#pick")
	logged("picked 7;")
	tab.PointAt(`document.querySelector("#over")`)
	logged("over;")
	tab.Run(`document.querySelector("#over").dispatchEvent(new MouseEvent("dblclick"))`)
	logged("picked 8;")
	tab.Type("#field", "typed")
	tab.Wait(`document.documentElement.dataset.uiPending === "0"`)
	s.returns("return all.field", `"typed"`)
	tab.Press(browser.Enter)
	logged("key enter;")
	tab.Press("s", browser.Ctrl)
	logged("save;")
	tab.Press(browser.Escape)
	logged("")
	s.returns("return all.key", `"escape"`)
	tab.Run(`uiApp.updateValue("field", "by a script")`)
	tab.Wait(`document.documentElement.dataset.uiPending === "0"`)
	s.returns("return all.field", `"by a script"`)
	for _, e := range tab.ConsoleErrors() {
		t.Errorf("the page reported: %s", e)
	}
}

// A page outlives the server: it reconnects to the next one at the same address. The app keeps what
// was typed.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	begin := func(port string) (url string, end func()) {
		t.Helper()
		cmd := exec.Command("ui-mcp", "serve", "--port", port, "--mcp-port", "0", "--dir", dir, "--demo", "contacts")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for url == "" && lines.Scan() {
			url = regexp.MustCompile(`http://\S+`).FindString(lines.Text())
		}
		end = func() {
			cmd.Process.Kill() // as a crash would
			cmd.Wait()
		}
		t.Cleanup(end)
		return url, end
	}
	url, end := begin("0")
	port := regexp.MustCompile(`:(\d+)/`).FindStringSubmatch(url)[1]
	person := browser.New(t)
	first, second := person.Tab(), person.Tab()
	for _, tab := range []*browser.Tab{first, second} {
		tab.Open(url)
		tab.WaitText(".contacts h1", "Contacts")
		tab.Run(`window.sameLoad = true`)
	}
	first.Type("input[type=search]", "Ada")
	second.Wait(`document.querySelectorAll(".contact").length === 1`)
	wait.Until(t, "it is kept", func() bool {
		data, _ := os.ReadFile(filepath.Join(dir, "data", "address-book.json"))
		return strings.Contains(string(data), `"query": "Ada"`)
	})
	end()
	for _, tab := range []*browser.Tab{first, second} {
		tab.Wait(`document.documentElement.dataset.uiState === "offline"`)
	}
	begin(port)
	for _, tab := range []*browser.Tab{first, second} {
		tab.Wait(`document.documentElement.dataset.uiState === "live" && document.querySelectorAll(".contact").length === 1 &&
			document.querySelector("input[type=search]").value === "Ada"`)
	}
	second.Type("input[type=search]", strings.Repeat(browser.Backspace, len("Ada"))+"Alan")
	first.Wait(`document.querySelectorAll(".contact").length === 1 && document.querySelector(".contact-name").textContent === "Alan Turing"`)
	if !browser.Eval[bool](first, `sameLoad`) || !browser.Eval[bool](second, `sameLoad`) {
		t.Error("a page was loaded again")
	}
}

// quoted returns a text as a JSON string, which is also JavaScript.
func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}
