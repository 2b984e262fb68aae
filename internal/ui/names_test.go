package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/ui"
)

// Names that an object does not have are errors as soon as the file is displayed, all of a file at
// once: reading them gives nil, and using them does nothing.
func TestMisspeltNames(t *testing.T) {
	const file = "apps/list/viewdefs/List.DEFAULT.html"
	w := newWorld(t, map[string]string{
		"apps/list/app.lua": `
List = session:prototype("List", { title = "x", note = EMPTY, items = EMPTY })
Item = session:prototype("Item", { label = "", other = "" })
function List:summary() return "s" end
function List:remove() end
function List:choose(item) self.chosen = item end
function Item:open() end
if not session.reloading then list = List:new({ items = "none", extra = 1 }) end
`,
		file: `<template>
<p ui-value="titel"></p>
<p ui-value="summary"></p>
<p ui-value="note"></p>
<p ui-value="chosen"></p>
<p ui-value="extra"></p>
<p ui-value="nowhere?optional"></p>
<button ui-action="remov()"></button>
<button ui-action="remove"></button>
<i ui-event-click="title()"></i>
<i ui-event-blur="choose(_)" ui-class-on="chosen.labl"></i>
<ul ui-viewlist="items"></ul>
<b ui-valeu="title"></b>
<b ui-value="label"></b>
<b ui-class-flagged="flagged" ui-class-big="titel"></b>
</template>`,
		"apps/list/viewdefs/Item.list-item.html": `<template><p ui-value="label" ui-action="open()"></p></template>`,
	})
	list := w.display("list")
	all := []string{
		file + ":2: ui-value=\"titel\": List declares no titel; did you mean `title`?",
		file + ":3: ui-value=\"summary\": summary is a method: write summary()",
		file + ":8: ui-action=\"remov()\": List has no method remov; did you mean `remove`?",
		file + ":9: ui-action=\"remove\": remove is a method: write remove()",
		file + ":10: ui-event-click=\"title()\": title is no method of List, but a field: write title without parentheses",
		file + `:12: ui-viewlist="items": a list shows the elements of a table, and items is "none"`,
		file + ":13: ui-valeu is not an attribute of view definitions; did you mean `ui-value`?",
		file + `:14: ui-value="label": List declares no label`,
		file + ":15: ui-class-big=\"titel\": List declares no titel; did you mean `title`?",
	}
	same(t, "displayed", list, all)
	if n := w.engine.Errors(); n != len(all) {
		t.Errorf("%d errors are counted, want %d", n, len(all))
	}
	if text := w.inspect(ui.Inspection{}); !strings.Contains(text, "List declares no titel") {
		t.Errorf("ui_inspect does not say it:\n%s", text)
	}

	// A step behind nil is checked when there is something.
	_, list = w.run(`list.items = { Item:new() } list.chosen = list.items[1]`)
	same(t, "later", list, []string{file + ":11: ui-class-on=\"chosen.labl\": Item declares no labl; did you mean `label`?"})

	// Mistakes that are fixed disappear, in the code and in the view definition.
	_, _ = w.run(`function List:remov() end`)
	if text := strings.Join(w.problems(), "\n"); strings.Contains(text, "no method remov") {
		t.Errorf("after the method was added:\n%s", text)
	}
	w.write(file, `<template><p ui-value="title"></p></template>`)
	w.settle()
	want(t, "fixed", w.problems())
}

