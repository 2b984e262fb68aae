//go:build linux || darwin

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
)

// A trial replays the calls of an agent that knows what the instructions, the tools and their
// answers say, and the guides that these name. It counts what the agent reads.
type trial struct {
	*mcp.ClientSession
	t    testing.TB
	home string // the person's; the project is below it
	base string // the base directory, as ui_status tells it

	calls, guides, answers, pictures int // calls and bytes
}

// maxGuides bounds what an agent reads before its first app, in bytes.
const maxGuides = 16_000

// startTrial starts ui-mcp in the project of a person, and reads its instructions.
func startTrial(t *testing.T, home string, flags ...string) *trial {
	t.Helper()
	project := filepath.Join(home, "shop")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("ui-mcp", append([]string{"mcp"}, flags...)...)
	cmd.Dir = project
	cmd.Env = append(sandbox(home), "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=")
	log := &testkit.Log{}
	cmd.Stderr = log
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "0"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: wait.Patience}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	a := &trial{ClientSession: session, t: t, home: home}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the server failed: %v", err)
		}
		if t.Failed() {
			t.Logf("standard error of the server:\n%s", log)
		}
		t.Logf("%d calls; %d bytes of guides, %d of answers, %d of pictures", a.calls, a.guides, a.answers, a.pictures)
		if a.guides > maxGuides {
			t.Errorf("%d bytes of guides, at most %d", a.guides, maxGuides)
		}
	})
	a.guides = len(session.InitializeResult().Instructions)
	return a
}

// read reads a guide.
func (a *trial) read(uri string) string {
	a.t.Helper()
	res, err := a.ReadResource(a.t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		a.t.Fatalf("%s: %v", uri, err)
	}
	a.calls++
	a.guides += len(res.Contents[0].Text)
	return res.Contents[0].Text
}

// try calls a tool, and returns the texts of its answer, one after another.
func (a *trial) try(tool string, args map[string]any) (text string, failed bool) {
	a.t.Helper()
	res, err := a.CallTool(a.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	var texts []string
	for _, c := range res.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			texts = append(texts, c.Text)
		case *mcp.ImageContent:
			a.pictures += len(c.Data)
			if dir := os.Getenv("PICTURES"); dir != "" {
				name := strings.ReplaceAll(a.t.Name(), "/", "-") + "-" + string(rune('a'+a.calls%26)) + ".png"
				if err := os.WriteFile(filepath.Join(dir, name), c.Data, 0o644); err != nil {
					a.t.Fatal(err)
				}
			}
		}
	}
	text = strings.Join(texts, "\n")
	a.calls++
	a.answers += len(text)
	if testing.Verbose() {
		asked, _ := json.Marshal(args)
		a.t.Logf("%s %s\n%s", tool, asked, text)
	}
	return text, res.IsError
}

// do calls a tool, which must succeed.
func (a *trial) do(tool string, args map[string]any) string {
	a.t.Helper()
	text, failed := a.try(tool, args)
	if failed {
		a.t.Fatalf("%s %v: %s", tool, args, text)
	}
	return text
}

// begin does what the instructions say: it reads the cheatsheet and starts the server. It returns
// the address of the page.
func (a *trial) begin() (url string) {
	a.t.Helper()
	if got := a.InitializeResult().Instructions; !strings.Contains(got, "read ui://cheatsheet") {
		a.t.Fatalf("the instructions do not say what to read: %s", got)
	}
	a.read("ui://cheatsheet")
	url = a.do("ui_start", nil)
	var status struct {
		BaseDir string `json:"base_dir"`
	}
	if err := json.Unmarshal([]byte(a.do("ui_status", nil)), &status); err != nil {
		a.t.Fatal(err)
	}
	a.base = status.BaseDir
	return url
}

// write writes files of an app, by their names in its folder.
func (a *trial) write(app string, files map[string]string) {
	a.t.Helper()
	for name, content := range files {
		testkit.Write(a.t, a.base, filepath.Join("apps", app, name), content)
	}
}

// display displays an app in which nothing may be wrong.
func (a *trial) display(app string) {
	a.t.Helper()
	got, _, _ := strings.Cut(a.do("ui_display", map[string]any{"name": app}), "\nNot tried in a copy of the app:") // which is no fault
	if strings.Contains(got, "\n") {
		a.t.Errorf("ui_display: %s", got)
	}
}

// restart ends the server, starts another, and waits until the open page displays its app.
func (a *trial) restart(t *testing.T, tab *browser.Tab) *trial {
	t.Helper()
	const app = `document.querySelector("main").firstElementChild`
	tab.Run(`window.before = ` + app)
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	b := startTrial(t, a.home, "--own")
	b.do("ui_start", nil)
	tab.Wait(`!before.isConnected && ` + app + ` && document.documentElement.dataset.uiState === "live"`)
	return b
}

// look takes pictures as ui_screenshot advises, in which nothing may be wrong.
func (a *trial) look() {
	a.t.Helper()
	for _, args := range []map[string]any{{"width": 390}, {"width": 1280}} {
		var seen struct{ Notes, Findings []any }
		text := a.do("ui_screenshot", args)
		if err := json.Unmarshal([]byte(text), &seen); err != nil || len(seen.Notes)+len(seen.Findings) > 0 {
			a.t.Errorf("ui_screenshot %v: %s, %v", args, text, err)
		}
	}
}

// ref returns the reference in the one line of an inspection that has a text.
func (a *trial) ref(inspection, text string) string {
	a.t.Helper()
	var found []string
	for line := range strings.Lines(inspection) {
		if ref := refs.FindString(line); ref != "" && strings.Contains(line, text) {
			found = append(found, ref)
		}
	}
	if len(found) != 1 {
		a.t.Fatalf("%d references with %q in\n%s", len(found), text, inspection)
	}
	return found[0]
}

// act acts on the one control or row of an inspection that has a text. input is click, fill...
func (a *trial) act(inspection, text, input string, value any) string {
	a.t.Helper()
	return a.do("ui_act", map[string]any{"ref": a.ref(inspection, text), input: value})
}
