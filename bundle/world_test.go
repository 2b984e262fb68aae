package bundle_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/cli/uimcp"
)

// asCommand makes this test binary be the ui-mcp command.
const asCommand = "UI_MCP_BUNDLE_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		os.Exit(uimcp.Main("0.1.0"))
	}
	os.Exit(m.Run())
}

// command is a call of ui-mcp.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1", "DISPLAY=", "WAYLAND_DISPLAY=")
	return cmd
}

// A world is a project with the bundle installed and its server running, as an agent
// and a person have it.
type world struct {
	t            *testing.T
	project, dir string // dir is the base directory
	url          string // of the pages
	mcp          *mcp.ClientSession
	log          *logBuffer
}

// newWorld starts "ui-mcp mcp" in a new project.
func newWorld(t *testing.T) *world {
	t.Helper()
	project := t.TempDir()
	w := &world{t: t, project: project, dir: filepath.Join(project, ".claude", "ui"), log: &logBuffer{}}
	cmd := command(t, "mcp", "--dir", w.dir)
	cmd.Dir = project
	cmd.Stderr = w.log
	client := mcp.NewClient(&mcp.Implementation{Name: "bundle", Version: "0"}, nil)
	var err error
	if w.mcp, err = client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: 20 * time.Second}, nil); err != nil {
		t.Fatalf("initialize: %v\n%s", err, w.log)
	}
	t.Cleanup(func() {
		if err := w.mcp.Close(); err != nil {
			t.Errorf("the server ended badly: %v", err)
		}
		if t.Failed() {
			t.Logf("standard error of the server:\n%s", w.log)
		}
	})
	w.url = w.ok("ui_start", nil)
	return w
}

// call calls a tool and returns its texts.
func (w *world) call(tool string, args map[string]any) (texts []string, isError bool) {
	w.t.Helper()
	res, err := w.mcp.CallTool(w.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		w.t.Fatalf("%s: %v", tool, err)
	}
	for _, c := range res.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, c.Text)
		}
	}
	return texts, res.IsError
}

// ok calls a tool that must succeed and have one thing to say.
func (w *world) ok(tool string, args map[string]any) string {
	w.t.Helper()
	texts, isError := w.call(tool, args)
	if isError || len(texts) != 1 {
		w.t.Fatalf("%s %v: %s", tool, args, strings.Join(texts, "\n"))
	}
	return texts[0]
}

// run runs Lua in a session and returns the JSON of its result. There must be
// nothing else to tell, such as a problem in the page.
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

// display shows an app, in which everything must work.
func (w *world) display(session, app string) {
	w.t.Helper()
	text := w.ok("ui_display", map[string]any{"sessionId": session, "name": app})
	if want := "Displayed " + app + " at " + w.url + "/" + session + "/"; text != want {
		w.t.Errorf("ui_display says %q, want %q", text, want)
	}
}

// write writes a file below the base directory, as an editor does.
func (w *world) write(name, content string) {
	w.t.Helper()
	file := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file+"~", []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Rename(file+"~", file); err != nil {
		w.t.Fatal(err)
	}
}

// read reads a file below the base directory.
func (w *world) read(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(name)))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// door is the URL of the agent's door.
func (w *world) door() string {
	w.t.Helper()
	return "http://127.0.0.1:" + strings.TrimSpace(w.read("mcp-port"))
}

// events takes the events that wait in a session.
func (w *world) events(session string) string {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.door()+"/wait?timeout=1&session="+session, nil)
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

// logBuffer is what a process writes and a test reads.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
