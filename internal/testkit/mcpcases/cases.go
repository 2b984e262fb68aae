package mcpcases

import "strings"

var sections = []section{
	{"Session lifecycle", []testCase{
		{name: "Create → list shows it → manage(kill) → gone", steps: []step{
			{"list_sessions", `{}`, has + `"name":"@"`},
			{"manage_session", `{"action":"kill"}`, `{"success":true}`},
			{"list_sessions", `{}`, lacks + `"name":"@"`},
		}},
		{name: "Create with custom name, command, cwd, size → all params take effect", command: "none", steps: []step{
			{"create_session", `{"name":"@","command":"echo $PWD $WORD; cat","cwd":"/usr","rows":3,"cols":200,"env":{"WORD":"given"}}`, `{"session":"@","rows":3,"cols":200}`},
			{"list_sessions", `{"session":"@"}`, lacks + `"pid":0`},
			{"await_quiesce", `{"wait_for":"given"}`, ``},
			{"get_screen", `{"format":"plain"}`, `{"lines":["/usr given","",""],"cols":200}`},
		}},
		{name: "Create with duplicate name → error", steps: []step{{"create_session", `{"name":"@"}`, refused}}},
		{name: "Manage(rename) → list reflects new name", steps: []step{
			{"manage_session", `{"action":"rename","new_name":"@new"}`, ``},
			{"list_sessions", `{}`, has + `"name":"@new"`},
			{"list_sessions", `{}`, lacks + `"name":"@"`},
		}},
		{name: "Manage(detach) → verify behavior", steps: []step{
			{"manage_session", `{"action":"detach"}`, ``},
			{"run_command", `{"input":"echo still here"}`, `{"output":"still here\n"}`},
		}},
		{name: "List with `session` param returns single session detail", command: "cat", steps: []step{
			{"list_sessions", `{"session":"@"}`, `{"name":"@","command":"cat","rows":24,"cols":80,"running":true}`},
			{"list_sessions", `{"session":"nobody"}`, refused},
		}},
	}},
	{"Core agent loop", []testCase{
		{name: "`wsh_run_command(\"echo hello\")` → response contains \"hello\" on screen", steps: []step{
			{"run_command", `{"input":"echo hel''lo"}`, has + `"hello"`},
		}},
		{name: "`wsh_run_command` with slow command → quiesce works, screen read after output completes", steps: []step{
			{"run_command", `{"input":"sleep 0.5; echo slow''ly"}`, has + `"slowly"`},
		}},
		{name: "`wsh_run_command` exceeding `max_wait_ms` → `isError: true`, not protocol error", run: exceeds},
		{name: "Sequential `wsh_run_command` calls → each returns correct screen state", steps: []step{
			{"run_command", `{"input":"echo number-$((n+=1))"}`, has + `"number-1"`},
			{"run_command", `{"input":"echo number-$((n+=1))"}`, has + `"number-2"`},
			{"run_command", `{"input":"echo number-$((n+=1))"}`, has + `"number-3"`},
			{"run_command", `{"input":"echo number-$((n+=1))"}`, has + `"number-4"`},
		}},
	}},
	{"Granular terminal I/O", []testCase{
		{name: "`send_input` → `await_quiesce` → `get_screen` — same result as `run_command`", steps: []step{
			{"run_command", `{"input":"clear; echo $((6*7))"}`, `{"output":"42\n","screen":{"rows":24,"cols":80,"mode":"normal"}}`},
			{"send_input", `{"input":"clear; echo $((6*8))\r"}`, ``},
			{"await_quiesce", `{"wait_for":"48"}`, ``},
			{"await_quiesce", `{"timeout_ms":100}`, has + `"generation":`},
			{"get_screen", `{}`, has + `"lines":["48",`},
			{"get_screen", `{}`, `{"rows":24,"cols":80,"mode":"normal"}`},
		}},
		{name: "`send_input` with base64 encoding", command: "cat", steps: []step{
			{"send_input", `{"input":"Y29kZWQN","encoding":"base64"}`, `{"success":true}`},
			{"await_quiesce", `{"wait_for":"coded"}`, ``},
			{"send_input", `{"input":"?","encoding":"base64"}`, refused},
		}},
		{name: "`get_scrollback` with offset/limit pagination", command: "seq 100; cat", steps: []step{
			{"await_quiesce", `{"wait_for":"100"}`, ``},
			{"get_scrollback", `{"offset":10,"limit":3,"format":"plain"}`, `{"lines":["11","12","13"]}`},
			{"get_scrollback", `{"limit":1}`, `{"lines":["1"]}`},
		}},
		{name: "`get_scrollback` after enough output to fill buffer — verify total count", command: "seq 10500; cat", steps: []step{
			{"await_quiesce", `{"wait_for":"10500"}`, ``},
			{"get_scrollback", `{"limit":0}`, `{"total":10024}`}, // the limit of lines, and the screen
		}},
		{name: "`await_quiesce` with generation — second call blocks until new activity", command: "cat", run: blocks},
		{name: "`get_screen` in plain vs styled format", command: `printf 'plain\n\033[1mbold\033[0m\n'; cat`, steps: []step{
			{"await_quiesce", `{"wait_for":"bold"}`, ``},
			{"get_screen", `{}`, has + `"lines":["plain",[{"text":"bold","bold":true}],""`},
			{"get_screen", `{"format":"plain"}`, has + `"lines":["plain","bold",""`},
		}},
	}},
	{"Overlays", elementCases("overlay", `"x":1,"y":2,"z":3,"width":10,"height":2`, `"x":5,"y":6,"z":7`)},
	{"Panels", append(elementCases("panel", `"position":"top","z":3,"height":2`, `"position":"bottom","z":7`),
		testCase{name: "Verify panel anchoring (top vs bottom)", command: "none", steps: []step{
			{"create_session", `{"name":"@","command":"cat","rows":6}`, ``},
			{"panel", `{"position":"top","height":2,"spans":[{"text":"top\nsecond"}]}`, ``},
			{"panel", `{"position":"bottom","height":2,"spans":[{"text":"bottom\nsecond"}]}`, ``},
			{"get_screen", `{"composed":true,"format":"plain"}`, `{"lines":["top","second","","","bottom","second"]}`},
			{"get_screen", `{}`, `{"rows":2}`},
		}})},
	{"Input control", []testCase{
		{name: "`input_mode()` → returns passthrough", command: "cat", steps: []step{{"input_mode", `{}`, `{"mode":"passthrough"}`}}},
		{name: "`input_mode(capture)` → mode changes → confirmed on re-read", command: "cat", steps: []step{
			{"input_mode", `{"mode":"capture"}`, `{"mode":"capture"}`}, {"input_mode", `{}`, `{"mode":"capture"}`},
		}},
		{name: "`input_mode(release)` → back to passthrough", command: "cat", steps: []step{
			{"input_mode", `{"mode":"capture"}`, ``}, {"input_mode", `{"mode":"release"}`, `{"mode":"passthrough"}`},
		}},
		{name: "`input_mode(capture, focus: overlay_id)` → focus set", command: "cat", steps: []step{
			{"overlay", `{"spans":[{"text":"focused"}]}`, ``},
			{"input_mode", `{"mode":"capture","focus":"overlay-1"}`, `{"mode":"capture","focused_element":"overlay-1"}`},
		}},
		{name: "`input_mode(unfocus: true)` → focus cleared", command: "cat", steps: []step{
			{"overlay", `{"spans":[{"text":"focused"}]}`, ``},
			{"input_mode", `{"mode":"capture","focus":"overlay-1"}`, ``},
			{"input_mode", `{"unfocus":true}`, lacks + `focused_element`},
			{"input_mode", `{}`, `{"mode":"capture"}`},
		}},
		{name: "Focus on nonexistent element → error", command: "cat", steps: []step{{"input_mode", `{"focus":"none"}`, refused}}},
	}},
	{"Screen mode", []testCase{
		{name: "`screen_mode()` → returns \"normal\"", command: "cat", steps: []step{{"screen_mode", `{}`, `{"mode":"normal"}`}}},
		{name: "`screen_mode(enter_alt)` → mode changes", command: "cat", steps: []step{
			{"screen_mode", `{"action":"enter_alt"}`, `{"mode":"alt"}`}, {"screen_mode", `{}`, `{"mode":"alt"}`},
		}},
		{name: "`screen_mode(exit_alt)` → back to normal", command: "cat", steps: []step{
			{"screen_mode", `{"action":"enter_alt"}`, ``}, {"screen_mode", `{"action":"exit_alt"}`, `{"mode":"normal"}`},
		}},
		{name: "Overlays created in alt mode not visible after exit", command: "cat", steps: []step{
			{"screen_mode", `{"action":"enter_alt"}`, ``},
			{"overlay", `{"spans":[{"text":"floating"}]}`, ``},
			{"screen_mode", `{"action":"exit_alt"}`, ``},
			{"overlay", `{"list":true}`, `[]`},
		}},
	}},
	{"Resources over MCP", []testCase{
		{name: "Read `wsh://sessions` → matches `list_sessions` output", command: "cat", steps: []step{
			{"list_sessions", `{}`, described}, {"read", `wsh://sessions`, described},
		}},
		// Nothing follows what these programs write, not even the end of the line.
		{name: "Read `wsh://sessions/{name}/screen` → matches `get_screen` output", command: "printf shown; cat", steps: []step{
			{"await_quiesce", `{"wait_for":"shown"}`, ``}, {"get_screen", `{}`, ``}, {"read", `wsh://sessions/@/screen`, same},
		}},
		{name: "Read `wsh://sessions/{name}/scrollback` → matches `get_scrollback` output", command: "seq 30; printf end; cat", steps: []step{
			{"await_quiesce", `{"wait_for":"end"}`, ``}, {"get_scrollback", `{}`, ``}, {"read", `wsh://sessions/@/scrollback`, same},
		}},
		{name: "Resource read for nonexistent session → error", command: "none", steps: []step{
			{"read", `wsh://sessions/nobody/screen`, refused}, {"read", `wsh://sessions/nobody/scrollback`, refused}, {"read", `wsh://other`, refused},
		}},
	}},
	{"Prompts over MCP", promptCases},
	{"Multi-session", []testCase{
		{name: "Create 3 sessions → `run_command` on each → screens independent", steps: []step{
			{"create_session", `{"name":"@b","command":"bash --norc"}`, ``},
			{"create_session", `{"name":"@c","command":"bash --norc"}`, ``},
			{"run_command", `{"input":"echo only-in-$((101))"}`, ``},
			{"run_command", `{"session":"@b","input":"echo only-in-$((102))"}`, ``},
			{"run_command", `{"session":"@c","input":"echo only-in-$((103))"}`, ``},
			{"get_screen", `{}`, has + "only-in-101"}, {"get_screen", `{}`, lacks + "only-in-102"}, {"get_screen", `{}`, lacks + "only-in-103"},
			{"get_screen", `{"session":"@b"}`, has + "only-in-102"}, {"get_screen", `{"session":"@c"}`, has + "only-in-103"},
		}},
		{name: "Kill one → others unaffected", steps: []step{
			{"create_session", `{"name":"@b"}`, ``},
			{"manage_session", `{"session":"@b","action":"kill"}`, ``},
			{"run_command", `{"input":"echo ali''ve"}`, has + `"alive"`},
		}},
		{name: "List shows remaining sessions only", command: "cat", steps: []step{
			{"create_session", `{"name":"@b"}`, ``},
			{"manage_session", `{"session":"@b","action":"kill"}`, ``},
			{"list_sessions", `{}`, has + `"name":"@"`},
			{"list_sessions", `{}`, lacks + `"name":"@b"`},
		}},
	}},
	{"Beyond the specification", beyond},
	{"Edge cases", []testCase{
		// The current protocol calls it invalid params, where the specification says "method not
		// found".
		{name: "Unknown tool name → method not found error", command: "none", steps: []step{{"unknown", `{}`, refused}}},
		{name: "Concurrent tool calls to same session → no corruption", run: concurrent},
		{name: "Tool calls after session process exits → appropriate error", steps: []step{
			{"run_command", `{"input":"exit 3"}`, fails + `"exit":{"code":3}`},
			{"send_input", `{"input":"x"}`, fails},
			{"run_command", `{"input":"x"}`, fails},
			{"await_quiesce", `{}`, fails},
			{"get_screen", `{}`, ``},
		}},
		{name: "Very large screen output → well-formed response", command: "none", steps: []step{
			{"create_session", `{"name":"@","command":"seq 100000 | tr '\\n' ' '; cat","rows":1000,"cols":1000}`, ``},
			{"await_quiesce", `{"wait_for":"99999 100000"}`, ``},
			{"get_screen", `{"format":"plain"}`, `{"rows":1000,"cols":1000}`},
			{"get_screen", `{"format":"plain"}`, has + `99999 100000`},
		}},
		{name: "Unicode input and output", command: "cat", steps: []step{
			{"send_input", `{"input":"héllo 世界 🙂\r"}`, ``}, {"await_quiesce", `{"wait_for":"héllo 世界 🙂"}`, ``},
		}},
	}},
}

