// Package apphost is a host of MCP Apps for tests: a chat in a real Chromium that displays the
// views of a server's tools. What the views talk to is what hosts on the web use: AppBridge of the
// extension's own package @modelcontextprotocol/ext-apps, in front of the client of the official
// SDK. A view runs in a frame in a sandbox of another origin, under the strictest policy that the
// extension allows.
//
//	func TestGreeting(t *testing.T) {
//		host := apphost.New(t, apphost.Stdio(exec.Command("hello")), apphost.Options{})
//		call := host.Call("hello_world", map[string]any{"name": "Ada"})
//		call.View().Content().WaitText("h1", "Hello, Ada!")
//	}
//
// Options make the host misbehave as hosts in the field do.
//
// npm installs the packages into scratch/apphost: "tools/need apphost" does so. Without them, New
// skips the test. A package that uses this one needs the TestMain of package browser. Methods are
// for the test's goroutine; any error fails the test.
package apphost

import (
	"bytes"
	"cmp"
	_ "embed" // for the page
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
)

var (
	//go:embed page/host.html
	page []byte
	//go:embed page/host.mjs
	script []byte
	//go:embed page/sandbox.html
	sandbox []byte
	//go:embed page/package-lock.json
	lock []byte
)

// policy is the content security policy of a view whose resource declares no domains, as the
// extension has it.
const policy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data:; media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'self'"

// Options say how a host behaves. The zero value is a host that does everything right, with a
// client of the protocol that begins with initialize.
type Options struct {
	Modern     bool           `json:"modern"`     // the client speaks the stateless protocol of 2026-07-28
	Name       string         `json:"name"`       // the client's; "apphost" by default
	Width      int            `json:"width"`      // of the views, in CSS pixels; 640 by default
	MaxHeight  int            `json:"maxHeight"`  // up to which views may grow, in CSS pixels; 600 by default
	Context    map[string]any `json:"context"`    // parts of the hostContext that differ from the usual ones
	Approval   Approval       `json:"approval"`   // whether a person must approve each call that a view makes
	Undeclared bool           `json:"undeclared"` // the client does not declare the extension, and displays views all the same
	NoRender   bool           `json:"noRender"`   // the host declares the extension, and displays no view

	HoldInput       bool `json:"holdInput"`       // views get the tool's input when the tool has returned, not before
	EarlyInput      bool `json:"earlyInput"`      // views get the tool's input before the answer to their handshake, not after
	StripStructured bool `json:"stripStructured"` // results reach views without structuredContent
	StripMeta       bool `json:"stripMeta"`       // results reach views without _meta
	Silent          bool `json:"silent"`          // views get no notifications: neither input nor result nor changes of the context
	NoServerTools   bool `json:"noServerTools"`   // views may not call tools
	RefuseLinks     bool `json:"refuseLinks"`     // views may not open links
	ReadEarly       bool `json:"readEarly"`       // the document of a view is read before its call is made, not while it runs
	LateSize        bool `json:"lateSize"`        // the frame of a view gets its size some time after its display mode
}

// An Approval says what becomes of the calls that a view makes.
type Approval string

// What becomes of a view's calls.
const (
	Allowed Approval = ""       // they are made
	Ask     Approval = "ask"    // they wait for [View.Decide]
	Refuse  Approval = "refuse" // they fail
)

// A Host is a conversation in a chat. Every test has its own.
type Host struct {
	// Chat is the page with the conversation.
	Chat *browser.Tab

	t testing.TB
}

// New opens a conversation with a server. It fails the test when the two do not agree on a
// protocol.
func New(t testing.TB, server Server, o Options) *Host {
	t.Helper()
	code, err := build(installed(t))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	serve := func(pattern, kind string, body []byte) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write(body) // the browser disconnected
		})
	}
	serve("GET 127.0.0.1/{$}", "text/html; charset=utf-8", page)
	serve("GET 127.0.0.1/host.js", "text/javascript; charset=utf-8", code)
	mux.HandleFunc("GET sandbox.localhost/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", policy)
		_, _ = w.Write(sandbox) // the browser disconnected
	})
	path := server.serve(t, mux)
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	t.Cleanup(srv.CloseClientConnections) // before that
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())

	h := &Host{Chat: browser.New(t).Tab(), t: t}
	h.Chat.Open("http://127.0.0.1:" + port + "/")
	o.Name, o.Width, o.MaxHeight = cmp.Or(o.Name, "apphost"), cmp.Or(o.Width, 640), cmp.Or(o.MaxHeight, 600)
	settings := struct {
		Options
		Sandbox string `json:"sandbox"`
		URL     string `json:"url,omitempty"`
	}{Options: o, Sandbox: "http://sandbox.localhost:" + port + "/"}
	if path != "" {
		settings.URL = "http://mcp.localhost:" + port + path
	}
	browser.Eval[any](h.Chat, "host.connect("+literal(settings)+")")
	return h
}

