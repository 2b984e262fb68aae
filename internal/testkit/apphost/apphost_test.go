package apphost_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }

// probe is a view that records what it gets and sends what the test wants: ask sends a request and
// returns its answer, an error as a text.
const probe = `<!doctype html><p style="height: 40px">probe</p><script>
var got = [], answers = {}, count = 0;
var ask = (method, params) => new Promise((resolve) => {
	answers[++count] = (m) => resolve(m.error ? "error: " + m.error.message : m.result);
	parent.postMessage({ jsonrpc: "2.0", id: count, method, params }, "*");
});
addEventListener("message", ({ data: m }) => {
	if (m.method) got.push(m.method.split("/").pop());
	if (m.method && m.id !== undefined) parent.postMessage({ jsonrpc: "2.0", id: m.id, result: {} }, "*");
	if (m.method?.endsWith("tool-result")) got.push(Object.keys(m.params).sort().join());
	if (!m.method) answers[m.id](m);
});
ask("ui/initialize", { appInfo: { name: "probe", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" })
	.then((result) => { window.init = result; parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/initialized" }, "*"); });
</script>`

// A server has a tool "show" with the view, a tool "poll" for views, and a tool "count" for models.
type server struct {
	apphost.Server
	show chan struct{} // a call of show ends when it is closed, or at once if it is nil
	poll chan struct{} // likewise

	polling chan string // the names of the calls of poll that wait
}

const uri = "ui://test/probe"

func serve(t *testing.T) *server {
	t.Helper()
	s := &server{polling: make(chan string, 32)}
	srv := mcp.NewServer(&mcp.Implementation{Name: "probe", Version: "1"}, nil)
	srv.AddResource(&mcp.Resource{Name: "probe", URI: uri, MIMEType: "text/html;profile=mcp-app"},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/html;profile=mcp-app", Text: probe}}}, nil
		})
	add := func(name string, ui map[string]any, handle func(context.Context, *mcp.CallToolRequest)) {
		srv.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}, Meta: mcp.Meta{"ui": ui}},
			func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				handle(ctx, req)
				return &mcp.CallToolResult{
					Content:           []mcp.Content{&mcp.TextContent{Text: name + " is done"}},
					StructuredContent: map[string]any{"done": name},
					Meta:              mcp.Meta{"more": 1},
				}, nil
			})
	}
	over := make(chan struct{}) // closed when the test has ended
	until := func(ctx context.Context, end chan struct{}) {
		if end == nil {
			return
		}
		select {
		case <-end:
		case <-ctx.Done():
		case <-over:
		}
	}
	add("show", map[string]any{"resourceUri": uri}, func(ctx context.Context, _ *mcp.CallToolRequest) { until(ctx, s.show) })
	add("poll", map[string]any{"visibility": []string{"app"}}, func(ctx context.Context, req *mcp.CallToolRequest) {
		s.polling <- string(req.Params.Arguments)
		until(ctx, s.poll)
	})
	add("count", map[string]any{"visibility": []string{"model"}}, func(context.Context, *mcp.CallToolRequest) {})
	srvHTTP := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return srv }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(func() {
		close(over)
		srvHTTP.Close()
	})
	s.Server = apphost.HTTP(srvHTTP.URL + "/mcp")
	return s
}

// poll is the expression for a view's call of the tool poll.
const poll = `ask("tools/call", { name: "poll", arguments: {} }).then((r) => r.content ? Object.keys(r).sort().join() : r)`

func TestHost(t *testing.T) {
	t.Parallel()
	host := apphost.New(t, serve(t), apphost.Options{Width: 300})
	if diff := cmp.Diff([]string{"count", "show"}, host.ModelTools()); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	call := host.Call("show", nil)
	view := call.View()
	content := view.Content()
	content.Wait(`got.join(" ") === "tool-input tool-result _meta,content,structuredContent"`)
	if got := call.Result().Text(); got != "show is done" {
		t.Errorf("the result is %q", got)
	}
	if got := browser.Eval[int](content, "innerWidth"); got != 300 {
		t.Errorf("the view is %d pixels wide", got)
	}
	if got := browser.Eval[string](content, poll); got != "_meta,content,structuredContent" {
		t.Errorf("a view's call = %s", got)
	}
	if got := browser.Eval[string](content, `ask("tools/call", { name: "count", arguments: {} })`); !strings.Contains(got, "may not call count") {
		t.Errorf("a view's call of a tool for models = %s", got)
	}
	browser.Eval[any](content, `ask("ui/message", { role: "user", content: [{ type: "text", text: "hi" }] })`)
	browser.Eval[any](content, `ask("ui/update-model-context", { structuredContent: { a: 1 } })`)
	browser.Eval[any](content, `ask("ui/open-link", { url: "https://example.com/" })`)
	view.Wait(`view.messages[0].content[0].text === "hi" && view.contexts[0].structuredContent.a === 1 && view.links[0] === "https://example.com/"`)
	if got := browser.Eval[string](content, `ask("ui/request-display-mode", { mode: "fullscreen" }).then((r) => r.mode)`); got != "fullscreen" {
		t.Errorf("the display mode is %s", got)
	}
	content.Wait(`innerWidth === 1000 && got.includes("host-context-changed")`)

	// Everything that could leave the sandbox is stopped.
	content.Run(`const s = document.createElement("script"); s.textContent = "try { eval('1') } catch { } fetch('https://example.com/').catch(() => { })"; document.body.append(s)`)
	content.Wait(`parent.violations.length === 2`)
	if got := view.Violations(); !slices.Equal(got, []string{"script-src eval", "connect-src https://example.com/"}) {
		t.Errorf("violations = %q", got)
	}
	view.Close()
	var states []string
	for _, r := range view.Requests() {
		states = append(states, r.Name+" "+r.State)
	}
	if want := []string{"poll answered", "count refused: Error: views may not call count"}; !slices.Equal(states, want) {
		t.Errorf("the view's calls were %q", states)
	}
}

