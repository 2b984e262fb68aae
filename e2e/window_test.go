package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// longLua is an app with a given number of rows.
const longLua = `
LongRow = session:prototype("LongRow", { name = "", note = "" })
Long = session:prototype("Long", { items = EMPTY })
function Long:fill(n)
    self.items = {}
    for i = 1, n do self.items[i] = LongRow:new({ name = "row " .. i, note = string.rep("words ", i % 40) }) end
end
function Long:title() return #self.items .. " rows" end
if not session.reloading then long = Long:new({ items = {} }) end
`

const longHTML = `<template>
  <section>
    <h1 ui-value="title()"></h1>
    <div id="box" style="height: 500px; overflow: auto">
      <table><tbody ui-viewlist="items?window"></tbody></table>
    </div>
  </section>
</template>
`

const longRowHTML = `<template><tr class="long-row"><td><b ui-value="name"></b></td><td ui-value="note"></td><td><input ui-value="note"></td></tr></template>
`

// TestWindow scrolls through 100,000 rows in two pages, which show different parts of the list,
// while the list changes.
func TestWindow(t *testing.T) {
	load.Long(t, "web TestWindowShows scrolls through a windowed list")
	t.Parallel()
	const n = 100_000
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"), "--lua-timeout", "5m")
	url := s.ok("ui_start", nil)
	s.write("apps/long/app.lua", longLua)
	s.write("apps/long/viewdefs/Long.DEFAULT.html", longHTML)
	s.write("apps/long/viewdefs/LongRow.list-item.html", longRowHTML)
	s.ok("ui_display", map[string]any{"name": "long"})
	s.run(fmt.Sprintf("long:fill(%d)", n))

	person := browser.New(t)
	first, second := person.Tab(), person.Tab()
	for _, tab := range []*browser.Tab{first, second} {
		tab.Open(url)
		tab.Wait(`document.querySelectorAll(".long-row").length > 10`)
		tab.WaitText("h1", fmt.Sprintf("%d rows", n))
	}
	sees := func(tab *browser.Tab, row int) {
		t.Helper()
		tab.Wait(fmt.Sprintf(`(() => {
			const box = document.querySelector("#box").getBoundingClientRect();
			return [...document.querySelectorAll(".long-row")].some((r) => {
				const { top, bottom } = r.getBoundingClientRect();
				return r.querySelector("b").textContent === "row %d" && bottom > box.top && top < box.bottom;
			});
		})()`, row))
	}
	sees(first, 1)
	second.Run(`box.scrollTop = box.scrollHeight`)
	sees(second, n)
	sees(first, 1)
	second.Run(`box.scrollTop = 0`)
	sees(second, 1)
	second.Run(`box.scrollTop = box.scrollHeight / 2`)
	second.Wait(fmt.Sprintf(`document.querySelectorAll(".long-row").length > 20 && %s`, noSpaceSeen))

	// The visible rows of the second page stay in place while rows are inserted above them.
	name := browser.Eval[string](second, seen)
	top := browser.Eval[float64](second, topOf(name))
	s.run(`for i = 1, 500 do table.insert(long.items, 1, LongRow:new({ name = "new " .. i })) end`)
	second.WaitText("h1", fmt.Sprintf("%d rows", n+500))
	second.Wait(fmt.Sprintf(`Math.abs(%s - %v) <= 1`, topOf(name), top))
	first.Wait(`document.querySelector(".long-row b").textContent === "new 500"`)

	// A visible row changes; so does an invisible one, without an effect on the page.
	row := strings.TrimPrefix(name, "row ")
	s.run(fmt.Sprintf(`long.items[%s + 500].note = "changed" long.items[70000].note = "changed"`, row))
	second.Wait(fmt.Sprintf(`document.querySelectorAll(".long-row").length < 400 && [...document.querySelectorAll(".long-row")].some((r) => r.querySelector("b").textContent === %q && r.querySelector("input").value === "changed")`, name))

	// The person keeps typing while the row scrolls far away, and the app gets the text.
	first.Click(".long-row:nth-of-type(2) input")
	first.Press(browser.End + " typed")
	first.Run(`window.field = document.activeElement; box.scrollTop = box.scrollHeight / 3`)
	first.Wait(noSpaceSeen + ` && document.activeElement === field && field.isConnected`)
	first.Press(" far away" + browser.Enter)
	first.Wait(`document.documentElement.dataset.uiPending === "0"`)
	if got := s.run(`return long.items[2].note`); !strings.Contains(got, "typed far away") {
		t.Errorf("the app has %s", got)
	}
	if errors := browser.Eval[int](first, `uiErrors.length`) + browser.Eval[int](second, `uiErrors.length`); errors > 0 {
		t.Errorf("%d errors in the pages", errors)
	}
}

// noSpaceSeen is true when rows fill the visible part of the list.
const noSpaceSeen = `(() => {
	const view = document.querySelector("#box").getBoundingClientRect();
	return [...document.querySelectorAll(".ui-space:not([hidden])")].every((s) => {
		const { top, bottom } = s.getBoundingClientRect();
		return bottom <= view.top + 1 || top >= view.bottom - 1;
	});
})()`

// seen is the name of a visible row.
const seen = `[...document.querySelectorAll(".long-row")].find((r) => r.getBoundingClientRect().top > box.getBoundingClientRect().top).querySelector("b").textContent`

// topOf is the vertical position of a row in the window.
func topOf(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".long-row")].find((r) => r.querySelector("b").textContent === %q).getBoundingClientRect().top`, name)
}
