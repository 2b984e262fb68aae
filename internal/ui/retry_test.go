package ui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
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
	want(t, "problems", w.problems())
	w.gives("after the fix", "return {ready, runs.middle, runs.deep, session.reloading}", "[7,1,1,false]")
	// From now on it is a file like any other.
	w.write("lua/deep.lua", `if session.reloading then reloaded = true end return {value = 8}`)
	w.settle()
	w.gives("reloaded", `return {reloaded, require("deep").value}`, "[true,8]")
}

// A module that failed, but whose failure was caught, is run alone.
func TestFailedModuleIsTriedAgain(t *testing.T) {
	w := newWorld(t, map[string]string{
		"lua/main.lua":  `ok = pcall(require, "extra")`,
		"lua/extra.lua": `error("broken")`,
	})
	w.write("lua/extra.lua", `count = (count or 0) + 1 return {value = 3}`)
	w.settle()
	w.gives("after the fix", `return {ok, require("extra").value, count}`, "[false,3,1]")
}

// A file that failed for want of a module is run again when the module is fixed, whether or not it
// had worked before, and once.
func TestFilesThatWantAModuleAreRunAgain(t *testing.T) {
	const app = `runs = (runs or 0) + 1 Note = session:prototype("Note", {text = "old"})
if not session.reloading then note = Note:new() end`
	for name, c := range map[string]struct {
		files map[string]string // beside app.lua, which works at first
		edits []map[string]string
		runs  string // how often app.lua ran to its end, and others did
	}{
		"missing": {edits: []map[string]string{
			{"apps/note/app.lua": app + ` require("part")`},
			{"lua/part.lua": "return 1"},
		}, runs: "[2]"},
		"broken": {edits: []map[string]string{
			{"apps/note/app.lua": app + ` require("part")`, "apps/part.lua": "error('broken')"},
			{"apps/part.lua": "return 1"},
		}, runs: "[2]"},
		"hidden": {edits: []map[string]string{
			{"apps/note/app.lua": app + ` require("part")`, "lua/part.lua": "error('broken')", "apps/part.lua": "return 1"},
			{"lua/part.lua": ""},
		}, runs: "[2]"},
		"in force, but old": {
			files: map[string]string{"lua/part.lua": "Part = {} return Part"},
			edits: []map[string]string{
				{"apps/note/app.lua": app + ` require("part").new()`},
				{"lua/part.lua": "Part = {new = function() end} return Part"},
			},
			runs: "[2]",
		},
		"chain": {edits: []map[string]string{
			{"apps/note/app.lua": app + ` require("a")`, "lua/a.lua": `require("b")`, "lua/b.lua": `require("c")`},
			{"lua/c.lua": "error('broken')"},
			{"lua/c.lua": "parts = (parts or 0) + 1"},
		}, runs: "[2,1]"},
		"cycle": {edits: []map[string]string{
			{"apps/note/app.lua": app + ` require("a")`, "lua/a.lua": `require("b")`, "lua/b.lua": `require("a") error("broken")`},
			{"lua/b.lua": `require("a") parts = (parts or 0) + 1`},
		}, runs: "[2,1]"},
		"caught": {edits: []map[string]string{
			{"apps/note/app.lua": app + ` local ok = pcall(require, "part") assert(ok)`, "lua/part.lua": "parts = 7 error('broken')"},
			{"lua/part.lua": "parts = (parts or 0) + 1"},
		}, runs: "[2,1]"},
		"both at once": {edits: []map[string]string{
			{"apps/note/app.lua": app + ` require("part")`, "lua/part.lua": "error('broken')"},
			{"apps/note/app.lua": app + ` require("part") `, "lua/part.lua": "parts = (parts or 0) + 1"},
		}, runs: "[2,1]"},
		"another app": {edits: []map[string]string{
			{"apps/note/app.lua": app + ` assert(mcp.app("other"))`, "apps/other/app.lua": "error('broken')"},
			{"apps/other/app.lua": "parts = (parts or 0) + 1 other = {}"},
		}, runs: "[2,1]"},
		"another app, missing": {edits: []map[string]string{
			{"apps/note/app.lua": app + ` assert(mcp.app("other"))`},
			{"apps/other/app.lua": "parts = (parts or 0) + 1 other = {}"},
		}, runs: "[2,1]"},
		"wanted by nobody any more": {edits: []map[string]string{
			{"apps/note/app.lua": app + ` require("part")`, "lua/part.lua": "error('broken')"},
			{"apps/note/app.lua": app, "lua/part.lua": "parts = 1"},
		}, runs: "[2]"},
		"a file run by dofile": {edits: []map[string]string{
			{"apps/note/app.lua": app + ` dofile(DIR .. "/lua/part.lua")`, "lua/part.lua": "error('broken')"},
			{"lua/part.lua": "parts = (parts or 0) + 1"},
		}, runs: "[2,1]"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"apps/note/app.lua": app, "viewdefs/Note.DEFAULT.html": "<template><p ui-value='text'></p></template>"})
			for name, content := range c.files {
				w.write(name, content)
			}
			w.run(`DIR = ` + luaString(w.dir))
			w.display("note")
			w.settle()
			for i, edit := range c.edits {
				for name, content := range edit {
					if content == "" {
						w.remove(name)
						continue
					}
					w.write(name, content)
				}
				w.settle()
				broken := i < len(c.edits)-1
				if list := w.problems(); broken != (len(list) == 1) {
					t.Errorf("problems after edit %d: %q", i, list)
				}
				if broken {
					w.gives(fmt.Sprint("the old code is in force after edit ", i), "return {runs, parts == nil, note.text}", `[1,true,"old"]`)
				}
			}
			w.gives("runs", "return {runs, parts}", c.runs)
		})
	}
}

