package bundle_test

import (
	"strings"
	"testing"
)

// An app in the style of the known engine runs unchanged: what it relies on is in
// docs/coming-from-frictionless.md.
func TestAppOfTheKnownEngine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.later = withoutFindings
	w.write("apps/shopping-list/init.lua", `
function mcp:shoppingHint() return "from init.lua" end
MCP.shared = { count = 0 }
function MCP:bump() self.shared.count = self.shared.count + 1 return self.shared.count end
`)
	w.write("apps/shopping-list/app.lua", `
ShoppingList = session:prototype("ShoppingList", {
    _items = EMPTY,
    filter = "",
    chosen = "0",
    polls = 0,
})
ShoppingList.Item = session:prototype("ShoppingList.Item", { name = "", done = false })
local Item = ShoppingList.Item

function ShoppingList:new(instance)
    instance = session:create(ShoppingList, instance)
    instance._items = instance._items or {}
    return instance
end
function ShoppingList:add(name) table.insert(self._items, session:create(Item, { name = name })) end
function ShoppingList:items() return self._items end
function ShoppingList:poll() self.polls = self.polls + 1 return "" end -- called in every pass
function ShoppingList:hint() return mcp:shoppingHint() end
function ShoppingList:open() self.detail = self._items[1] end
function Item:toggle() self.done = not self.done end
function Item:cssClass() return self.done and "done" or "" end

if not session.reloading then
    shoppingList = ShoppingList:new()
    shoppingList:add("Milk")
    shoppingList:add("Bread")
end
`)
	w.write("apps/shopping-list/viewdefs/ShoppingList.DEFAULT.html", `<template>
  <div class="shopping">
    <span class="hidden" ui-value="poll()?priority=high"></span>
    <h2 ui-value="hint()"></h2>
    <sl-input ui-value="filter?keypress"></sl-input>
    <div ui-view="items()?wrapper=lua.ViewList"></div>
    <sl-select ui-value="chosen"><span ui-view="items()?wrapper=lua.ViewList" ui-namespace="choice"></span></sl-select>
    <div ui-view="detail"></div>
    <sl-button ui-action="open()">Open</sl-button>
  </div>
</template>`)
	w.write("apps/shopping-list/viewdefs/ShoppingList.Item.list-item.html", `<template>
  <div><sl-checkbox ui-attr-checked="done" ui-event-sl-change="toggle()"></sl-checkbox>
  <span ui-value="name" ui-class-done="done" ui-attr-title="cssClass()"></span></div>
</template>`)
	w.write("apps/shopping-list/viewdefs/ShoppingList.Item.DEFAULT.html", `<template><p ui-value="name"></p></template>`)
	w.write("apps/shopping-list/viewdefs/lua.ViewListItem.choice.html",
		`<template><sl-option ui-attr-value="index"><span ui-value="item.name"></span></sl-option></template>`)

	// A session that starts now runs init.lua.
	w.display("2", "shopping-list")
	w.useAll("2")
	for code, want := range map[string]string{
		`return mcp:bump() + mcp:bump()`:                       "3",
		`return shoppingList.polls > 1`:                        "true",
		`return shoppingList.detail == shoppingList._items[1]`: "true",
		`return mcp:status().mcp_port > 0`:                     "true",
	} {
		if got := w.run("2", code); got != want {
			t.Errorf("%s = %s, want %s", code, got, want)
		}
	}
	text := w.ok("ui_inspect", map[string]any{"sessionId": "2"})
	for _, want := range []string{"from init.lua", "Milk", "Bread", "sl-checkbox"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q:\n%s", want, text)
		}
	}
}
