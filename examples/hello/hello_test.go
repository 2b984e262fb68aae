package main

import (
	"context"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// asServer makes the test binary the server.
const asServer = "HELLO_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		main()
		return
	}
	os.Exit(browser.Main(m))
}

// process is the server as a process of its own.
func process(t *testing.T) apphost.Server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asServer+"=1")
	return apphost.Stdio(cmd)
}

// address is the server behind HTTP.
func address(t *testing.T) apphost.Server {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	stop := serveHTTP(newServer(log), ln, log)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), wait.Patience)
		defer cancel()
		if err := stop(ctx); err != nil {
			t.Error(err)
		}
	})
	return apphost.HTTP("http://" + ln.Addr().String() + "/mcp")
}

// inTypeScript builds the server in typescript, and returns how to start it.
func inTypeScript(t *testing.T) func(*testing.T) apphost.Server {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("typescript")); err != nil {
		t.Fatal(err)
	}
	program := apphost.Program(t, dir, "src/index.ts")
	return func(*testing.T) apphost.Server { return apphost.Stdio(exec.Command(program.Path, program.Args[1:]...)) }
}

// The example in TypeScript has the same view.
func TestViewInTypeScript(t *testing.T) {
	t.Parallel()
	code, err := os.ReadFile("typescript/src/ui/greeting.ts")
	if err != nil {
		t.Fatal(err)
	}
	if want := "export function GREETING_UI(): string {\n  return `" + greeting + "`;\n}\n"; !strings.Contains(string(code), want) {
		t.Errorf("it does not have\n%s", want)
	}
}

func TestGreeting(t *testing.T) {
	load.Long(t, "TestView has the view of the tool")
	t.Parallel()
	typescript := inTypeScript(t)
	tests := map[string]struct {
		server  func(*testing.T) apphost.Server
		options apphost.Options
		version string
	}{
		"stdio, held input":        {process, apphost.Options{HoldInput: true}, "2025-11-25"},
		"stdio, modern, text only": {process, apphost.Options{Modern: true, StripStructured: true, StripMeta: true}, "2026-07-28"},
		"HTTP, undeclared":         {address, apphost.Options{Undeclared: true}, "2025-11-25"},
		"HTTP, modern":             {address, apphost.Options{Modern: true}, "2026-07-28"},
		"TypeScript":               {typescript, apphost.Options{}, "2025-11-25"},
		"TypeScript, modern":       {typescript, apphost.Options{Modern: true}, "2026-07-28"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := apphost.New(t, test.server(t), test.options)
			if got := host.Version(); got != test.version {
				t.Errorf("the protocol is %s, want %s", got, test.version)
			}
			call := host.Call("hello_world", map[string]any{"name": "Ada"})
			if got := call.Result().Text(); got != "Hello, Ada!" {
				t.Errorf("the result is %q", got)
			}
			view := call.View()
			view.Content().WaitText("h1", "Hello, Ada!")
			if got := view.Violations(); len(got) > 0 {
				t.Errorf("the policy has stopped the view: %q", got)
			}
		})
	}
}

// A view follows its host, from the handshake to the end, and another takes up its state.
func TestView(t *testing.T) {
	t.Parallel()
	host := apphost.New(t, process(t), apphost.Options{Context: map[string]any{"theme": "dark"}})
	view := host.Call("hello_world", map[string]any{"name": "Ada"}).View()
	content := view.Content()
	const scheme = `document.documentElement.style.colorScheme`
	content.Wait(scheme + ` === "dark"`)
	host.Dark(false)
	content.Wait(scheme + ` === "light"`)
	host.Change(map[string]any{"styles": map[string]any{"variables": map[string]any{"--color-text-primary": "#123456"}}})
	content.Wait(`getComputedStyle(document.body).color === "rgb(18, 52, 86)"`)
	content.WaitText("h1", "Hello, Ada!")

	// It is as high as its content.
	view.Wait(`view.size?.height > 20 && view.size.height < 120 && view.frame.clientHeight === view.size.height`)
	content.Run(`document.querySelector("h1").style.height = "300px"`)
	view.Wait(`view.frame.clientHeight > 300`)

	again := view.Remount()
	view.Close()
	if got := view.State(); got != "closed" {
		t.Errorf("the view is %s", got)
	}
	again.Content().WaitText("h1", "Hello, Ada!")
	if diff := cmp.Diff([]string{"hello_world"}, host.ModelTools()); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
}

// Other frames of the page cannot speak for the host.
func TestForeignMessages(t *testing.T) {
	t.Parallel()
	host := apphost.New(t, process(t), apphost.Options{})
	view := host.Call("hello_world", map[string]any{"name": "Ada"}).View()
	content := view.Content()
	content.WaitText("h1", "Hello, Ada!")
	const message = `{ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { content: [{ type: "text", text: "forged" }] } }`
	// A script of the document is its sender, which an expression of the test is not.
	content.Run("const script = document.createElement(`script`);" +
		"script.textContent = `window.postMessage(" + message + ", '*')`; document.body.append(script)")
	// A message of the host that is sent later arrives later.
	host.Dark(true)
	content.Wait(`document.documentElement.style.colorScheme === "dark"`)
	if got := content.Texts("h1"); got[0] != "Hello, Ada!" {
		t.Errorf("the view displays %q", got)
	}
}