// literal returns v as a JavaScript expression.
func literal(v any) string { return string(fault.Must(json.Marshal(v))) }

// Version returns the revision of the protocol that the client and the server have agreed on.
func (h *Host) Version() string {
	return browser.Eval[string](h.Chat, "host.version()")
}

// ModelTools returns the names of the tools that the host offers its model.
func (h *Host) ModelTools() []string {
	return browser.Eval[[]string](h.Chat, "host.modelTools()")
}

// Change changes parts of the hostContext: the theme, for example.
func (h *Host) Change(context map[string]any) {
	browser.Eval[any](h.Chat, "host.change("+literal(context)+")")
}

// Dark changes the theme to dark or light.
func (h *Host) Dark(dark bool) {
	theme := "light"
	if dark {
		theme = "dark"
	}
	h.Change(map[string]any{"theme": theme})
}

// Call lets the model call a tool. It does not wait for the result.
func (h *Host) Call(tool string, arguments map[string]any) *Call {
	if arguments == nil {
		arguments = map[string]any{}
	}
	id := browser.Eval[int](h.Chat, "host.call("+literal(tool)+", "+literal(arguments)+")")
	return &Call{host: h, js: fmt.Sprintf("host.calls[%d]", id)}
}

// A Call is a model's call of a tool.
type Call struct {
	host *Host
	js   string // the expression for it
}

// A Result is what a call has returned.
type Result struct {
	Content []struct{ Text string }
	IsError bool
}

// Text returns the texts of a result, one after another.
func (r Result) Text() string {
	var b strings.Builder
	for _, part := range r.Content {
		b.WriteString(part.Text)
	}
	return b.String()
}

// Begun returns when the host sent the call, as the browser's clock has it: in milliseconds, as
// Date.now.
func (c *Call) Begun() float64 {
	return browser.Eval[float64](c.host.Chat, c.js+".begun")
}

// Over reports whether the call has ended.
func (c *Call) Over() bool {
	return browser.Eval[bool](c.host.Chat, "Boolean("+c.js+".result || "+c.js+".error)")
}

// Result waits for the call's result. A call that was answered with an error of the protocol fails
// the test.
func (c *Call) Result() Result {
	c.host.t.Helper()
	if err := c.Err(); err != "" {
		c.host.t.Fatalf("the call failed: %s", err)
	}
	return browser.Eval[Result](c.host.Chat, c.js+".result")
}

// Err waits until the call has ended, and returns the error of the protocol, or "".
func (c *Call) Err() string {
	c.host.Chat.Wait(c.js + ".result || " + c.js + ".error")
	return browser.Eval[string](c.host.Chat, c.js+".error")
}

// View returns the view of the call, which need not have loaded yet. A call without one fails the
// test.
func (c *Call) View() *View {
	c.host.t.Helper()
	if !browser.Eval[bool](c.host.Chat, c.js+".view !== null") {
		c.host.t.Fatal("the host displays no view for the call")
	}
	return c.host.view(browser.Eval[int](c.host.Chat, c.js+".view"))
}

func (h *Host) view(id int) *View {
	return &View{host: h, id: id, js: fmt.Sprintf("host.views[%d]", id)}
}

// A View is a frame in the chat.
type View struct {
	host    *Host
	id      int
	js      string // the expression for it
	proxy   *browser.Tab
	content *browser.Tab
}

// A Request is a call of a tool that a view has made.
type Request struct {
	Name      string
	Arguments json.RawMessage
	State     string // "open", "answered", "failed", or "refused: " and why
}

// Ready waits until the view has finished its handshake with the host.
func (v *View) Ready() *View {
	v.host.t.Helper()
	v.host.Chat.Wait(v.js + `.state !== "loading"`)
	if state := v.State(); state != "ready" {
		v.host.t.Fatalf("the view is %s: %s", state, browser.Eval[string](v.host.Chat, v.js+".error"))
	}
	return v
}

// State returns "loading", "ready", "closed" or "failed".
func (v *View) State() string {
	return browser.Eval[string](v.host.Chat, v.js+".state")
}

// Content returns the view's document. It waits for the handshake, see [View.Ready].
func (v *View) Content() *browser.Tab {
	v.host.t.Helper()
	v.Ready()
	if v.content == nil {
		v.content = v.frame().Inner(`document.querySelector("iframe")`)
	}
	return v.content
}

// frame is the sandbox proxy.
func (v *View) frame() *browser.Tab {
	if v.proxy == nil {
		v.proxy = v.host.Chat.Frame(fmt.Sprintf(`document.querySelector("#view-%d")`, v.id))
	}
	return v.proxy
}

