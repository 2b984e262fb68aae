package e2e

import (
	"path/filepath"
	"strconv"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// The variables behind the page appear in the browser as a live, searchable tree.
func TestVariablesPage(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	s := start(t, dir)
	s.ok("ui_start", nil)
	s.ok("ui_display", map[string]any{"name": "contacts"})
	tab := browser.New(t).Tab()
	tab.Open(s.agentURL("/variables"))
	row := func(text string) string {
		return `[...document.querySelectorAll(".row")].some((r) => r.textContent.includes(` + strconv.Quote(text) + `))`
	}
	tab.Wait(row(`#1rootMCP`))
	tab.Wait(row(`"Ada Lovelace"`))
	// It consists of Shoelace's components, which draw themselves.
	tab.Wait(`document.querySelector("sl-tree-item").shadowRoot !== null`)

	// It updates with the app.
	s.ok("ui_run", map[string]any{"code": `contacts:matches()[1].name = "Grace Murray"`}) // Ada Lovelace
	tab.Wait(row(`"Grace Murray"`))

	// Close and open a branch.
	open := `document.querySelector("sl-tree > sl-tree-item")`
	tab.Run(open + `.expanded = false`)
	tab.Wait(open + `.expanded === false`)
	tab.Run(open + `.expanded = true`)
	tab.Wait(open + `.expanded === true`)

	// Search by words and by id.
	tab.Click("#search")
	tab.Press("murray")
	tab.Wait(`document.querySelectorAll(".row").length === 1 && ` + row(`displayName()"Grace Murray"`))
	tab.Run(`document.querySelector("#search").value = "#1"; document.querySelector("#search").dispatchEvent(new Event("sl-input"))`)
	tab.Wait(`document.querySelectorAll(".row").length === 1 && ` + row("#1root"))
	tab.Run(`document.querySelector("#search").value = "nothing like that"; document.querySelector("#search").dispatchEvent(new Event("sl-input"))`)
	tab.Wait(`!document.querySelector("#note").hidden && document.querySelectorAll(".row").length === 0`)
	tab.Run(`document.querySelector("#search").value = ""; document.querySelector("#search").dispatchEvent(new Event("sl-input"))`)

	// Slow and failing variables.
	tab.Wait(row("µs") + " || " + row("ms"))
	s.ok("ui_run", map[string]any{"code": `function AddressBookEntry:initials() error("no initials") end`})
	tab.Wait(`document.querySelector("#state").textContent.includes("failing")`) // which moves the switches
	tab.Click("#errors")
	tab.Wait(`document.querySelectorAll(".row").length > 0 && [...document.querySelectorAll(".row")].every((r) => r.textContent.includes("no initials"))`)
}

// Every variable's elementId is the id of one element of the page, as pages and server make ids
// independently.
func TestElementsOfVariables(t *testing.T) {
	load.Long(t, "web TestElementIDs checks the ids that a page makes")
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	s := start(t, dir)
	url := s.ok("ui_start", nil)
	s.ok("ui_display", map[string]any{"name": "contacts"})
	tab := browser.New(t).Tab()
	tab.Open(url + "/1/")
	tab.Wait(`document.querySelector(".contact-open") !== null`)
	check := func(when string) {
		t.Helper()
		const wrong = `fetch("variables.json").then(async (response) => {
			const all = await response.json();
			const wrong = all.filter((v) => document.querySelectorAll("[id=\"" + v.elementId + "\"]").length !== 1 && v.active);
			return [all.length > 5 && Number(response.headers.get("X-Change-Count")) > 0, ...wrong.map((v) => v.id + " " + v.path + " " + v.elementId)];
		})`
		var got []any
		defer func() {
			if t.Failed() {
				t.Logf("%s: variables without an element: %v", when, got)
			}
		}()
		wait.Until(t, "every variable had its element "+when, func() bool { // the page may lag behind
			got = browser.Eval[[]any](tab, wrong)
			return len(got) == 1 && got[0] == true
		})
	}
	check("at first")
	// The display changes: a view, rows, the whole app.
	tab.Click(".contact-open")
	check("after a click")
	s.run(`table.remove(contacts.items, 1) table.insert(contacts.items, contacts.items[1]) return true`)
	check("after rows have moved")
	s.write("apps/other/app.lua", `Other = session:prototype("Other", { text = "hi" }) if not session.reloading then other = Other:new() end`)
	s.write("apps/other/viewdefs/Other.DEFAULT.html", `<template><style></style><p ui-value="text"></p></template>`)
	s.ok("ui_display", map[string]any{"name": "other"})
	tab.Wait(`[...document.querySelectorAll("p")].some((p) => p.textContent === "hi")`)
	check("after another app was displayed")
	// A script changes what a variable holds by the id of its element.
	s.write("apps/other/viewdefs/Other.DEFAULT.html", `<template><input ui-value="text"></template>`)
	tab.Wait(`document.querySelector("input")?.value === "hi"`)
	tab.Run(`uiApp.updateValue(document.querySelector("input").id, "changed")`)
	tab.Wait(`uiApp.stats().pending === 0`)
	s.returns("return other.text", `"changed"`)
}
