package e2e

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

var pictures = flag.String("pictures", "", "folder for pictures of pages and views: see docs/screenshots")

// A conversation shows an app, an address that the host does not open, a long question and a
// terminal: each begins with one bar, has what matters in sight, and nothing is cut without a hint.
// With -pictures, it takes pictures of them in both themes.
func TestChatPictures(t *testing.T) {
	load.Long(t, "TestAppInTheChat and TestTerminalInTheChat display such views")
	t.Parallel()
	conversation(t, openTerminalChat, apphost.Options{}, 390, *pictures != "")
}

// So it is in a wide window, in a host that holds back the input.
func TestChatPicturesWide(t *testing.T) {
	load.Long(t, "TestAppInTheChat and TestTerminalInTheChat display such views")
	t.Parallel()
	conversation(t, openHTTPTerminalChat, apphost.Options{Modern: true, HoldInput: true}, 800, *pictures != "")
}

// linksHTML is an app of links.
const linksHTML = `<template><div class="stack">
  <h1>Release notes</h1>
  <p>The parser is a third faster. Before you update, read</p>
  <p><a id="notes" href="https://example.org/notes/2.4">what has changed</a></p>
</div></template>
`

// longQuestion is more than a frame of 500 pixels has room for.
var longQuestion = map[string]any{
	"title": "Which migration should run first?",
	"message": "The schema of **orders** changed in three places:\n\n- `status` becomes an enumeration\n- `total` is stored in cents\n- `notes` moves to a table of its own\n\n" +
		strings.Repeat("Each migration holds a lock while it runs. Two million rows take about four minutes, during which nobody can place an order.\n\n", 3) +
		"See [the plan](https://example.org/plan) for the times.",
	"options": []any{
		map[string]any{"label": "Status", "value": "status", "description": "the shortest lock"},
		map[string]any{"label": "Total", "value": "total", "description": "what the report needs"},
		map[string]any{"label": "Not now", "value": "later"},
	},
	"allowText": true,
}

// conversation is one in a window of a width. It takes pictures if that is wanted, of more states
// than it checks.
func conversation(t *testing.T, open func(*testing.T, apphost.Options, ...string) *chat, o apphost.Options, width int, takes bool) {
	t.Helper()
	const most = 560
	o.Width, o.MaxHeight, o.RefuseLinks = min(width, 760)-34, most, true
	c := open(t, o)
	c.Chat.Size(width, 844)
	c.Call("ui_start", nil).Result() // which fails where it has started
	picture := func(what string, view *apphost.View) {
		if !takes {
			return
		}
		for _, dark := range []bool{false, true} {
			c.Dark(dark)
			view.Content().Wait(fmt.Sprintf(`document.documentElement.classList.contains("sl-theme-dark") === %v`, dark))
			if what != "full" {
				grown(view.Content(), most)
			}
			settle(view)
			theme := map[bool]string{true: "dark", false: "light"}[dark]
			view.Wait(`(view.frame.previousElementSibling.scrollIntoView(), true)`)
			c.Chat.Screenshot(filepath.Join(*pictures, fmt.Sprintf("chat-%s-%d-%s.webp", what, width, theme)))
		}
		c.Dark(false)
	}

	_, view := c.contacts()
	content := live(view)
	content.Wait(names + ` !== ""`)
	grown(content, most)
	if got := browser.Eval[float64](content, `document.querySelector(".contacts h1").getBoundingClientRect().top`); got > 72 {
		t.Errorf("the app begins %v pixels below the top", got)
	}
	picture("app", view)
	if takes {
		content.ClickOn(buttonOf("Full screen"))
		content.Wait(`innerHeight === 844`)
		picture("full", view)
		content.ClickOn(buttonOf("Back to the chat"))
		content.Wait(fmt.Sprintf(`innerHeight <= %d`, most))
	}

	testkit.Write(t, c.dir, "apps/counter/app.lua", counterLua)
	testkit.Write(t, c.dir, "apps/counter/viewdefs/Counter.DEFAULT.html", linksHTML)
	view = c.Call("ui_display", map[string]any{"name": "counter"}).View()
	content = live(view)
	content.Wait(`document.querySelector("#notes")`)
	grown(content, most)
	content.Click("#notes")
	content.Wait(`document.querySelector(".ui-chat-bar input:not([hidden])")?.value === "https://example.org/notes/2.4"`)
	content.WaitText("h1", "Release notes")
	grown(content, most)
	picture("link", view)

	view = c.question(most)
	picture("question", view)

	call := c.Call("wsh_create_session", map[string]any{"name": "build"})
	c.created(call)
	c.ok("wsh_run_command", map[string]any{"session": "build", "input": `clear; for i in $(seq 1 30); do printf '\033[32mok\033[0m  package/%d  0.2s\n' $i; done`})
	view = call.View()
	content = live(view)
	view.Wait(`(view.frame.scrollIntoView(), true)`) // a terminal that nobody can see is not painted
	content.Wait(rows + `.includes("package/30")`)
	c.readable(view, most)
	picture("terminal", view)
	content.ClickOn(buttonOf("Type here"))
	content.Wait(`document.querySelector("dialog.terminal-confirm[open]")`)
	picture("typing", view)
	if takes {
		content.Run(buttonOf("Cancel") + `.click()`)
		c.stop()
		content.Wait(`document.documentElement.dataset.uiView === "failed"`)
		picture("off", view)
	}
}

