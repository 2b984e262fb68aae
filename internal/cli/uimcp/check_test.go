package uimcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/transport/httpui"
	"ui-mcp/internal/ui"
)

const paleLua = `
Pale = session:prototype("Pale", { rows = EMPTY })
PaleRow = session:prototype("PaleRow", { name = "a name" })
function Pale:add() table.insert(self.rows, PaleRow:new({ name = "a longer name" })) end
function Pale:isFilled() return #self.rows > 0 end
if not session.reloading then pale = session:create(Pale, { rows = {} }) end
`

const paleHTML = `<template>
  <main class="stack">
    <h1>Pale</h1>
    <table style="width: 640px"><tr><td>a wide table</td><td>without a card</td></tr></table>
    <p style="color: #999; background: #fff">Pale text that is hard to read</p>
    <p style="color: light-dark(#000, #333); background: light-dark(#fff, #111)">Pale text in the dark</p>
    <button style="width: 10px; height: 10px; padding: 0; min-height: 0; border: 0" aria-label="Add" ui-action="add()"></button>
    <div style="width: 100px; white-space: nowrap; overflow: hidden">This sentence is cut off without a sign</div>
    <ul class="list" ui-viewlist="rows"><li></li></ul>
    <p ui-attr-hidden="isFilled()">None yet.</p>
  </main>
</template>
`

const paleRowHTML = `<template>
  <li><span ui-value="name" style="display: block; width: 30px; white-space: nowrap; overflow: hidden"></span></li>
</template>
`

// checkIn runs the command in an installed project with an app.
func checkIn(t *testing.T, files map[string]string, args ...string) (found finding.Checked, status int) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	run := func(args ...string) (string, int) {
		var out, errs strings.Builder
		status := Run(t.Context(), "0.1.0", append(args, "--json", "--dir", dir), commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if errs.Len() > 0 {
			t.Fatalf("%v: %s", args, errs.String())
		}
		return out.String(), status
	}
	run("install")
	for name, content := range files {
		testkit.Write(t, dir, name, content)
	}
	text, status := run(append([]string{"check"}, args...)...)
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return found, status
}

// What the files of an app are called and say makes no other line, and cannot act on the terminal.
func TestFindingsAreLines(t *testing.T) {
	var out bytes.Buffer
	found := finding.Checked{
		Findings: []finding.Finding{{Code: "load", File: "a\x1b[2J.lua", Line: 1, What: "\u202eboo\nb.lua:1: load: forged"}},
		NotTried: []finding.Untried{{File: "c", Line: 2, What: "\u009b31m", Why: "why"}},
	}
	if err := (checkCommand{}).print(env{Streams: commandline.Streams{Out: &out}}, found); err != nil {
		t.Fatal(err)
	}
	if want := "a\\x1b[2J.lua:1: load: \\u202eboo b.lua:1: load: forged\nc:2: not tried: \\u009b31m, since why\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

// One run checks several apps, in the order of its arguments. One that cannot be checked is an
// error, and the others are checked nevertheless.
func TestCheckOfAnUnknownApp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		testkit.Write(t, dir, "apps/"+name+"/app.lua", "x = = 1\n")
	}
	check := func(apps ...string) (out, errs string, status int) {
		var o, e strings.Builder
		status = Run(t.Context(), "0.1.0", append([]string{"check", "--dir", dir, "--no-browser"}, apps...), commandline.Streams{In: strings.NewReader(""), Out: &o, Err: &e})
		return o.String(), e.String(), status
	}
	const one, two = "apps/one/app.lua:1: load: syntax error near '='\n", "apps/two/app.lua:1: load: syntax error near '='\n"
	if out, errs, status := check("two", "three", "one", "two"); out != two+one || !strings.Contains(errs, `there is no app "three"`) || status != commandline.ExitFailure {
		t.Errorf("of several: %q, %q, status %d", out, errs, status)
	}
	if out, errs, status := check("three", "--json"); out != "" || !strings.Contains(errs, `there is no app "three"`) || status != commandline.ExitFailure {
		t.Errorf("of none: %q, %q, status %d", out, errs, status)
	}
}

