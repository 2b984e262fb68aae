package bundle_test

import (
	"os"
	"path/filepath"
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