// Painted returns how long after its HTML the view was painted first.
func (v *View) Painted() time.Duration {
	v.frame().Wait("painted")
	return milliseconds(browser.Eval[float64](v.frame(), "painted"))
}

func milliseconds(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }

// CallTool calls a tool as the view does, and returns the result, or the error of the protocol, and
// how long the answer took.
func (v *View) CallTool(tool string, arguments any) (Result, string, time.Duration) {
	r := browser.Eval[struct {
		Result       Result
		Error        string
		Milliseconds float64
	}](v.frame(), "callTool("+literal(tool)+", "+literal(arguments)+")")
	return r.Result, r.Error, milliseconds(r.Milliseconds)
}

// Ask makes a request of the host to the view, and returns the result as JSON, or the code of the
// error.
func (v *View) Ask(method string) string {
	return browser.Eval[string](v.frame(), "ask("+literal(method)+", {}).then(JSON.stringify)")
}

// Violations returns what the policy has kept the view from doing.
func (v *View) Violations() []string {
	return browser.Eval[[]string](v.Content(), "parent.violations")
}

// Wait waits until a JavaScript expression is true, in which view is what the host knows of this
// view. It has the properties of class View in page/host.mjs.
func (v *View) Wait(expression string) {
	v.host.Chat.Wait("((view) => " + expression + ")(" + v.js + ")")
}

// Requests returns the calls of tools that the view has made, oldest first.
func (v *View) Requests() []Request {
	return browser.Eval[[]Request](v.host.Chat, v.js+".requests")
}

// Decide waits for a call of the view that needs approval, see [Ask], and approves or refuses it.
func (v *View) Decide(allow bool) {
	v.host.Chat.Wait(v.js + ".waiting.length > 0")
	v.host.Chat.Run(fmt.Sprintf("%s.decide(%v)", v.js, allow))
}

// Close ends the view as the extension says, and waits until the view has agreed.
func (v *View) Close() {
	browser.Eval[any](v.host.Chat, v.js+".close()")
}

// Remount displays the view once more, with the same input and result, as when a person opens the
// conversation again.
func (v *View) Remount() *View {
	return v.host.view(browser.Eval[int](v.host.Chat, fmt.Sprintf("host.remount(%d)", v.id)))
}

// bundled is the page's script with the packages that it imports.
var bundled struct {
	once sync.Once
	code []byte
	err  error
}

// build returns the page's script with the packages that it imports, which are in a folder.
func build(root, modules string) ([]byte, error) {
	bundled.once.Do(func() {
		cmd := esbuild(root, "--bundle", "--format=iife", "--target=es2022", "--charset=utf8", "--log-level=error")
		cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
		cmd.Stdin = bytes.NewReader(script)
		bundled.code, bundled.err = output(cmd)
	})
	return bundled.code, bundled.err
}

// Program builds a program for Node.js from TypeScript, which may import the packages that are
// installed, and returns a command that runs it. dir, a directory of the test's own, has the
// sources; entry is the first of them. Types are checked, too.
func Program(t testing.TB, dir, entry string) *exec.Cmd {
	t.Helper()
	root, modules := installed(t)
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	source, program := filepath.Join(dir, entry), filepath.Join(dir, "program.mjs")
	for _, cmd := range []*exec.Cmd{
		command(root, "sh", "tools/tsc", "--noEmit", "--strict", "--skipLibCheck", "--types", "", "--target", "es2022", "--module", "nodenext", source),
		esbuild(root, source, "--bundle", "--platform=node", "--format=esm", "--target=node20", "--log-level=error", "--outfile="+program),
	} {
		if out, err := output(cmd); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return exec.Command("node", program)
}

// installed returns the module's directory, and the folder of packages for Node.js. Without them it
// skips the test.
func installed(t testing.TB) (root, modules string) {
	t.Helper()
	root = testkit.Root(t)
	dir := filepath.Join(root, "scratch", "apphost")
	if installed, err := os.ReadFile(filepath.Join(dir, "installed.json")); err != nil || !bytes.Equal(installed, lock) {
		t.Skipf("the host of MCP Apps is not installed in %s: run tools/need apphost, which needs npm and a package registry", dir)
	}
	return root, filepath.Join(dir, "node_modules")
}

// command is a command of the module.
func command(root, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = root
	return cmd
}

func esbuild(root string, args ...string) *exec.Cmd {
	return command(root, "go", append([]string{"tool", "-modfile=tools/go.mod", "esbuild"}, args...)...)
}

// output runs a command. Its error has what the command has written to standard error.
func output(cmd *exec.Cmd) ([]byte, error) {
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", cmd, err, &stderr)
	}
	return out, err
}
