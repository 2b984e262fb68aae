package e2e

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
)

const contactsLua = `
Contact = session:prototype("Contact", {
    name = "",
    email = "",
})

function Contact:label() return self.name .. " <" .. self.email .. ">" end

ContactApp = session:prototype("ContactApp", {
    newName = "",
    newEmail = "",
    contacts = EMPTY,
})

function ContactApp:new(data)
    local app = session:create(ContactApp, data)
    app.contacts = app.contacts or { Contact:new({ name = "Ann", email = "ann@example.org" }) }
    return app
end

function ContactApp:add()
    print("adding " .. self.newName)
    table.insert(self.contacts, Contact:new({ name = self.newName, email = self.newEmail }))
    self.newName, self.newEmail = "", ""
end

function ContactApp:count() return #self.contacts .. " contacts" end

function ContactApp:save()
    mcp.pushState({ app = "contacts", event = "save", count = #self.contacts })
end

if not session.reloading then
    contacts = ContactApp:new()
end
`

const contactAppHTML = `<template>
  <section class="contacts">
    <h1 ui-value="count()"></h1>
    <input id="name" ui-value="newName" placeholder="Name">
    <input id="email" ui-value="newEmail" placeholder="Email">
    <button id="add" ui-action="add()">Add</button>
    <button id="save" ui-action="save()" ui-attr-title="count()">Save</button>
    <ul ui-viewlist="contacts"><li></li></ul>
  </section>
</template>
`

const contactHTML = `<template><li class="contact" ui-class-nameless="nameless"><b ui-value="label()"></b></li></template>
`

