package mcpui

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/install"
	"ui-mcp/internal/look"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpview"
	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/problem"
)

var update = flag.Bool("update", false, "write the tools as they are to testdata")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorder answers every operation as configured, and records the calls.
type recorder struct {
	Ops      // what a test does not expect
	asked    string
	ran      app.Ran
	text     string
	status   app.Status
	opened   app.Opened
	shown    app.Displayed
	up       app.Uploaded
	report   install.Report
	config   app.Configuration
	seen     look.Seen
	blind    error
	err      error
	acted    ui.Acted
	found    app.News
	reported []finding.Finding
}

func (r *recorder) Start(context.Context) (string, error) {
	r.asked = "start"
	return "http://127.0.0.1:8000", r.err
}

func (r *recorder) Status(context.Context) app.Status { return r.status }

func (r *recorder) Run(_ context.Context, session, code string) (app.Ran, error) {
	r.asked = fmt.Sprintf("run %q in %q", code, session)
	return r.ran, r.err
}

func (r *recorder) Inspect(_ context.Context, session string, what ui.Inspection) (string, error) {
	r.asked = fmt.Sprintf("inspect %q, depth %d, %d tokens of %q", what.Path, what.Depth, what.Tokens, session)
	return r.text, r.err
}

func (r *recorder) Look(_ context.Context, session string, how app.Look) (look.Seen, error) {
	r.asked += fmt.Sprintf("look at %q of %q, width %d, dark %v", how.Path, session, how.Width, how.Dark)
	if r.blind != nil {
		return look.Seen{}, r.blind
	}
	return r.seen, r.err
}

func (r *recorder) Wait(ctx context.Context, session string, timeout time.Duration, deliver func([]json.RawMessage) error) error {
	r.asked = fmt.Sprintf("wait %s for events of %q", timeout, session)
	if r.text == "" || r.err != nil {
		return r.err
	}
	return deliver([]json.RawMessage{json.RawMessage(`{"n":1}`), json.RawMessage(`2`)})
}

func (r *recorder) Act(_ context.Context, session, ref string, in ui.Input) (ui.Acted, error) {
	data, err := json.Marshal(in)
	r.asked = fmt.Sprintf("act %s on %q in %q", data, ref, session)
	return r.acted, errors.Join(err, r.err)
}

func (r *recorder) Display(_ context.Context, session, name string) (app.Displayed, error) {
	r.asked = fmt.Sprintf("display %q in %q", name, session)
	return r.shown, r.err
}

func (r *recorder) CheckNews(_ context.Context, session, name string) (app.News, error) {
	r.asked += fmt.Sprintf("; check %q for %q", name, session)
	return r.found, nil
}

func (r *recorder) Reported(ctx context.Context, session, name string, _ app.Displayed, listed []finding.Finding) {
	r.reported = listed
}

func (r *recorder) OpenBrowser(_ context.Context, session, path string, conserve bool) (app.Opened, error) {
	r.asked = fmt.Sprintf("open %q of %q, conserve %v", path, session, conserve)
	return r.opened, r.err
}

func (r *recorder) OpenTerminals(context.Context) (app.Opened, error) {
	r.asked = "open the terminals"
	return r.opened, r.err
}

func (r *recorder) Upload(_ context.Context, typ, namespace, content string) (app.Uploaded, error) {
	r.asked = fmt.Sprintf("upload %s, %s, %q", typ, namespace, content)
	return r.up, r.err
}

func (r *recorder) Configure(_ context.Context, dir string) (app.Configuration, error) {
	r.asked = "configure " + dir
	return r.config, r.err
}

func (r *recorder) Install(force bool, section *bool) (install.Report, error) {
	claudeMD := section != nil && *section
	r.asked = fmt.Sprintf("install, force %v, CLAUDE.md %v", force, claudeMD)
	return r.report, r.err
}

