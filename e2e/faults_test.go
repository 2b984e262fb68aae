package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

const tasksLua = `
Task = session:prototype("Task", { name = "" })
Tasks = session:prototype("Tasks", { tasks = EMPTY, title = "Tasks" })
function Tasks:add() table.insert(self.tasks, Task:new({ name = "new" })) end
if not session.reloading then tasks = Tasks:new({ tasks = { Task:new({ name = "first" }) } }) end
`

const tasksView = `<template><div><h1 ui-value="title"></h1><button id="add" ui-action="add()">Add</button>
<ul ui-viewlist="tasks"><li></li></ul></div></template>`

// Whatever an agent does next after a mistake, the answer has it, also when it looks at another
// part only, and when the error was sent as an event before.
func TestFaultsAreInTheNextAnswer(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	url := s.ok("ui_start", nil)
	const app, view, item = "apps/tasks/app.lua", "apps/tasks/viewdefs/Tasks.DEFAULT.html", "apps/tasks/viewdefs/Task.list-item.html"
	const itemView = `<template><li ui-value="name"></li></template>`
	remove := func(name string) {
		if err := os.Remove(filepath.Join(s.dir, name)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	sound := func() {
		s.write(app, tasksLua)
		s.write(view, tasksView)
		s.write(item, itemView)
	}
	sound()
	if got := s.ok("ui_display", map[string]any{"name": "tasks"}); strings.Contains(got, "problem") {
		t.Fatalf("the sound app: %s", got)
	}
	var tab *browser.Tab
	if load.All() { // the other faults need no page
		tab = browser.New(t).Tab()
		tab.Open(url)
		tab.WaitText("h1", "Tasks")
	}
	button := ""
	run := func() string { return s.run("return 1") }
	whole := func() string { return s.ok("ui_inspect", nil) }
	part := func() string { return s.ok("ui_inspect", map[string]any{"path": "value.tasks"}) }
	act := func() string {
		// The reference is of an inspection before the fault.
		return s.ok("ui_act", map[string]any{"ref": button, "click": true})
	}
	display := func() string { return s.ok("ui_display", map[string]any{"name": "tasks"}) }
	for _, fault := range []struct {
		name, file, content, want string
	}{
		{"an undeclared name", view, strings.Replace(tasksView, `"title"`, `"titel"`, 1), `Tasks.DEFAULT.html:1: ui-value="titel": Tasks declares no titel; did you mean`},
		{"a wrong name of a view definition", "apps/tasks/viewdefs/Task.listitem.html", itemView, "no view definition Task.list-item; there is apps/tasks/viewdefs/Task.listitem.html"},
		{"an action that fails", app, strings.Replace(tasksLua, "table.insert(self.tasks", "table.insert(self.none", 1), `ui-action="add()": apps/tasks/app.lua:4: bad argument`},
		{"the template of a removed field", app, strings.Replace(tasksLua, `, title = "Tasks"`, "", 1), `ui-value="title": Tasks declares no title`},
		{"a syntax error", app, tasksLua + "\nfunction", "apps/tasks/app.lua:7: unexpected end"},
	} {
		for name, call := range map[string]func() string{
			"ui_run": run, "ui_inspect": whole, "ui_inspect of a part": part, "ui_display": display, "ui_act": act,
		} {
			if name == "ui_act" && fault.file == view {
				continue // the view is another, so the reference is old
			}
			if fault.name == "an action that fails" && tab == nil {
				continue
			}
			if strings.Contains(fault.file, "listitem") {
				remove(item)
			}
			for line := range strings.Lines(whole()) {
				if strings.Contains(line, "→ add()") {
					button = refs.FindString(line)
				}
			}
			s.write(fault.file, fault.content)
			if fault.name == "an action that fails" {
				s.run("return 1") // the page has the new code
				tab.Click("#add")
				wait.Until(t, "the error of the click", func() bool { return strings.Contains(s.ok("ui_status", nil), `"errors":1`) })
			}
			if got := call(); !strings.Contains(got, fault.want) {
				t.Errorf("%s, %s: the answer is %q, which lacks %q", fault.name, name, got, fault.want)
			}
			// A file that failed is in each inspection, everything else in one further text.
			again := s.run("return 2")
			if again != "2" {
				t.Errorf("%s, %s: told again: %q", fault.name, name, again)
			}
			if fault.name == "a syntax error" {
				for range 2 {
					if got := part(); !strings.Contains(got, fault.want) {
						t.Errorf("%s: an inspection of a part is %q", fault.name, got)
					}
				}
			}
			remove("apps/tasks/viewdefs/Task.listitem.html")
			sound()
			if got := whole(); strings.Contains(got, "problem") {
				t.Fatalf("%s, %s: after it was fixed: %s", fault.name, name, got)
			}
		}
	}
}