// What is about no file says which of several apps it is about.
func TestCheckNamesApps(t *testing.T) {
	t.Parallel()
	of := finding.Checked{Findings: []finding.Finding{{Code: "page-error"}}, NotTried: []finding.Untried{{What: "how the app looks", Why: "no browser was found"}}}
	files := func(apps ...string) (list []string) {
		var all finding.Checked
		for _, name := range apps {
			checkCommand{Apps: apps}.add(&all, name, of)
		}
		for _, f := range all.Findings {
			list = append(list, f.File)
		}
		for _, u := range all.NotTried {
			list = append(list, u.File)
		}
		return list
	}
	if got := files("one"); !slices.Equal(got, []string{"", ""}) {
		t.Errorf("of one app: %q", got)
	}
	if got := files("one", "two"); !slices.Equal(got, []string{"apps/one", "apps/two", "apps/one", "apps/two"}) {
		t.Errorf("of two apps: %q", got)
	}
}

// A check sees what a person could not read or use, where it is written, and when: also what is
// there only once the app has been used. With a script in it, the page is loaded for each look.
func TestCheckLooks(t *testing.T) {
	want := []string{
		"clipped-text Pale.DEFAULT.html:8 ",
		"clipped-text PaleRow.list-item.html:2 once controls have been used",
		"contrast Pale.DEFAULT.html:5 ",
		"contrast Pale.DEFAULT.html:6 in dark colours",
		"page-overflow Pale.DEFAULT.html:4 at a width of 390 px",
		"small-target Pale.DEFAULT.html:7 ",
	}
	checkLooks(t, paleHTML, want)
	if load.All() {
		script := `<script>console.error("planted")</script>`
		checkLooks(t, strings.Replace(paleHTML, "</main>", script+"</main>", 1), slices.Insert(want, 2, "console Pale.DEFAULT.html:0 "))
	}
}

func checkLooks(t *testing.T, html string, want []string) {
	t.Helper()
	files := map[string]string{
		"apps/pale/app.lua":                         paleLua,
		"apps/pale/viewdefs/Pale.DEFAULT.html":      html,
		"apps/pale/viewdefs/PaleRow.list-item.html": paleRowHTML,
	}
	found, status := checkIn(t, files, "pale")
	var got []string
	for _, f := range found.Findings {
		_, when, _ := strings.Cut(f.What, ", seen ")
		got = append(got, fmt.Sprintf("%s %s:%d %s", f.Code, filepath.Base(f.File), f.Line, when))
		if f.Code != "console" && f.Instead == "" {
			t.Errorf("%v does not say what to do", f)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) || status != commandline.ExitFailure || len(found.NotTried) > 0 {
		t.Errorf("status %d, not tried %v, findings\n%s\nwant\n%s\nall %v", status, found.NotTried, strings.Join(got, "\n"), strings.Join(want, "\n"), found.Findings)
	}
}

// Nobody but the browser of the check reaches the session: it is no page of the person.
func TestCheckedPageIsForItsBrowserOnly(t *testing.T) {
	dir := t.TempDir()
	engine := ui.NewEngine(ui.Options{
		Dir: dir, LuaTimeout: time.Minute, Log: slog.New(slog.DiscardHandler), Announce: func(ui.Announcement) {},
		Setup: func(b *ui.Bridge) error { b.Define("mcp", map[string]any{"type": "MCP"}); return nil },
	})
	defer engine.Close()
	s, err := engine.Open(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	observers := httpui.NewObservers()
	stop, err := serveObserved(observers)(dir, s, l)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := stop(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	name, leave := observers.Admit("1")
	gone, left := observers.Admit("1")
	left()
	defer leave()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for _, c := range []struct {
		method, host, path string
		status             int
	}{
		{"GET", name, "/1/", 200}, {"GET", name, "/2/", 404}, {"POST", name, "/1/", 405}, {"GET", gone, "/1/", 403},
		{"GET", "127.0.0.1", "/1/", 404}, {"GET", "127.0.0.1", "/ws/1", 404}, {"GET", "127.0.0.1", "/main.js", 404}, {"GET", "example.org", "/1/", 403},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, "http://"+l.Addr().String()+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != c.status {
			t.Errorf("%s %s at %.20s: status %d, want %d", c.method, c.path, c.host, res.StatusCode, c.status)
		}
	}
}
