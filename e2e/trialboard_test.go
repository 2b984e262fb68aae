//go:build linux || darwin

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// planLua is what the agent adds to the board of the catalogue: a line for new cards, and keeping.
const planLua = `
function Board:enter()
    if not self.draft:find("%S") then return end
    table.insert(self.columns[1].cards, 1, Card:new({ title = self.draft, column = self.columns[1] }))
    self.draft = ""
end
function Column:count() return #self.cards end
if not session.reloading then plan = Board:new() end
mcp:keep("plan", plan)
`

const planHTML = `<template>
  <div class="stack">
    <form class="row">
      <input class="grow" ui-value="draft" placeholder="New card" aria-label="New card">
      <button type="submit" variant="primary" ui-action="enter()">Add</button>
    </form>
`

// piece reads the files of a piece of the catalogue, as its document says, and counts them.
func (a *trial) piece(name string, views ...string) (lua string, viewdefs map[string]string) {
	a.t.Helper()
	read := func(file string) string {
		content, err := os.ReadFile(filepath.Join(a.base, "apps", "catalog", file))
		if err != nil {
			a.t.Fatal(err)
		}
		a.guides += len(content)
		return string(content)
	}
	viewdefs = map[string]string{}
	for _, view := range views {
		viewdefs[view] = read("viewdefs/Catalog." + view + ".html")
	}
	return read("pieces/" + name + ".lua"), viewdefs
}

// An agent builds a board of 300 cards from the catalogue. It moves cards with ui_act, and the
// person by dragging and with keys; a restart loses no move.
func TestTrialBoard(t *testing.T) {
	load.Long(t, "TestStory has an agent and a person, and TestCatalogBoard moves a few cards")
	t.Parallel()
	home := shortDir(t)
	a := startTrial(t, home, "--own") // see restart
	url := a.begin()
	if got := a.read("ui://catalog"); !strings.Contains(got, "| `board` | Column, Card |") {
		t.Fatalf("the catalogue has no board: %s", got)
	}
	lua, views := a.piece("board", "Board.DEFAULT", "Board.Column.list-item", "Board.Card.list-item")
	rename := strings.NewReplacer("Catalog.Board", "Plan", "catalog-", "plan-").Replace
	files := map[string]string{"app.lua": strings.Replace(strings.Replace(rename(lua), "return Board\n", planLua, 1), "{})", `{ draft = "" })`, 1)}
	for name, html := range views {
		files["viewdefs/"+strings.Replace(name, "Board", "Plan", 1)+".html"] = rename(html)
	}
	files["viewdefs/Plan.DEFAULT.html"] = strings.Replace(files["viewdefs/Plan.DEFAULT.html"], "<template>\n  <div>\n", planHTML, 1)
	files["viewdefs/Plan.Column.list-item.html"] = strings.Replace(files["viewdefs/Plan.Column.list-item.html"],
		`<h3 ui-value="title"></h3>`, `<h3><span ui-value="title"></span> <span class="badge" ui-value="count()"></span></h3>`, 1)
	a.write("plan", files)
	a.display("plan")
	a.do("ui_run", map[string]any{"code": `for i, column in ipairs(plan.columns) do
		while #column.cards < 100 do plan.draft = "Card " .. i .. "-" .. #column.cards + 1 plan:enter() local card = plan.columns[1].cards[1] column:take(card) end
	end`})
	a.look()

	page := a.do("ui_inspect", map[string]any{"path": "value.columns.0.cards.1"})
	if got := a.act(page, "Write", "key", "ctrl-right"); !strings.Contains(got, "{title: To do} {count(): 99}") || !strings.Contains(got, "{title: Doing} {count(): 101}") {
		t.Errorf("ctrl-right: %s", got)
	}
	a.do("ui_open_browser", nil)

	// The person drags, first onto a card, then into the room below a column's cards.
	tab := browser.New(t).Tab()
	tab.Open(url)
	card := func(title string) string {
		return `[...document.querySelectorAll(".plan-card")].find((c) => c.textContent === ` + quote(title) + `)`
	}
	at := func(title string, column, position int) string {
		return fmt.Sprintf(`document.querySelectorAll(".plan-column")[%d].querySelectorAll(".plan-card")[%d]?.textContent === %q`, column, position, title)
	}
	tab.Wait(at("Write", 1, 1) + ` && document.querySelectorAll(".plan-card").length === 300`)
	drag := func(from, to string) {
		t.Helper()
		tab.DragAndDrop(tab.Middle(from), tab.Middle(to))
	}
	drag(card("Plan"), card("Card 3-3"))
	tab.Wait(at("Plan", 2, 2))
	drag(card("Check"), card("Card 1-6"))
	tab.Wait(at("Check", 0, 3))

	if browser.Eval[bool](tab, `!document.querySelector(".ui-connection").hidden`) {
		t.Errorf("after dragging, the page says %q", tab.Texts(".ui-connection"))
	}

	// Keys move a card out of sight, where it would be, and it stays in sight with the focus.
	const seen = `(() => {
		const [card, r] = [document.activeElement, document.activeElement.getBoundingClientRect()];
		return card.textContent === "Plan" && card.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
	})()`
	tab.Run(card("Plan") + `.focus()`)
	for i := range 14 {
		tab.Press(browser.ArrowDown, browser.Ctrl)
		tab.Wait(at("Plan", 2, 3+i))
	}
	tab.Wait(seen)
	tab.Press(browser.ArrowLeft, browser.Ctrl)
	tab.Wait(at("Plan", 1, 16) + " && " + seen)

	// The agent acts in the page that the person has open.
	page = a.do("ui_inspect", map[string]any{"path": "value.columns.1.cards.16"})
	if got := a.act(page, "button {title: Plan}", "key", "ctrl-up"); !strings.Contains(got, "in the page") {
		t.Errorf("ctrl-up: %s", got)
	}
	tab.Wait(at("Plan", 1, 15))

	// After a restart, everything is where it was, and can be moved.
	a.restart(t, tab)
	tab.Wait(at("Plan", 1, 15) + " && " + at("Check", 0, 3) + ` && document.querySelectorAll(".plan-card").length === 300`)
	tab.Run(card("Plan") + `.focus()`)
	tab.Press(browser.ArrowRight, browser.Ctrl)
	tab.Wait(at("Plan", 2, 15))
}
