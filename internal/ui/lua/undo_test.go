package lua_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/ui/lua"
)

// require runs a module again that a script has removed from package.loaded, as Lua does.
func TestRequireRunsAgain(t *testing.T) {
	vm, dir := newVM(t)
	write(t, filepath.Join(dir, "lua", "m.lua"), `runs = (runs or 0) + 1 again = session.reloading if fails then error("fails") end return {n = runs}`)
	run(t, vm, `first = require("m") assert(not again)
package.loaded["m"] = nil
second = require("m") assert(runs == 2 and second.n == 2 and require("m") == second and again)
package.loaded["lua/m.lua"] = nil
assert(require("m") == second, "another of its names is not the one that was removed")
fails, package.loaded["m"] = true, nil
assert(not pcall(require, "m") and package.loaded["m"] == nil)
fails = false
assert(require("m").n == 3, "what has failed was undone")`)
}

// Two keys with the same name in JSON are an error of ui.json_encode. Other JSON has the string's
// value, once.
func TestNamesOnceInJSON(t *testing.T) {
	vm, _ := newVM(t)
	for code, want := range map[string]string{
		`{[7] = "number", ["7"] = "string"}`: `{"7":"string"}`,
		`{["7"] = "string", [7] = "number"}`: `{"7":"string"}`,
		`{a = {{[1.5] = 1, ["1.5"] = 2}}}`:   `{"a":[{"1.5":2}]}`,
		`{[true] = 1, ["true"] = 2}`:         `{"true":2}`,
	} {
		if got := string(vm.JSON(run(t, vm, "return "+code), 1000)); got != want {
			t.Errorf("%s = %s, want %s", code, got, want)
		}
		got := string(vm.JSON(run(t, vm, "local text, err = ui.json_encode("+code+") return {text == nil, err}"), 1000))
		if !strings.HasPrefix(got, "[true,") || !strings.Contains(got, "have the name") && !strings.Contains(got, "cannot be a key") {
			t.Errorf("ui.json_encode(%s): %s", code, got)
		}
	}
}

// A batch's files are run in the order in which they want each other, whatever their names.
func TestBatchOrder(t *testing.T) {
	vm, dir := newVM(t)
	files := map[string]string{
		"a.lua": `order = (order or "") .. "a" require("b") require("c")`,
		"b.lua": `order = (order or "") .. "b" require("c")`,
		"c.lua": `order = (order or "") .. "c" pcall(require, "a")`,
	}
	var paths []string
	for name, code := range files {
		paths = append(paths, write(t, filepath.Join(dir, "lua", name), code))
	}
	run(t, vm, `require("a") order = ""`)
	slices.Sort(paths)
	batch := vm.Batch(paths)
	for key, more := batch.Next(); more; key, more = batch.Next() {
		if err := vm.Again(key); err != nil {
			t.Fatal(errors.Unwrap(err))
		}
	}
	if got, _ := lua.String(vm.Global("order")); got != "cba" {
		t.Errorf("order: %s", got)
	}
}

// A file that is saved with a module which it has not required before gets the module's new result,
// and so do those that require the file. One that loads a module again itself is run once.
func TestBatchWithNewRequirement(t *testing.T) {
	for name, tt := range map[string]struct {
		before, after map[string]string
		want          string
	}{
		"a new requirement": {
			map[string]string{"a.lua": `run("a") v = require("b").v`, "b.lua": `run("b") return {v = 0}`, "c.lua": `run("c") return {v = 1}`},
			map[string]string{"b.lua": `run("b") return {v = require("c").v}`, "c.lua": `run("c") return {v = 2}`}, "b c b a 2",
		},
		"a new circle": {
			map[string]string{"a.lua": `run("a") v = 1 return {}`, "b.lua": `run("b") return {}`, "c.lua": `run("c") return {v = 1}`},
			map[string]string{"b.lua": `run("b") require("c") return {}`, "c.lua": `run("c") require("b") return {v = 2}`}, "b c 1",
		},
		"loaded again": {
			map[string]string{"a.lua": `run("a") require("b") package.loaded.c = nil v = require("c").v`, "b.lua": `run("b") package.loaded.c = nil return require("c")`, "c.lua": `run("c") return {v = 1}`},
			map[string]string{"c.lua": `run("c") return {v = 2}`}, "c b c a c 2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			vm, dir := newVM(t)
			for file, code := range tt.before {
				write(t, filepath.Join(dir, "lua", file), code)
			}
			run(t, vm, `function run(name) log = (log or "") .. name .. " " end require("a") require("b") require("c") log = ""`)
			var paths []string
			for file, code := range tt.after {
				paths = append(paths, write(t, filepath.Join(dir, "lua", file), code))
			}
			batch := vm.Batch(paths)
			for key, more := batch.Next(); more; key, more = batch.Next() {
				if err := vm.Again(key); err != nil {
					t.Fatal(errors.Unwrap(err))
				}
			}
			if got, _ := lua.String(run(t, vm, "return log .. v")); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A file may unload itself, or the folder that it is in, while it runs.
func TestFileUnloadsItself(t *testing.T) {
	vm, dir := newVM(t)
	write(t, filepath.Join(dir, "lua", "m.lua"), `runs = (runs or 0) + 1 session:unloadModule("m")`)
	run(t, vm, `require("m") require("m") assert(runs == 2)`)
	file := write(t, filepath.Join(dir, "apps", "a", "app.lua"), `session:unloadDirectory("apps/a") if fails then error("late") end`)
	if _, err := vm.Load(file, false); err != nil || vm.Loaded(file) {
		t.Errorf("%v; loaded: %t", err, vm.Loaded(file))
	}
	run(t, vm, "fails = true")
	if _, err := vm.Load(file, false); err == nil || !strings.Contains(err.Error(), "late") {
		t.Errorf("error: %v", err)
	}
}

// A file that was unloaded is not in force: the fields that it has set are unknown again, and its
// code is nobody's.
func TestUnloadedFileIsForgotten(t *testing.T) {
	vm, dir := newVM(t)
	write(t, filepath.Join(dir, "lua", "m.lua"), `return function(thing) thing.extra = 1 end`)
	obj := run(t, vm, `Thing = session:prototype("Thing", {}) require("m") return Thing:new()`)
	known := func() [2]bool {
		_, source := vm.Sources()["lua/m.lua"]
		return [2]bool{vm.Member(obj, "extra").Known, source}
	}
	if got := known(); got != [2]bool{true, true} {
		t.Errorf("loaded, its field and source are known: %v", got)
	}
	run(t, vm, `assert(session:unloadModule("m"))`)
	if got := known(); got != [2]bool{} {
		t.Errorf("unloaded, its field and source are known: %v", got)
	}
}