// Files that have the result of a module get the new one when the module is saved: each is run
// again once, after the modules that it requires. Where the result is the same table, none is.
func TestFilesGetTheNewResult(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		edit  map[string]string
		want  string // of log, which has the files that the edit ran, and of value
	}{
		"one": {
			map[string]string{"lua/main.lua": `run("main") local p = require("part") value = function() return p.v end`, "lua/part.lua": `run("part") return {v = 1}`},
			map[string]string{"lua/part.lua": `run("part") return {v = 2}`}, "part main: 2",
		},
		"through others, once each": {
			map[string]string{
				"lua/main.lua": `run("main") local a, b, p = require("a"), require("b"), require("part") value = function() return a.v + b.v + p.v end`,
				"lua/a.lua":    `run("a") local b = require("b") return {v = b.v}`,
				"lua/b.lua":    `run("b") local p = require("part") return {v = p.v}`,
				"lua/part.lua": `run("part") return {v = 1}`,
			},
			map[string]string{"lua/part.lua": `run("part") return {v = 2}`}, "part b a main: 6",
		},
		"and is saved itself": {
			map[string]string{"lua/main.lua": `run("main") local p = require("part") value = function() return p.v end`, "lua/part.lua": `run("part") return {v = 1}`},
			map[string]string{"lua/part.lua": `run("part") return {v = 2}`, "lua/main.lua": `run("main") local p = require("part") value = function() return p.v + 1 end`}, "part main: 3",
		},
		"the same table": {
			map[string]string{"lua/main.lua": `run("main") local p = require("part") value = function() return p.v end`, "lua/part.lua": `run("part") Part = Part or {} Part.v = 1 return Part`},
			map[string]string{"lua/part.lua": `run("part") Part = Part or {} Part.v = 2 return Part`}, "part: 2",
		},
		"no result": {
			map[string]string{"lua/main.lua": `run("main") require("part") value = function() return V end`, "lua/part.lua": `run("part") V = 1`},
			map[string]string{"lua/part.lua": `run("part") V = 2`}, "part: 2",
		},
		"in a circle": {
			map[string]string{"lua/main.lua": `run("main") local p = require("part") value = function() return p.v end`, "lua/part.lua": `run("part") local o = require("other") return {v = 1}`,
				"lua/other.lua": `run("other") local p = require("part") return {}`},
			map[string]string{"lua/part.lua": `run("part") local o = require("other") return {v = 2}`}, "part other main: 2",
		},
		"the module fails": {
			map[string]string{"lua/main.lua": `run("main") local p = require("part") value = function() return p.v end`, "lua/part.lua": `run("part") return {v = 1}`},
			map[string]string{"lua/part.lua": `run("part") error("broken")`}, ": 1",
		},
		"a file fails with it": {
			map[string]string{"lua/main.lua": `run("main") local p = require("part") assert(p.v == 1, "not 1") value = function() return p.v end`, "lua/part.lua": `run("part") return {v = 1}`},
			map[string]string{"lua/part.lua": `run("part") return {v = 2}`}, "part: 1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"lua/main.lua": ""})
			w.run(`log = "" function run(name) log = log == "" and name or log .. " " .. name end`)
			for name, content := range c.files {
				w.write(name, content)
			}
			w.settle()
			w.run(`log = ""`)
			for name, content := range c.edit {
				w.write(name, content)
			}
			w.settle()
			w.gives("files that the edit ran, and the value", `return log .. ": " .. value()`, strconv.Quote(c.want))
			if failing := strings.Contains(name, "fails"); failing != (len(w.problems()) == 1) {
				t.Errorf("problems: %q", w.problems())
			}
		})
	}
}

