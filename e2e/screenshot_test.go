package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit"
)

// sight is the answer of ui_screenshot.
type sight struct {
	Width, Height int
	Notes         []string
	Findings      []struct {
		Code, File, What, Instead string
		Line                      int
	}
	PNG []byte
}

// look takes a picture, and keeps it in $PICTURES if that is set.
func (s *server) look(name string, args map[string]any) sight {
	s.t.Helper()
	began := time.Now()
	res, err := s.mcp.CallTool(s.t.Context(), &mcp.CallToolParams{Name: "ui_screenshot", Arguments: args})
	if err != nil {
		s.t.Fatal(err)
	}
	var out sight
	for _, c := range res.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			if res.IsError {
				s.t.Fatalf("ui_screenshot %v: %s", args, c.Text)
			}
			if err := json.Unmarshal([]byte(c.Text), &out); err != nil {
				s.t.Fatalf("ui_screenshot: %v in %s", err, c.Text)
			}
		case *mcp.ImageContent:
			out.PNG = c.Data
		}
	}
	picture, err := png.Decode(bytes.NewReader(out.PNG))
	if err != nil {
		s.t.Fatalf("the picture: %v", err)
	}
	if b := picture.Bounds(); b.Dx() != out.Width || b.Dy() != out.Height {
		s.t.Errorf("the picture is %v, said to be %d × %d", b, out.Width, out.Height)
	}
	if dir := os.Getenv("PICTURES"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), out.PNG, 0o644); err != nil {
			s.t.Fatal(err)
		}
		for _, f := range out.Findings {
			s.t.Logf("%s: %+v", name, f)
		}
		s.t.Log(name, out.Notes, time.Since(began))
	}
	return out
}

const nosyLua = `
Nosy = session:prototype("Nosy", { name = "Ann", width = 0, clicks = 0, term = "dev" })
function Nosy:click() self.clicks = self.clicks + 1 end
function Nosy:code() return "document.getElementById('b').click()" end
if not session.reloading then nosy = session:create(Nosy, {}) end
`

const nosyHTML = `<template>
  <div class="page" ui-measure-width="width">
    <h1>Nosy</h1>
    <label>Name <input id="n" ui-value="name"></label>
    <button id="b" ui-action="click()">Click</button>
    <ui-terminal ui-attr-session="term" rows="6"></ui-terminal>
    <div ui-code="code()"></div>
    <script>
      setTimeout(() => { uiApp.updateValue("n", "Eve"); document.getElementById("b").click(); }, 0);
      const other = new WebSocket("ws://" + location.host + "/ws/1");
      other.onopen = () => { for (let i = 1; i < 40; i++) other.send(JSON.stringify({ type: "events", ref: i, seq: 1, events: [[i, 0], [i, 1, "Eve"], [i, 2]] })); };
      fetch("/publish/x", { method: "POST", body: "{}" }).catch(() => {});
    </script>
  </div>
</template>
`

// The browser that takes a picture is nobody: the app does not learn of it, questions are not
// displayed in it, a terminal does not change, and nothing of it is left.
func TestScreenshotIsNobody(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	cmd := exec.Command("ui-mcp", "mcp", "--toolsets", "ui,popup,terminal", "--dir", filepath.Join(t.TempDir(), ".claude", "ui"))
	// Where memory is collected all the time, what nobody holds is closed too early.
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "HOME="+testkit.ShortDir(t), "GOGC=1")
	s := &server{t: t, dir: cmd.Args[len(cmd.Args)-1], mcp: testkit.Connect(t, cmd)}
	s.ok("ui_start", nil)
	s.write("apps/nosy/app.lua", nosyLua)
	s.write("apps/nosy/viewdefs/Nosy.DEFAULT.html", nosyHTML)
	s.ok("wsh_create_session", map[string]any{"name": "dev", "command": "printf 'in the terminal\\n'; exec cat", "rows": 20, "cols": 60})
	s.ok("ui_display", map[string]any{"name": "nosy"})
	before := s.ok("wsh_list_sessions", nil)
	asked := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer close(asked)
		_, _ = s.mcp.CallTool(ctx, &mcp.CallToolParams{Name: "popup", Arguments: map[string]any{
			"title": "A question that covers the page", "message": "Which?", "options": []map[string]any{{"label": "One"}, {"label": "Two"}},
		}})
	}()
	got := s.look("nosy", map[string]any{"width": 390})
	if len(got.Notes) > 0 {
		t.Errorf("notes %q", got.Notes)
	}
	for _, f := range got.Findings {
		if f.Code != "console" { // requests that were refused
			t.Errorf("finding %+v", f)
		}
	}
	s.look("nosy-dark", map[string]any{"dark": true})
	s.look("nosy-terminal", map[string]any{"path": "value.term", "width": 390})
	if state := s.run(`return nosy.name .. nosy.width .. nosy.clicks`); state != `"Ann00"` {
		t.Errorf("the app is %s", state)
	}
	st := s.status()
	if st.Sessions != 0 {
		t.Errorf("%d sessions have pages", st.Sessions)
	}
	if text := s.ok("ui_status", nil); !strings.Contains(text, `"pages":0,"views":0,"errors":0`) {
		t.Errorf("status: %s", text)
	}
	if text := s.ok("ui_inspect", nil); !strings.HasPrefix(text, "session 1, 0 pages") || strings.Contains(text, "problem") {
		t.Errorf("inspect: %s", text)
	}
	if after := s.ok("wsh_list_sessions", nil); sizes(after) != sizes(before) {
		t.Errorf("terminals: %s, before %s", after, before)
	}
	cancel()
	<-asked
	if err := s.mcp.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(temp, "ui-mcp-browser-*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// sizes returns what a list of terminals says of sizes and clients.
func sizes(list string) string {
	return strings.Join(regexp.MustCompile(`"(rows|cols|clients|attached)":[^,}]*`).FindAllString(list, -1), " ")
}

// Without a browser, the answer says what to do.
func TestScreenshotWithoutBrowser(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("ui-mcp", "mcp", "--dir", filepath.Join(t.TempDir(), ".claude", "ui"))
	cmd.Env = append(os.Environ(), "UI_MCP_CHROMIUM=/nowhere/chromium")
	s := &server{t: t, dir: cmd.Args[len(cmd.Args)-1], mcp: testkit.Connect(t, cmd)}
	s.fails("Server not started", "ui_screenshot", nil)
	s.ok("ui_start", nil)
	s.write("apps/nosy/app.lua", nosyLua)
	s.write("apps/nosy/viewdefs/Nosy.DEFAULT.html", nosyHTML)
	if text := s.ok("ui_display", map[string]any{"name": "nosy", "screenshot": true}); !strings.Contains(text, "There is no picture: UI_MCP_CHROMIUM is") {
		t.Errorf("ui_display: %s", text)
	}
	s.fails("set it to the path of Chromium, Chrome, Edge or Brave", "ui_screenshot", nil)
}