// question lets the agent ask a long question: the frame is as high as it may be, what to answer
// with is in sight, and a shadow says that the text goes on.
func (c *chat) question(most int) *apphost.View {
	c.t.Helper()
	view := c.Call("popup", longQuestion).View()
	content := view.Content()
	content.Wait(dialog("dialog") + `.open && parseFloat(document.querySelector(".ui-chat").style.getPropertyValue("--question-height")) > 300`)
	grown(content, most)
	view.Wait(`(view.frame.scrollIntoView(), true)`)
	content.Focus()
	content.Wait(settled)
	for _, part := range []string{".option:last-child", "textarea", ".send", ".decline", "header"} {
		if got := browser.Eval[float64](content, dialog(part)+`.getBoundingClientRect().bottom - innerHeight`); got > 0 {
			c.t.Errorf("%s ends %v pixels below the frame", part, got)
		}
	}
	if browser.Eval[bool](content, dialog(".reading")+`.scrollHeight > `+dialog(".reading")+`.clientHeight !== `+dialog(".reading")+`.classList.contains("cut-below")`) {
		c.t.Error("the text is cut without a shadow, or has one where nothing is cut")
	}
	return view
}

// readable checks that a terminal has text of a readable size, with its last line in sight, below a
// bar of one row that has its colour.
func (c *chat) readable(view *apphost.View, most int) {
	c.t.Helper()
	content := view.Content()
	grown(content, most)
	content.Wait(`parseFloat(getComputedStyle(document.querySelector(".xterm-rows")).fontSize) >= 11`)
	content.Wait(`((row) => row && row.getBoundingClientRect().bottom <= innerHeight && row.getBoundingClientRect().left >= 0)(
		Array.from(document.querySelectorAll(".xterm-rows > div")).findLast((row) => row.innerText.includes("package/30")))`)
	if got := browser.Eval[float64](content, `document.querySelector(".ui-chat-terminal").getBoundingClientRect().top`); got > 48 {
		c.t.Errorf("the bar is %v pixels high", got)
	}
	const background = `((selector) => getComputedStyle(document.querySelector(selector)).backgroundColor)`
	if bar, terminal := browser.Eval[string](content, background+`(".ui-chat")`), browser.Eval[string](content, background+`(".terminal-view")`); bar != terminal {
		c.t.Errorf("the bar is %s, the terminal %s", bar, terminal)
	}
}

// settle waits until a view has been painted.
func settle(view *apphost.View) {
	const painted = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`
	browser.Eval[bool](view.Content(), painted)
	view.Content().Wait(`document.getAnimations().every(({ playState }) => playState !== "running")`)
}