func TestTools(t *testing.T) {
	running := app.Status{
		State: "running", Version: "0.1.0", BaseDir: ".claude/ui", URL: "http://127.0.0.1:8000",
		Live: &app.Live{MCPPort: 8001, Sessions: 2, Pages: 2, Views: 1, Errors: 1, Events: 3, EventsDropped: 4},
	}
	failing := []problem.Problem{
		{Kind: problem.Binding, File: "a.html", Line: 1, Source: `ui-value="f()"`, Message: "app.lua:3: x", Trace: "app.lua:3: in function f"},
		{Kind: problem.Viewdef, File: "a.html", Line: 2, Message: "y", Trace: "not told"},
	}
	pale := look.Seen{
		Width: 390, Height: 844, PNG: []byte("PNG"), Notes: []string{"it moves"},
		Findings: []finding.Finding{{Code: "contrast", File: "a.html", Line: 3, What: "p is pale", Instead: "darken it"}},
	}
	const failingText = "\na.html:1: ui-value=\"f()\": app.lua:3: x\n\tapp.lua:3: in function f\na.html:2: y"
	for name, tt := range map[string]struct {
		tool    string
		args    map[string]any
		ops     recorder
		asked   string
		text    string
		more    []string
		isError bool
	}{
		"start": {
			tool: "ui_start", asked: "start", text: "http://127.0.0.1:8000",
		},
		"status": {
			tool: "ui_status", ops: recorder{status: app.Status{State: "configured", Version: "0.1.0", BaseDir: ".claude/ui"}},
			text: `{"state":"configured","version":"0.1.0","base_dir":".claude/ui"}`,
		},
		"status when running": {
			tool: "ui_status", ops: recorder{status: running},
			text: `{"state":"running","version":"0.1.0","base_dir":".claude/ui","url":"http://127.0.0.1:8000","mcp_port":8001,"sessions":2,"pages":2,"views":1,"errors":1,"events":3,"events_dropped":4}`,
		},
		"run": {
			tool: "ui_run", args: map[string]any{"code": "return 1"}, ops: recorder{ran: app.Ran{Result: json.RawMessage(`1`)}},
			asked: `run "return 1" in "1"`, text: `1`,
		},
		"run in another session": {
			tool: "ui_run", args: map[string]any{"code": "", "sessionId": "2"}, ops: recorder{ran: app.Ran{Result: json.RawMessage(`null`)}},
			asked: `run "" in "2"`, text: `null`,
		},
		"run returns an object": {
			tool: "ui_run", args: map[string]any{"code": "x"}, ops: recorder{ran: app.Ran{Result: json.RawMessage(`{"a": "<b>"}`)}},
			asked: `run "x" in "1"`, text: `{"a":"<b>"}`,
		},
		"run causes problems": {
			tool: "ui_run", args: map[string]any{"code": "x"}, ops: recorder{ran: app.Ran{Result: json.RawMessage(`{"a":1}`), Problems: failing}},
			asked: `run "x" in "1"`, text: `{"a":1}`, more: []string{"New problems:" + failingText},
		},
		"display": {
			tool: "ui_display", args: map[string]any{"name": "contacts"}, ops: recorder{shown: app.Displayed{URL: "http://127.0.0.1:8000/1/"}},
			asked: `display "contacts" in "1"; check "contacts" for "1"`, text: "Displayed contacts at http://127.0.0.1:8000/1/",
		},
		"display with findings": {
			tool: "ui_display", args: map[string]any{"name": "contacts"},
			ops: recorder{shown: app.Displayed{URL: "http://127.0.0.1:8000/1/", Problems: failing[:1]}, found: app.News{Reported: 3, Findings: []finding.Finding{
				{Code: "binding", File: failing[0].File, Line: failing[0].Line, What: "what the problem says"},
				{Code: "action", File: failing[0].File, Line: failing[0].Line, What: "add() fails"},
				{Code: "unlabelled", File: "b.html", Line: 2, What: "<input> has no label", Instead: "add one"},
			}}},
			asked: `display "contacts" in "1"; check "contacts" for "1"`,
			text: "Displayed contacts at http://127.0.0.1:8000/1/\n1 problem in what is shown:\na.html:1: ui-value=\"f()\": app.lua:3: x\n\tapp.lua:3: in function f" +
				"\nFound in a copy of the app, in which controls were tried:\n- a.html:1: action: add() fails\n- b.html:2: unlabelled: <input> has no label; add one" +
				"\nStill found, as told before: 3 (ui-mcp check contacts lists all)",
		},
		"display with many findings": {
			tool: "ui_display", args: map[string]any{"name": "contacts"},
			ops: recorder{shown: app.Displayed{URL: "http://127.0.0.1:8000/1/"}, found: app.News{
				Findings: slices.Repeat([]finding.Finding{{Code: "load", What: "x"}}, 12),
				NotTried: slices.Repeat([]finding.Untried{{File: "a.html", Line: 3, What: `ui-action="f()"`, Why: "it is hidden"}}, 7),
			}},
			asked: `display "contacts" in "1"; check "contacts" for "1"`,
			text: "Displayed contacts at http://127.0.0.1:8000/1/\nFound in a copy of the app, in which controls were tried:" +
				strings.Repeat("\n- load: x", 10) + "\n… 2 more: ui-mcp check contacts" +
				"\nNot tried in a copy of the app:" + strings.Repeat("\n- a.html:3: not tried: ui-action=\"f()\", since it is hidden", 5) + "\n… 2 more not tried: ui-mcp check contacts",
		},
		"display with problems": {
			tool: "ui_display", args: map[string]any{"name": "contacts", "sessionId": "b"},
			ops:   recorder{shown: app.Displayed{URL: "http://127.0.0.1:8000/b/", Problems: failing}},
			asked: `display "contacts" in "b"; check "contacts" for "b"`,
			text:  "Displayed contacts at http://127.0.0.1:8000/b/\n2 problems in what is shown:" + failingText,
		},
		"display fails": {
			tool: "ui_display", args: map[string]any{"name": "contacts"}, ops: recorder{err: fault.New(fault.Script, "apps/contacts/app.lua:3: syntax error")},
			asked: `display "contacts" in "1"`, text: "apps/contacts/app.lua:3: syntax error", isError: true,
		},
		"inspect": {
			tool: "ui_inspect", ops: recorder{text: "session 1"},
			asked: `inspect "", depth 0, 0 tokens of "1"`, text: "session 1",
		},
		"inspect a part": {
			tool: "ui_inspect", args: map[string]any{"sessionId": "b", "path": "value.items.0", "depth": 1, "max_tokens": 300}, ops: recorder{text: "x"},
			asked: `inspect "value.items.0", depth 1, 300 tokens of "b"`, text: "x",
		},
		"click": {
			tool: "ui_act", args: map[string]any{"ref": "@a1", "click": true}, ops: recorder{acted: ui.Acted{Text: "Clicked it."}},
			asked: `act {} on "@a1" in "1"`, text: "Clicked it.",
		},
		"fill with nothing, in another session": {
			tool: "ui_act", args: map[string]any{"ref": "a1", "fill": "", "sessionId": "b"}, ops: recorder{acted: ui.Acted{Text: "Filled it.", Problems: failing}},
			asked: `act {"text":""} on "a1" in "b"`,
			text:  "Filled it.", more: []string{"New problems:" + failingText},
		},
		"select one option": {
			tool: "ui_act", args: map[string]any{"ref": "a1", "select": "x"}, ops: recorder{acted: ui.Acted{Text: "Selected."}},
			asked: `act {"options":["x"]} on "a1" in "1"`, text: "Selected.",
		},
		"select several options": {
			tool: "ui_act", args: map[string]any{"ref": "a1", "select": []string{"x", "y"}}, ops: recorder{acted: ui.Acted{Text: "Selected."}},
			asked: `act {"options":["x","y"]} on "a1" in "1"`, text: "Selected.",
		},
		"an act with an unknown outcome": {
			tool: "ui_act", args: map[string]any{"ref": "a1", "check": false}, ops: recorder{acted: ui.Acted{Text: "The outcome is unknown.", Unknown: true}},
			asked: `act {"on":false} on "a1" in "1"`, text: "The outcome is unknown.", isError: true,
		},
		"events": {
			tool: "ui_inspect", args: map[string]any{"events": true}, ops: recorder{text: "some"},
			asked: `wait 30s for events of "1"`, text: `[{"n":1},2]`,
		},
		"no events": {
			tool: "ui_inspect", args: map[string]any{"events": true, "timeout": 5, "sessionId": "b"},
			asked: `wait 5s for events of "b"`, text: `[]`,
		},
		"screenshot": {
			tool: "ui_screenshot", args: map[string]any{"path": "value.a", "width": 390, "dark": true}, ops: recorder{seen: pale},
			asked: `look at "value.a" of "1", width 390, dark true`, more: []string{"image/png PNG"},
			text: `{"width":390,"height":844,"notes":["it moves"],"findings":[{"code":"contrast","file":"a.html","line":3,"what":"p is pale","instead":"darken it"}]}`,
		},
		"screenshot without findings": {
			tool: "ui_screenshot", ops: recorder{seen: look.Seen{Width: 1280, Height: 800, PNG: []byte("PNG")}},
			asked: `look at "" of "1", width 0, dark false`, more: []string{"image/png PNG"},
			text: `{"width":1280,"height":800,"findings":[]}`,
		},
		"display with a picture": {
			tool: "ui_display", args: map[string]any{"name": "contacts", "screenshot": true},
			ops:   recorder{shown: app.Displayed{URL: "http://127.0.0.1:8000/1/"}, seen: pale},
			asked: `display "contacts" in "1"; check "contacts" for "1"look at "" of "1", width 0, dark false`, more: []string{"image/png PNG"},
			text: "Displayed contacts at http://127.0.0.1:8000/1/\nAbout the picture: it moves.\n- a.html:3: contrast: p is pale; darken it",
		},
		"display without a browser for the picture": {
			tool: "ui_display", args: map[string]any{"name": "contacts", "screenshot": true},
			ops:   recorder{shown: app.Displayed{URL: "http://127.0.0.1:8000/1/"}, blind: fault.New(fault.Precondition, "no browser was found: install one")},
			asked: `display "contacts" in "1"; check "contacts" for "1"look at "" of "1", width 0, dark false`,
			text:  "Displayed contacts at http://127.0.0.1:8000/1/\nThere is no picture: no browser was found: install one",
		},
		"configure": {
			tool: "ui_configure", args: map[string]any{"base_dir": "/a"},
			ops:   recorder{config: app.Configuration{BaseDir: "/a", Log: "/a/log/lua.log", ErrorLog: "/a/log/lua-err.log"}},
			asked: "configure /a",
			text:  `{"base_dir":"/a","log":"/a/log/lua.log","error_log":"/a/log/lua-err.log"}`,
		},
		"upload": {
			tool: "ui_upload_viewdef", args: map[string]any{"type": "A", "namespace": "DEFAULT", "content": "<p>"},
			ops:   recorder{up: app.Uploaded{Key: "A.DEFAULT", Pages: 2, Problems: failing}},
			asked: `upload A, DEFAULT, "<p>"`, text: "View definition A.DEFAULT is in use; open pages: 2",
			more: []string{"New problems:" + failingText},
		},
		"install": {
			tool: "ui_install", args: map[string]any{"force": true, "claude_md": true},
			ops:   recorder{report: install.Report{Installed: []string{"a"}, Skipped: []string{}, Appended: []string{"CLAUDE.md"}}},
			asked: `install, force true, CLAUDE.md true`,
			text:  `{"installed":["a"],"skipped":[],"appended":["CLAUDE.md"]}`,
		},
		"open the browser": {
			tool: "ui_open_browser", ops: recorder{opened: app.Opened{URL: "http://127.0.0.1:8000/1/?conserve=true", Opened: true}},
			asked: `open "/" of "1", conserve true`, text: "Opened http://127.0.0.1:8000/1/?conserve=true",
		},
		"open the browser with arguments": {
			tool: "ui_open_browser", args: map[string]any{"sessionId": "2", "path": "/x", "conserve": false},
			ops:   recorder{opened: app.Opened{URL: "http://127.0.0.1:8000/2/x", Opened: true}},
			asked: `open "/x" of "2", conserve false`, text: "Opened http://127.0.0.1:8000/2/x",
		},
		"open the terminals": {
			tool: "ui_open_browser", ops: recorder{opened: app.Opened{URL: "http://localhost:8000/terminals/", Opened: true}},
			args:  map[string]any{"terminals": true},
			asked: "open the terminals", text: "Opened http://localhost:8000/terminals/",
		},
		"open the browser where there is none": {
			tool: "ui_open_browser", ops: recorder{opened: app.Opened{URL: "http://127.0.0.1:8000/1/", Reason: "xdg-open is not installed"}},
			asked: `open "/" of "1", conserve true`,
			text:  "No browser could be opened here (xdg-open is not installed). Ask the person to open http://127.0.0.1:8000/1/",
		},
	} {
		t.Run(name, func(t *testing.T) {
			cs := connect(t, &tt.ops)
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tt.tool, Arguments: tt.args})
			if err != nil {
				t.Fatal(err)
			}
			if tt.ops.asked != tt.asked {
				t.Errorf("asked %s, want %s", tt.ops.asked, tt.asked)
			}
			for _, f := range tt.ops.reported {
				if !strings.Contains(tt.text, f.String()) {
					t.Errorf("counts as told, and was not: %v", f)
				}
			}
			if len(tt.ops.reported) > maxFound {
				t.Errorf("%d findings count as told", len(tt.ops.reported))
			}
			if got := res.Content[0].(*mcp.TextContent).Text; got != tt.text {
				t.Errorf("text = %s, want %s", got, tt.text)
			}
			var more []string
			for _, c := range res.Content[1:] {
				if i, ok := c.(*mcp.ImageContent); ok {
					more = append(more, i.MIMEType+" "+string(i.Data))
					continue
				}
				more = append(more, c.(*mcp.TextContent).Text)
			}
			if diff := cmp.Diff(tt.more, more); diff != "" {
				t.Errorf("further texts: -want +got:\n%s", diff)
			}
			if res.IsError != tt.isError {
				t.Errorf("isError = %v", res.IsError)
			}
		})
	}
}

