package bundle_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	uimcp "ui-mcp"
	"ui-mcp/bundle"
)

const examples = "project/.claude/skills/ui-builder/examples"

// exampleWorld returns a world with the skill's example as its app contacts.
func exampleWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	for name, text := range files(t, "") {
		if rel, ok := strings.CutPrefix(name, examples+"/"); ok && path.Ext(name) != ".md" {
			w.write("apps/contacts/"+rel, text)
		}
	}
	return w
}

func TestExample(t *testing.T) {
	t.Parallel()
	w := exampleWorld(t)
	w.display("1", "contacts")
	for _, c := range []struct{ name, run, want string }{
		{"empty", `return contacts:summary()`, "0 contacts"},
		{"add", `contacts.name, contacts.email = "bob", "bob@example.org"; contacts:add(); return contacts:summary() .. contacts.name .. contacts.email`, "1 contact"},
		{"no email is needed", `contacts.name = "Ada"; contacts:add(); return contacts.problem`, ""},
		{"sorted", `local l = contacts:sorted(); return l[1].name .. l[2].name .. contacts.items[1].name`, "Adabobbob"},
		{"no name", `contacts.name = " "; contacts:add(); return contacts:summary() .. ". " .. contacts.problem`, "2 contacts. A contact needs a name."},
		{"bad email", `contacts.name, contacts.email = "Cy", "cy"; contacts:add(); return contacts:summary() .. ". " .. contacts.problem`, "2 contacts. cy is not an email address."},
		{"corrected", `contacts.email = "cy@example.org"; contacts:add(); return contacts:summary() .. contacts.problem`, "3 contacts"},
		{"remove", `contacts.items[2]:remove(); return contacts.items[1].name .. contacts.items[2].name`, "bobCy"},
		{"nothing to send", `contacts.draft = "  "; contacts:send(); return #contacts.messages .. contacts.draft`, "0  "},
		{"nobody listens", `return contacts:agentText()`, "The agent is busy and will read this later"},
	} {
		if got := w.text("1", c.run); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	w.useAll("1")
	if got := w.run("1", `return mcp.value.items`); got == "[]" {
		t.Error("using every control has left nothing to see")
	}
}

// The person and the agent use the chat.
func TestExampleChat(t *testing.T) {
	t.Parallel()
	w := exampleWorld(t)
	w.display("1", "contacts")
	w.run("1", `contacts.draft = "Who is new?"`)
	inspection := w.ok("ui_inspect", nil)
	before, _, _ := strings.Cut(inspection, "→ send()")
	refs := reference.FindAllString(inspection[strings.LastIndexByte(before, '\n')+1:], 1)
	w.ok("ui_act", map[string]any{"ref": refs[0], "click": true})
	if got, want := w.events("1"), `[{"app":"contacts","event":"chat","text":"Who is new?"}]`; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	w.run("1", `contacts:reply("Ada, since today.")`)
	const list = `local lines = {}
		for i, m in ipairs(contacts.messages) do lines[i] = m:sender() .. ": " .. m.text end
		return table.concat(lines, "\n") .. contacts.draft`
	if got, want := w.text("1", list), "You: Who is new?\nAgent: Ada, since today."; got != want {
		t.Errorf("the chat is %q, want %q", got, want)
	}
}

// Everything that design.md lists exists.
func TestExampleDesign(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		data, err := fs.ReadFile(bundle.Files, examples+"/"+name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	code, design := read("app.lua"), read("design.md")
	_, objects, _ := strings.Cut(design, "## Objects")
	objects, rest, _ := strings.Cut(objects, "## Views")
	views, _, _ := strings.Cut(rest, "## Events")
	named := 0
	for i, word := range strings.Split(objects, "`") {
		if i%2 == 0 { // not between backquotes
			continue
		}
		named++
		if !declares(code, word) {
			t.Errorf("design.md names %s, which app.lua has not", word)
		}
	}
	if named < 10 {
		t.Errorf("design.md names %d things: is its table still there?", named)
	}
	for name := range files(t, ".html") {
		if file, ok := strings.CutPrefix(name, examples+"/viewdefs/"); ok && !strings.Contains(views, "`"+file+"`") {
			t.Errorf("design.md does not name %s", file)
		}
	}
}

// An app in the style of the known engine runs unchanged: what it relies on is in
// docs/coming-from-frictionless.md.
func TestAppOfTheKnownEngine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.later = withoutFindings
	w.write("apps/shopping-list/init.lua", `
function mcp:shoppingHint() return "from init.lua" end
MCP.shared = { count = 0 }
function MCP:bump() self.shared.count = self.shared.count + 1 return self.shared.count end
`)
	w.write("apps/shopping-list/app.lua", `
ShoppingList = session:prototype("ShoppingList", {
    _items = EMPTY,
    filter = "",
    chosen = "0",
    polls = 0,
})
ShoppingList.Item = session:prototype("ShoppingList.Item", { name = "", done = false })
local Item = ShoppingList.Item

function ShoppingList:new(instance)
    instance = session:create(ShoppingList, instance)
    instance._items = instance._items or {}
    return instance
end
function ShoppingList:add(name) table.insert(self._items, session:create(Item, { name = name })) end
function ShoppingList:items() return self._items end
function ShoppingList:poll() self.polls = self.polls + 1 return "" end -- called in every pass
function ShoppingList:hint() return mcp:shoppingHint() end
function ShoppingList:open() self.detail = self._items[1] end
function Item:toggle() self.done = not self.done end
function Item:cssClass() return self.done and "done" or "" end

if not session.reloading then
    shoppingList = ShoppingList:new()
    shoppingList:add("Milk")
    shoppingList:add("Bread")
end
`)
	w.write("apps/shopping-list/viewdefs/ShoppingList.DEFAULT.html", `<template>
  <div class="shopping">
    <span class="hidden" ui-value="poll()?priority=high"></span>
    <h2 ui-value="hint()"></h2>
    <sl-input ui-value="filter?keypress"></sl-input>
    <div ui-view="items()?wrapper=lua.ViewList"></div>
    <sl-select ui-value="chosen"><span ui-view="items()?wrapper=lua.ViewList" ui-namespace="choice"></span></sl-select>
    <div ui-view="detail"></div>
    <sl-button ui-action="open()">Open</sl-button>
  </div>
</template>`)
	w.write("apps/shopping-list/viewdefs/ShoppingList.Item.list-item.html", `<template>
  <div><sl-checkbox ui-attr-checked="done" ui-event-sl-change="toggle()"></sl-checkbox>
  <span ui-value="name" ui-class-done="done" ui-attr-title="cssClass()"></span></div>
</template>`)
	w.write("apps/shopping-list/viewdefs/ShoppingList.Item.DEFAULT.html", `<template><p ui-value="name"></p></template>`)
	w.write("apps/shopping-list/viewdefs/lua.ViewListItem.choice.html",
		`<template><sl-option ui-attr-value="index"><span ui-value="item.name"></span></sl-option></template>`)

	// A session that starts now runs init.lua.
	w.display("2", "shopping-list")
	w.useAll("2")
	for code, want := range map[string]string{
		`return mcp:bump() + mcp:bump()`:                       "3",
		`return shoppingList.polls > 1`:                        "true",
		`return shoppingList.detail == shoppingList._items[1]`: "true",
		`return mcp:status().mcp_port > 0`:                     "true",
	} {
		if got := w.run("2", code); got != want {
			t.Errorf("%s = %s, want %s", code, got, want)
		}
	}
	text := w.ok("ui_inspect", map[string]any{"sessionId": "2"})
	for _, want := range []string{"from init.lua", "Milk", "Bread", "sl-checkbox"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q:\n%s", want, text)
		}
	}
}

