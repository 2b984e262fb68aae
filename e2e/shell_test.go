package e2e

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// The page around the apps says how to start, has a menu of the apps, and shows whether the agent
// listens.
func TestShell(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	url := s.ok("ui_start", nil)
	tab := browser.New(t).Tab()
	tab.Size(320, 640)
	tab.Open(url)
	tab.WaitText(".mcp-title", "No app")
	tab.WaitText(".mcp-empty h1", "Nothing to show yet")
	tab.Wait(`document.querySelector(".mcp-start").innerText.includes("Contacts")`)
	for _, bundled := range []string{"catalog", "contacts"} {
		if err := os.RemoveAll(filepath.Join(s.dir, "apps", bundled)); err != nil {
			t.Fatal(err)
		}
	}
	tab.Wait(`!document.querySelector(".mcp-start").innerText.includes("Contacts")`) // without a click
	tab.Click(".mcp-menu-button")
	tab.Wait(`document.querySelector("#mcp-menu").matches(":popover-open") && document.querySelector("#mcp-menu p").checkVisibility()`)
	if got := tab.Texts("#mcp-menu button"); len(got) > 0 {
		t.Errorf("no apps, and the menu has %q", got)
	}
	tab.Press(browser.Escape)
	tab.Wait(`!document.querySelector("#mcp-menu").matches(":popover-open")`)

	// New apps appear in the menu. Menu and agent can both display one.
	s.write("apps/contacts/app.lua", contactsLua)
	s.write("apps/contacts/viewdefs/ContactApp.DEFAULT.html", contactAppHTML)
	s.write("apps/contacts/viewdefs/Contact.list-item.html", contactHTML)
	s.write("apps/my-notes/app.lua", `MyNotes = session:prototype("MyNotes", {}) if not session.reloading then myNotes = MyNotes:new() end`)
	s.write("apps/my-notes/viewdefs/MyNotes.DEFAULT.html", `<template><h1 id="notes">Notes</h1></template>`)
	s.write("apps/my-notes/draft.lua", "")
	tab.Wait(`document.querySelector(".mcp-start").innerText.includes("My notes")`)
	tab.Click(".mcp-menu-button")
	tab.Wait(`document.querySelectorAll("#mcp-menu button").length === 2`)
	if diff := cmp.Diff([]string{"Contacts", "My notes"}, tab.Texts("#mcp-menu button")); diff != "" {
		t.Errorf("menu (-want +got):\n%s", diff)
	}
	tab.Click("#mcp-menu button:nth-child(2)")
	tab.WaitText("#notes", "Notes")
	tab.WaitText(".mcp-title", "My notes")
	tab.Wait(`!document.querySelector("#mcp-menu").matches(":popover-open") && !document.querySelector(".mcp-empty").checkVisibility()`)
	s.ok("ui_display", map[string]any{"name": "contacts"})
	tab.WaitText(".mcp-title", "Contacts")
	if got := tab.Texts("#mcp-menu [aria-current=page]"); !cmp.Equal(got, []string{"Contacts"}) {
		t.Errorf("current in the menu: %q", got)
	}

	// The agent starts to listen, and stops.
	tab.WaitText(".mcp-agent", "Agent not listening")
	tab.Click(".mcp-agent")
	tab.Wait(`document.querySelector("#mcp-agent-help .mcp-say").checkVisibility()`)
	if over := browser.Eval[float64](tab, `document.querySelector("#mcp-agent-help").getBoundingClientRect().right - innerWidth`); over > 0 {
		t.Errorf("what to do is %f pixels outside of the window", over)
	}
	ctx, hangUp := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, "GET", s.agentURL("/wait?timeout=60"), nil)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if res, err := http.DefaultClient.Do(req); err == nil {
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
	}()
	tab.WaitText(".mcp-agent", "Agent listening")
	tab.Wait(`!document.querySelector("#mcp-agent-help .mcp-say").checkVisibility()`)
	tab.Press(browser.Escape)
	hangUp()
	<-ended
	tab.WaitText(".mcp-agent", "Agent not listening")

	// The page fits a phone; a printed page has the app alone.
	if wide := browser.Eval[int](tab, `document.documentElement.scrollWidth`); wide > 320 {
		t.Errorf("the page is %d pixels wide in a window of 320", wide)
	}
	tab.Print(true)
	tab.Wait(`!document.querySelector(".mcp-head").checkVisibility() && document.querySelector(".contacts").checkVisibility()`)
	if n := browser.Eval[int](tab, `uiErrors.length`); n > 0 {
		t.Errorf("%d errors in the page", n)
	}

	tab.Print(false)
	// An app that cannot be displayed, since another has a type of that name, is not a dead entry.
	s.write("apps/people/app.lua", `Contact = session:prototype("Contact", {})`)
	tab.Click(".mcp-menu-button")
	tab.Wait(`document.querySelectorAll("#mcp-menu button").length === 3`)
	tab.Click("#mcp-menu button:nth-child(3)")
	tab.Wait(`["People is not displayed", "apps/people/app.lua:1", "apps/contacts/app.lua"].every((part) => document.querySelector(".mcp-failure").innerText.includes(part))`)
	if dir := os.Getenv("SHOTS"); dir != "" {
		tab.Screenshot(dir + "/shell-failure.png")
	}
	tab.Click(".mcp-menu-button")
	tab.Click("#mcp-menu button:nth-child(2)")
	tab.Wait(`document.querySelector("#notes") && !document.querySelector(".mcp-failure").checkVisibility()`)
}

// A project with its own mcp.lua has the page without the header, and no errors.
func TestShellOfAProject(t *testing.T) {
	load.Long(t, "TestShell has the page with its header")
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	s.write("lua/mcp.lua", `function mcp:mine() return "mine" end`)
	url := s.ok("ui_start", nil)
	tab := browser.New(t).Tab()
	tab.Open(url)
	tab.WaitText(".mcp-empty h1", "Nothing to show yet")
	if browser.Eval[bool](tab, `document.querySelector(".mcp-head") !== null`) {
		t.Error("there is a head")
	}
	s.returns(`return mcp:mine() .. mcp:status().errors`, `"mine0"`)
}
