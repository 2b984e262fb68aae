//go:build unix

package e2e

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/errcode"
)

// A step of an apiStory is one of
//
//	GET /sessions/a    a request with a body; the answer is "STATUS", "STATUS JSON" or "STATUS code"
//	UPGRADE /ws/json   a request that becomes a WebSocket, on which later methods are called
//	get_screen         a method with its params; the answer is "JSON" or "code"
//	event.title        waits for an event, or any other message, that has this JSON
//	send               a message on the WebSocket that is no call of a method
//	frame 08           a frame on the Unix socket with its content; the answer is "TYPE JSON"
//	raw                bytes on a connection of their own
//	closed             waits for the end of the WebSocket, with a code and a reason
//
// JSON is what the answer must contain. $NAME stands for what an earlier step has saved.
type step struct {
	do, in, want string

	session string // of the method, beside its params
	as      string // the token: that of the owner by default; "-" sends no token
	header  string // one more, as "Name: value"
	save    string // a member of the answer
	until   bool   // repeat it until the answer is this one
	half    bool   // close the client's half of the connection after raw
	later   bool   // go on before the answer comes
	times   int    // how often to do it; $even and $odd are 0 and 1 in turns, and 1 and 0
	tcp     bool   // not over the Unix socket, which asks for no token and has no address
	over    string // the only way to do it
}

// An apiStory is what clients do with a server with some flags.
type apiStory struct {
	flags []string
	steps []step
}

const allTopics = `["lines","chars","cursor","mode","diffs","input","overlay","activity","command","title","bell","notification","progress","clipboard"]`

