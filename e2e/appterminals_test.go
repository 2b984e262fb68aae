//go:build linux || darwin

package e2e

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

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