// What an operation refuses, its tool says.
func TestRefusals(t *testing.T) {
	for tool, args := range map[string]map[string]any{
		"ui_start": nil, "ui_run": {"code": "x"}, "ui_inspect": nil, "ui_act": {"ref": "a1", "click": true}, "ui_screenshot": nil,
		"ui_configure": {"base_dir": "/a"}, "ui_upload_viewdef": {"type": "A", "namespace": "b", "content": ""}, "ui_install": nil,
		"ui_open_browser": nil,
	} {
		ops := recorder{err: fault.New(fault.Precondition, "Server not started: call ui_start first")}
		if texts, isError := testkit.Call(t, connect(t, &ops), tool, args); !isError || !slices.Equal(texts, []string{ops.err.Error()}) {
			t.Errorf("%s: %q, as an error: %v", tool, texts, isError)
		}
	}
}

func TestWrongArguments(t *testing.T) {
	for name, tt := range map[string]struct {
		tool string
		args map[string]any
		want string
	}{
		"run without code":     {"ui_run", nil, `missing argument "code" (its description: Lua 5.1 chunk; use return to get a value back)`},
		"display without name": {"ui_display", map[string]any{"sessionId": "1"}, `missing argument "name" (its description: the app, such as contacts or my-app)`},
		"start with arguments": {"ui_start", map[string]any{"port": 1}, `unknown argument "port": ui_start takes no arguments`},
		"act without an act":   {"ui_act", map[string]any{"ref": "a1"}, `ui_act does exactly one of click, fill, check, select and key; the call has 0 of them`},
		"two acts":             {"ui_act", map[string]any{"ref": "a1", "click": true, "key": "enter"}, `ui_act does exactly one of click, fill, check, select and key; the call has 2 of them`},
		"too patient":          {"ui_inspect", map[string]any{"events": true, "timeout": 121}, `timeout must be from 1 to 120 seconds, not 121`},
		"conserve is no word":  {"ui_open_browser", map[string]any{"conserve": "always"}, `argument "conserve" must be a boolean, not a string`},
	} {
		t.Run(name, func(t *testing.T) {
			ops := &recorder{}
			_, err := connect(t, ops).CallTool(t.Context(), &mcp.CallToolParams{Name: tt.tool, Arguments: tt.args})
			we, ok := errors.AsType[*jsonrpc.Error](err)
			if !ok || we.Code != jsonrpc.CodeInvalidParams || we.Message != tt.want {
				t.Errorf("err = %v, want %s", err, tt.want)
			}
			if ops.asked != "" {
				t.Errorf("the operation was called: %s", ops.asked)
			}
		})
	}
}

