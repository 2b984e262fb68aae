package ui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/ui"
)

// An error that comes back after it was fixed is an event again, and so is another one on its line.
func TestErrorsComeBack(t *testing.T) {
	const file, good = "apps/n/app.lua", "N = session:prototype(\"N\", {})\nif not session.reloading then n = N:new() end\n"
	w := newWorld(t, map[string]string{file: good, "apps/n/viewdefs/N.DEFAULT.html": `<template><p></p></template>`})
	w.display("n")
	for i, bad := range []string{"nothing()", "other()", good, "nothing()"} {
		w.write(file, bad)
		w.settle()
		var expected []string
		if bad != good {
			expected = []string{fmt.Sprintf("1 n: apps/n/app.lua:1: attempt to call global '%s' (a nil value)", strings.TrimSuffix(bad, "()"))}
		}
		want(t, fmt.Sprint("announced after edit ", i), w.announced(), expected...)
	}
}

// An app's problems disappear when another app is displayed, or when the app is removed.
func TestProblemsGoWithTheirApp(t *testing.T) {
	app := func(name, typ string) (code, html string) {
		return typ + ` = session:prototype("` + typ + `", {}) function ` + typ + `:fail() error("failed") end
			if not session.reloading then ` + name + ` = ` + typ + `:new() end`,
			`<template><button ui-action="fail()"></button></template>`
	}
	files := map[string]string{}
	for name, typ := range map[string]string{"one": "One", "two": "Two"} {
		files["apps/"+name+"/app.lua"], files["apps/"+name+"/viewdefs/"+typ+".DEFAULT.html"] = app(name, typ)
	}
	w := newWorld(t, files)
	p := w.connect()
	w.display("one")
	p.send(`{"type":"events","ref":1,"events":[[%s]]}`, w.binding("action", "fail()"))
	if list := w.problems(); len(list) != 1 {
		t.Fatalf("problems: %q", list)
	}
	w.display("two")
	want(t, "another app is displayed", w.problems())
	p.send(`{"type":"events","ref":1,"events":[[%s]]}`, w.binding("action", "fail()"))
	if list := w.problems(); len(list) != 1 {
		t.Fatalf("problems: %q", list)
	}
	if err := os.RemoveAll(filepath.Join(w.dir, "apps", "two")); err != nil {
		t.Fatal(err)
	}
	w.settle()
	if text := strings.Join(w.problems(), "\n"); strings.Contains(text, "failed") {
		t.Errorf("after the app was removed:\n%s", text)
	}
}

// Saving a view definition does not hide, not even for a moment, that a view cannot be read.
func TestSavingHidesNoProblem(t *testing.T) {
	w := newWorld(t, map[string]string{
		"apps/v/app.lua": `V = session:prototype("V", { broken = false }) Row = session:prototype("Row", {})
row = Row:new()
function V:row() if self.broken then error("no row") end return row end
if not session.reloading then v = V:new() end`,
		"apps/v/viewdefs/V.DEFAULT.html":   `<template><div ui-view="row()"></div></template>`,
		"apps/v/viewdefs/Row.DEFAULT.html": `<template><p></p></template>`,
	})
	w.display("v")
	w.run("v.broken = true")
	w.write("apps/v/viewdefs/Row.DEFAULT.html", `<template><p>new</p></template>`)
	w.settle()
	if n := w.engine.Errors(); n != 1 {
		t.Errorf("%d errors are counted after saving, want 1", n)
	}
}

// Repeated failures reach pages now and then, not each time.
func TestCountsAreSentNowAndThen(t *testing.T) {
	w := newWorld(t, nil)
	p := w.connect()
	start := time.Now()
	w.run(`id = session:setInterval(function() count = (count or 0) + 1 error("no") end, 1)`)
	w.until("it has failed often", func() bool {
		got, _ := w.run("return count")
		var n int
		_, _ = fmt.Sscan(got, &n)
		return n > 200
	})
	w.run("session:clearInterval(id)")
	messages := 0
	for _, m := range p.take() {
		if m.Type == "problems" {
			messages++
		}
	}
	if took := time.Since(start); messages == 0 || messages > 30+int(took.Seconds()) {
		t.Errorf("%d messages in %v", messages, took)
	}
}

// An inspection of a part lists what is wrong in it.
func TestInspectionHasProblemsBelowItsPath(t *testing.T) {
	w := newWorld(t, map[string]string{
		"apps/p/app.lua": `P = session:prototype("P", { rows = EMPTY, side = EMPTY }) Row = session:prototype("Row", { name = "" })
function Row:fail() error("failed " .. self.name) end
if not session.reloading then p = P:new({ rows = { Row:new({ name = "a" }), Row:new({ name = "b" }) }, side = Row:new({ name = "c" }) }) end`,
		"apps/p/viewdefs/P.DEFAULT.html":     `<template><ul ui-viewlist="rows"></ul><p ui-view="side"></p></template>`,
		"apps/p/viewdefs/Row.DEFAULT.html":   `<template><i ui-value="fail()"></i></template>`,
		"apps/p/viewdefs/Row.list-item.html": `<template><li ui-value="fail()" ui-attr-title="nmae"></li></template>`,
	})
	w.display("p")
	for path, wanted := range map[string][]string{
		"value.rows.1": {"failed b", "declares no nmae"},
		"value.rows":   {"failed a", "failed b", "declares no nmae"},
		"value.side":   {"failed c"},
	} {
		text := w.inspect(ui.Inspection{Path: path})
		_, list, _ := strings.Cut(text, "problem")
		for _, x := range []string{"failed a", "failed b", "failed c", "declares no nmae"} {
			if strings.Contains(list, x) != strings.Contains(strings.Join(wanted, ","), x) {
				t.Errorf("%s, %q:\n%s", path, x, text)
			}
		}
	}
}
