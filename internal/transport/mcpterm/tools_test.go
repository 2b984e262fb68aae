package mcpterm_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/opcases"
)

// A mapped is a call of a tool and the operations that must come of it.
type mapped struct{ tool, args, want string }

// checkMapped calls tools that succeed, each on terminals of its own, and again for another server.
func checkMapped(t *testing.T, cases []mapped) {
	t.Helper()
	for _, c := range cases {
		for _, server := range []string{"", `"server":"build1"`} {
			of, here, there := hub()
			args, asked := c.args, here
			if server != "" {
				asked = there
				args = strings.Replace(strings.TrimSuffix(c.args, "}")+","+server+"}", "{,", "{", 1)
			}
			for o, answer := range map[string]string{
				"overlay.create": `{"id":"e"}`, "panel.create": `{"id":"e"}`,
				"command.run": `{"screen":{},"state":"done"}`, "picture.draw": `{"content_type":"image/png","data":"AA=="}`,
			} {
				asked.answers[o] = answer
			}
			mustCall(t, connect(t, of), c.tool, args)
			asksName := func(op string) bool { return op == "server.info {}" }
			if diff := cmp.Diff(c.want, strings.Join(slices.DeleteFunc(asked.asked, asksName), "; ")); diff != "" {
				t.Errorf("%s %s: -want +got:\n%s", c.tool, args, diff)
			}
			if server != "" && len(slices.DeleteFunc(here.asked, asksName)) > 0 {
				t.Errorf("%s %s: %q are done here", c.tool, args, here.asked)
			}
		}
	}
}