// document returns a page of docs.
func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// followFiles follows the blocks of a document that are files with these names, by language. The
// text around the blocks names the files.
func (s *story) followFiles(markdown string, names map[string][]string) {
	s.t.Helper()
	for _, b := range blocks(s.t, markdown) {
		if len(names[b.language]) == 0 {
			continue // settings of other programs
		}
		name := names[b.language][0]
		names[b.language] = names[b.language][1:]
		begin, end := "-- ", "\n"
		if b.language == "html" {
			begin, end = "<!-- ", " -->\n"
		}
		b.code = begin + name + end + b.code
		s.follow(b)
	}
	for language, left := range names {
		if len(left) > 0 {
			s.t.Fatalf("%s has no %s block for %s", s.file, language, left)
		}
	}
	s.show()
}

// README.md's app is correct.
func TestReadmeApp(t *testing.T) {
	t.Parallel()
	s := &story{world: newWorld(t), file: "README.md"}
	s.followFiles(uimcp.Readme, map[string][]string{
		"lua":  {"apps/counter/app.lua"},
		"html": {"apps/counter/viewdefs/Counter.DEFAULT.html"},
	})
	if got := s.text("1", `counter:add() counter:add() return tostring(counter.n)`); got != "2" {
		t.Errorf("after two presses the counter is at %s", got)
	}
	s.leave()
}

// The first app of docs/tutorial.md is correct.
func TestTutorialApp(t *testing.T) {
	t.Parallel()
	s := &story{world: newWorld(t), file: "docs/tutorial.md"}
	s.followFiles(document(t, "tutorial.md"), map[string][]string{
		"lua":  {"apps/shopping/app.lua"},
		"html": {"apps/shopping/viewdefs/Shopping.DEFAULT.html", "apps/shopping/viewdefs/Item.list-item.html"},
	})
	const use = `
		local s = shopping
		s:add()
		s.text = "Milk"; s:add()
		s.text = "Bread"; s:add()
		s.items[1].bought = true
		local before = s:summary()
		s.items[1]:remove()
		s:finish()
		return before .. ", " .. #s.items .. ", " .. s.items[1].text .. s.text
	`
	if got, want := s.text("1", use), "1 to buy, 1, Bread"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := s.events("1"), `[{"app":"shopping","event":"finished","summary":"1 to buy"}]`; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	s.leave()
}

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
