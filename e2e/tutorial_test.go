package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// block returns the first fenced block of a language after a phrase in docs/tutorial.md.
func block(t *testing.T, mention, language string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(text), mention)
	_, code, found := strings.Cut(after, "```"+language+"\n")
	code, _, closed := strings.Cut(code, "```")
	if !ok || !found || !closed {
		t.Fatalf("docs/tutorial.md has no %s block after %q", language, mention)
	}
	return regexp.MustCompile(`(?m)^   `).ReplaceAllString(code, "")
}

// The first app of docs/tutorial.md works as described, step by step.
func TestTutorial(t *testing.T) {
	t.Parallel()
	s := &server{t: t, dir: filepath.Join(t.TempDir(), ".claude", "ui")}
	cmd := exec.Command("ui-mcp", "serve", "--port", "0", "--mcp-port", "0", "--dir", s.dir)
	url, _ := serveUntilEnd(t, cmd)
	tab := browser.New(t).Tab()
	tab.Open(url)
	tab.WaitText(".mcp-empty h1", "Nothing to show yet")
	for _, step := range [][2]string{
		{"apps/shopping/app.lua", "lua"},
		{"apps/shopping/viewdefs/Shopping.DEFAULT.html", "html"},
		{"apps/shopping/viewdefs/Item.list-item.html", "html"},
	} {
		s.write(step[0], block(t, ".claude/ui/"+step[0], step[1]))
	}
	tab.WaitText("footer span", "0 to buy")
	tab.Type("form input", "Milk"+browser.Enter)
	tab.Type("form input", "Bread")
	tab.Click("form button")
	tab.WaitText("footer span", "2 to buy")
	tab.Click("li:nth-child(1) input")
	tab.WaitText("footer span", "1 to buy")
	tab.Click("footer button")
	if status, body := get(t, s.agentURL("/wait?timeout=60")); status != 200 || body != `[{"app":"shopping","event":"finished","summary":"1 to buy"}]` {
		t.Errorf("/wait = %d %s", status, body)
	}
	s.write("apps/shopping/viewdefs/Shopping.DEFAULT.html",
		strings.Replace(s.read("apps/shopping/viewdefs/Shopping.DEFAULT.html"), "<h1>Shopping</h1>", "<h1>Groceries</h1>", 1))
	tab.WaitText("h1", "Groceries")
	tab.Click("li:nth-child(2) button")
	tab.WaitText("footer span", "0 to buy")
	if got := tab.Texts("li span"); len(got) != 1 || got[0] != "Milk" {
		t.Errorf("the list is %q", got)
	}
}