func TestParameters(t *testing.T) {
	t.Run("Valid params → correct internal call mapped", func(t *testing.T) {
		checkMapped(t, []mapped{
			{"wsh_create_session", `{}`, `session.create {}`},
			{"wsh_create_session", `{"name":"n","command":"c","rows":1,"cols":2,"cwd":"/d","env":{"A":"b"},"tags":["t"]}`,
				`session.create {"name":"n","command":"c","rows":1,"cols":2,"cwd":"/d","env":{"A":"b"},"tags":["t"]}`},
			{"wsh_list_sessions", `{}`, `session.list {}`},
			{"wsh_list_sessions", `{"tags":["t"]}`, `session.list {"tags":["t"]}`},
			{"wsh_list_sessions", `{"session":"a"}`, `session.get {"session":"a"}; session.job {"session":"a"}`},
			{"wsh_send_input", `{"session":"a","input":"hi"}`, `input.send {"session":"a","data":"aGk="}`},
			{"wsh_send_input", `{"session":"a","input":"aGk=","encoding":"base64"}`, `input.send {"session":"a","data":"aGk="}`},
			{"wsh_send_input", `{"session":"a","input":"hi","paste":true,"keys":["Enter","C-c"]}`,
				`input.paste {"session":"a","text":"hi","keys":["Enter","C-c"]}`},
			{"wsh_send_input", `{"session":"a","input":"hi","secret":true,"keys":["Enter"]}`,
				`input.keys {"session":"a","data":"aGk=","keys":["Enter"],"secret":true}`},
			{"wsh_send_input", `{"session":"a","input":"hi","secret":true,"paste":true}`, `input.paste {"session":"a","text":"hi","secret":true}`},
			{"wsh_send_input", `{"session":"a","keys":[]}`, `input.keys {"session":"a","keys":[]}`},
			{"wsh_send_input", `{"session":"a","input":""}`, `input.send {"session":"a","data":""}`},
			{"wsh_send_input", `{"session":"a","mouse":{"row":1,"col":2}}`,
				`input.keys {"session":"a","keys":[],"mouse":[{"action":"press","button":"left","row":1,"col":2},{"action":"release","button":"left","row":1,"col":2}]}`},
			{"wsh_send_input", `{"session":"a","mouse":{"row":1,"col":2,"button":"wheel-up"}}`, `input.keys {"session":"a","keys":[],"mouse":[{"action":"press","button":"wheel-up","row":1,"col":2}]}`},
			{"wsh_get_screen", `{"session":"a"}`, `screen.get {"session":"a"}`},
			{"wsh_get_screen", `{"session":"a","format":"plain","composed":true}`, `picture.get {"session":"a","format":"plain"}`},
			{"wsh_get_screen", `{"session":"a","since":7}`, `screen.diff {"session":"a","epoch":7}`},
			{"wsh_get_screen", `{"session":"a","image":true}`, `picture.draw {"session":"a","format":"png"}; picture.get {"session":"a"}`},
			{"wsh_get_scrollback", `{"session":"a"}`, `scrollback.get {"session":"a","limit":100}`},
			{"wsh_get_scrollback", `{"session":"a","offset":3,"limit":4,"format":"plain"}`, `scrollback.get {"session":"a","format":"plain","offset":3,"limit":4}`},
			{"wsh_get_scrollback", `{"session":"a","from":0}`, `scrollback.get {"session":"a","from":0,"limit":100}`},
			{"wsh_get_scrollback", `{"session":"a","tail":true}`, `scrollback.get {"session":"a","tail":100,"trim":true,"limit":100}`},
			{"wsh_get_scrollback", `{"session":"a","search":"x+","from":5}`, `scrollback.search {"session":"a","pattern":"x+","from":5}`},
			{"wsh_await_quiesce", `{"session":"a"}`, `wait.idle {"session":"a","format":"plain"}; session.get {"session":"a"}`},
			{"wsh_await_idle", `{"session":"a","timeout_ms":5,"max_wait_ms":6,"last_generation":7,"fresh":true}`,
				`wait.idle {"session":"a","format":"plain","timeout_ms":5,"max_wait_ms":6,"last_generation":7,"fresh":true}; session.get {"session":"a"}`},
			{"wsh_await_quiesce", `{"session":"a","exit":true,"max_wait_ms":6}`, `wait.exit {"session":"a","max_wait_ms":6}`},
			{"wsh_await_quiesce", `{"session":"a","prompt":true}`, `wait.prompt {"session":"a","format":"plain"}`},
			{"wsh_await_quiesce", `{"session":"a","state":"secret","last_generation":7,"max_wait_ms":6}`,
				`wait.state {"session":"a","format":"plain","max_wait_ms":6,"states":["secret"],"last_generation":7}; session.get {"session":"a"}`},
			{"wsh_await_quiesce", `{"session":"a","state":"needs_me"}`, `wait.state {"session":"a","format":"plain"}; session.get {"session":"a"}`},
			{"wsh_await_quiesce", `{"session":"a","keys":true,"last_generation":3,"max_wait_ms":6}`, `wait.keys {"session":"a","max_wait_ms":6,"last_generation":3}`},
			{"wsh_await_quiesce", `{"session":"a","wait_for":"x","pattern":true}`,
				`wait.text {"session":"a","format":"plain","pattern":"x"}; wait.idle {"session":"a","format":"plain","timeout_ms":0,"max_wait_ms":1000}`},
			{"wsh_run_command", `{"session":"a","input":"ls","timeout_ms":5,"max_wait_ms":6,"format":"plain"}`,
				`command.run {"session":"a","format":"plain","timeout_ms":5,"max_wait_ms":6,"line":"ls","max_output":16384,"head_output":4096}`},
			{"wsh_run_command", `{"session":"a","input":"ls\r\n"}`, `command.run {"session":"a","line":"ls","max_output":16384,"head_output":4096}`},
			{"wsh_run_command", `{"session":"a","input":"ls\n\n"}`, `command.run {"session":"a","line":"ls\n","max_output":16384,"head_output":4096}`},
			{"wsh_run_command", `{"session":"a","input":"ls","busy":"refuse"}`, `command.run {"session":"a","line":"ls","max_output":16384,"head_output":4096,"busy":"refuse"}`},
			{"wsh_run_command", `{"session":"a","input":"ls","background":true}`, `command.run {"session":"a","line":"ls","max_output":16384,"head_output":4096,"background":true}`},
			{"wsh_remove_overlay", `{"session":"a","id":"e"}`, `overlay.remove {"session":"a","id":"e"}`},
			{"wsh_remove_overlay", `{"session":"a"}`, `overlay.clear {"session":"a"}`},
			{"wsh_remove_panel", `{"session":"a","id":"e"}`, `panel.remove {"session":"a","id":"e"}`},
			{"wsh_remove_panel", `{"session":"a"}`, `panel.clear {"session":"a"}`},
			{"wsh_screen_mode", `{"session":"a"}`, `screen_mode.get {"session":"a"}`},
			{"wsh_screen_mode", `{"session":"a","action":"enter_alt"}`, `screen_mode.enter_alt {"session":"a"}; screen_mode.get {"session":"a"}`},
			{"wsh_screen_mode", `{"session":"a","action":"exit_alt"}`, `screen_mode.exit_alt {"session":"a"}; screen_mode.get {"session":"a"}`},
		})
	})

	t.Run("Missing required params → JSON-RPC `-32602` error", func(t *testing.T) {
		checkInvalid(t, []mapped{
			{tool: "wsh_manage_session", args: `{"action":"kill"}`}, {tool: "wsh_manage_session", args: `{"session":"a"}`},
			{tool: "wsh_manage_session", args: `{"session":"a","action":"rename"}`}, {tool: "wsh_manage_session", args: `{"session":"a","action":"resize","rows":1}`},
			{tool: "wsh_manage_session", args: `{"session":"a","action":"signal"}`},
			{tool: "wsh_send_input", args: `{"input":"x"}`}, {tool: "wsh_send_input", args: `{"session":"a"}`},
			{tool: "wsh_get_screen", args: `{}`}, {tool: "wsh_get_scrollback", args: `{}`}, {tool: "wsh_await_quiesce", args: `{}`},
			{tool: "wsh_run_command", args: `{"session":"a"}`}, {tool: "wsh_run_command", args: `{"input":"x"}`},
			{tool: "wsh_overlay", args: `{}`}, {tool: "wsh_remove_overlay", args: `{}`}, {tool: "wsh_panel", args: `{}`}, {tool: "wsh_remove_panel", args: `{}`},
			{tool: "wsh_input_mode", args: `{}`}, {tool: "wsh_screen_mode", args: `{}`},
		})
	})

	t.Run("Invalid param values (bad enum variants, negative numbers) → error", func(t *testing.T) {
		checkInvalid(t, []mapped{
			{tool: "wsh_create_session", args: `{"rows":"tall"}`}, {tool: "wsh_create_session", args: `{"env":{"A":1}}`}, {tool: "wsh_create_session", args: `{"size":1}`},
			{tool: "wsh_list_sessions", args: `{"session":[]}`}, {tool: "wsh_manage_session", args: `{"session":"a","action":"stop"}`},
			{tool: "wsh_send_input", args: `{"session":"a","input":"x","encoding":"hex"}`}, {tool: "wsh_send_input", args: `{"session":"a","input":"?","encoding":"base64"}`},
			{tool: "wsh_get_screen", args: `{"session":"a","format":"html"}`}, {tool: "wsh_get_screen", args: `{"session":"a","since":1,"image":true}`},
			{tool: "wsh_get_scrollback", args: `{"session":"a","offset":-1}`}, {tool: "wsh_get_scrollback", args: `{"session":"a","limit":-1}`},
			{tool: "wsh_await_quiesce", args: `{"session":"a","timeout_ms":-1}`}, {tool: "wsh_await_quiesce", args: `{"session":"a","exit":true,"prompt":true}`},
			{tool: "wsh_await_quiesce", args: `{"session":"a","state":"line","keys":true}`}, {tool: "wsh_await_quiesce", args: `{"session":"a","pattern":true}`},
			{tool: "wsh_await_quiesce", args: `{"session":"a","wait_for":"x","last_generation":1}`}, {tool: "wsh_await_quiesce", args: `{"session":"a","prompt":true,"last_generation":1}`},
			{tool: "wsh_await_quiesce", args: `{"session":"a","exit":true,"fresh":true}`}, {tool: "wsh_await_quiesce", args: `{"session":"a","keys":true,"fresh":true}`},
			{tool: "wsh_run_command", args: `{"session":"a","input":"x","max_wait_ms":-1}`}, {tool: "wsh_run_command", args: `{"session":"a","input":"x","format":"ansi"}`},
			{tool: "wsh_overlay", args: `{"session":"a","spans":[{"color":"red"}]}`}, {tool: "wsh_overlay", args: `{"session":"a","x":"left"}`},
			{tool: "wsh_panel", args: `{"session":"a","position":"left"}`}, {tool: "wsh_remove_overlay", args: `{"session":"a","id":{}}`}, {tool: "wsh_remove_panel", args: `{"session":"a","id":[]}`},
			{tool: "wsh_input_mode", args: `{"session":"a","mode":"steal"}`}, {tool: "wsh_input_mode", args: `{"session":"a","focus":"e","unfocus":true}`},
			{tool: "wsh_screen_mode", args: `{"session":"a","action":"toggle"}`},
		})
	})

	t.Run("`wsh_overlay` / `wsh_panel` upsert: create-path (no id) vs update-path (with id) vs list-path (`list: true`) dispatched correctly", func(t *testing.T) {
		checkMapped(t, []mapped{
			{"wsh_overlay", `{"session":"a","x":1,"y":2,"z":3,"width":4,"height":5,"background":"blue","spans":[{"text":"t"}]}`,
				`overlay.create {"session":"a","x":1,"y":2,"z":3,"width":4,"height":5,"background":{"bg":"blue"},"spans":[{"text":"t"}],"focusable":true}; overlay.get {"session":"a","id":"e"}`},
			{"wsh_overlay", `{"session":"a","focusable":false,"background":{"bg":{"r":1,"g":2,"b":3}}}`,
				`overlay.create {"session":"a","background":{"bg":{"r":1,"g":2,"b":3}},"focusable":false}; overlay.get {"session":"a","id":"e"}`},
			{"wsh_overlay", `{"session":"a","id":"e","x":1,"background":null}`, `overlay.update {"session":"a","id":"e","x":1,"background":null}; overlay.get {"session":"a","id":"e"}`},
			{"wsh_overlay", `{"session":"a","id":"e","list":true}`, `overlay.list {"session":"a"}`},
			{"wsh_panel", `{"session":"a","position":"top","height":2,"background":"blue","spans":[{"text":"t"}],"focusable":false}`,
				`panel.create {"session":"a","height":2,"position":"top","background":{"bg":"blue"},"spans":[{"text":"t"}],"focusable":false}; panel.get {"session":"a","id":"e"}`},
			{"wsh_panel", `{"session":"a","id":"e","z":1}`, `panel.update {"session":"a","id":"e","z":1}; panel.get {"session":"a","id":"e"}`},
			{"wsh_panel", `{"session":"a","id":"e","list":true}`, `panel.list {"session":"a"}`},
		})
	})

	t.Run("`wsh_manage_session` action dispatch: kill/rename/detach map to correct internal calls", func(t *testing.T) {
		checkMapped(t, []mapped{
			{"wsh_manage_session", `{"session":"a","action":"kill"}`, `session.remove {"session":"a"}`},
			{"wsh_manage_session", `{"session":"a","action":"rename","new_name":"b"}`, `session.update {"session":"a","name":"b"}`},
			{"wsh_manage_session", `{"session":"a","action":"detach"}`, `session.detach {"session":"a"}`},
			{"wsh_manage_session", `{"session":"a","action":"resize","rows":1,"cols":2}`, `session.resize {"session":"a","rows":1,"cols":2}`},
			{"wsh_manage_session", `{"session":"a","action":"signal","signal":"INT"}`, `session.signal {"session":"a","signal":"INT"}`},
			{"wsh_manage_session", `{"session":"a","action":"add_tags","tags":["t"]}`, `session.update {"session":"a","add_tags":["t"]}`},
			{"wsh_manage_session", `{"session":"a","action":"remove_tags","tags":["t"]}`, `session.update {"session":"a","remove_tags":["t"]}`},
			{"wsh_manage_session", `{"session":"a","action":"start_recording"}`, `recording.start {"session":"a"}`},
			{"wsh_manage_session", `{"session":"a","action":"stop_recording"}`, `recording.stop {"session":"a"}`},
		})
	})

	t.Run("`wsh_input_mode` combined behavior: mode-only, mode+focus, unfocus, get-only", func(t *testing.T) {
		const get = `input.mode {"session":"a"}; focus.get {"session":"a"}`
		checkMapped(t, []mapped{
			{"wsh_input_mode", `{"session":"a","mode":"capture"}`, `input.capture {"session":"a"}; ` + get},
			{"wsh_input_mode", `{"session":"a","mode":"release"}`, `input.release {"session":"a"}; ` + get},
			{"wsh_input_mode", `{"session":"a","mode":"capture","focus":"e"}`, `input.capture {"session":"a"}; focus.set {"session":"a","id":"e"}; ` + get},
			{"wsh_input_mode", `{"session":"a","unfocus":true}`, `focus.clear {"session":"a"}; ` + get},
			{"wsh_input_mode", `{"session":"a"}`, get},
		})
	})
}