// A finding ends with what it depends on: a declaration, a view definition, or an object's type.
func TestFixedIsNotReported(t *testing.T) {
	const file, lua = "apps/a/viewdefs/A.DEFAULT.html", "apps/a/app.lua"
	app := func(fields, more string) string {
		return `A = session:prototype("A", { ` + fields + ` })
			` + more + `
			if not session.reloading then a = A:new() end`
	}
	for name, tt := range map[string]struct {
		files map[string]string
		use   string // the action to carry out, or ""
		want  string
		fix   map[string]string
	}{
		"a field that is declared later, and is nil": {
			map[string]string{lua: app("", ""), file: `<template><p ui-value="owner.name"></p></template>`}, "",
			"A declares no owner", map[string]string{lua: app("owner = EMPTY", "")},
		},
		"a field in an argument": {
			map[string]string{lua: app("", "function A:f(x) end"), file: `<template><p ui-value="f(owner.name)"></p></template>`}, "",
			"A declares no owner", map[string]string{lua: app("owner = EMPTY", "function A:f(x) end")},
		},
		"an action that the view definition names otherwise": {
			map[string]string{lua: app("b = EMPTY", "function A:save() end"), file: `<template><button ui-action="b.save()"></button></template>`}, "b.save()",
			"b", map[string]string{file: `<template><button ui-action="save()"></button></template>`},
		},
		"an object that gets a type": {
			map[string]string{lua: app("row = EMPTY", "A.row = A.row or {}"), file: `<template><p ui-view="row"></p></template>`, "apps/a/viewdefs/Row.DEFAULT.html": `<template><b></b></template>`}, "",
			"has no type", map[string]string{lua: app("row = EMPTY", `Row = session:prototype("Row", {}) setmetatable(A.row, Row)`)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, tt.files)
			w.display("a")
			if tt.use != "" {
				p := w.connect()
				p.send(`{"type":"events","ref":1,"events":[[%s]]}`, w.binding("action", tt.use))
			}
			if text := strings.Join(w.problems(), "\n"); !strings.Contains(text, tt.want) {
				t.Fatalf("before: %q", text)
			}
			for name, text := range tt.fix {
				w.write(name, text)
			}
			w.settle()
			want(t, "fixed", w.problems())
		})
	}
}

// same compares two lists whose order does not matter.
func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	for _, x := range want {
		if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+x+"\n") {
			t.Errorf("%s: missing %s", what, x)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: got\n%s", what, strings.Join(got, "\n"))
	}
}

// A missing view definition comes with the files that may have been meant.
func TestMissingViewdefNamesOthers(t *testing.T) {
	w := newWorld(t, map[string]string{
		"apps/a/app.lua": `A = session:prototype("A", { row = EMPTY })
			Row = session:prototype("Row", { name = "" })
			if not session.reloading then a = A:new({ row = Row:new() }) end`,
		"apps/a/viewdefs/A.DEFAULT.html":     `<template><p ui-view="row"></p></template>`,
		"apps/a/viewdefs/Row.lsit-item.html": `<template><p></p></template>`,
	})
	want(t, "reported", w.display("a"),
		`apps/a/viewdefs/A.DEFAULT.html:1: ui-view="row": no view definition Row.DEFAULT; there is apps/a/viewdefs/Row.lsit-item.html`)
}

// An app that declares a type of another app's is refused with a message that says where that is:
// otherwise the two would swap their methods and views in silence.
func TestTypesOfOneName(t *testing.T) {
	app := func(name string) string {
		return `Note = session:prototype("Note", {})
			function Note:label() return "` + name + `" end
			if not session.reloading then ` + name + ` = Note:new() end`
	}
	w := newWorld(t, map[string]string{
		"apps/one/app.lua":                    app("one"),
		"apps/one/viewdefs/Note.DEFAULT.html": `<template><p ui-value="label()"></p></template>`,
		"apps/two/app.lua":                    app("two"),
		"apps/two/viewdefs/Note.DEFAULT.html": `<template><b ui-value="label()"></b></template>`,
	})
	want(t, "the first", w.display("one"))
	_, err := w.session.Ask(t.Context(), func(tx *ui.Tx) error { return tx.Display("two") })
	if err == nil || !strings.Contains(err.Error(), "apps/two/app.lua:1: the type Note is declared by apps/one/app.lua already: give this one another name") {
		t.Errorf("the second: %v", err)
	}
	w.gives("the first app's method", "return one:label()", `"one"`)
	// The file may be loaded again, and declare again what it has declared.
	w.write("apps/one/app.lua", app("one")+"\nfunction Note:more() end")
	w.settle()
	want(t, "again", w.problems())

	// An app that does not exist any more keeps no names.
	if err := os.RemoveAll(filepath.Join(w.dir, "apps", "one")); err != nil {
		t.Fatal(err)
	}
	w.settle()
	want(t, "alone", w.display("two"))
}