// TestStory covers the main use: an agent makes an app over MCP, a person uses it in a browser, and
// each sees what the other did.
func TestStory(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))

	// Before the start, tools that need a running server say what to do.
	s.fails("Server not started", "ui_run", map[string]any{"code": "return 1"})
	s.fails("Server not started", "ui_display", map[string]any{"name": "contacts"})
	if st := s.status(); st.State != "configured" || st.Version != "0.1.0" || st.URL != "" {
		t.Fatalf("status before the start: %+v", st)
	}
	url := s.ok("ui_start", nil)
	s.fails("Server already running", "ui_start", nil)
	if st := s.status(); st.State != "running" || st.URL != url || st.Sessions != 0 {
		t.Fatalf("status: %+v, want %s", st, url)
	}
	if !strings.HasSuffix(url, ":"+strings.TrimSpace(s.read("ui-port"))) {
		t.Fatalf("%s is not at the port in ui-port, %s", url, s.read("ui-port"))
	}

	// The agent writes an app and displays it.
	s.write("apps/contacts/app.lua", contactsLua)
	s.write("apps/contacts/viewdefs/ContactApp.DEFAULT.html", contactAppHTML)
	s.write("apps/contacts/viewdefs/Contact.list-item.html", contactHTML)
	// A slow machine may not have tried all of it.
	shown, _, _ := strings.Cut(s.ok("ui_display", map[string]any{"name": "contacts"}), "\nNot tried in a copy of the app:")
	if got, want := shown, "Displayed contacts at "+url+"/1/"; got != want {
		t.Fatalf("ui_display = %q, want %q", got, want)
	}
	if got, want := s.ok("ui_open_browser", nil), url+"/1/?conserve=true"; !strings.Contains(got, want) {
		t.Fatalf("ui_open_browser = %q, want the URL %s in it", got, want)
	}

	// The person opens the page, which displays the app on its first load.
	person := browser.New(t)
	tab := person.Tab()
	tab.Open(url)
	tab.WaitText("h1", "1 contacts")
	tab.WaitText(".contact b", "Ann <ann@example.org>")
	tab.Run("window.sameLoad = true")
	if n := s.status().Sessions; n != 1 {
		t.Errorf("%d sessions with a page, want 1", n)
	}

	// The person types and clicks; the agent sees it.
	tab.Type("#name", "Bob")
	tab.Type("#email", "bob@example.org")
	tab.Click("#add")
	tab.WaitText("h1", "2 contacts")
	tab.Wait(`document.querySelector("#name").value === "" && document.querySelector("#email").value === ""`)
	s.returns("return contacts.contacts[2]", `{"type":"Contact","email":"bob@example.org","name":"Bob"}`)
	s.returns("return session:getApp().contacts[1].name", `"Ann"`)
	if got := s.read("log/lua.log"); got != "adding Bob\n" {
		t.Errorf("lua.log = %q", got)
	}

	// The agent changes something; the page updates without a reload.
	s.run(`contacts.contacts[1].name = "Anna"`)
	tab.WaitText(".contact b", "Anna <ann@example.org>")

	// The person saves; the waiting agent gets the event.
	type answer struct {
		status int
		body   string
	}
	heard := make(chan answer, 1)
	go func() {
		status, body := get(t, s.agentURL("/wait?timeout=60"))
		heard <- answer{status, body}
	}()
	tab.Click("#save")
	if got := wait.For(t, "the answer of /wait", heard); got.status != http.StatusOK || got.body != `[{"app":"contacts","count":2,"event":"save"}]` {
		t.Errorf("/wait = %d %s", got.status, got.body)
	}
	if status, body := get(t, s.agentURL("/wait?timeout=1")); status != http.StatusNoContent || body != "" {
		t.Errorf("/wait with nothing to tell = %d %q", status, body)
	}

	// The agent edits the app's code and a view definition; the data stays.
	s.write("apps/contacts/app.lua", strings.Replace(contactsLua, `" contacts" end`, `" people" end`, 1))
	tab.WaitText("h1", "2 people")
	tab.Type("#name", "half-typed")
	s.write("apps/contacts/viewdefs/Contact.list-item.html", strings.Replace(contactHTML, "<b ", "<i>&#9733; </i><b ", 1))
	tab.Wait(`document.querySelectorAll(".contact i").length === 2`)
	if got := tab.Texts(".contact b"); len(got) != 2 || got[0] != "Anna <ann@example.org>" || got[1] != "Bob <bob@example.org>" {
		t.Errorf("after the reload the page shows %q", got)
	}
	if got := browser.Eval[string](tab, `document.querySelector("#name").value`); got != "half-typed" {
		t.Errorf("the reload of another view took what was typed: %q", got)
	}

	// A second tab shows the same session; each tab shows changes made in the other.
	second := person.Tab()
	second.Open(url + "/1/")
	second.WaitText("h1", "2 people")
	second.Type("#name", "Cleo")
	second.Click("#add")
	second.WaitText("h1", "3 people")
	tab.WaitText("h1", "3 people")
	if st := s.status(); st.Sessions != 1 || st.Pages != 2 {
		t.Errorf("%d sessions with %d pages, want 1 with 2", st.Sessions, st.Pages)
	}

	// The connection breaks; the page reconnects by itself and has missed nothing.
	tab.Run("uiApp.disconnect()")
	s.run(`contacts.contacts[2].name = "Bobby"`)
	tab.WaitText(".contact:nth-child(2) b", "Bobby <bob@example.org>")
	tab.Wait(`document.documentElement.dataset.uiState === "live"`)
	tab.Click("#save")
	if status, body := get(t, s.agentURL("/wait?timeout=60")); status != http.StatusOK || body != `[{"app":"contacts","count":3,"event":"save"}]` {
		t.Errorf("after the reconnection /wait = %d %s", status, body)
	}

	if !browser.Eval[bool](tab, "window.sameLoad === true") {
		t.Error("the page was loaded again on the way")
	}
	for _, errs := range [][]string{tab.ConsoleErrors(), second.ConsoleErrors()} {
		for _, e := range errs {
			t.Errorf("the page reported: %s", e)
		}
	}
}