// An app in the style of frictionless works in our page, with a shell, themes and controls in the
// style of its own.
func TestAppInTheStyleOfFrictionless(t *testing.T) {
	load.Long(t, "TestBindings and TestShell have the same parts one by one")
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	s.write("html/themes/base.css", `html { --term-text: rgb(1, 2, 3); }`)
	s.write("html/themes/lcars.css", `.theme-lcars { --term-accent: rgb(9, 9, 9); }`)
	s.write("html/themes/night.css", `.theme-night { --term-accent: rgb(7, 7, 7); }`)
	s.write("apps/pad/style.css", `.pad-linked { color: rgb(4, 5, 6); }`)
	s.write("viewdefs/MCP.DEFAULT.html", `<template>
		<script>
			const link = document.createElement("link");
			link.rel = "stylesheet"; link.href = "/pad/style.css"; document.head.appendChild(link);
		</script>
		<div class="mcp-shell"><div class="mcp-app-container" ui-view="value"></div><div style="display: none" ui-code="code"></div></div>
		<script>
			window.uiApp.nameOf = (id) => { // the first root of a view has the name
				for (let e = document.getElementById(id); e !== null; e = e.previousElementSibling ?? e.parentElement) {
					if (e.hasAttribute("ui-viewdef")) return e.getAttribute("ui-viewdef");
				}
			};
		</script>
	</template>`)
	s.write("lua/mcp.lua", `
		os.execute('ln -sfn ../apps/pad "' .. mcp:status().base_dir .. '/html/pad"')
		mcp.code = ""
		function mcp:setTheme(name) self.code = "document.documentElement.className = 'theme-" .. name .. "'; localStorage.setItem('theme', '" .. name .. "')" end
	`)
	s.write("apps/pad/app.lua", `
		Pad = session:prototype("Pad", { open = false, on = false, off = true, size = 3, turns = 0 })
		function Pad:isClosed() return not self.open end
		function Pad:isOpen() return self.open end
		function Pad:flip() self.open = not self.open end
		function Pad:turn() self.on = not self.on self.turns = self.turns + 1 end
		function Pad:sized() self.turns = self.turns + 1 end
		if not session.reloading then pad = session:create(Pad) end
	`)
	s.write("apps/pad/viewdefs/Pad.DEFAULT.html", `<template>
		<style>.pad { color: var(--term-text); background: var(--term-accent); }</style>
		<div class="pad">
			<p class="closed" ui-class-hidden="isClosed()">details</p>
			<p class="opened hidden" ui-class-showing="isOpen()">details</p>
			<sl-button ui-action="flip()">Open</sl-button>
			<sl-checkbox ui-value="on" ui-event-sl-change="turn()">On</sl-checkbox>
			<sl-checkbox id="idiom" ui-attr-checked="off" ui-event-sl-change="turn()">Off</sl-checkbox>
			<sl-input type="number" ui-value="size?keypress" ui-event-sl-input="sized()"></sl-input>
			<span class="pad-linked">linked</span>
		</div>
		<script>document.getElementById("app-favicon").href = "data:image/svg+xml,pad"</script>
	</template>`)
	url := s.ok("ui_start", nil)
	s.ok("ui_display", map[string]any{"name": "pad"})
	tab := browser.New(t).Tab()
	tab.Open(url + "/1/")
	const style = `getComputedStyle(document.querySelector(".pad"))`
	tab.Wait(`document.querySelector("sl-input")?.shadowRoot?.querySelector("input") && document.querySelector("sl-checkbox").shadowRoot`)

	// Its page: links, themes, the icon, a shell that our style leaves alone.
	tab.Wait(style + `.color === "rgb(1, 2, 3)" && ` + style + `.backgroundColor === "rgb(9, 9, 9)"`)
	tab.Wait(`getComputedStyle(document.querySelector(".pad-linked")).color === "rgb(4, 5, 6)"`)
	tab.Wait(`document.getElementById("app-favicon").href === "data:image/svg+xml,pad"`)
	if got := browser.Eval[string](tab, `getComputedStyle(document.querySelector(".mcp-shell")).maxWidth`); got != "none" {
		t.Errorf("our style makes its shell %s wide", got)
	}
	if got := browser.Eval[string](tab, `uiApp.nameOf(document.querySelector(".closed").id)`); got != "Pad.DEFAULT" {
		t.Errorf("a bound element is in the view definition %q", got)
	}

	// The classes hidden and showing.
	shown := `[...document.querySelectorAll(".closed, .opened")].filter((p) => p.checkVisibility()).length`
	if n := browser.Eval[int](tab, shown); n != 0 {
		t.Errorf("%d hidden paragraphs are visible", n)
	}
	tab.Click("sl-button")
	tab.Wait(shown + ` === 2`)

	// Each click has its effect once.
	tab.Click("sl-checkbox:not(#idiom)")
	tab.Wait(`uiApp.stats().pending === 0 && document.querySelector("sl-checkbox").checked`)
	s.returns(`return { pad.on, pad.turns }`, "[true,1]")
	tab.Click("sl-input")
	tab.Press(browser.End + "7")
	tab.Wait(`uiApp.stats().pending === 0 && document.querySelector("sl-input").value === "37"`)
	s.returns(`return { pad.size == 37, type(pad.size), pad.turns }`, `[true,"number",2]`)

	// The theme that the person chooses stays, and a new one is linked when the page is loaded.
	s.run(`mcp:setTheme("night") return mcp:reinjectThemes()`)
	tab.Wait(style + `.backgroundColor === "rgb(7, 7, 7)"`)
	s.write("html/themes/late.css", `.theme-late { --term-accent: rgb(8, 8, 8); }`)
	s.run(`mcp:setTheme("late")`)
	tab.Open(url + "/1/")
	tab.Wait(style + `.backgroundColor === "rgb(8, 8, 8)"`)
	if n := browser.Eval[int](tab, `uiErrors.length`); n > 0 {
		t.Errorf("%d errors in the page", n)
	}
}