// described are the sessions of a case with one: beside it, there is one in which a wait goes on.
const described = `[
	{"name":"@","command":"cat","rows":24,"cols":80,"running":true},
	{"name":"case-wait","command":"cat","rows":24,"cols":80,"running":true}
]`

// elementCases are the cases of overlays, and of panels: the same matrix. given are position and
// size, moved another position.
func elementCases(kind, given, moved string) []testCase {
	var cases []testCase
	for _, c := range []testCase{
		{name: "Create → list → update spans → read back → remove → list empty", steps: []step{
			{"KIND", `{"spans":[{"text":"before"}]}`, `{"id":"KIND-1"}`},
			{"KIND", `{"list":true}`, `[{"id":"KIND-1","spans":[{"text":"before"}]}]`},
			{"KIND", `{"id":"KIND-1","spans":[{"text":"after"}]}`, ``},
			{"KIND", `{"list":true}`, `[{"spans":[{"text":"after"}]}]`},
			{"remove_KIND", `{"id":"KIND-1"}`, ``},
			{"KIND", `{"list":true}`, `[]`},
		}},
		{name: "Create with all position/size params → stored correctly", steps: []step{
			{"KIND", `{GIVEN,"background":"blue","spans":[{"text":"x","fg":"red"}]}`, ``},
			{"KIND", `{"list":true}`, `[{GIVEN,"background":{"bg":"blue"}}]`},
		}},
		{name: "Update position (x, y, z) via upsert with id", steps: []step{
			{"KIND", `{"spans":[{"text":"moved"}]}`, ``},
			{"KIND", `{MOVED,"id":"KIND-1"}`, ``},
			{"KIND", `{"list":true}`, `[{MOVED,"spans":[{"text":"moved"}]}]`},
		}},
		{name: "Remove specific overlay by id (others remain)", steps: []step{
			{"KIND", `{"spans":[{"text":"1"}]}`, ``},
			{"KIND", `{"spans":[{"text":"2"}]}`, ``},
			{"remove_KIND", `{"id":"KIND-1"}`, ``},
			{"KIND", `{"list":true}`, `[{"id":"KIND-2"}]`},
		}},
		{name: "Clear all overlays (no id param)", steps: []step{
			{"KIND", `{"spans":[{"text":"1"}]}`, ``},
			{"KIND", `{"spans":[{"text":"2"}]}`, ``},
			{"remove_KIND", `{}`, ``},
			{"KIND", `{"list":true}`, `[]`},
		}},
		{name: "Overlay on nonexistent session → error", steps: []step{{"KIND", `{"session":"nobody"}`, refused}}},
		{name: "Update nonexistent overlay id → error", steps: []step{{"KIND", `{"id":"none","z":1}`, refused}}},
	} {
		c.command = "cat"
		fill := strings.NewReplacer("KIND", kind, "GIVEN", given, "MOVED", moved)
		for i, s := range c.steps {
			c.steps[i] = step{fill.Replace(s.tool), fill.Replace(s.args), fill.Replace(s.want)}
		}
		cases = append(cases, c)
	}
	return cases
}