// Each variant differs from the usual host in what a view experiences.
func TestVariants(t *testing.T) {
	load.Long(t, "TestHost has the usual host")
	t.Parallel()
	tests := map[string]struct {
		options apphost.Options
		got     string // what the view has got after the call
		poll    string // how its own call ends
	}{
		"silent":     {apphost.Options{Silent: true}, "", "_meta,content,structuredContent"},
		"text":       {apphost.Options{StripStructured: true}, "tool-input tool-result _meta,content", "_meta,content"},
		"no _meta":   {apphost.Options{StripMeta: true}, "tool-input tool-result content,structuredContent", "content,structuredContent"},
		"forbids":    {apphost.Options{NoServerTools: true}, "tool-input tool-result _meta,content,structuredContent", "error: Method not found"},
		"refuses":    {apphost.Options{Approval: apphost.Refuse}, "tool-input tool-result _meta,content,structuredContent", "error: the person does not allow it"},
		"undeclared": {apphost.Options{Undeclared: true}, "tool-input tool-result _meta,content,structuredContent", "_meta,content,structuredContent"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := apphost.New(t, serve(t), test.options)
			call := host.Call("show", nil)
			call.Result()
			content := call.View().Content()
			if got := browser.Eval[string](content, poll); got != test.poll {
				t.Errorf("the view's call ended with %s, want %s", got, test.poll)
			}
			host.Dark(true)
			want := test.got
			if !test.options.Silent {
				want += " host-context-changed"
			}
			content.Wait(fmt.Sprintf("got.join(' ') === %q", want))
			if shown := slices.Contains(host.ModelTools(), "poll"); shown != test.options.Undeclared {
				t.Errorf("the model sees the tool for views: %v", shown)
			}
		})
	}
}

func TestHoldInput(t *testing.T) {
	load.Long(t, "TestHost has the usual host")
	t.Parallel()
	for _, hold := range []bool{false, true} {
		t.Run(fmt.Sprint(hold), func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.show = make(chan struct{})
			host := apphost.New(t, s, apphost.Options{HoldInput: hold})
			call := host.Call("show", nil)
			content := call.View().Content()
			browser.Eval[any](content, poll) // what was sent before has arrived
			if got := browser.Eval[[]string](content, "got"); slices.Contains(got, "tool-input") == hold {
				t.Errorf("before the tool returned, the view had got %q", got)
			}
			close(s.show)
			content.Wait(`got.join(" ") === "tool-input tool-result _meta,content,structuredContent"`)
		})
	}
}

func TestApproval(t *testing.T) {
	load.Long(t, "TestHost has the usual host")
	t.Parallel()
	s := serve(t)
	host := apphost.New(t, s, apphost.Options{Approval: apphost.Ask})
	view := host.Call("show", nil).View()
	content := view.Content()
	content.Run("window.first = " + poll + "; window.second = " + poll)
	view.Wait(`view.waiting.length === 2`)
	if n := len(s.polling); n > 0 {
		t.Errorf("%d calls were made before a person approved them", n)
	}
	view.Decide(true)
	if got := browser.Eval[string](content, "first"); got != "_meta,content,structuredContent" {
		t.Errorf("the approved call = %s", got)
	}
	view.Decide(false)
	if got := browser.Eval[string](content, "second"); !strings.Contains(got, "does not allow it") {
		t.Errorf("the refused call = %s", got)
	}
}

// More views can wait for their servers than a browser opens connections to one host.
func TestManyViews(t *testing.T) {
	load.Long(t, "TestHost has the usual host")
	t.Parallel()
	s := serve(t)
	s.poll = make(chan struct{})
	host := apphost.New(t, s, apphost.Options{})
	first := host.Call("show", nil).View()
	first.Ready()
	const n = 8
	views := []*apphost.View{first}
	for len(views) < n {
		views = append(views, first.Remount())
	}
	for i, view := range views {
		content := view.Content()
		content.Run(fmt.Sprintf(`window.polled = ask("tools/call", { name: "poll", arguments: { view: %d } })`, i))
	}
	got := map[string]bool{}
	for len(got) < n {
		select {
		case view := <-s.polling:
			got[view] = true
		case <-time.After(wait.Patience):
			t.Fatalf("of %d views, %d wait", n, len(got))
		}
	}
	close(s.poll)
	for _, view := range views {
		browser.Eval[any](view.Content(), "polled")
	}
	first.Close()
	if state := first.State(); state != "closed" {
		t.Errorf("the view is %s", state)
	}
}