// checkInvalid calls tools with bad arguments: nothing may be done.
func checkInvalid(t *testing.T, cases []mapped) {
	t.Helper()
	for _, c := range cases {
		r := &recorder{}
		_, err := call(t, connect(t, r), c.tool, c.args)
		if testkit.CodeOf(err) != jsonrpc.CodeInvalidParams || len(r.asked) > 0 {
			t.Errorf("%s %s: %v; it asked for %q", c.tool, c.args, err, r.asked)
		}
	}
}

func TestResponses(t *testing.T) {
	t.Run("Tool results serialize with correct field names and types", func(t *testing.T) {
		c := connect(t, opcases.New(t, opcases.Case{}))
		for _, step := range []mapped{
			{"wsh_create_session", `{"name":"new","command":"x"}`, `{"session":"new","pid":4242,"rows":24,"cols":80}`},
			{"wsh_list_sessions", `{"session":"a"}`, `{"name":"a","pid":4242,"rows":4,"cols":20,"running":true,"cwd":"/dir","job":"job"}`},
			{"wsh_list_sessions", `{"session":"over"}`, `{"running":false,"exit":{"code":3}}`},
			{"wsh_manage_session", `{"session":"new","action":"start_recording"}`, `{"success":true,"status":"recording","session":"new","recording":{"recording":true}}`},
			{"wsh_manage_session", `{"session":"new","action":"stop_recording"}`, `{"success":true,"status":"recorded","session":"new","recording":{"recording":false}}`},
			{"wsh_manage_session", `{"session":"new","action":"kill"}`, `{"success":true,"status":"killed","session":"new"}`},
			{"wsh_send_input", `{"session":"a","input":"x"}`, `{"success":true,"bytes":1}`},
			{"wsh_await_quiesce", `{"session":"a","timeout_ms":0}`, `{"status":"idle"}`},
			{"wsh_await_quiesce", `{"session":"over","exit":true}`, `{"status":"ended","exit":{"code":3}}`},
			{"wsh_await_quiesce", `{"session":"a","state":"needs_me"}`, `{"status":"line"}`},
			{"wsh_await_quiesce", `{"session":"over","state":"ended"}`, `{"status":"ended","exit":{"code":3}}`},
			{"wsh_await_quiesce", `{"session":"a","keys":true}`, `{"status":"released","generation":0}`},
			{"wsh_get_scrollback", `{"session":"over","format":"plain"}`, `{"lines":["bye","","",""],"total":4}`},
			{"wsh_overlay", `{"session":"a","x":1,"spans":[{"text":"hi"}]}`, `{"status":"created","x":1,"y":0,"width":2,"height":1}`},
			{"wsh_panel", `{"session":"a"}`, `{"status":"created","position":"bottom","height":1,"visible":true}`},
			{"wsh_remove_overlay", `{"session":"a"}`, `{"success":true}`},
			{"wsh_remove_panel", `{"session":"a"}`, `{"success":true}`},
			{"wsh_input_mode", `{"session":"a"}`, `{"mode":"passthrough"}`},
			{"wsh_screen_mode", `{"session":"a"}`, `{"mode":"normal"}`},
		} {
			res, err := call(t, c, step.tool, step.args)
			if err != nil || res.IsError {
				t.Errorf("%s %s: %v, %v", step.tool, step.args, res, err)
				continue
			}
			text := res.Content[0].(*mcp.TextContent).Text
			structured, err := json.Marshal(res.StructuredContent)
			if err != nil {
				t.Fatal(err)
			}
			for _, got := range []string{text, string(structured)} {
				if diff := opcases.Diff(step.want, got); diff != "" {
					t.Errorf("%s %s: %s: %s", step.tool, step.args, got, diff)
				}
			}
		}
		res, err := call(t, c, "wsh_overlay", `{"session":"a","list":true}`)
		if err != nil || fmt.Sprint(res.StructuredContent) != "map[result:[]]" || res.Content[0].(*mcp.TextContent).Text != "[]" {
			t.Errorf("a list: %v, %v", res, err)
		}
	})

	t.Run("Of a long output the middle is left out, and where to read it is said", func(t *testing.T) {
		c := connect(t, &recorder{answers: map[string]string{
			"command.run": `{"screen":{"lines":[]},"state":"done","output":"1\n2\n9\n","omitted":{"at":4,"from":12,"before":18},"generation":1}`,
		}})
		const want = `{"state":"done","output":"1\n2\n[…]\n9\n","omitted":{"from":12,"before":18}}`
		if diff := opcases.Diff(want, mustCall(t, c, "wsh_run_command", `{"session":"a","input":"seq 9"}`)); diff != "" {
			t.Error(diff)
		}
	})

	t.Run("`isError: true` for operational failures vs protocol errors for bad params", func(t *testing.T) {
		c := connect(t, opcases.New(t, opcases.Case{}))
		for _, step := range []struct {
			tool, args string
			code       int64 // 0: a result that is an error
		}{
			{"wsh_await_quiesce", `{"session":"a","wait_for":"never","max_wait_ms":1}`, 0},
			{"wsh_await_quiesce", `{"session":"a","state":"secret","max_wait_ms":1}`, 0},
			{"wsh_await_quiesce", `{"session":"over","state":"line"}`, 0},
			{"wsh_await_quiesce", `{"session":"a","state":"asleep"}`, jsonrpc.CodeInvalidParams},
			{"wsh_send_input", `{"session":"over","input":"x"}`, 0},
			{"wsh_await_quiesce", `{"session":"over"}`, 0},
			{"wsh_run_command", `{"session":"over","input":"x"}`, 0},
			{"wsh_get_screen", `{"session":"nobody"}`, jsonrpc.CodeInvalidParams},
			{"wsh_create_session", `{"name":"a"}`, jsonrpc.CodeInvalidParams},
			{"wsh_create_session", `{"rows":-1}`, jsonrpc.CodeInvalidParams},
			{"wsh_create_session", `{"command":"fail"}`, jsonrpc.CodeInternalError},
		} {
			res, err := call(t, c, step.tool, step.args)
			if testkit.CodeOf(err) != step.code || step.code == 0 && (err != nil || !res.IsError) {
				t.Errorf("%s %s: %v, %v", step.tool, step.args, res, err)
			}
		}
	})

	t.Run("A wait in vain says in which state the session is", func(t *testing.T) {
		c := connect(t, opcases.New(t, opcases.Case{}))
		mustCall(t, c, "wsh_await_quiesce", `{"session":"a","state":"line"}`)
		for _, args := range []string{`"state":"secret"`, `"wait_for":"never"`, `"last_generation":1000000,"timeout_ms":300000`, `"exit":true`} {
			res, err := call(t, c, "wsh_await_quiesce", `{"session":"a","max_wait_ms":1,`+args+`}`)
			if err != nil || !res.IsError {
				t.Errorf("%s: %v, %v", args, res, err)
				continue
			}
			if diff := opcases.Diff(`{"status":"timeout","state":"line"}`, res.Content[0].(*mcp.TextContent).Text); diff != "" {
				t.Errorf("%s: %s", args, diff)
			}
		}
	})

	t.Run("Screen data correct in both `styled` and `plain` formats", func(t *testing.T) {
		c := connect(t, opcases.New(t, opcases.Case{Before: []opcases.Step{
			{Op: "session.create", In: `{"name":"s","command":"plain\r\na\u001b[1mb\u001b[0m   ","rows":3,"cols":9}`},
			{Op: "wait.text", In: `{"session":"s","text":"ab"}`},
		}}))
		for _, step := range []mapped{
			{"wsh_get_screen", `{"session":"s"}`, `{"lines":["plain",[{"text":"a"},{"text":"b","bold":true}],""],"rows":3,"cols":9,"mode":"normal","cursor":{"row":1}}`},
			{"wsh_get_screen", `{"session":"s","format":"plain"}`, `{"lines":["plain","ab",""],"rows":3,"cols":9,"mode":"normal"}`},
			{"wsh_get_scrollback", `{"session":"s","limit":1}`, `{"lines":["plain"],"total":3}`},
		} {
			if diff := opcases.Diff(step.want, mustCall(t, c, step.tool, step.args)); diff != "" {
				t.Errorf("%s %s: %s", step.tool, step.args, diff)
			}
		}
	})
}

