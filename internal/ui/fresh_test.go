package ui_test

import "testing"

// An app can be displayed as soon as it is written, before the watcher has noticed it.
func TestDisplayAtOnce(t *testing.T) {
	w := newWorld(t, counter)
	w.write("apps/fresh/app.lua", `Fresh = session:prototype("Fresh", {}) if not session.reloading then fresh = Fresh:new() end`)
	w.write("apps/fresh/viewdefs/Fresh.DEFAULT.html", `<template><h1>Fresh</h1></template>`)
	w.display("fresh")
	if got, _ := w.run("return mcp.value == fresh"); got != "true" {
		t.Errorf("the app is shown: %s", got)
	}
}