// The view definitions of the app that has declared a type come before those of other apps.
func TestViewsOfTheDeclaringApp(t *testing.T) {
	w := newWorld(t, map[string]string{
		"apps/a/app.lua":                   `A = session:prototype("A", {}) if not session.reloading then a = A:new() end`,
		"apps/a/viewdefs/A.DEFAULT.html":   `<template><p></p></template>`,
		"apps/a/viewdefs/Row.DEFAULT.html": `<template><p>not this one</p></template>`,
		"apps/b/app.lua":                   `Row = session:prototype("Row", {}) if not session.reloading then b = Row:new() end`,
		"apps/b/viewdefs/Row.DEFAULT.html": `<template><p>this one</p></template>`,
	})
	want(t, "displayed", w.display("b"))
	if text := w.inspect(ui.Inspection{}); !strings.Contains(text, "p this one") {
		t.Errorf("the page shows\n%s", text)
	}
}

// An example of the specification: the guard by session:getApp, and createAppVariable, which shows
// its object.
func TestGetAppGuard(t *testing.T) {
	const guarded = `
-- Declare prototype (preserves identity on reload)
Contact = session:prototype("Contact", {
    name = "",
    email = "",
})

-- Override :new() only when needed (default provided)
function Contact:new(data)
    local instance = session:create(Contact, data)
    return instance
end

-- Guard app creation
if not session:getApp() then
    session:createAppVariable(App:new())
end
`
	w := newWorld(t, map[string]string{
		"lua/main.lua": `made = 0
App = session:prototype("App", { contacts = EMPTY })
function App:new() made = made + 1 return session:create(App, { contacts = { Contact:new({ firstName = "Ann" }) } }) end`,
		"apps/other/app.lua":                     `Other = session:prototype("Other", {}) if not session.reloading then other = Other:new() end`,
		"apps/other/viewdefs/Other.DEFAULT.html": `<template><p></p></template>`,
		"apps/contact/app.lua":                   guarded,
		"apps/contact/viewdefs/App.DEFAULT.html": `<template><h1>Contacts</h1></template>`,
	})
	// Another app is displayed: the guard is about this app.
	want(t, "other", w.display("other"))
	want(t, "contact", w.display("contact"))
	w.gives("after displaying", "return { made, session:getApp().contacts[1].firstName }", `[1,"Ann"]`)
	w.write("apps/contact/app.lua", guarded+"\n")
	w.settle()
	w.gives("after reloading", "return { made, mcp.value == session:getApp() }", "[1,true]")
	want(t, "nothing is wrong", w.problems())
}

// A type that gets a mutate and nothing else has its instances migrated.
func TestMutateAlone(t *testing.T) {
	const file, code = "apps/m/app.lua", `M = session:prototype("M", { n = 0 })
if not session.reloading then m = M:new() end
`
	w := newWorld(t, map[string]string{
		file: code, "apps/m/viewdefs/M.DEFAULT.html": `<template><p ui-value="n"></p></template>`,
	})
	w.display("m")
	w.write(file, code+"function M:mutate() self.n = self.n + 1 end\n")
	w.settle()
	w.write(file, code+"function M:mutate() self.n = self.n + 1 end\n-- saved again\n")
	w.settle()
	w.gives("mutate ran", "return m.n", "1")
}

// A file that is reached by several links runs once when it is saved.
func TestLinkedFileRunsOnce(t *testing.T) {
	const file = "apps/l/app.lua"
	w := newWorld(t, map[string]string{
		file: `runs = 0`, "lua/keep.lua": ``, "viewdefs/L.DEFAULT.html": `<template><p></p></template>`,
	})
	for name, target := range map[string]string{"lua/l.lua": "../apps/l/app.lua", "lua/l": "../apps/l"} {
		if err := os.Symlink(target, filepath.Join(w.dir, filepath.FromSlash(name))); err != nil {
			t.Skip(err)
		}
	}
	w.settle()
	w.run(`L = session:prototype("L", {}) l = nil require("l.app") l = L:new()`)
	w.write(file, `runs = runs + 1`)
	w.settle()
	w.gives("the file ran", "return runs", "1")
}

