package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
)

const (
	guestsLua = `Guests = session:prototype("Guests", { name = "", list = "" })
function Guests:add() self.list = self.list .. self.name .. ";" self.name = "" end
function Guests:fail() error("no seat is left") end
if not session.reloading then guests = Guests:new() end
`
	guestsHTML = `<template><form>
  <label>Name <input id="name" ui-value="name"></label>
  <button id="add" ui-action="add()">Add</button>
  <button type="button" id="fail" ui-action="fail()">Seat</button>
  <output id="list" ui-value="list"></output>
</form></template>
`
)

// An agent acts in the view that its host displays: the events happen there, and the answer has
// what changed. Without a view, the session alone follows the act.
func TestActInTheChat(t *testing.T) {
	t.Parallel()
	c := openChat(t, apphost.Options{})
	testkit.Write(t, c.dir, "apps/guests/app.lua", guestsLua)
	testkit.Write(t, c.dir, "apps/guests/viewdefs/Guests.DEFAULT.html", guestsHTML)
	ref := func(control string) string {
		t.Helper()
		text := c.ok("ui_inspect", nil)
		m := regexp.MustCompile(control + `.*?(@\w+)`).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("no reference of %s in\n%s", control, text)
		}
		return m[1]
	}
	act := func(args map[string]any, want ...string) {
		t.Helper()
		text := c.ok("ui_act", args)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("ui_act %v lacks %q:\n%s", args, w, text)
			}
		}
		if strings.Contains(text, "no page is open") {
			t.Errorf("ui_act %v does not act in the view:\n%s", args, text)
		}
	}
	view := c.Call("ui_display", map[string]any{"name": "guests"}).View()
	content := live(view)
	content.Wait(`document.querySelector("#add")`)
	content.Run(`window.happened = []; for (const type of ["input", "change", "click"]) {
		document.addEventListener(type, (e) => window.happened.push(type + " " + (e.target.id || e.target.localName)), true);
	}`)
	act(map[string]any{"ref": ref("input"), "fill": "Ada"}, `Filled input`, `"Ada"`)
	content.Wait(`document.querySelector("#name").value === "Ada"`)
	act(map[string]any{"ref": ref("button Add"), "click": true}, `Clicked button "Add"`, "Ada;")
	content.WaitText("#list", "Ada;")
	happened := strings.Join(browser.Eval[[]string](content, `window.happened`), ", ")
	for _, event := range []string{"input name", "change name", "click add"} {
		if !strings.Contains(happened, event) {
			t.Errorf("%s has not happened in the view: %s", event, happened)
		}
	}
	failed := c.Call("ui_act", map[string]any{"ref": ref("button Seat"), "click": true}).Result()
	if !strings.Contains(fmt.Sprint(failed), "no seat is left") {
		t.Errorf("an action that fails: %v", failed)
	}
	// An old reference is told in a result, which a model reads, in both generations.
	old := c.Call("ui_act", map[string]any{"ref": "@aaaa1", "click": true}).Result()
	if !old.IsError || !strings.Contains(old.Text(), "ui_inspect") {
		t.Errorf("an old reference: %v", old)
	}
	view.Close()
	c.views(0)
	if text := c.ok("ui_act", map[string]any{"ref": ref("button Add"), "click": true}); !strings.Contains(text, "no page is open") {
		t.Errorf("without a view:\n%s", text)
	}
}
