package ui_test

import (
	"strings"
	"testing"
)

// A file that failed at the start is run when it has been fixed, and so are those that required it,
// once.
func TestFailedFilesAreTriedAgain(t *testing.T) {
	w := newWorld(t, map[string]string{
		"lua/main.lua":   `runs = {} local m = require("middle") ready = m.value`,
		"lua/middle.lua": `runs.middle = (runs.middle or 0) + 1 return require("deep")`,
		"lua/deep.lua":   `runs.deep = (runs.deep or 0) + 1 error("broken")`,
	})
	if list := w.problems(); len(list) != 1 || !strings.Contains(list[0], "broken") {
		t.Fatalf("problems: %q", list)
	}
	w.write("lua/deep.lua", `return {value = `)
	w.settle()
	if list := w.problems(); len(list) != 1 || !strings.Contains(list[0], "deep.lua") {
		t.Errorf("problems: %q", list)
	}
	w.write("lua/deep.lua", `runs.deep = (runs.deep or 0) + 1 return {value = 7}`)
	w.settle()
	if list := w.problems(); list != nil {
		t.Errorf("problems: %q", list)
	}
	if got, _ := w.run("return {ready, runs.middle, runs.deep, session.reloading}"); got != "[7,1,1,false]" {
		t.Errorf("after the fix: %s", got)
	}
	// From now on it is a file like any other.
	w.write("lua/deep.lua", `if session.reloading then reloaded = true end return {value = 8}`)
	w.settle()
	if got, _ := w.run(`return {reloaded, require("deep").value}`); got != "[true,8]" {
		t.Errorf("reloaded: %s", got)
	}
}

// A module that failed, but whose failure was caught, is run alone.
func TestFailedModuleIsTriedAgain(t *testing.T) {
	w := newWorld(t, map[string]string{
		"lua/main.lua":  `ok = pcall(require, "extra")`,
		"lua/extra.lua": `error("broken")`,
	})
	w.write("lua/extra.lua", `count = (count or 0) + 1 return {value = 3}`)
	w.settle()
	if got, _ := w.run(`return {ok, require("extra").value, count}`); got != "[false,3,1]" {
		t.Errorf("after the fix: %s", got)
	}
}