// The table passed to new of an item's wrapper follows its row.
func TestItemWrapperIndex(t *testing.T) {
	w := newWorld(t, map[string]string{
		"apps/w/app.lua": `W = session:prototype("W", { items = EMPTY })
Cell = session:prototype("Cell", {})
function Cell:new(vi) return session:create(Cell, { vi = vi }) end
function Cell:remove() table.remove(w.items, self.vi.index + 1) end
function Cell:label() return self.vi.index .. self.vi.item.name end
if not session.reloading then w = W:new({ items = { { name = "a" }, { name = "b" }, { name = "c" } } }) end`,
		"apps/w/viewdefs/W.DEFAULT.html":           `<template><p ui-view="items?wrapper=lua.ViewList&itemWrapper=Cell"></p></template>`,
		"apps/w/viewdefs/Cell.list-item.html":      `<template><b ui-value="label()" ui-action="remove()"></b></template>`,
		"viewdefs/lua.ViewList.DEFAULT.html":       `<template><div ui-viewlist="items"></div></template>`,
		"viewdefs/lua.ViewListItem.list-item.html": `<template><div ui-view="item"></div></template>`,
	})
	want(t, "displayed", w.display("w"))
	w.run(`table.remove(w.items, 1)`)
	text := w.inspect(ui.Inspection{})
	if !strings.Contains(text, "label(): 0b") || !strings.Contains(text, "label(): 1c") {
		t.Errorf("after a row has moved:\n%s", text)
	}
}

// Code and view definitions that are saved together take effect together, also when the app is
// displayed again meanwhile.
func TestCodeAndViewsTogether(t *testing.T) {
	const html = "apps/c/viewdefs/C.DEFAULT.html"
	w := newWorld(t, map[string]string{
		"apps/c/app.lua": `C = session:prototype("C", {})
function C:old() return "old" end
if not session.reloading then c = C:new() end`,
		html: `<template><p ui-value="old()"></p></template>`,
	})
	want(t, "displayed", w.display("c"))
	// While the session is busy, both are saved, and other work is waiting.
	entered, leave := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- w.session.Do(t.Context(), func(tx *ui.Tx) error { close(entered); <-leave; return tx.Display("c") })
	}()
	<-entered
	w.session.Refresh()
	w.write("apps/c/app.lua", `C = session:prototype("C", {})
function C:new_() return "new" end`)
	w.write(html, `<template><p ui-value="new_()"></p></template>`)
	before := ui.ViewsGeneration(w.engine)
	settled := make(chan error, 1)
	go func() { settled <- w.engine.CatchUp(t.Context(), true) }()
	w.until("the view definition was read", func() bool { return ui.ViewsGeneration(w.engine) != before })
	close(leave)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := <-settled; err != nil {
		t.Fatal(err)
	}
	want(t, "announced in between", w.announced())
	want(t, "afterwards", w.problems())
}

// A display that fails keeps view definitions that were uploaded and are saved nowhere.
func TestFailedDisplayKeepsUploads(t *testing.T) {
	w := newWorld(t, map[string]string{
		"apps/u/app.lua": `U = session:prototype("U", { row = EMPTY }) Row = session:prototype("Row", {})
if not session.reloading then u = U:new({ row = Row:new() }) end`,
		"apps/u/viewdefs/Row.DEFAULT.html": `<template><p>from the file</p></template>`,
	})
	if _, _, err := w.engine.Upload(t.Context(), w.session, "Row", "DEFAULT", `<template><p>uploaded</p></template>`); err != nil {
		t.Fatal(err)
	}
	if _, err := w.session.Ask(t.Context(), func(tx *ui.Tx) error { return tx.Display("u") }); err == nil {
		t.Fatal("an app without a view definition is displayed")
	}
	w.write("apps/u/viewdefs/U.DEFAULT.html", `<template><div ui-view="row"></div></template>`)
	w.settle()
	w.display("u")
	if text := w.inspect(ui.Inspection{}); !strings.Contains(text, "uploaded") {
		t.Errorf("the upload is lost:\n%s", text)
	}
}

// The name of an app that does not exist leads to the one that was probably meant.
func TestMisspeltApp(t *testing.T) {
	files := map[string]string{"lua/contacts.lua": "", "apps/empty/notes.txt": ""}
	for name, text := range counter {
		files[name] = text
	}
	w := newWorld(t, files)
	for name, want := range map[string]string{
		"countr": "; did you mean `counter`?", "contact": "; did you mean `contacts`?", "emty": "", "nothing-like-it": "",
	} {
		err := w.session.Do(t.Context(), func(tx *ui.Tx) error { return tx.Display(name) })
		if err == nil || !strings.HasSuffix(err.Error(), "in "+w.dir+want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
