package mcpcases

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit/wait"
)

var background = context.Background()

// A described is what wsh_list_sessions tells about a session.
type described struct {
	Name, Command string
	PID           int
	Rows, Cols    int
	Running       bool
	Cwd           string
}

func (a *agent) names(t *testing.T) (list []string) {
	t.Helper()
	var all []described
	a.call(t, "wsh_list_sessions", object{}, &all)
	for _, s := range all {
		list = append(list, s.Name)
	}
	return list
}

var sections = []section{
	{"Session lifecycle", []Case{
		{Name: "Create → list shows it → manage(kill) → gone", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			if !slices.Contains(a.names(t), name) {
				t.Error("it is not listed")
			}
			var done struct{ Success bool }
			a.call(t, "wsh_manage_session", object{"session": name, "action": "kill"}, &done)
			want(t, "success", done.Success, true)
			if slices.Contains(a.names(t), name) {
				t.Error("it is still listed")
			}
		}},
		{Name: "Create with custom name, command, cwd, size → all params take effect", run: func(t *testing.T, a *agent) {
			dir := t.TempDir()
			var made struct {
				Session         string
				PID, Rows, Cols int
			}
			a.call(t, "wsh_create_session", object{
				"name": "custom", "command": "echo $PWD $WORD; cat", "cwd": dir, "rows": 10, "cols": 200, "env": object{"WORD": "given"},
			}, &made)
			t.Cleanup(func() { a.kill("custom") })
			want(t, "session", made.Session, "custom")
			want(t, "size", []int{made.Rows, made.Cols}, []int{10, 200})
			if made.PID <= 0 {
				t.Errorf("pid %d", made.PID)
			}
			a.await(t, "custom", "given")
			s := a.screen(t, "custom")
			contains(t, s.text(), dir+" given")
			want(t, "rows", len(s.Lines), 10)
		}},
		{Name: "Create with duplicate name → error", run: func(t *testing.T, a *agent) {
			a.refused(t, "wsh_create_session", object{"name": a.session(t)})
		}},
		{Name: "Manage(rename) → list reflects new name", run: func(t *testing.T, a *agent) {
			old := a.session(t)
			a.call(t, "wsh_manage_session", object{"session": old, "action": "rename", "new_name": old + "-new"}, nil)
			t.Cleanup(func() { a.kill(old + "-new") })
			if list := a.names(t); slices.Contains(list, old) || !slices.Contains(list, old+"-new") {
				t.Errorf("listed: %q", list)
			}
		}},
		{Name: "Manage(detach) → verify behavior", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			a.call(t, "wsh_manage_session", object{"session": name, "action": "detach"}, nil)
			contains(t, a.run(t, name, "echo still here").Screen.text(), "still here")
		}},
		{Name: "List with `session` param returns single session detail", run: func(t *testing.T, a *agent) {
			name := a.sessionOf(t, "cat")
			var one described
			a.call(t, "wsh_list_sessions", object{"session": name}, &one)
			want(t, "it", []any{one.Name, one.Command, one.Rows, one.Cols, one.Running}, []any{name, "cat", 24, 80, true})
			a.refused(t, "wsh_list_sessions", object{"session": "nobody"})
		}},
	}},
	{"Core agent loop", []Case{
		{Name: "`wsh_run_command(\"echo hello\")` → response contains \"hello\" on screen", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			r := a.run(t, name, "echo hel''lo")
			contains(t, r.Screen.text(), "\nhello")
			want(t, "rows", r.Screen.Rows, 24)
		}},
		{Name: "`wsh_run_command` with slow command → quiesce works, screen read after output completes", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			contains(t, a.run(t, name, "sleep 0.5; echo slow''ly").Screen.text(), "slowly")
		}},
		{Name: "`wsh_run_command` exceeding `max_wait_ms` → `isError: true`, not protocol error", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			a.run(t, name, "true") // the shell prompts
			var text string
			wait.Until(t, "the line is typed in time", func() bool { // not always on a busy machine
				text = a.fails(t, "wsh_run_command", object{"session": name, "input": "sleep 60", "max_wait_ms": 300, "timeout_ms": 200000})
				return !strings.Contains(text, "was not typed")
			})
			contains(t, text, `"state":"running"`)
			contains(t, text, `"screen":`)
		}},
		{Name: "Sequential `wsh_run_command` calls → each returns correct screen state", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			for i := range 10 {
				contains(t, a.run(t, name, fmt.Sprintf("echo number-$((%d+1000))", i)).Screen.text(), fmt.Sprintf("number-%d", i+1000))
			}
		}},
	}},
	{"Granular terminal I/O", []Case{
		{Name: "`send_input` → `await_quiesce` → `get_screen` — same result as `run_command`", run: func(t *testing.T, a *agent) {
			one, other := a.session(t), a.session(t)
			by := a.run(t, one, "echo $((6*7))").Screen
			a.run(t, other, "true")
			a.call(t, "wsh_send_input", object{"session": other, "input": "clear; echo $((6*7))\r"}, nil)
			a.await(t, other, "42")
			var quiet struct{ Generation uint64 }
			a.call(t, "wsh_await_quiesce", object{"session": other, "timeout_ms": 100}, &quiet)
			s := a.screen(t, other)
			contains(t, by.text(), "42")
			contains(t, s.text(), "42")
			want(t, "shape", []any{s.Rows, s.Cols, s.Mode}, []any{by.Rows, by.Cols, by.Mode})
		}},
		{Name: "`send_input` with base64 encoding", run: func(t *testing.T, a *agent) {
			name := a.sessionOf(t, "cat")
			var done struct{ Success bool }
			a.call(t, "wsh_send_input", object{"session": name, "input": base64.StdEncoding.EncodeToString([]byte("coded\r")), "encoding": "base64"}, &done)
			want(t, "success", done.Success, true)
			a.await(t, name, "coded")
			a.refused(t, "wsh_send_input", object{"session": name, "input": "?", "encoding": "base64"})
		}},
		{Name: "`get_scrollback` with offset/limit pagination", run: func(t *testing.T, a *agent) {
			name := a.sessionOf(t, "seq 100; cat")
			a.await(t, name, "100")
			var page struct {
				Lines []string
				Total int
			}
			a.call(t, "wsh_get_scrollback", object{"session": name, "offset": 10, "limit": 3, "format": "plain"}, &page)
			want(t, "lines", page.Lines, []string{"11", "12", "13"})
			a.call(t, "wsh_get_scrollback", object{"session": name, "limit": 1}, &page)
			want(t, "lines", page.Lines, []string{"1"})
		}},
		{Name: "`get_scrollback` after enough output to fill buffer — verify total count", run: func(t *testing.T, a *agent) {
			name := a.sessionOf(t, "seq 10500; cat")
			a.await(t, name, "10500")
			var page struct{ Total int }
			a.call(t, "wsh_get_scrollback", object{"session": name, "limit": 0}, &page)
			want(t, "total: the limit of lines, and the screen", page.Total, 10024)
		}},
		{Name: "`await_quiesce` with generation — second call blocks until new activity", run: func(t *testing.T, a *agent) {
			name := a.sessionOf(t, "cat")
			var quiet struct{ Generation uint64 }
			a.call(t, "wsh_await_quiesce", object{"session": name, "timeout_ms": 50}, &quiet)
			a.fails(t, "wsh_await_quiesce", object{"session": name, "timeout_ms": 50, "max_wait_ms": 200, "last_generation": quiet.Generation})
			a.call(t, "wsh_send_input", object{"session": name, "input": "x"}, nil)
			before := quiet.Generation
			a.call(t, "wsh_await_quiesce", object{"session": name, "timeout_ms": 50, "last_generation": before}, &quiet)
			if quiet.Generation <= before {
				t.Errorf("generation %d after %d", quiet.Generation, before)
			}
		}},
		{Name: "`get_screen` in plain vs styled format", run: func(t *testing.T, a *agent) {
			name := a.sessionOf(t, `printf 'plain\n\033[1mbold\033[0m\n'; cat`)
			a.await(t, name, "bold")
			var styled struct{ Lines []any }
			a.call(t, "wsh_get_screen", object{"session": name}, &styled)
			want(t, "styled", styled.Lines[:3], []any{"plain", []object{{"text": "bold", "bold": true}}, ""})
			want(t, "plain", a.screen(t, name).Lines[:3], []string{"plain", "bold", ""})
		}},
	}},
	{"Overlays", elementCases("overlay", object{"x": 1, "y": 2, "z": 3, "width": 10, "height": 2}, object{"x": 5, "y": 6, "z": 7})},
	{"Panels", []Case{
		{Name: "Same test matrix as overlays, adapted for panel params (position, height)", run: func(t *testing.T, a *agent) {
			for _, c := range elementCases("panel", object{"position": "top", "height": 2, "z": 3}, object{"position": "bottom", "z": 7}) {
				t.Run(c.Name, func(t *testing.T) { c.run(t, a) })
			}
		}},
		{Name: "Verify panel anchoring (top vs bottom)", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			for _, edge := range []string{"top", "bottom"} {
				a.call(t, "wsh_panel", object{"session": name, "position": edge, "height": 2, "spans": []object{{"text": edge + "\nsecond"}}}, nil)
			}
			var seen screen
			a.call(t, "wsh_get_screen", object{"session": name, "composed": true, "format": "plain"}, &seen)
			want(t, "top", seen.Lines[:2], []string{"top", "second"})
			want(t, "bottom", seen.Lines[22:], []string{"bottom", "second"})
			want(t, "rows of the program", a.screen(t, name).Rows, 20)
		}},
	}},
	{"Input control", inputCases},
	{"Screen mode", []Case{
		{Name: "`screen_mode()` → returns \"normal\"", run: func(t *testing.T, a *agent) {
			want(t, "mode", a.mode(t, "wsh_screen_mode", object{"session": a.session(t)}).Mode, "normal")
		}},
		{Name: "`screen_mode(enter_alt)` → mode changes", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			want(t, "mode", a.mode(t, "wsh_screen_mode", object{"session": name, "action": "enter_alt"}).Mode, "alt")
			want(t, "mode", a.mode(t, "wsh_screen_mode", object{"session": name}).Mode, "alt")
		}},
		{Name: "`screen_mode(exit_alt)` → back to normal", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			a.mode(t, "wsh_screen_mode", object{"session": name, "action": "enter_alt"})
			want(t, "mode", a.mode(t, "wsh_screen_mode", object{"session": name, "action": "exit_alt"}).Mode, "normal")
		}},
		{Name: "Overlays created in alt mode not visible after exit", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			a.mode(t, "wsh_screen_mode", object{"session": name, "action": "enter_alt"})
			a.call(t, "wsh_overlay", object{"session": name, "spans": []object{{"text": "floating"}}}, nil)
			a.mode(t, "wsh_screen_mode", object{"session": name, "action": "exit_alt"})
			want(t, "overlays", a.elements(t, "overlay", name), []object{})
		}},
	}},
	{"Resources over MCP", []Case{
		{Name: "Read `wsh://sessions` → matches `list_sessions` output", run: func(t *testing.T, a *agent) {
			name := a.sessionOf(t, "cat")
			var list, read []described
			a.call(t, "wsh_list_sessions", object{}, &list)
			a.read(t, "wsh://sessions", &read)
			want(t, "sessions", read, list)
			if !slices.ContainsFunc(read, func(d described) bool { return d.Name == name }) {
				t.Errorf("no %s in %v", name, read)
			}
		}},
		{Name: "Read `wsh://sessions/{name}/screen` → matches `get_screen` output", run: func(t *testing.T, a *agent) {
			name := a.sessionOf(t, "printf shown; cat") // nothing follows, not even the end of the line
			a.await(t, name, "shown")
			var by, read object
			a.call(t, "wsh_get_screen", object{"session": name}, &by)
			a.read(t, "wsh://sessions/"+name+"/screen", &read)
			want(t, "screen", read, by)
		}},
		{Name: "Read `wsh://sessions/{name}/scrollback` → matches `get_scrollback` output", run: func(t *testing.T, a *agent) {
			name := a.sessionOf(t, "seq 30; printf end; cat")
			a.await(t, name, "end")
			var by, read object
			a.call(t, "wsh_get_scrollback", object{"session": name}, &by)
			a.read(t, "wsh://sessions/"+name+"/scrollback", &read)
			want(t, "scrollback", read, by)
		}},
		{Name: "Resource read for nonexistent session → error", run: func(t *testing.T, a *agent) {
			for _, uri := range []string{"wsh://sessions/nobody/screen", "wsh://sessions/nobody/scrollback", "wsh://other"} {
				if _, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); codeOf(err) == 0 {
					t.Errorf("%s: %v", uri, err)
				}
			}
		}},
	}},
	{"Prompts over MCP", promptCases},
	{"Multi-session", []Case{
		{Name: "Create 3 sessions → `run_command` on each → screens independent", run: func(t *testing.T, a *agent) {
			three := []string{a.session(t), a.session(t), a.session(t)}
			for i, name := range three {
				a.run(t, name, fmt.Sprintf("echo only-in-$((%d+100))", i))
			}
			for i, name := range three {
				text := a.screen(t, name).text()
				for j := range three {
					if strings.Contains(text, fmt.Sprintf("only-in-%d", j+100)) != (i == j) {
						t.Errorf("screen %d: %s", i, text)
					}
				}
			}
		}},
		{Name: "Kill one → others unaffected", run: func(t *testing.T, a *agent) {
			one, other := a.session(t), a.session(t)
			a.kill(one)
			contains(t, a.run(t, other, "echo ali''ve").Screen.text(), "alive")
		}},
		{Name: "List shows remaining sessions only", run: func(t *testing.T, a *agent) {
			one, other := a.session(t), a.session(t)
			a.kill(one)
			if list := a.names(t); slices.Contains(list, one) || !slices.Contains(list, other) {
				t.Errorf("listed: %q", list)
			}
		}},
	}},
	{"Beyond the specification", []Case{
		{Name: "Of a long output head and tail are returned, and the scrollback has the lines between", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			r := a.run(t, name, "seq 9000")
			if r.Omitted == nil {
				t.Fatalf("nothing is omitted of %d bytes", len(r.Output))
			}
			head, tail, _ := strings.Cut(r.Output, "[…]\n")
			var page struct {
				Lines []string
				First uint64
			}
			var middle strings.Builder
			for from := r.Omitted.From; from < r.Omitted.Before; from = page.First + uint64(len(page.Lines)) {
				a.call(t, "wsh_get_scrollback", object{"session": name, "from": from, "limit": min(500, r.Omitted.Before-from), "format": "plain"}, &page)
				if len(page.Lines) == 0 {
					t.Fatalf("no line %d", from)
				}
				middle.WriteString(strings.Join(page.Lines, "\n") + "\n")
			}
			var all strings.Builder
			for i := range 9000 {
				fmt.Fprintln(&all, i+1)
			}
			if got := head + middle.String() + tail; got != all.String() {
				t.Errorf("%d bytes of %d", len(got), all.Len())
			}
		}},
	}},
	{"Beyond the specification: a run says nothing twice", []Case{
		{Name: "Rows of the screen that end with a long output are left out", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			for range 2 { // the screen is full the second time
				text, failed, err := a.try(t, "wsh_run_command", object{"session": name, "input": "seq -f 'line %070g' 1 100", "format": "plain"})
				if err != nil || failed {
					t.Fatal(text, err)
				}
				var r struct {
					Output string
					Screen struct {
						screen
						Omitted int
					}
				}
				if err := json.Unmarshal([]byte(text), &r); err != nil {
					t.Fatal(err)
				}
				if most := len(r.Output)*115/100 + 250; len(r.Output) != 100*76 || len(text) > most {
					t.Errorf("%d characters for %d of output, want %d at most", len(text), len(r.Output), most)
				}
				want(t, "the row of the cursor", r.Screen.Cursor.Row, r.Screen.Omitted)
				want(t, "rows", r.Screen.Rows, 24)
				want(t, "rows of wsh_get_screen", len(a.screen(t, name).Lines), 24)
			}
		}},
		{Name: "A short one is on the screen, too, without empty rows", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			text, failed, err := a.try(t, "wsh_run_command", object{"session": name, "input": "echo hello"})
			if most := 7 + 250; err != nil || failed || len(text) > most {
				t.Errorf("%d characters for 6 of output, want %d at most: %s, %v", len(text), most, text, err)
			}
		}},
	}},
	{"Notifications", noticeCases},
	{"Edge cases", []Case{
		// The current protocol calls it invalid params, where the specification says "method not
		// found".
		{Name: "Unknown tool name → method not found error", run: func(t *testing.T, a *agent) { a.refused(t, "wsh_unknown", object{}) }},
		{Name: "Concurrent tool calls to same session → no corruption", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			var calls sync.WaitGroup
			for i := range 8 {
				calls.Go(func() {
					text, isError, err := a.try(t, "wsh_run_command", object{"session": name, "input": fmt.Sprintf("echo answer-$((%d+100))", i), "format": "plain"})
					if err != nil || isError || !strings.Contains(text, fmt.Sprintf("answer-%d", i+100)) {
						t.Errorf("call %d: %s, %v", i, text, err)
					}
				})
			}
			calls.Wait()
		}},
		{Name: "Tool calls after session process exits → appropriate error", run: func(t *testing.T, a *agent) {
			name := a.session(t)
			text := a.fails(t, "wsh_run_command", object{"session": name, "input": "exit 3"})
			contains(t, text, `"exit":{"code":3}`)
			a.fails(t, "wsh_send_input", object{"session": name, "input": "x"})
			a.fails(t, "wsh_run_command", object{"session": name, "input": "x"})
			a.fails(t, "wsh_await_quiesce", object{"session": name})
			a.screen(t, name)
		}},
		{Name: "Very large screen output → well-formed response", run: func(t *testing.T, a *agent) {
			a.call(t, "wsh_create_session", object{"name": "large", "command": "seq 100000 | tr '\\n' ' '; cat", "rows": 1000, "cols": 1000}, nil)
			t.Cleanup(func() { a.kill("large") })
			a.await(t, "large", "99999 100000")
			want(t, "rows", len(a.screen(t, "large").Lines), 1000)
		}},
		{Name: "Unicode input and output", run: func(t *testing.T, a *agent) {
			name := a.sessionOf(t, "cat")
			a.call(t, "wsh_send_input", object{"session": name, "input": "héllo 世界 🙂\r"}, nil)
			a.await(t, name, "héllo 世界 🙂")
		}},
	}},
}

func (a *agent) read(t *testing.T, uri string, v any) {
	t.Helper()
	res, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		t.Fatal(err)
	}
	decode(t, res.Contents[0].Text, v)
}
