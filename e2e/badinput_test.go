package e2e

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// The server reports each of an agent's mistakes with its location, and keeps running.
func TestMistakesInApps(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"), "--lua-timeout", "1s")
	s.ok("ui_start", nil)
	run := func(code string) map[string]any { return map[string]any{"code": code} }
	show := func(name string) map[string]any { return map[string]any{"name": name} }

	s.fails("ui_run:1: ", "ui_run", run("x = = 1"))
	s.fails("ui_run:2: boom", "ui_run", run("\nerror('boom')"))
	s.fails("attempt to index", "ui_run", run("local a; a.b = 1"))
	s.fails("ui_run:1: stopped after 1s", "ui_run", run("while true do end"))
	s.fails("os.exit is not available", "ui_run", run("os.exit(3)"))
	s.returns("local t = {} t.me = t return t", `{"me":{"$ref":1}}`)
	s.returns("return print", `{"non-json":"function"}`)
	s.run("io.write('to the log\\n') io.stdout:write('and this\\n') print('and that')")
	if got := s.read("log/lua.log"); got != "to the log\nand this\nand that\n" {
		t.Errorf("lua.log = %q", got)
	}

	s.fails(`no app "none": there is no lua/none.lua and no apps/none/app.lua`, "ui_display", show("none"))
	s.write("apps/broken/app.lua", "\n\nbroken = = 1\n")
	s.fails("apps/broken/app.lua:3: ", "ui_display", show("broken"))
	s.write("apps/broken/app.lua", "local x = nil\nlocal y = x.field\n")
	s.fails("apps/broken/app.lua:2: attempt to index", "ui_display", show("broken"))
	s.write("apps/broken/app.lua", "Broken = session:prototype('Broken', {})\n")
	s.fails("apps/broken/app.lua ran, but set no global broken", "ui_display", show("broken"))
	s.write("apps/broken/app.lua", "broken = {}\n")
	s.fails("has no type", "ui_display", show("broken"))
	s.run("broken = nil")
	s.write("apps/broken/app.lua", "Broken = session:prototype('Broken', {})\nbroken = Broken:new()\n")
	s.fails("write apps/broken/viewdefs/Broken.DEFAULT.html", "ui_display", show("broken"))
	s.write("apps/broken/viewdefs/Broken.DEFAULT.html", "\n{\"this\": \"is no HTML\"}\n")
	s.fails("apps/broken/viewdefs/Broken.DEFAULT.html:2: text outside of the <template>", "ui_display", show("broken"))
	s.write("apps/broken/viewdefs/Broken.DEFAULT.html", "<template>\n<p ui-value=\"a b\"></p></template>")
	s.fails(`apps/broken/viewdefs/Broken.DEFAULT.html:2: ui-value: path "a b"`, "ui_display", show("broken"))
	s.write("apps/broken/viewdefs/Broken.DEFAULT.html", "<template>\n<p ui-value=\"label()\"></p></template>")
	if got := s.ok("ui_display", show("broken")); !strings.Contains(got, `apps/broken/viewdefs/Broken.DEFAULT.html:2: ui-value="label()": Broken has no method label`) {
		t.Errorf("ui_display of an app with a wrong binding says %q", got)
	}
	s.write("apps/broken/app.lua", "Broken = session:prototype('Broken', {})\nfunction Broken:label() return 'fine' end\n")
	if got := s.ok("ui_display", show("broken")); strings.Contains(got, "problem") {
		t.Errorf("after fixing it: %q", got)
	}

	for _, tt := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"ui_frobnicate", nil, "ui_frobnicate"},
		{"ui_run", nil, "code"},
		{"ui_run", map[string]any{"code": []any{1}}, "must be a string"},
		{"ui_run", map[string]any{"code": "return 1", "more": 1}, "more"},
		{"ui_display", map[string]any{"name": []any{1}}, "name"},
		{"ui_display", show("../../etc/passwd"), "cannot be the name of an app"},
		{"ui_run", map[string]any{"code": "return 1", "sessionId": "no/such"}, "cannot be the name of a session"},
	} {
		_, err := s.mcp.CallTool(t.Context(), &mcp.CallToolParams{Name: tt.tool, Arguments: tt.args})
		var rpc *jsonrpc.Error
		if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams || !strings.Contains(rpc.Message, tt.want) {
			t.Errorf("%s(%v): %v, want -32602 with %q", tt.tool, tt.args, err, tt.want)
		}
	}
	s.returns("return 1 + 1", "2")
}

// An error at start is reported in one sentence.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"serve", "--dir", filepath.Join(t.TempDir(), "ui"), "--port", port, "--mcp-port", "0"}, "port " + port + " is in use"},
		{[]string{"serve", "--dir", filepath.Join(t.TempDir(), "ui"), "--port", "0", "--mcp-port", port}, "port " + port + " is in use"},
		{[]string{"mcp", "--dir", filepath.Join(file, "ui")}, filepath.Join(file, "ui")},
		{[]string{"serve", "--dir", file}, file},
		{[]string{"serve", "--port", "0", "--mcp-port", "0", "--demo", "none", "--dir", filepath.Join(t.TempDir(), "ui")}, `no app "none"`},
	} {
		cmd := exec.Command("ui-mcp", tt.args...)
		cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir(), "XDG_RUNTIME_DIR="+t.TempDir())
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 {
			t.Errorf("ui-mcp %q: %v, want exit status 1", tt.args, err)
		}
		if stdout.Len() > 0 || !strings.Contains(stderr.String(), tt.want) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("ui-mcp %q says %q on standard output and %q, want one line with %q", tt.args, stdout.String(), stderr.String(), tt.want)
		}
	}
}

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
