package bundle_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/cli/uimcp"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
)

// asCommand makes this test binary act as the ui-mcp command.
const asCommand = "UI_MCP_BUNDLE_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		os.Exit(uimcp.Main("0.1.0"))
	}
	os.Exit(browser.Main(m))
}

// command returns a call of ui-mcp.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1", "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=")
	return cmd
}

// A world is a project with the bundle installed and its server running.
type world struct {
	t            *testing.T
	project, dir string // dir is the base directory
	url          string // of the pages
	flags        []string
	later        func(text string) string // leaves out of a ui_display what becomes right later; or nil
	mcp          *mcp.ClientSession
}

// newWorld starts "ui-mcp mcp" in a new project.
func newWorld(t *testing.T, flags ...string) *world {
	t.Helper()
	project := t.TempDir()
	w := &world{t: t, project: project, dir: filepath.Join(project, ".claude", "ui"), flags: flags}
	w.start()
	return w
}

// start starts the server.
func (w *world) start() {
	w.t.Helper()
	cmd := command(w.t, append([]string{"mcp", "--dir", w.dir}, w.flags...)...)
	cmd.Dir = w.project
	runtime := testkit.ShortDir(w.t)
	cmd.Env = append(cmd.Env, "XDG_RUNTIME_DIR="+runtime, "HOME="+runtime, "SHELL=/bin/bash")
	w.mcp = testkit.Connect(w.t, cmd)
	w.url = w.ok("ui_start", nil)
}

// restart ends the server and starts another one in the same project.
func (w *world) restart() {
	w.t.Helper()
	if err := w.mcp.Close(); err != nil {
		w.t.Errorf("the server failed: %v", err)
	}
	w.start()
}

// ok calls a tool that must succeed with a single text.
func (w *world) ok(tool string, args map[string]any) string {
	w.t.Helper()
	texts, isError := testkit.Call(w.t, w.mcp, tool, args)
	if isError || len(texts) != 1 {
		w.t.Fatalf("%s %v: %s", tool, args, strings.Join(texts, "\n"))
	}
	return texts[0]
}

// run runs Lua in a session and returns the JSON of its result. The tool must report nothing else,
// such as a problem in the page.
func (w *world) run(session, code string) string {
	w.t.Helper()
	return w.ok("ui_run", map[string]any{"sessionId": session, "code": code})
}

// text runs Lua that returns a string.
func (w *world) text(session, code string) string {
	w.t.Helper()
	var s string
	if err := json.Unmarshal([]byte(w.run(session, code)), &s); err != nil {
		w.t.Fatalf("%s: %v", code, err)
	}
	return s
}

// display displays an app, in which everything must work.
func (w *world) display(session, app string) {
	w.t.Helper()
	text := w.ok("ui_display", map[string]any{"sessionId": session, "name": app})
	text, _, _ = strings.Cut(text, "\nNot tried in a copy of the app:") // which is no fault
	if w.later != nil {
		text = w.later(text)
	}
	if want := "Displayed " + app + " at " + w.url + "/" + session + "/"; text != want {
		w.t.Errorf("ui_display says %q, want %q", text, want)
	}
}

// withoutFindings leaves out of a ui_display what a check has found, in apps that others have
// written: it is true of them.
func withoutFindings(shown string) string {
	shown, _, _ = strings.Cut(shown, "\nFound in a copy of the app")
	return shown
}

// write writes a file below the base directory, as an editor does.
func (w *world) write(name, content string) {
	w.t.Helper()
	testkit.Write(w.t, w.dir, name, content)
}

// events collects the waiting events of a session.
func (w *world) events(session string) string {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, testkit.AgentURL(w.t, w.dir)+"/wait?timeout=1&session="+session, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.TrimSpace(string(body))
}