// Hosts cut a description that is too long, and nobody reads it.
func TestDeclarations(t *testing.T) {
	for _, tool := range testkit.Tools(t, connect(t, &recorder{}), *update) {
		if n := len(tool.Description); n > 1000 {
			t.Errorf("the description of %s has %d bytes", tool.Name, n)
		}
	}
}

// awaited are views that say what they are made to.
type awaited struct{ appeared, waited bool }

func (a awaited) Await(string) func(context.Context) (appeared, waited bool) {
	return func(context.Context) (bool, bool) { return a.appeared, a.waited }
}

// The result of ui_display says whether the app has appeared in the conversation, to clients that
// have declared views.
func TestDisplayInTheConversation(t *testing.T) {
	declared := &mcp.ClientCapabilities{}
	declared.AddExtension(mcpview.Extension, map[string]any{"mimeTypes": []string{mcpview.MIMEType}})
	const displayed = "Displayed contacts at http://127.0.0.1:8000/1/"
	for name, tt := range map[string]struct {
		views Views
		caps  *mcp.ClientCapabilities
		want  string
	}{
		"no views":     {nil, declared, ""},
		"not declared": {awaited{true, true}, &mcp.ClientCapabilities{}, ""},
		"appeared":     {awaited{true, true}, declared, "\nThe app is displayed in the conversation."},
		"in vain":      {awaited{false, true}, declared, "\nNo view of it has appeared in the conversation so far: unless the person sees it there, call ui_open_browser, or give them the URL."},
		"not awaited":  {awaited{}, declared, "\nIf your client displays views, the app appears in the conversation, too; views in ui_status counts those that are connected."},
	} {
		t.Run(name, func(t *testing.T) {
			cs := connectWith(t, &recorder{shown: app.Displayed{URL: "http://127.0.0.1:8000/1/"}}, tt.views, &mcp.ClientOptions{Capabilities: tt.caps})
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "ui_display", Arguments: map[string]any{"name": "contacts"}})
			if err != nil {
				t.Fatal(err)
			}
			if got := res.Content[0].(*mcp.TextContent).Text; got != displayed+tt.want {
				t.Errorf("the result = %q, want %q", got, displayed+tt.want)
			}
		})
	}
}

func connect(t *testing.T, ops Ops) *mcp.ClientSession {
	t.Helper()
	return connectWith(t, ops, nil, nil)
}

func connectWith(t *testing.T, ops Ops, views Views, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	s := mcpserver.New(mcpserver.Options{Name: "ui-mcp", Version: "0", Instructions: Instructions, Logger: slog.New(slog.DiscardHandler)})
	Register(s, ops, views)
	cs := testkit.InMemory(t, s.Server, mcp.NewClient(&mcp.Implementation{Name: "c", Version: "0"}, o), "")
	return cs
}

func TestManyProblems(t *testing.T) {
	var many []problem.Problem
	for i := range 25 {
		many = append(many, problem.Problem{Message: fmt.Sprint("no. ", i)})
	}
	text := lines(many)
	if !strings.HasPrefix(text, "\nno. 0\n") || !strings.HasSuffix(text, "\nno. 19\n… and 5 more") {
		t.Errorf("text = %s", text)
	}
}
