package bundle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// spec returns an example of the specification, word for word.
func spec(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "spec", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The examples of the older specification, whose apps guard themselves with session:getApp(), run
// as they are: in the file that runs when a session starts, in the file of an app, and in ui_run.
func TestClassicExamples(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.later = withoutFindings
	app := `App = session:prototype("App", { contacts = EMPTY })
function App:new() return session:create(App, { contacts = { Contact:new({ firstName = "Ann" }) } }) end
` + spec(t, "classic-contact.lua")
	w.write("viewdefs/App.DEFAULT.html", `<template><ul ui-viewlist="contacts"><li></li></ul></template>`)
	w.write("viewdefs/Contact.list-item.html", `<template><li><b ui-value="name"></b></li></template>`)
	w.display("other", "contacts") // displaying reads the files that were just written; ui_run need not

	w.run("1", app)
	w.write("apps/classic/app.lua", app+"\nclassic = session:getApp()\n")
	if got := w.run("1", `session:getApp().contacts[1].name = "kept"
		return { session:getApp().contacts[1].firstName, mcp.value == session:getApp() }`); got != `["Ann",true]` {
		t.Errorf("in ui_run: %s", got)
	}
	if got := w.run("1", spec(t, "first-name.lua")); got != `"Ann"` {
		t.Errorf("the first name is %s", got)
	}
	w.run("1", app) // declares everything again, and makes no second app
	if got := w.run("1", "return session:getApp().contacts[1].name"); got != `"kept"` {
		t.Errorf("after the same code ran again: %s", got)
	}
	if text := w.ok("ui_inspect", nil); !strings.Contains(text, "kept") {
		t.Errorf("the page does not show the app:\n%s", text)
	}

	w.display("2", "classic")
	if got := w.run("2", spec(t, "first-name.lua")); got != `"Ann"` {
		t.Errorf("in an app's file: %s", got)
	}
	w.run("2", `session:getApp().contacts[1].name = "kept"`)
	w.write("apps/classic/app.lua", app+"\nclassic = session:getApp()\nfunction Contact:shout() return self.name:upper() end\n")
	w.display("2", "classic")
	if got := w.run("2", `return session:getApp().contacts[1]:shout()`); got != `"KEPT"` {
		t.Errorf("after the file was saved: %s", got)
	}

	w.write("lua/main.lua", app)
	if got := w.run("3", spec(t, "first-name.lua")); got != `"Ann"` {
		t.Errorf("in main.lua: %s", got)
	}
}

// The examples of the specification run as they are, beside the demo.
func TestSpecifiedExamples(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.display("1", "contacts") // the demo comes first
	w.write("apps/contact/app.lua", spec(t, "contact.lua"))
	w.write("apps/contact/viewdefs/Contact.DEFAULT.html", `<template><p ui-value="name"></p></template>`)
	w.display("1", "contact")
	for code, want := range map[string]string{
		`contact.name = "Ann" return { contact.name, contact.email, session:getApp() == contact }`: `["Ann","",true]`,
		spec(t, "status.lua"):  "null",
		spec(t, "polling.lua"): "null",
		spec(t, "events.lua"):  "null",
	} {
		if got := w.run("1", code); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
	const events = `[{"app":"contacts","event":"chat","text":"hello"},` +
		`{"app":"contacts","event":"button","id":"save"},{"app":"contacts","event":"button","id":"cancel"}]`
	if got := w.events("1"); got != events {
		t.Errorf("events %s, want %s", got, events)
	}

	// A field that is removed goes; one that is added is inherited; the data stays.
	w.write("apps/contact/app.lua", spec(t, "contact.lua")+"\nfunction Contact:label() return self.name end\n")
	w.display("1", "contact")
	if got := w.run("1", "return contact:label()"); got != `"Ann"` {
		t.Errorf("after a reload: %s", got)
	}

	// The shell is extended in lua/mcp.lua.
	w.write("lua/mcp.lua", spec(t, "mcp.lua"))
	if got := w.run("2", "mcp:toggleMenu() return { mcp.menuOpen, mcp:availableApps() == nil }"); got != "[true,true]" {
		t.Errorf("the extension: %s", got)
	}
}
