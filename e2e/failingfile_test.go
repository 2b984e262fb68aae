package e2e

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// steadyLua is an app of which a page shows all that code can register.
const steadyLua = `
Steady = session:prototype("Steady", { heard = "", clicks = 0, ticks = 0, parts = EMPTY })
function Steady:title() return "old " .. (suffix or "") .. string.upper("x") .. mcp:ours() end
function Steady:click() self.clicks = self.clicks + 1 end
function mcp:ours() return require("part").text end
if not session.reloading then
  suffix = "s"
  steady = Steady:new()
  mcp:subscribe("news", function(v) steady.heard = steady.heard .. v end)
  tick = session:setInterval(function() steady.ticks = steady.ticks + 1 end, 20)
end
`

// spoils are what a file does before it fails.
var spoils = []string{
	`function Steady:title() return "new" end`,
	`function Steady:click() self.clicks = -1 end`,
	`function mcp:ours() return "new" end`,
	`suffix = "new"`,
	`string.upper = function() return "new" end`,
	`session:clearInterval(tick)`,
	`session:setInterval(function() steady.heard = "an interval of a file that failed" end, 1)`,
	`session:setImmediate(function() steady.heard = "a function of a file that failed" end)`,
	`mcp:subscribe("news", function() steady.heard = "a listener of a file that failed" end)`,
	`session:removePrototype("Steady")`,
	`session:unloadModule("part")`,
	`package.loaded["part"] = nil require("part")`,
	`mcp.value = Steady:new()`,
	`mcp:display("other")`,
	`setmetatable(Steady, nil)`,
	`session:prototype("Steady", { clicks = 1000 })`,
	`require("missing")`,
}

// A page goes on as it was, whatever a file does before it fails, in any order.
func TestFailingFilesInAPage(t *testing.T) {
	load.Long(t, "TestFailingFileLeavesTheCodeAsItWas tries each function without a page")
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	url := s.ok("ui_start", nil)
	s.write("lua/part.lua", `return { text = " part" }`)
	s.write("apps/other/app.lua", `other = session:prototype("Other", {}):new()`)
	s.write("apps/other/viewdefs/Other.DEFAULT.html", `<template><p id="title">other</p></template>`)
	s.write("apps/steady/app.lua", steadyLua)
	s.write("apps/steady/viewdefs/Steady.DEFAULT.html", `<template><div><p id="title" ui-value="title()"></p><p id="heard" ui-value="heard"></p>
		<p id="ticks" ui-value="ticks"></p><button ui-action="click()"><b id="clicks" ui-value="clicks"></b></button></div></template>`)
	s.ok("ui_display", map[string]any{"name": "steady"})
	tab := browser.New(t).Tab()
	tab.Open(url)
	const seed = 5
	random := rand.New(rand.NewPCG(seed, 0))
	text := func(id string) string { return fmt.Sprintf(`document.querySelector(%q).textContent`, "#"+id) }
	heard := ""
	for round := range 20 {
		var code []string
		for range 1 + random.IntN(4) {
			code = append(code, spoils[random.IntN(len(spoils))])
		}
		s.write("apps/steady/app.lua", steadyLua+strings.Join(code, "\n")+"\nerror('late')")
		s.ok("ui_run", map[string]any{"code": fmt.Sprintf(`round = %d mcp:publish("news", "%[1]d,") steady.ticks = 0`, round)})
		heard += fmt.Sprint(round, ",")
		tab.Click("#clicks")
		tab.Wait(fmt.Sprintf(`%s === "old sX part" && %s === %q && %s === "%d" && Number(%s) > 1`,
			text("title"), text("heard"), heard, text("clicks"), round+1, text("ticks")))
	}
	s.write("apps/steady/app.lua", strings.ReplaceAll(steadyLua, `"old "`, `"fixed "`))
	tab.Wait(text("title") + ` === "fixed sX part"`)
	if got := s.ok("ui_run", map[string]any{"code": "return mcp:status().errors"}); got != "0" {
		t.Errorf("%s problems are left", got)
	}
}