func luaString(s string) string { return strconv.Quote(filepath.ToSlash(s)) }

// Two apps that want the same module are both run again, and the module once.
func TestTwoAppsWantAModule(t *testing.T) {
	const app = `runs%[1]s = (runs%[1]s or 0) + 1 require("shared") %[1]s = %[1]s or {}`
	w := newWorld(t, map[string]string{
		"apps/a/init.lua": fmt.Sprintf(app, "a"), "apps/b/init.lua": fmt.Sprintf(app, "b"),
		"lua/shared.lua": "error('broken')",
	})
	if list := w.problems(); len(list) != 2 {
		t.Fatalf("problems: %q", list)
	}
	w.write("lua/shared.lua", "shared = (shared or 0) + 1")
	w.settle()
	w.gives("runs", "return {runsa, runsb, shared}", "[1,1,1]")
	want(t, "problems", w.problems())
}

// A linked app is one app, by whatever path its files are reached, and the problem of a file goes
// whichever path it was run by.
func TestLinkedFilesAreRunAgain(t *testing.T) {
	w := newWorld(t, map[string]string{"apps/real/main.lua": `runs = (runs or 0) + 1 require("linked.part")`})
	for to, link := range map[string]string{"real": "apps/linked", "../apps/real/main.lua": "lua/main.lua"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(w.dir, link)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(w.dir, link)); err != nil {
			t.Skip(err)
		}
	}
	w.engine.Close()
	w.start()
	if list := w.problems(); len(list) != 1 {
		t.Fatalf("problems: %q", list)
	}
	w.write("apps/real/part.lua", "parts = (parts or 0) + 1")
	w.settle()
	w.gives("runs", "return {runs, parts}", "[1,1]")
	want(t, "problems", w.problems())
}

// A file that never ends does not fail the others that were saved with it.
func TestEachFileHasItsOwnTime(t *testing.T) {
	w := newLimitedWorld(t, map[string]string{"lua/main.lua": `require("a") require("b")`, "lua/a.lua": "", "lua/b.lua": ""}, time.Second)
	w.write("lua/a.lua", "while true do end")
	w.write("lua/b.lua", "b = 2")
	w.settle()
	w.until("the other file is in force", func() bool { got, _ := w.run("return b"); return got == "2" })
	if list := w.problems(); len(list) != 1 || !strings.Contains(list[0], "a.lua") {
		t.Errorf("problems: %q", list)
	}
}

// A deleted file is not missed, and runs again when it comes back.
func TestFailedFileIsRemoved(t *testing.T) {
	w := newWorld(t, map[string]string{"apps/a/init.lua": `runs = 1 require("a.part")`})
	w.remove("apps/a/init.lua")
	w.write("apps/a/part.lua", "")
	w.settle()
	want(t, "problems of a file that is gone", w.problems())
	w.write("apps/a/init.lua", `runs = 2 require("a.part")`)
	w.settle()
	w.gives("runs", "return runs", "2")
	want(t, "problems", w.problems())
}
