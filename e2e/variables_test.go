package e2e

import (
	"path/filepath"
	"strconv"
	"testing"

	"ui-mcp/internal/testkit/browser"
)

// The variables behind the page appear in the browser as a live, searchable tree.
func TestVariablesPage(t *testing.T) {
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
	s.ok("ui_run", map[string]any{"code": `contacts:matches()[1].name = "Grace Hopper"`})
	tab.Wait(row(`"Grace Hopper"`))

	// Close and open a branch.
	open := `document.querySelector("sl-tree > sl-tree-item")`
	tab.Run(open + `.expanded = false`)
	tab.Wait(open + `.expanded === false`)
	tab.Run(open + `.expanded = true`)
	tab.Wait(open + `.expanded === true`)

	// Search by words and by id.
	tab.Click("#search")
	tab.Press("hopper")
	tab.Wait(`document.querySelectorAll(".row").length === 1 && ` + row(`displayName()"Grace Hopper"`))
	tab.Run(`document.querySelector("#search").value = "#1"; document.querySelector("#search").dispatchEvent(new Event("sl-input"))`)
	tab.Wait(`document.querySelectorAll(".row").length === 1 && ` + row("#1root"))
	tab.Run(`document.querySelector("#search").value = "nothing like that"; document.querySelector("#search").dispatchEvent(new Event("sl-input"))`)
	tab.Wait(`!document.querySelector("#note").hidden && document.querySelectorAll(".row").length === 0`)
	tab.Run(`document.querySelector("#search").value = ""; document.querySelector("#search").dispatchEvent(new Event("sl-input"))`)

	// Slow and failing variables.
	tab.Wait(row("µs") + " || " + row("ms"))
	s.ok("ui_run", map[string]any{"code": `function AddressBookEntry:initials() error("no initials") end`})
	tab.Click("#errors")
	tab.Wait(`document.querySelectorAll(".row").length > 0 && [...document.querySelectorAll(".row")].every((r) => r.textContent.includes("no initials"))`)
	tab.Wait(`document.querySelector("#state").textContent.includes("failing")`)
}