// Lists are read often, so they have nothing twice, and nothing that is the same for all sessions.
func TestListIsShort(t *testing.T) {
	c := connect(t, opcases.New(t, opcases.Case{}))
	var list []map[string]any
	if err := json.Unmarshal([]byte(mustCall(t, c, "wsh_list_sessions", `{}`)), &list); err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	var one, created map[string]any
	if err := json.Unmarshal([]byte(mustCall(t, c, "wsh_list_sessions", `{"session":"a"}`)), &one); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(mustCall(t, c, "wsh_create_session", `{"name":"new","command":"x"}`)), &created); err != nil {
		t.Fatal(err)
	}
	if created["name"] != nil {
		t.Errorf("a new session has its name twice: %v", created)
	}
	for _, member := range []string{"id", "server", "attached", "leader", "size_rule"} {
		for _, s := range append(list, created) {
			if _, ok := s[member]; ok {
				t.Errorf("%s is in %v", member, s)
			}
		}
		if _, ok := one[member]; !ok {
			t.Errorf("%s is not in the details: %v", member, one)
		}
	}
	if created["tags"] != nil {
		t.Errorf("a session without tags: %v", created)
	}
	mustCall(t, c, "wsh_manage_session", `{"session":"new","action":"add_tags","tags":["t"]}`)
	if got := mustCall(t, c, "wsh_list_sessions", `{"tags":["t"]}`); !strings.Contains(got, `"tags":["t"]`) {
		t.Errorf("tags are left out: %s", got)
	}
}

// Errors about arguments say what to give instead.
func TestArgumentErrors(t *testing.T) {
	c := connect(t, opcases.New(t, opcases.Case{}))
	for _, tt := range []mapped{
		{"wsh_send_input", `{"session":"a","input":"x","encoding":"hex"}`, `argument "encoding" cannot be "hex": give one of utf8, base64`},
		{"wsh_panel", `{"session":"a","position":"left"}`, `argument "position" cannot be "left": give one of top, bottom`},
		{"wsh_get_screen", `{}`, `missing argument "session"`},
	} {
		if _, err := call(t, c, tt.tool, tt.args); err == nil || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%s %s: %v", tt.tool, tt.args, err)
		}
	}
}