// apiStories reach every route, method, event and error code.
var apiStories = map[string]apiStory{
	"server": {nil, []step{
		{do: "GET /health", want: `200 {"status":"ok"}`, as: "-"},
		{do: "HEAD /health", want: `200`, as: "-"},
		{do: "GET /", want: "307", as: "-"},
		{do: "GET /ui", want: "200", as: "-"},
		{do: "GET /ui/any/page", want: "200", as: "-"},
		{do: "GET /openapi.yaml", want: "200"},
		{do: "GET /asyncapi.yaml", want: "200"},
		{do: "POST /asyncapi.yaml", want: "405 method_not_allowed"},
		{do: "GET /docs", want: "200"},
		{do: "GET /nothing", want: "404 not_found"},
		{do: "GET /sessions/", want: "404 not_found"},
		{do: "PUT /sessions", in: "{}", want: "405 method_not_allowed"},
		{do: "GET /server/info", want: `200 {"hostname":"host","version":"0.1.0"}`},
		{do: "GET /server/info", want: "401 auth_required", as: "-", tcp: true},
		{do: "GET /server/info?token=x", want: "401 auth_required", as: "-", tcp: true},
		{do: "GET /server/info", want: "403 auth_invalid", as: "wrong-wrong-wrong"},
		{do: "GET /server/info", want: "403 host_not_allowed", header: "Host: pages.example", tcp: true},
		{do: "GET /server/info", want: "403 origin_not_allowed", header: "Origin: https://pages.example"},
		{do: "UPGRADE /ws/json", want: "403 origin_not_allowed", header: "Origin: https://pages.example"},
		{do: "GET /ws/json", want: "426 upgrade_required"},
		{do: "POST /auth/ws-ticket", want: "200", save: "ticket"},
		{do: "GET /auth/ws-ticket", want: "405 method_not_allowed"},
		{do: "UPGRADE /ws/json?ticket=$ticket", want: "101", as: "-"},
		{do: "UPGRADE /ws/json?ticket=$ticket", want: "401 auth_required", as: "-"},
		{do: "event.connected", want: `{"connected":true}`},
		{do: "get_server_info", want: `{"hostname":"host"}`},
		{do: "PUT /server/persist", in: `{"persistent":true}`, want: `200 {"persistent":true}`},
		{do: "PUT /server/persist", in: `{"persistent":"yes"}`, want: `400 invalid_request`},
		{do: "PUT /server/persist", in: `{`, want: `400 invalid_request`},
		{do: "PUT /server/persist", in: `{}`, want: `415 invalid_request`, header: "Content-Type: text/plain"},
		{do: "PUT /server/persist", in: `{"x":"` + strings.Repeat("x", 1<<20) + `"}`, want: `413 invalid_request`},
		{do: "GET /server/persist", want: `200 {"persistent":true}`},
		{do: "set_server_mode", in: `{"persistent":true}`, want: `{"persistent":true}`},
		{do: "set_server_mode", want: `{"persistent":true}`},
		{do: "get_server_mode", want: `{"persistent":true}`},
		{do: "no_such_method", want: `unknown_method`},
		{do: "get_screen", want: `session_required`},
		{do: "POST /auth/tokens", in: `{"rights":["read"],"name":"n"}`, want: `201 {"id":"1","name":"n"}`, save: "token"},
		{do: "POST /auth/tokens", in: `{"rights":["everything"]}`, want: `400 invalid_request`},
		{do: "GET /auth/tokens", want: `200 [{"id":"1","rights":["read"]}]`},
		{do: "GET /server/info", want: `200`, as: "$token"},
		{do: "GET /auth/tokens", want: `403 not_allowed`, as: "$token"},
		{do: "DELETE /auth/tokens/1", want: `204`},
		{do: "DELETE /auth/tokens/1", want: `404 token_not_found`},
		{do: "GET /server/info", want: `403 auth_invalid`, as: "$token"},
		{do: "create_token", in: `{"rights":["read"]}`, want: `{"id":"2"}`},
		{do: "list_tokens", want: `[{"id":"2"}]`},
		{do: "withdraw_token", in: `{"id":"2"}`, want: `{}`},
		{do: "withdraw_token", in: `{"id":"2"}`, want: `token_not_found`},
		{do: "frame 0e", in: `{}`, want: `0f {"token":"` + ownersToken + `"}`},
		{do: "frame 1a", want: `07 {"code":"invalid_request"}`},
		{do: "POST /server/stop", want: `204`},
	}},
	"sessions": {[]string{"--max-sessions", "2"}, []step{
		{do: "UPGRADE /ws/json", want: "101"},
		{do: "GET /idle?timeout_ms=1", want: "404 no_sessions"},
		{do: "GET /quiesce?timeout_ms=1", want: "404 no_sessions"},
		{do: "POST /sessions", in: `{"name":"a","command":"printf ready; cat","tags":["x"],"rows":5,"cols":30}`, want: `201 {"name":"a","server":"host","rows":5,"cols":30,"tags":["x"],"running":true}`},
		{do: "lifecycle", want: `{"event":"session_created","params":{"name":"a"}}`},
		{do: "POST /sessions", in: `{"name":"a"}`, want: `409 session_name_conflict`},
		{do: "POST /sessions", in: `{"name":"a b"}`, want: `400 invalid_session_name`},
		{do: "POST /sessions", in: `{"tags":["a b"]}`, want: `400 invalid_tag`},
		{do: "POST /sessions", in: `{"rows":"many"}`, want: `400 invalid_request`},
		{do: "POST /sessions", in: `{"cwd":"/nowhere/at/all"}`, want: `400 invalid_request`},
		{do: "GET /sessions?tag=x,y", want: `200 [{"name":"a"}]`},
		{do: "GET /sessions/a", want: `200 {"name":"a","command":"printf ready; cat"}`},
		{do: "GET /sessions/none", want: `404 session_not_found`},
		{do: "GET /sessions/a?server=elsewhere", want: `404 server_not_found`},
		{do: "PATCH /sessions/a", in: `{"name":"b","add_tags":["y"],"remove_tags":["x"]}`, want: `200 {"name":"b","tags":["y"]}`},
		{do: "lifecycle", want: `{"event":"session_renamed","params":{"old_name":"a","new_name":"b"}}`},
		{do: "lifecycle", want: `{"event":"session_tags_changed","params":{"added":["y"],"removed":["x"]}}`},
		{do: "rename_session", in: `{"name":"b","new_name":"a"}`, want: `{"name":"a","tags":["y"]}`},
		{do: "update_tags", in: `{"session":"a","add":["x"]}`, want: `{"tags":["x","y"]}`},
		{do: "update_session", in: `{"session":"a","remove_tags":["y"]}`, want: `{"name":"a","tags":["x"]}`},
		{do: "frame 16", in: `{"session":"a","add":["z"]}`, want: `17 {"tags":["x","z"]}`},
		{do: "list_sessions", in: `{"tag":["x"]}`, want: `[{"name":"a"}]`},
		{do: "frame 08", in: `{}`, want: `09 {"sessions":[{"name":"a"}]}`},
		{do: "get_session", in: `{"name":"a"}`, want: `{"name":"a"}`},
		{do: "create_session", in: `{"name":"b","command":"cat"}`, want: `{"name":"b","tags":[]}`},
		{do: "POST /sessions", in: `{}`, want: `503 max_sessions_reached`},
		{do: "GET /sessions/a/job", want: `200`},
		{do: "get_job", in: `{"session":"a"}`, want: `{}`},
		{do: "POST /sessions/a/resize", in: `{"rows":6,"cols":40}`, want: `204`},
		{do: "resize", in: `{"session":"a","rows":5,"cols":40}`, want: `{}`},
		{do: "POST /sessions/a/detach", want: `204`},
		{do: "detach_session", in: `{"name":"a"}`, want: `{}`},
		{do: "frame 0c", in: `{"name":"a"}`, want: `0d {"name":"a"}`},
		{do: "POST /sessions/b/signal", in: `{"signal":"NONE"}`, want: `400 invalid_request`},
		{do: "signal_session", in: `{"session":"b","signal":"WINCH"}`, want: `{}`},
		{do: "POST /sessions/b/signal", in: `{"signal":"TERM"}`, want: `204`},
		{do: "GET /sessions/b/wait/exit", want: `200 {"code":143,"signal":"SIGTERM"}`},
		{do: "await_exit", in: `{"session":"b"}`, want: `{"code":143}`},
		{do: "GET /sessions/a/wait/exit?max_wait_ms=1", want: `408 timeout`},
		{do: "lifecycle", want: `{"event":"session_destroyed","params":{"name":"b"}}`},
		{do: "signal_session", in: `{"session":"b","signal":"TERM"}`, want: `session_ended`},
		{do: "POST /sessions/b/input", in: "x", want: `410 session_ended`},
		{do: "kill_session", in: `{"name":"b"}`, want: `{}`},
		{do: "lifecycle", want: `{"event":"session_removed","params":{"name":"b"}}`},
		{do: "POST /sessions", in: `{"env":{"BIG":"` + strings.Repeat("x", 200<<10) + `"}}`, want: `500 session_create_failed`},
		{do: "frame 01", in: `{"name":"f","command":"cat","rows":2,"cols":9}`, want: `02 {"name":"f","rows":2,"cols":9}`},
		{do: "frame 03", in: `{"name":"f","rows":3,"cols":9}`, want: `04 {"name":"f","rows":3}`},
		{do: "frame 0a", in: `{"name":"f"}`, want: `0b {"name":"f"}`},
		{do: "frame 0a", in: `{"name":"f"}`, want: `07 {"code":"session_not_found"}`},
		{do: "DELETE /sessions/a", want: `204`},
		{do: "DELETE /sessions/a", want: `404 session_not_found`},
		{do: "frame 18", want: `19 {}`},
		{do: "stop_server", want: `{}`, tcp: true},
	}},
	"input and screens": {[]string{"--max-clients", "3"}, []step{
		{do: "UPGRADE /ws/json", want: "101"},
		{do: "create_session", in: `{"name":"a","command":"stty -echo; printf 'ready\\033[?1000h\\n'; cat","rows":4,"cols":40}`, want: `{"name":"a"}`},
		{do: "GET /sessions/a/wait/text?text=ready&format=plain", want: `200 {"line":"ready"}`},
		{do: "GET /sessions/a/wait/text?text=never&max_wait_ms=1", want: `408 timeout`},
		{do: "GET /sessions/a/wait/text", want: `400 invalid_request`},
		{do: "await_text", in: `{"session":"a","pattern":"^re"}`, want: `{"text":"re"}`},
		{do: "GET /sessions/a/idle?timeout_ms=1&format=plain", want: `200 {"screen":{"lines":["ready","","",""]}}`},
		{do: "GET /sessions/a/idle", want: `400 invalid_request`},
		{do: "GET /sessions/a/idle?timeout_ms=60000&fresh=true&max_wait_ms=1", want: `408 idle_timeout`},
		{do: "GET /sessions/a/quiesce?timeout_ms=60000&fresh=true&max_wait_ms=1", want: `408 quiesce_timeout`},
		{do: "GET /sessions/a/quiesce?timeout_ms=1", want: `200 {"scrollback_lines":4}`},
		{do: "GET /idle?timeout_ms=1", want: `200 {"session":"a"}`},
		{do: "GET /quiesce?timeout_ms=1", want: `200 {"session":"a"}`},
		{do: "GET /quiesce?timeout_ms=60000&fresh=true&max_wait_ms=1", want: `408 quiesce_timeout`},
		{do: "await_idle", in: `{"session":"a","timeout_ms":1}`, want: `{"scrollback_lines":4}`},
		{do: "await_quiesce", in: `{"session":"a","timeout_ms":60000,"fresh":true,"max_wait_ms":1}`, want: `quiesce_timeout`},
		{do: "await_quiesce", in: `{"session":"a","timeout_ms":1}`, want: `{"scrollback_lines":4}`},
		{do: "await_any_idle", in: `{"timeout_ms":1}`, want: `{"session":"a"}`},
		{do: "create_session", in: `{"name":"q","command":"cat"}`, want: `{"name":"q"}`},
		{do: "GET /sessions/q/wait/prompt", want: `409 no_prompts`, later: true, over: "TCP"}, // after 5 seconds
		{do: "await_prompt", in: `{"session":"q"}`, want: `no_prompts`, later: true, over: "TCP"},
		{do: "await_idle", in: `{"session":"a","timeout_ms":60000}`, want: `idle_superseded`, later: true},
		{do: "await_quiesce", in: `{"session":"a","timeout_ms":60000}`, want: `quiesce_superseded`, later: true},
		{do: "await_idle", in: `{"session":"a","timeout_ms":1}`, want: `{}`},
		{do: "subscribe", in: `{"session":"a","events":` + allTopics + `,"idle_timeout_ms":50,"interval_ms":10,"format":"plain"}`, want: `{}`},
		{do: "event.sync", want: `{"event":"sync","session":"a","params":{"screen":{"lines":["ready","","",""]}}}`},
		{do: "event.idle", want: `{"event":"idle","session":"a"}`},
		{do: "POST /sessions/a/input", in: "typed\n", want: `204`},
		{do: "event.line", want: `{"event":"line","index":1,"line":"typed"}`},
		{do: "event.chars", want: `{"event":"chars","row":1,"col":0,"chars":"typed"}`},
		{do: "event.diff", want: `{"event":"diff","screen":{"lines":["ready","typed","",""]}}`},
		{do: "event.cursor", want: `{"event":"cursor","row":2,"col":0}`},
		{do: "event.running", want: `{"event":"running"}`},
		{do: "send_input", in: `{"session":"a","data":"MQo=","encoding":"base64"}`, want: `{}`},
		{do: "send_input", in: `{"session":"a","data":"*","encoding":"base64"}`, want: `invalid_request`},
		{do: "POST /sessions/a/input/keys", in: `{"keys":["2","Enter"]}`, want: `204`},
		{do: "POST /sessions/a/input/keys", in: `{"keys":["No-Such-Key"]}`, want: `400 invalid_request`},
		{do: "press_keys", in: `{"session":"a","keys":["3","Enter"]}`, want: `{}`},
		{do: "POST /sessions/a/input/paste", in: `{"text":"4\n"}`, want: `204`},
		{do: "paste", in: `{"session":"a","text":"5\n"}`, want: `{}`},
		{do: "GET /sessions/a/wait/text?text=5", want: `200`},
		{do: "POST /sessions/a/input/mouse", in: `{"action":"press","button":"left","row":1,"col":1}`, want: `204`},
		{do: "send_mouse", in: `{"session":"a","action":"release","button":"left","row":1,"col":1}`, want: `{}`},
		{do: "POST /sessions/q/input/mouse", in: `{"action":"press","button":"left","row":1,"col":1}`, want: `409 precondition_failed`},
		{do: "send_mouse", in: `{"session":"q","action":"press","button":"left","row":1,"col":1}`, want: `precondition_failed`},
		{do: "POST /sessions/a/input", in: "\x15\\033[?1000l\n", want: `204`},
		{do: "GET /sessions/a/screen?format=plain", want: `200 {"cols":40,"rows":4,"mode":"normal"}`},
		{do: "GET /sessions/a/screen?format=html", want: `200`},
		{do: "GET /sessions/a/screen?format=gif", want: `400 invalid_request`},
		{do: "GET /sessions/a/screen/next?epoch=0", want: `200 {"rows":4}`},
		{do: "await_screen", in: `{"session":"a","epoch":0}`, want: `{"rows":4}`},
		{do: "GET /sessions/a/screen/diff?epoch=0", want: `200 {"since":0}`},
		{do: "get_changes", in: `{"session":"a","epoch":0}`, want: `{"since":0}`},
		{do: "GET /sessions/a/composed?format=plain", want: `200 {"rows":4}`},
		{do: "get_picture", in: `{"session":"a"}`, want: `{"rows":4}`},
		{do: "draw_picture", in: `{"session":"a","format":"svg"}`, want: `{"content_type":"image/svg+xml"}`},
		{do: "get_screen", in: `{"session":"a"}`, want: `{"rows":4}`},
		{do: "GET /sessions/a/scrollback?format=plain&limit=2", want: `200 {"lines":["ready","typed"],"offset":0}`},
		{do: "get_scrollback", in: `{"session":"a","limit":1,"format":"plain"}`, want: `{"lines":["ready"]}`},
		{do: "GET /sessions/a/scrollback/search?text=typed", want: `200 {"matches":[{"first":1,"text":"typed"}]}`},
		{do: "GET /sessions/a/scrollback/search?pattern=(", want: `400 invalid_request`},
		{do: "search_scrollback", in: `{"session":"a","text":"rea"}`, want: `{"matches":[{"first":0}]}`},
		{do: "GET /sessions/a/recording", want: `404 no_recording`},
		{do: "GET /sessions/a/recording/next", want: `404 no_recording`},
		{do: "POST /sessions/a/recording/start", want: `200 {"recording":true}`},
		{do: "POST /sessions/a/recording/start", want: `409 already_recording`},
		{do: "GET /sessions/a/recording", want: `200`},
		{do: "GET /sessions/a/recording/next", want: `200 {"recording":true}`},
		{do: "GET /sessions/a/recording/next?offset=1000000&max_wait_ms=1", want: `408 timeout`},
		{do: "POST /sessions/a/recording/stop", want: `200 {"recording":false}`},
		{do: "GET /sessions/a/recording/next?offset=1000000", want: `200 {"recording":false}`},
		{do: "stop_recording", in: `{"session":"none"}`, want: `session_not_found`},
		{do: "start_recording", in: `{"session":"a"}`, want: `{"recording":true}`},
		{do: "get_recording", in: `{"session":"a"}`, want: `{"recording":true}`},
		{do: "await_recording", in: `{"session":"a"}`, want: `{"recording":true}`},
		{do: "stop_recording", in: `{"session":"a"}`, want: `{"recording":false}`},
		{do: "unsubscribe", in: `{"session":"a"}`, want: `{}`},

		{do: "create_session", in: `{"name":"e","rows":5,"cols":60,"command":"stty -echo; while read -r x; do printf \"$x\"; done"}`, want: `{"name":"e"}`},
		{do: "subscribe", in: `{"session":"e","events":` + allTopics + `}`, want: `{}`},
		{do: "POST /sessions/e/input", in: `\033]0;new title\007\a\033]9;note\007\033]9;4;1;30\007\033]52;c;aGk=\007` + "\n", want: `204`},
		{do: "event.title", want: `{"event":"title","title":"new title"}`},
		{do: "event.bell", want: `{"event":"bell"}`},
		{do: "event.notification", want: `{"event":"notification","body":"note"}`},
		{do: "event.progress", want: `{"event":"progress","state":"normal","percent":30}`},
		{do: "event.clipboard", want: `{"event":"clipboard","selection":"c","data":"aGk="}`},
		{do: "POST /sessions/e/input", in: `\033]133;A\007$ \033]133;B\007` + "\n", want: `204`},
		{do: "GET /sessions/e/wait/prompt", want: `200 {"more":false}`},
		{do: "await_prompt", in: `{"session":"e"}`, want: `{"more":false}`},
		{do: "POST /sessions/e/input", in: `\033]133;C\007\033]133;D;7\007\033[?1049h` + "\n", want: `204`},
		{do: "event.command", want: `{"event":"command","state":"done","exit_code":7}`},
		{do: "event.mode", want: `{"event":"mode","alternate_active":true}`},
		{do: "event.reset", want: `{"event":"reset","reason":"alternate_screen_enter"}`},
		{do: "POST /sessions/e/run", in: `{"line":"true","max_wait_ms":0}`, want: `408 line_not_typed`},
		{do: "DELETE /sessions/e", want: `204`},

		{do: "create_session", in: `{"name":"s"}`, want: `{"name":"s"}`},
		{do: "POST /sessions/s/run", in: `{"line":"echo $((6*7))","timeout_ms":50}`, want: `200`},
		{do: "run_command", in: `{"session":"s","command":"echo $((6*7))","timeout_ms":50}`, want: `{}`},
		{do: "POST /sessions/s/run", in: `{"line":"sleep 1000","max_wait_ms":1,"timeout_ms":60000}`, want: `408`},

		{do: "answers"},
		{do: "GET /sessions/a/ws/json", want: "426 upgrade_required"},
		{do: "GET /sessions/a/ws/raw", want: "426 upgrade_required"},
		{do: "UPGRADE /sessions/none/ws/json", want: "404 session_not_found"},
		{do: "UPGRADE /sessions/none/ws/raw", want: "404 session_not_found"},
		{do: "UPGRADE /sessions/a/ws/raw", want: "101"},
		{do: "UPGRADE /sessions/a/ws/json", want: "101"},
		{do: "UPGRADE /sessions/a/ws/json", want: "101"},
		{do: "UPGRADE /sessions/a/ws/json", want: "429 resource_limit_reached"},
		{do: "event.connected", want: `{"connected":true}`},
		{do: "get_screen", want: `{"rows":4}`},
		{do: "list_sessions", want: `unknown_method`},
		{do: "kill_session", want: `{}`},
		{do: "closed", want: `1000 session ended`},
	}},
	"elements": {nil, []step{
		{do: "UPGRADE /ws/json", want: "101"},
		{do: "POST /sessions", in: `{"name":"a","command":"stty -echo -icanon; cat","rows":6,"cols":40}`, want: `201`},
		{do: "subscribe", in: `{"session":"a","events":["overlay","input"]}`, want: `{}`},
		{do: "POST /sessions/a/overlay", in: `{"x":1,"y":2,"spans":[{"text":"o","id":"i"}],"focusable":true}`, want: `201 {"id":"overlay-1"}`},
		{do: "event.overlay", want: `{"event":"overlay","overlays":[{"id":"overlay-1"}]}`},
		{do: "POST /sessions/a/overlay", in: `{"x":1}`, want: `400 invalid_request`},
		{do: "POST /sessions/a/overlay", in: `{"spans":[{"text":"` + strings.Repeat("x", 65<<10) + `"}]}`, want: `400 invalid_overlay`},
		{do: "GET /sessions/a/overlay", want: `200 [{"id":"overlay-1","x":1,"y":2}]`},
		{do: "GET /sessions/a/overlay/overlay-1", want: `200 {"id":"overlay-1"}`},
		{do: "GET /sessions/a/overlay/none", want: `404 overlay_not_found`},
		{do: "PUT /sessions/a/overlay/overlay-1", in: `{"spans":[{"text":"p","id":"i"}]}`, want: `204`},
		{do: "PATCH /sessions/a/overlay/overlay-1", in: `{"x":3}`, want: `204`},
		{do: "POST /sessions/a/overlay/overlay-1/spans", in: `{"spans":[{"text":"q","id":"i"}]}`, want: `204`},
		{do: "POST /sessions/a/overlay/overlay-1/write", in: `{"writes":[{"row":0,"col":0,"text":"w"}]}`, want: `204`},
		{do: "create_overlay", in: `{"session":"a","spans":[{"text":"o","id":"i"}]}`, want: `{"id":"overlay-2"}`},
		{do: "list_overlays", in: `{"session":"a"}`, want: `[{"id":"overlay-1","x":3},{"id":"overlay-2"}]`},
		{do: "get_overlay", in: `{"session":"a","id":"overlay-2"}`, want: `{"id":"overlay-2"}`},
		{do: "update_overlay", in: `{"session":"a","id":"overlay-2","spans":[{"text":"n","id":"i"}]}`, want: `{}`},
		{do: "patch_overlay", in: `{"session":"a","id":"overlay-2","y":1}`, want: `{}`},
		{do: "update_overlay_spans", in: `{"session":"a","id":"overlay-2","spans":[{"text":"m","id":"i"}]}`, want: `{}`},
		{do: "overlay_region_write", in: `{"session":"a","id":"overlay-2","writes":[{"row":0,"col":0,"text":"w"}]}`, want: `{}`},
		{do: "batch_update", in: `{"session":"a","type":"overlay","id":"overlay-2","spans":[{"text":"b","id":"i"}],"writes":[]}`, want: `{}`},
		{do: "apply_elements", in: `{"session":"a","ops":[{"op":"create","type":"panel"}]}`, want: `{"ids":["panel-1"]}`},
		{do: "POST /sessions/a/elements", in: `{"ops":[{"op":"remove","type":"panel","id":"panel-1"}]}`, want: `200`},
		{do: "POST /sessions/a/input/focus", in: `{"id":"overlay-1"}`, want: `204`},
		{do: "POST /sessions/a/input/focus", in: `{"id":"overlay-2"}`, want: `400 not_focusable`},
		{do: "GET /sessions/a/input/focus", want: `200 {"focused":"overlay-1"}`},
		{do: "POST /sessions/a/input/unfocus", want: `204`},
		{do: "focus", in: `{"session":"a","id":"overlay-1"}`, want: `{}`},
		{do: "get_focus", in: `{"session":"a"}`, want: `{"focused":"overlay-1"}`},
		{do: "unfocus", in: `{"session":"a"}`, want: `{}`},
		{do: "POST /sessions/a/input/capture", want: `204`},
		{do: "event.mode.input", want: `{"event":"mode","mode":"capture"}`},
		{do: "frame 03 06 15 11 05", in: `{"name":"a","rows":6,"cols":40}`, want: `04 {"input_mode":"capture"}`},
		{do: "GET /sessions/a", want: `200 {"rows":7,"cols":41}`, over: "Unix"},
		{do: "GET /sessions/a/input/mode", want: `200 {"mode":"capture"}`},
		{do: "POST /sessions/a/input/release", want: `204`},
		{do: "capture_input", in: `{"session":"a"}`, want: `{}`},
		{do: "get_input_mode", in: `{"session":"a"}`, want: `{"mode":"capture"}`},
		{do: "release_input", in: `{"session":"a"}`, want: `{}`},
		{do: "GET /sessions/a/screen_mode", want: `200 {"mode":"normal"}`},
		{do: "POST /sessions/a/screen_mode/exit_alt", want: `409 not_in_alt_screen`},
		{do: "POST /sessions/a/screen_mode/enter_alt", want: `204`},
		{do: "POST /sessions/a/screen_mode/enter_alt", want: `409 already_in_alt_screen`},
		{do: "POST /sessions/a/screen_mode/exit_alt", want: `204`},
		{do: "enter_alt_screen", in: `{"session":"a"}`, want: `{}`},
		{do: "get_screen_mode", in: `{"session":"a"}`, want: `{"mode":"alt"}`},
		{do: "exit_alt_screen", in: `{"session":"a"}`, want: `{}`},
		{do: "delete_overlay", in: `{"session":"a","id":"overlay-2"}`, want: `{}`},
		{do: "DELETE /sessions/a/overlay/overlay-1", want: `204`},
		{do: "clear_overlays", in: `{"session":"a"}`, want: `{}`},
		{do: "DELETE /sessions/a/overlay/overlay-1", want: `404 overlay_not_found`},
		{do: "DELETE /sessions/a/overlay", want: `204`},
		{do: "POST /sessions/a/panel", in: `{"position":"top","height":1,"spans":[{"text":"p","id":"i"}]}`, want: `201 {"id":"panel-2"}`},
		{do: "GET /sessions/a/panel", want: `200 [{"id":"panel-2","visible":true}]`},
		{do: "GET /sessions/a/panel/panel-2", want: `200 {"position":"top"}`},
		{do: "GET /sessions/a/panel/none", want: `404 panel_not_found`},
		{do: "PUT /sessions/a/panel/panel-2", in: `{"position":"bottom","height":1,"z":0,"spans":[{"text":"p","id":"i"}]}`, want: `204`},
		{do: "PATCH /sessions/a/panel/panel-2", in: `{"height":2}`, want: `204`},
		{do: "POST /sessions/a/panel/panel-2/spans", in: `{"spans":[{"text":"q","id":"i"}]}`, want: `204`},
		{do: "POST /sessions/a/panel/panel-2/write", in: `{"writes":[]}`, want: `204`},
		{do: "DELETE /sessions/a/panel/panel-2", want: `204`},
		{do: "DELETE /sessions/a/panel", want: `204`},
		{do: "create_panel", in: `{"session":"a","position":"top"}`, want: `{"id":"panel-3"}`},
		{do: "list_panels", in: `{"session":"a"}`, want: `[{"id":"panel-3"}]`},
		{do: "get_panel", in: `{"session":"a","id":"panel-3"}`, want: `{"id":"panel-3"}`},
		{do: "update_panel", in: `{"session":"a","id":"panel-3","position":"top","height":1,"z":0,"spans":[]}`, want: `{}`},
		{do: "patch_panel", in: `{"session":"a","id":"panel-3","height":2}`, want: `{}`},
		{do: "update_panel_spans", in: `{"session":"a","id":"panel-3","spans":[]}`, want: `{}`},
		{do: "panel_region_write", in: `{"session":"a","id":"panel-3","writes":[]}`, want: `{}`},
		{do: "delete_panel", in: `{"session":"a","id":"panel-3"}`, want: `{}`},
		{do: "clear_panels", in: `{"session":"a"}`, want: `{}`},
	}},
	// What the public web client of the known server calls.
	"web client": {nil, []step{
		{do: "POST /sessions", in: `{"name":"a","command":"stty -echo; cat"}`, want: `201`},
		{do: "GET /sessions", want: `401 auth_required`, as: "-", tcp: true},
		{do: "GET /sessions", want: `200 [{"name":"a"}]`},
		{do: "GET /servers", want: "404 not_found"},
		{do: "POST /auth/ws-ticket", want: "200", save: "ticket"},
		{do: "UPGRADE /ws/json?ticket=$ticket", want: "101", as: "-"},
		{do: "list_sessions", want: `[{"name":"a","command":"stty -echo; cat","rows":24,"cols":80,"tags":[]}]`},
		{do: "get_screen", session: "a", in: `{"format":"styled"}`, want: `{"cols":80,"rows":24,"alternate_active":false}`},
		{do: "subscribe", session: "a", in: `{"events":["lines","cursor","mode","activity"],"format":"styled","idle_timeout_ms":200}`, want: `{"events":["lines","cursor","mode","activity"]}`},
		{do: "event.sync", want: `{"event":"sync","session":"a","params":{"scrollback_lines":24}}`},
		{do: "event.idle", want: `{"event":"idle","session":"a"}`},
		{do: "resize", session: "a", in: `{"rows":10,"cols":40}`, want: `{}`},
		{do: "event.reset", want: `{"event":"reset","session":"a","reason":"resize"}`},
		{do: "send_input", session: "a", in: `{"data":"k\n"}`, want: `{}`},
		{do: "event.line", want: `{"event":"line","session":"a","index":0,"line":[{"text":"k"}]}`},
		{do: "event.running", want: `{"event":"running","session":"a"}`},
		{do: "get_scrollback", session: "a", in: `{"format":"styled","offset":0,"limit":100}`, want: `{"total_lines":10,"offset":0}`},
		{do: "create_session", in: `{"name":"b"}`, want: `{"name":"b"}`},
		{do: "lifecycle", want: `{"event":"session_created","params":{"name":"b"}}`},
		{do: "update_session", session: "b", in: `{"name":"c","add_tags":["x"]}`, want: `{"name":"c","tags":["x"],"rows":24}`},
		{do: "lifecycle", want: `{"event":"session_renamed","params":{"old_name":"b","new_name":"c"}}`},
		{do: "lifecycle", want: `{"event":"session_tags_changed","params":{"name":"c","tags":["x"]}}`},
		{do: "kill_session", in: `{"name":"c"}`, want: `{}`},
		{do: "lifecycle", want: `{"event":"session_destroyed","params":{"name":"c"}}`},
	}},
	"ends of WebSockets": {nil, []step{
		{do: "POST /auth/tokens", in: `{"rights":["read"]}`, want: "201", save: "token"},
		{do: "UPGRADE /ws/json", want: "101", as: "$token"},
		{do: "DELETE /auth/tokens/1", want: "204"},
		{do: "closed", want: "1008 the token has expired or was withdrawn"},
		{do: "POST /sessions", in: `{"name":"a","command":"cat","tags":["x"]}`, want: "201"},
		{do: "POST /auth/tokens", in: `{"rights":["read"],"tags":["x"]}`, want: "201", save: "token"},
		{do: "UPGRADE /sessions/a/ws/raw", want: "101", as: "$token"},
		{do: "PATCH /sessions/a", in: `{"remove_tags":["x"]}`, want: "200"},
		{do: "closed", want: "1008 the caller's rights do not cover the session any more"},
		{do: "PATCH /sessions/a", in: `{"add_tags":["x"]}`, want: "200"},
		{do: "UPGRADE /sessions/a/ws/json", want: "101", as: "$token"},
		{do: "PATCH /sessions/a", in: `{"remove_tags":["x"]}`, want: "200"},
		{do: "closed", want: "1008 the caller's rights do not cover the session any more"},
		{do: "UPGRADE /ws/json", want: "101"},
		{do: "send", in: "{"},
		{do: "answer", want: `{"error":{"code":"invalid_request"}}`},
		{do: "send", in: "{\"id\":\"\xff\",\"method\":\"list_sessions\"}"},
		{do: "closed", want: "1007 a text message is not UTF-8"},
		{do: "UPGRADE /ws/json", want: "101"},
		{do: "send", in: `{"id":1,"method":"` + strings.Repeat("x", 1<<20) + `"}`},
		{do: "closed", want: "1009 read limited at 1048577 bytes"},
		{do: "POST /sessions", in: `{"name":"s"}`, want: "201"},
		{do: "POST /sessions/s/run", in: `{"line":"echo run''ning; sleep 1000"}`, want: "503 server_unavailable", later: true},
		{do: "GET /sessions/s/wait/text?text=running", want: "200"},
		{do: "UPGRADE /ws/json", want: "101"},
		{do: "POST /server/stop", want: "204"},
		{do: "closed", want: "1001 the server is stopping"},
	}},
	// What a client gets that has not read for long: each clipboard is as large as a message may
	// be.
	"lost events": {nil, []step{
		{do: "UPGRADE /ws/json", want: "101"},
		{do: "create_session", in: `{"name":"a","command":"stty -echo; x=$(head -c 180000 /dev/zero | base64 -w0); read; for i in $(seq 40); do printf '\\033]52;c;%s\\007' $x; done; echo over; cat"}`, want: `{}`},
		{do: "subscribe", in: `{"session":"a","events":["input","clipboard"]}`, want: `{}`},
		{do: "POST /sessions/a/input", in: "\n", want: "204"},
		{do: "GET /sessions/a/wait/text?text=over", want: "200"},
		{do: "create_session", in: `{"name":"b","command":"cat"}`, want: `{}`},
		{do: "event.lagged", want: `{"type":"lagged"}`},
		{do: "event.input_lagged", want: `{"type":"input_lagged"}`},
		{do: "event.sync", want: `{"event":"sync","screen":{"alternate_active":false}}`},
		{do: "unsubscribe", in: `{"session":"a"}`, want: `{}`},
		{do: "create_session", in: `{"name":"c","command":"cat ` + strings.Repeat(" ", 100_000) + `"}`, want: `{}`},
		{do: "PATCH /sessions/c", in: `{"add_tags":["t$odd"],"remove_tags":["t$even"]}`, want: "200", times: 80},
		{do: "PATCH /sessions/b", in: `{"add_tags":["t$odd"],"remove_tags":["t$even"]}`, want: "200", times: 1200},
		{do: "lifecycle_lagged", want: `{"type":"lifecycle_lagged"}`},
	}},
	"odd requests": {nil, []step{
		{do: "POST /sessions", in: `{"name":"a","command":"cat"}`, want: "201"},
		{do: "raw", in: wire("GET /sessions HTTP/1.0", ""), want: `200 [{"name":"a"}]`},
		{do: "raw", in: wire("GET http://localhost/sessions/%61 HTTP/1.1", ""), want: `200 {"name":"a"}`},
		{do: "raw", in: wire("GET http://pages.example/sessions HTTP/1.1", ""), want: "403 host_not_allowed", tcp: true},
		{do: "raw", in: wire("GET /sessions/a%2Fb HTTP/1.1", ""), want: "404 session_not_found"},
		{do: "raw", in: wire("GET /sessions/%00%ff HTTP/1.1", ""), want: "404 session_not_found"},
		{do: "raw", in: wire("GET /sessions/%2e%2e/health HTTP/1.1", ""), want: "404 not_found"},
		{do: "raw", in: wire("GET //health HTTP/1.1", ""), want: "404 not_found"},
		{do: "raw", in: wire("GET /health/ HTTP/1.1", ""), want: "404 not_found"},
		{do: "raw", in: wire("CONNECT localhost:1 HTTP/1.1", ""), want: "404 not_found"},
		{do: "raw", in: wire("OPTIONS * HTTP/1.1", ""), want: "404 not_found"},
		{do: "raw", in: wire("OPTIONS /sessions HTTP/1.1", ""), want: "405 method_not_allowed"},
		{do: "raw", in: wire("TRACE /sessions HTTP/1.1", ""), want: "405 method_not_allowed"},
		{do: "raw", in: wire("get /health HTTP/1.1", ""), want: "405 method_not_allowed"},
		{do: "raw", in: wire("GET /sessions HTTP/1.1", "{{{"), want: `200 [{"name":"a"}]`},
		{do: "raw", in: wire("POST /sessions/a/resize HTTP/1.1", strings.Repeat("[", 100_000)), want: "400 invalid_request"},
		{do: "raw", in: wire("POST /sessions/a/resize HTTP/1.1", `{"rows":5,"cols":9}{}`), want: "400 invalid_request"},
		{do: "raw", in: strings.TrimSuffix(wire("POST /sessions/a/resize HTTP/1.1", `{"rows":5,"cols":9}`), "}"), want: "400 invalid_request", half: true},
		{do: "raw", in: wire("POST /sessions/a/resize HTTP/1.1", `{"rows":5,"cols":9}`, "Expect: 100-continue"), want: "204"},
		{do: "raw", in: wire("POST /sessions/a/resize HTTP/1.1", "", "Transfer-Encoding: chunked", "Content-Type: application/json") + "zz\r\n{}\r\n0\r\n\r\n", want: "400 invalid_request"},
		{do: "raw", in: wire("GET /sessions/a/idle?timeout_ms=60000&fresh=true HTTP/1.1", ""), want: "400 invalid_request", half: true},
		{do: "raw", in: wire("GET /ws/json HTTP/1.1", "", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 8", "Sec-WebSocket-Key: "+webSocketKey), want: "400 invalid_request"},
		{do: "raw", in: wire("GET /ws/json HTTP/1.1", "", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: x"), want: "400 invalid_request"},
		{do: "raw", in: wire("GET /ws/json HTTP/1.1", "", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: "+webSocketKey, "Sec-WebSocket-Key: "+webSocketKey), want: "400 invalid_request"},
		{do: "raw", in: wire("GET /ws/json HTTP/1.0", "", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: "+webSocketKey), want: "426 upgrade_required"},
	}},
	"rate": {[]string{"--rate-limit", "1"}, []step{
		{do: "GET /sessions", want: "429 rate_limited", until: true, tcp: true},
		{do: "GET /health", want: "200"},
	}},
}

// webSocketKey is a key with which a client may ask for a WebSocket.
const webSocketKey = "dGhlIHNhbXBsZSBub25jZQ=="

// wire returns a request of the owner as bytes. A body is JSON.
func wire(line, body string, headers ...string) string {
	headers = append([]string{line, "Host: localhost", "Authorization: Bearer " + ownersToken}, headers...)
	if body != "" {
		headers = append(headers, "Content-Type: application/json", "Content-Length: "+strconv.Itoa(len(body)))
	}
	return strings.Join(headers, "\r\n") + "\r\n\r\n" + body
}

// Every route, method, event and error code of the documents does what it should over every
// transport.
func TestShellServerAPI(t *testing.T) {
	for _, way := range []string{"TCP", "TLS", "Unix"} {
		for name, story := range apiStories {
			t.Run(way+"/"+name, func(t *testing.T) {
				t.Parallel()
				token := filepath.Join(t.TempDir(), "token")
				if err := os.WriteFile(token, []byte(ownersToken), 0o600); err != nil {
					t.Fatal(err)
				}
				r := apiRun{T: t, s: startShellServer(t, way, append(story.flags, "--token-file", token)...), way: way, methods: map[int]step{}}
				for _, st := range story.steps {
					if strings.HasPrefix(st.do, "frame ") {
						st.over = "Unix"
					}
					if !(st.tcp && way == "Unix") && (st.over == "" || st.over == way) {
						for i := range max(st.times, 1) {
							r.run(st, "$odd", strconv.Itoa((i+1)%2), "$even", strconv.Itoa(i%2))
						}
					}
				}
				r.answers()
			})
		}
	}
}

// An apiRun is a story that takes place.
type apiRun struct {
	*testing.T
	s     *shellServer
	way   string
	saved []string // "$NAME" and the value, by turns, the newest first
	conn  *websocket.Conn
	calls int
	seen  []string // messages that are no answers

	requests sync.WaitGroup // that are answered later
	methods  map[int]step   // that are answered later, by id
}

// run does a step. vars are more names and values beside those that earlier steps have saved.
func (r *apiRun) run(st step, more ...string) {
	r.Helper()
	vars := strings.NewReplacer(slices.Concat(more, r.saved)...)
	do, in, as := vars.Replace(st.do), vars.Replace(st.in), vars.Replace(st.as)
	var headers []string
	if as == "" {
		as = ownersToken
	}
	if as != "-" {
		headers = append(headers, "Authorization: Bearer "+as)
	}
	if st.header != "" {
		headers = append(headers, st.header)
	}
	verb, rest, isRequest := strings.Cut(do, " ")
	switch {
	case verb == "frame":
		r.frame(do, rest, in, st.want)
	case verb == "answers":
		r.answers()
	case verb == "raw":
		if problem := r.raw(in, st); problem != "" {
			r.Errorf("raw %.200q: %s", st.in, problem)
		}
	case verb == "send":
		r.write([]byte(in))
	case verb == "closed":
		var err error
		for err == nil {
			_, _, err = r.next()
		}
		if got := fmt.Sprint(int(websocket.CloseStatus(err)), " ", closeText(err)); got != st.want {
			r.Errorf("the WebSocket ended with %s (%v), want %s", got, err, st.want)
		}
	case strings.HasPrefix(do, "event.") || do == "lifecycle" || do == "lifecycle_lagged" || do == "answer":
		r.event(do, st.want)
	case isRequest && st.later:
		r.requests.Go(func() {
			if problem := r.request(verb, rest, in, st, headers); problem != "" {
				r.Errorf("%s %.200s: %s", st.do, st.in, problem)
			}
		})
	case isRequest:
		end := time.Now().Add(wait.Patience)
		for {
			if problem := r.request(verb, rest, in, st, headers); problem == "" {
				break
			} else if !st.until || time.Now().After(end) {
				r.Errorf("%s %.200s: %s", st.do, st.in, problem)
				break
			}
		}
	default:
		st.do, st.in = do, in
		r.call(st)
	}
}

// answers waits for what is answered later.
func (r *apiRun) answers() {
	r.Helper()
	r.requests.Wait()
	for len(r.methods) > 0 {
		message, answered, err := r.next()
		if err != nil {
			r.Fatalf("%d methods are not answered: %v", len(r.methods), err)
		}
		if !answered {
			r.seen = append(r.seen, message)
		}
	}
}

// request makes a request and says what is wrong with the answer.
func (r *apiRun) request(verb, path, in string, st step, headers []string) string {
	var res *http.Response
	var body string
	if verb == "UPGRADE" {
		var conn *websocket.Conn
		if conn, res, body = r.s.dial(r, path, headers...); conn != nil {
			if len(r.methods) > 0 {
				return "another WebSocket waits for answers"
			}
			r.conn, r.seen = conn, nil
		}
	} else {
		res, body = r.s.do(r, verb, path, in, headers...)
	}
	return r.answer(res, body, st)
}

// raw sends bytes and says what is wrong with the first final answer.
func (r *apiRun) raw(in string, st step) string {
	r.Helper()
	conn, err := r.s.connect(r.Context())
	if err != nil {
		return err.Error()
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(wait.Patience))
	if _, err := io.WriteString(conn, in); err != nil {
		return err.Error()
	}
	if st.half {
		if err := conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
			return err.Error()
		}
	}
	reader := bufio.NewReader(conn)
	res, err := http.ReadResponse(reader, nil)
	for err == nil && res.StatusCode == http.StatusContinue {
		res, err = http.ReadResponse(reader, nil)
	}
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return err.Error()
	}
	return r.answer(res, string(b), st)
}

// answer says what is wrong with an answer.
func (r *apiRun) answer(res *http.Response, body string, st step) string {
	status, want, _ := strings.Cut(st.want, " ")
	header := res.Header.Get
	switch {
	case strconv.Itoa(res.StatusCode) != status:
		return fmt.Sprintf("status %d, want %s: %.300s", res.StatusCode, status, body)
	case res.StatusCode == 204 && body != "":
		return fmt.Sprintf("a body: %q", body)
	case res.StatusCode == 405 && header("Allow") == "":
		return "no Allow"
	case res.StatusCode == 429 && want == "rate_limited" && header("Retry-After") == "":
		return "no Retry-After"
	case res.StatusCode != 101 && (header("X-Content-Type-Options") != "nosniff" || header("X-Frame-Options") != "DENY" || header("Referrer-Policy") != "no-referrer" || header("Content-Security-Policy") == ""):
		return "headers of security are missing"
	case res.StatusCode >= 400 && header("Content-Type") != "application/json":
		return "an error of type " + header("Content-Type")
	}
	if res.StatusCode >= 400 && want != "" {
		want = `{"error":{"code":"` + want + `"}}`
	}
	if want != "" {
		if d := opcases.Diff(want, body); d != "" {
			return d
		}
	}
	if st.save != "" {
		var members map[string]any
		if err := json.Unmarshal([]byte(body), &members); err != nil {
			return err.Error()
		}
		r.saved = append([]string{"$" + st.save, fmt.Sprint(members[st.save])}, r.saved...)
	}
	return ""
}

// next reads a message of the WebSocket. Answers to the methods that are answered later are checked
// here, and reported as answered.
func (r *apiRun) next() (message string, answered bool, err error) {
	r.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), wait.Patience)
	defer cancel()
	_, b, err := r.conn.Read(ctx)
	if err != nil || len(r.methods) == 0 {
		return string(b), false, err
	}
	var reply struct{ ID int }
	_ = json.Unmarshal(b, &reply) // the ID of a message without one is 0
	st, answered := r.methods[reply.ID]
	if answered {
		delete(r.methods, reply.ID)
		r.check(st, string(b))
	}
	return string(b), answered, nil
}

func (r *apiRun) write(message []byte) {
	r.Helper()
	if err := r.conn.Write(r.Context(), websocket.MessageText, message); err != nil {
		r.Fatal(err)
	}
}

// call calls a method.
func (r *apiRun) call(st step) {
	r.Helper()
	r.calls++
	request := map[string]any{"id": r.calls, "method": st.do}
	if st.session != "" {
		request["session"] = st.session
	}
	if st.in != "" {
		request["params"] = json.RawMessage(st.in)
	}
	b, err := json.Marshal(request)
	if err != nil {
		r.Fatal(err)
	}
	r.write(b)
	if st.later {
		r.methods[r.calls] = st
		return
	}
	id := regexp.MustCompile(fmt.Sprintf(`^\{"id":%d,`, r.calls))
	for {
		message, answered, err := r.next()
		if answered {
			continue
		}
		if st.do == "stop_server" && websocket.CloseStatus(err) == websocket.StatusGoingAway {
			return // the end of the server may come before its answer
		}
		if err != nil {
			r.Fatalf("%s: %v", st.do, err)
		}
		if id.MatchString(message) {
			r.check(st, message)
			return
		}
		r.seen = append(r.seen, message)
	}
}

// check checks the answer to a method: JSON, or the code of an error.
func (r *apiRun) check(st step, message string) {
	r.Helper()
	var reply struct {
		Method string
		Result json.RawMessage
		Error  struct{ Code, Message string }
	}
	if err := json.Unmarshal([]byte(message), &reply); err != nil {
		r.Fatalf("%s: %v: %s", st.do, err, message)
	}
	if reply.Method != st.do {
		r.Errorf("%s: the answer is to %q", st.do, reply.Method)
	}
	if !strings.ContainsAny(st.want, "{[") {
		if reply.Error.Code != st.want || reply.Error.Message == "" {
			r.Errorf("%s %s: code %q, want %q: %.300s", st.do, st.in, reply.Error.Code, st.want, message)
		}
	} else if reply.Error.Code != "" {
		r.Errorf("%s %s: %.300s", st.do, st.in, message)
	} else if d := opcases.Diff(st.want, string(reply.Result)); d != "" {
		r.Errorf("%s %s: %s", st.do, st.in, d)
	}
}

// event waits for a message.
func (r *apiRun) event(name, want string) {
	r.Helper()
	for i := 0; ; i++ {
		if i == len(r.seen) {
			message, answered, err := r.next()
			if answered {
				i--
				continue
			}
			if err != nil {
				r.Fatalf("no %s %s: %v; but %.3000s", name, want, err, strings.Join(r.seen, "\n"))
			}
			r.seen = append(r.seen, message)
		}
		if opcases.Diff(want, r.seen[i]) == "" {
			return
		}
	}
}

// contents are those of the frames that are sent after the first one.
var contents = map[string]string{"06": `{"rows":7,"cols":41}`, "11": "k"}

// frame sends a frame and, if there are more types, others after the answer.
func (r *apiRun) frame(do, kinds, in, want string) {
	r.Helper()
	conn, err := net.Dial("unix", r.s.socket)
	if err != nil {
		r.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(wait.Patience))
	send := func(kind, content string) {
		n, err := strconv.ParseUint(kind, 16, 8)
		if err != nil {
			r.Fatal(err)
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint32([]byte{byte(n)}, uint32(len(content))), content...)); err != nil {
			r.Fatal(err)
		}
	}
	receive := func() (kind string, content []byte) {
		head := make([]byte, 5)
		if _, err := io.ReadFull(conn, head); err != nil {
			r.Fatalf("%s: %v", do, err)
		}
		content = make([]byte, binary.BigEndian.Uint32(head[1:]))
		if _, err := io.ReadFull(conn, content); err != nil {
			r.Fatalf("%s: %v", do, err)
		}
		return fmt.Sprintf("%02x", head[0]), content
	}
	list := strings.Fields(kinds)
	send(list[0], in)
	wantKind, wantContent, _ := strings.Cut(want, " ")
	if kind, content := receive(); kind != wantKind {
		r.Errorf("%s %s: %s %s, want %s", do, in, kind, content, want)
	} else if d := opcases.Diff(wantContent, string(content)); d != "" {
		r.Errorf("%s %s: %s", do, in, d)
	}
	for _, kind := range list[1:] {
		send(kind, contents[kind])
		switch kind {
		case "05":
			for answer := ""; answer != kind; { // after the last picture
				answer, _ = receive()
			}
		case "11":
			r.event("event.input", `{"event":"input","parsed":{"key":"k"}}`)
		}
	}
}

// closeText returns the reason of a WebSocket's end.
func closeText(err error) string {
	e, _ := errors.AsType[websocket.CloseError](err)
	return e.Reason
}

// notFromOutside are errors that no client can bring about, and the tests that do so inside of the
// process.
var notFromOutside = map[string]string{
	"500 internal_error": "a defect: httpterm TestDefect, wsterm TestDefect, frameterm TestDefect",
}

// The stories reach everything that the server and its documents say it has: each request and
// method with success, each event, error, frame and reason for the end of a WebSocket.
func TestShellServerAPIIsComplete(t *testing.T) {
	s := startShellServer(t, "TCP")
	_, openAPI := s.do(t, "GET", "/openapi.yaml", "")
	var routes []string
	path := ""
	for line := range strings.Lines(openAPI) {
		if m := regexp.MustCompile(`^  "?(/[^":]*)"?:\n`).FindStringSubmatch(line); m != nil {
			path = m[1]
		} else if m := regexp.MustCompile(`^    (get|put|post|patch|delete):\n`).FindStringSubmatch(line); m != nil {
			routes = append(routes, strings.ToUpper(m[1])+" "+path)
		}
	}
	done := map[string]bool{"event.input": true} // after frame 11
	for _, story := range apiStories {
		for _, st := range story.steps {
			verb, rest, isRequest := strings.Cut(st.do, " ")
			status, _, _ := strings.Cut(st.want, " ")
			switch {
			case verb == "frame":
				for kind := range strings.FieldsSeq(rest) {
					done["frame "+kind] = true
				}
			case verb == "closed":
				done["closed "+status] = true
			case !isRequest && strings.ContainsAny(st.want, "{["):
				done[st.do] = true // a method with success, or an event
			case !isRequest:
				done["code "+st.want] = true
			case status >= "4":
				done["code "+st.want] = true
			}
			if !isRequest || status >= "4" {
				continue
			}
			for _, route := range routes {
				request, _, _ := strings.Cut(strings.Replace(st.do, "UPGRADE ", "GET ", 1), "?")
				if pattern := regexp.MustCompile(`\\{\w+\\}`).ReplaceAllString(regexp.QuoteMeta(route), "[^/]+"); regexp.MustCompile("^" + pattern + "$").MatchString(request) {
					done[route] = true
				}
			}
		}
	}
	want := routes
	_, asyncAPI := s.do(t, "GET", "/asyncapi.yaml", "")
	_, components, _ := strings.Cut(asyncAPI, "\ncomponents:\n  messages:\n")
	components, _, _ = strings.Cut(components, "\n  schemas:\n")
	for _, m := range regexp.MustCompile(`(?m)^    "?([a-z_.]+)"?:$`).FindAllStringSubmatch(components, -1) {
		if name := m[1]; !strings.HasSuffix(name, ".reply") && name != "error" {
			want = append(want, name)
		}
	}
	for _, m := range errcode.Meanings {
		code := "code " + m.Code
		if m.Status != 0 {
			code = fmt.Sprintf("code %d %s", m.Status, m.Code)
		}
		if why := notFromOutside[strings.TrimPrefix(code, "code ")]; why == "" {
			want = append(want, code)
		}
	}
	text, err := os.ReadFile("../docs/terminal-sockets.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\| (1\d{3})\b`).FindAllStringSubmatch(string(text), -1) {
		want = append(want, "closed "+m[1])
	}
	_, frames, _ := strings.Cut(string(text), "\n## The Unix socket\n")
	for _, m := range regexp.MustCompile(`(?m)^\| ([0-9a-f, ;]+) \| ([a-z, ]+) \|`).FindAllStringSubmatch(frames, -1) {
		for pair := range strings.SplitSeq(m[1], ";") {
			kinds := strings.FieldsFunc(pair, func(r rune) bool { return r == ',' || r == ' ' })
			for i, by := range strings.Split(m[2], ", ") {
				if by != "server" && i < len(kinds) {
					want = append(want, "frame "+kinds[i])
				}
			}
		}
	}
	if len(routes) < 75 || len(want) < 220 {
		t.Errorf("only %d routes, %d in all", len(routes), len(want))
	}
	// The states of a session depend on its shell: the cases of testkit/opcases reach them.
	states := []string{"GET /sessions/{name}/wait/state", "await_state", "event.state"}
	for _, w := range want {
		if !done[w] && !slices.Contains(states, w) {
			t.Errorf("no story has %s", w)
		}
	}
}
