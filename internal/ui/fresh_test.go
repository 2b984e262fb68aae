package ui_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/ui"
)

// An app can be displayed as soon as it is written, before the watcher has noticed it.
func TestDisplayAtOnce(t *testing.T) {
	w := newWorld(t, counter)
	w.write("apps/fresh/app.lua", `Fresh = session:prototype("Fresh", {}) if not session.reloading then fresh = Fresh:new() end`)
	w.write("apps/fresh/viewdefs/Fresh.DEFAULT.html", `<template><h1>Fresh</h1></template>`)
	w.display("fresh")
	w.gives("the app is shown", "return mcp.value == fresh", "true")
}

// An app appears on an empty page once it is written, in whatever order its files come, and
// whatever mistakes are made on the way. Later ones, and earlier ones, do not replace it.
func TestDisplayNew(t *testing.T) {
	const code = `runs = (runs or 0) + 1
		Fresh = session:prototype("Fresh", {}) if not session.reloading then fresh = Fresh:new() end`
	const view = `<template><h1>Fresh</h1></template>`
	for name, files := range map[string][][2]string{
		"code first":   {{"apps/fresh/app.lua", code}, {"apps/fresh/viewdefs/Fresh.DEFAULT.html", view}},
		"view first":   {{"apps/fresh/viewdefs/Fresh.DEFAULT.html", view}, {"apps/fresh/app.lua", code}},
		"bad code":     {{"apps/fresh/viewdefs/Fresh.DEFAULT.html", view}, {"apps/fresh/app.lua", "no("}, {"apps/fresh/app.lua", code}},
		"no object":    {{"apps/fresh/viewdefs/Fresh.DEFAULT.html", view}, {"apps/fresh/app.lua", "unset = 1"}, {"apps/fresh/app.lua", code}},
		"bad view":     {{"apps/fresh/app.lua", code}, {"apps/fresh/viewdefs/Fresh.DEFAULT.html", "<p>"}, {"apps/fresh/viewdefs/Fresh.DEFAULT.html", view}},
		"a bad name":   {{"apps/fr.esh/app.lua", code}, {"apps/fresh/viewdefs/Fresh.DEFAULT.html", view}, {"apps/fresh/app.lua", code}},
		"a part of it": {{"apps/fresh/parts/list.lua", "list = 1"}, {"apps/fresh/viewdefs/Fresh.DEFAULT.html", view}, {"apps/fresh/app.lua", code}},
	} {
		t.Run(name, func(t *testing.T) {
			// Apps that were there before do not appear.
			w := (&world{t: t, limit: patience, displayNew: true}).startWith(counter)
			for i, f := range files {
				w.gives("nothing is displayed before "+f[0]+" is written", "return mcp.value == nil", "true")
				w.write(f[0], f[1])
				w.settle()
				if list := w.problems(); strings.HasPrefix(name, "bad code") && i == 1 && (len(list) != 1 || !strings.Contains(list[0], "app.lua")) {
					t.Errorf("problems with the mistake: %q", list)
				}
			}
			outcome := "[true,1]"
			if name == "no object" {
				outcome = "[true,2]" // as part of the session, and then as an app that has no object yet
			}
			w.gives("displayed, and how often it ran", "return {mcp.value == fresh, runs}", outcome)
			want(t, "problems", w.problems())
			w.write("apps/later/app.lua", `Later = session:prototype("Later", {}) if not session.reloading then later = Later:new() end`)
			w.write("apps/later/viewdefs/Later.DEFAULT.html", `<template><h1>Later</h1></template>`)
			w.settle()
			w.gives("after another app", "return {mcp.value == fresh, later == nil}", "[true,true]")
			w.mu.Lock()
			defer w.mu.Unlock()
			if want := []string{"1 fresh"}; !slices.Equal(w.shown, want) {
				t.Errorf("reported %q, want %q", w.shown, want)
			}
		})
	}
}

// An app can be displayed while the session is set up.
func TestDisplayInSetUp(t *testing.T) {
	files := maps.Clone(counter)
	files["apps/counter/init.lua"] = `mcp.display("counter")`
	w := newWorld(t, files)
	w.gives("the app is shown", "return mcp.value == counter", "true")
	want(t, "problems", w.problems())
}

// A view definition that is written after the watcher has noticed the code, and before the app
// appears, is in force at once: nobody hears that it is missing.
func TestDisplayNewWithNewerView(t *testing.T) {
	w := (&world{t: t, limit: patience, displayNew: true}).startWith(map[string]string{
		"apps/fresh/viewdefs/Other.DEFAULT.html": `<template><p>Other</p></template>`,
	})
	w.write("apps/fresh/app.lua", `local file = assert(io.open("`+filepath.ToSlash(w.dir)+`/apps/fresh/viewdefs/Fresh.DEFAULT.html", "w"))
		file:write("<template><h1>Fresh</h1></template>")
		file:close()
		Fresh = session:prototype("Fresh", {}) if not session.reloading then fresh = Fresh:new() end`)
	w.settle()
	w.gives("the app is shown", "return mcp.value == fresh", "true")
	want(t, "announced", w.announced())
}

// Without the option, nothing appears by itself.
func TestDisplayNewIsAnOption(t *testing.T) {
	w := newWorld(t, nil)
	w.write("apps/fresh/app.lua", `Fresh = session:prototype("Fresh", {}) if not session.reloading then fresh = Fresh:new() end`)
	w.write("apps/fresh/viewdefs/Fresh.DEFAULT.html", `<template><h1>Fresh</h1></template>`)
	w.settle()
	w.gives("nothing displayed, nothing loaded", "return {mcp.value == nil, fresh == nil}", "[true,true]")
}

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

// An inspection of a part lists first what is wrong in it.
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
	for path, first := range map[string]string{"value.rows.1": "Row.list-item", "value.rows": "Row.list-item", "value.side": "Row.DEFAULT"} {
		text := w.inspect(ui.Inspection{Path: path})
		_, list, _ := strings.Cut(text, "4 problems:\n")
		if line, _, _ := strings.Cut(list, "\n"); !strings.Contains(line, first) {
			t.Errorf("%s:\n%s", path, text)
		}
	}
}
