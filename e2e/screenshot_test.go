package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/load"
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

// codes lists the findings as "CODE FILE:LINE".
func (s sight) codes() []string {
	var list []string
	for _, f := range s.Findings {
		list = append(list, fmt.Sprintf("%s %s:%d", f.Code, filepath.Base(f.File), f.Line))
	}
	slices.Sort(list)
	return list
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

const faultyLua = `
Faulty = session:prototype("Faulty", { rows = EMPTY, name = "" })
Row = session:prototype("Row", { name = "" })
function Faulty:pick() self.name = "picked" end
if not session.reloading then
    faulty = session:create(Faulty, { rows = { session:create(Row, { name = "one" }), session:create(Row, { name = "two" }) } })
end
`

const faultyHTML = `<template>
  <div class="page">
    <h1>Faults</h1>
    <div class="card">
      <table style="width: 640px"><tr><td>a wide table</td><td>with two columns</td></tr></table>
    </div>
    <p style="color: #999; background: #fff">Pale text that is hard to read</p>
    <p style="color: #777; background: #fff; font-size: 26px">Large text that is fine</p>
    <button style="width: 10px; height: 10px; padding: 0; min-height: 0; border: 0" aria-label="tiny" ui-action="pick()"></button>
    <div style="width: 100px; white-space: nowrap; overflow: hidden">This sentence is cut off without a sign</div>
    <div style="width: 100px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis">This sentence has dots at its end</div>
    <ul ui-viewlist="rows"><li></li></ul>
    <script>
      console.error("planted", 1);
    </script>
  </div>
</template>
`

const faultyRowHTML = `<template>
  <li>
    <span ui-value="name"></span>
    <a href="#x" style="display: inline-block; width: 12px; height: 12px; overflow: visible" title="go"></a>
  </li>
</template>
`

const soundHTML = `<template>
  <div class="page">
    <h1>Sound</h1>
    <div class="card" style="overflow-x: auto"><table style="width: 640px"><tr><td>a wide table</td><td>in a card that scrolls</td></tr></table></div>
    <p>Some text with a <a href="#x">link</a> in it.</p>
    <label><input type="checkbox" ui-value="done"> Done</label>
    <label>Name <input ui-value="name"></label>
    <button ui-action="pick()">Pick</button>
  </div>
</template>
`

func plant(s *server) {
	s.write("apps/faulty/app.lua", faultyLua)
	s.write("apps/faulty/viewdefs/Faulty.DEFAULT.html", faultyHTML)
	s.write("apps/faulty/viewdefs/Row.DEFAULT.html", faultyRowHTML)
	s.write("apps/faulty/viewdefs/Row.list-item.html", faultyRowHTML)
	s.write("apps/sound/app.lua", strings.NewReplacer("Faulty", "Sound", "faulty", "sound", `name = "" })`, `name = "", done = false })`, "Row", "SoundRow").Replace(faultyLua))
	s.write("apps/sound/viewdefs/Sound.DEFAULT.html", soundHTML)
}

// Planted faults are found, each with its line, and nothing else is.
func TestScreenshotFindings(t *testing.T) {
	load.Long(t, "TestLook and TestCheckLooks have pages with faults")
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	s.ok("ui_start", nil)
	plant(s)
	s.ok("ui_display", map[string]any{"name": "faulty"})
	always := []string{
		"clipped-text Faulty.DEFAULT.html:10", "console Faulty.DEFAULT.html:0", "contrast Faulty.DEFAULT.html:7",
		"small-target Faulty.DEFAULT.html:9", "small-target Row.list-item.html:4",
	}
	// TestWays looks at all widths in all colours.
	dark := map[int]bool{390: false, 1280: true}
	for width, dark := range dark {
		name := fmt.Sprintf("faulty-%d-%t", width, dark)
		got := s.look(name, map[string]any{"width": width, "dark": dark})
		want := slices.Clone(always)
		if width == 390 {
			want = append(want, "page-overflow Faulty.DEFAULT.html:5")
		}
		slices.Sort(want)
		if !slices.Equal(got.codes(), want) {
			t.Errorf("%s: findings %q, want %q", name, got.codes(), want)
		}
		if got.Width != width || len(got.Notes) > 0 {
			t.Errorf("%s: width %d, notes %q", name, got.Width, got.Notes)
		}
	}
	if part := s.look("faulty-row", map[string]any{"path": "value.rows.1"}); part.Height > 100 {
		t.Errorf("the picture of a row is %d px high", part.Height)
	}
	part := s.look("faulty-button", map[string]any{"path": "value.pick()"})
	if part.Height > 40 || part.Width > 40 {
		t.Errorf("the picture of a button is %d × %d", part.Width, part.Height)
	}
	if want := []string{"console Faulty.DEFAULT.html:0", "small-target Faulty.DEFAULT.html:9"}; !slices.Equal(part.codes(), want) {
		t.Errorf("findings of a button: %q, want %q", part.codes(), want)
	}
	for want, args := range map[string]map[string]any{
		"there is rows, pick()": {"path": "value.nothing"}, "width must be": {"width": 5}, "no session": {"sessionId": "none"},
	} {
		if _, err := s.mcp.CallTool(t.Context(), &mcp.CallToolParams{Name: "ui_screenshot", Arguments: args}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
	s.ok("ui_display", map[string]any{"name": "sound"})
	for width, dark := range dark {
		name := fmt.Sprintf("sound-%d-%t", width, dark)
		if got := s.look(name, map[string]any{"width": width, "dark": dark}); len(got.Findings) > 0 || len(got.Notes) > 0 {
			t.Errorf("%s: %+v, %q", name, got.Findings, got.Notes)
		}
	}
	if st := s.status(); st.Sessions != 0 {
		t.Errorf("%d sessions have pages", st.Sessions)
	}
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
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "HOME="+shortDir(t))
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
	plant(s)
	if text := s.ok("ui_display", map[string]any{"name": "sound", "screenshot": true}); !strings.Contains(text, "There is no picture: UI_MCP_CHROMIUM is") {
		t.Errorf("ui_display: %s", text)
	}
	s.fails("set it to the path of Chromium, Chrome, Edge or Brave", "ui_screenshot", nil)
}
