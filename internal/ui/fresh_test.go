package ui_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

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
			w := &world{t: t, dir: t.TempDir(), limit: patience, displayNew: true}
			w.write("viewdefs/MCP.DEFAULT.html", shell)
			for name, content := range counter {
				w.write(name, content) // apps that were there before do not appear
			}
			w.start()
			for i, f := range files {
				if got, _ := w.run("return mcp.value == nil"); got != "true" {
					t.Errorf("something is displayed before %s is written", f[0])
				}
				w.write(f[0], f[1])
				w.settle()
				if list := w.problems(); strings.HasPrefix(name, "bad code") && i == 1 && (len(list) != 1 || !strings.Contains(list[0], "app.lua")) {
					t.Errorf("problems with the mistake: %q", list)
				}
			}
			want := "[true,1]"
			if name == "no object" {
				want = "[true,2]" // as part of the session, and then as an app that has no object yet
			}
			if got, _ := w.run("return {mcp.value == fresh, runs}"); got != want {
				t.Errorf("displayed, and how often it ran: %s", got)
			}
			if list := w.problems(); list != nil {
				t.Errorf("problems: %q", list)
			}
			w.write("apps/later/app.lua", `Later = session:prototype("Later", {}) if not session.reloading then later = Later:new() end`)
			w.write("apps/later/viewdefs/Later.DEFAULT.html", `<template><h1>Later</h1></template>`)
			w.settle()
			if got, _ := w.run("return {mcp.value == fresh, later == nil}"); got != "[true,true]" {
				t.Errorf("after another app: %s", got)
			}
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
	if got, _ := w.run("return mcp.value == counter"); got != "true" {
		t.Errorf("the app is shown: %s", got)
	}
	if list := w.problems(); list != nil {
		t.Errorf("problems: %q", list)
	}
}

// A view definition that is written after the watcher has noticed the code, and before the app
// appears, is in force at once: nobody hears that it is missing.
func TestDisplayNewWithNewerView(t *testing.T) {
	w := &world{t: t, dir: t.TempDir(), limit: patience, displayNew: true}
	w.write("viewdefs/MCP.DEFAULT.html", shell)
	w.write("apps/fresh/viewdefs/Other.DEFAULT.html", `<template><p>Other</p></template>`)
	w.start()
	w.write("apps/fresh/app.lua", `local file = assert(io.open("`+filepath.ToSlash(w.dir)+`/apps/fresh/viewdefs/Fresh.DEFAULT.html", "w"))
		file:write("<template><h1>Fresh</h1></template>")
		file:close()
		Fresh = session:prototype("Fresh", {}) if not session.reloading then fresh = Fresh:new() end`)
	w.settle()
	if got, _ := w.run("return mcp.value == fresh"); got != "true" {
		t.Errorf("the app is shown: %s", got)
	}
	if list := w.announced(); list != nil {
		t.Errorf("announced: %q", list)
	}
}

// Without the option, nothing appears by itself.
func TestDisplayNewIsAnOption(t *testing.T) {
	w := newWorld(t, nil)
	w.write("apps/fresh/app.lua", `Fresh = session:prototype("Fresh", {}) if not session.reloading then fresh = Fresh:new() end`)
	w.write("apps/fresh/viewdefs/Fresh.DEFAULT.html", `<template><h1>Fresh</h1></template>`)
	w.settle()
	if got, _ := w.run("return {mcp.value == nil, fresh == nil}"); got != "[true,true]" {
		t.Errorf("nothing displayed, nothing loaded: %s", got)
	}
}
