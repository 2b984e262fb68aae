package httpui

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/app"
	"ui-mcp/internal/events"
)

func TestDocuments(t *testing.T) {
	t.Parallel()
	h := NewMCP(MCPOptions{App: queueApp(events.New())})
	const page, program = "text/html,*/*", "*/*"
	for _, tt := range []struct {
		target, accept string
		status         int
		kind, body     string // part of the body
	}{
		{"/api/resource/reference.md", program, 200, "text/markdown; charset=utf-8", "# Reference"},
		{"/api/resource/reference.md", page, 200, "text/html; charset=utf-8", "Reference</h1>"},
		{"/api/resource/page.html", page, 200, "text/html; charset=utf-8", "<p>page</p>"},
		{"/api/resource/none.md", page, 404, "application/json", "no document"},
		{"/api/resource/", program, 200, "application/json", `{"entries":[{"name":"page.html","is_dir":false},{"name":"patterns","is_dir":true},{"name":"reference.md","is_dir":false}],"path":"."}`},
		{"/api/resource/patterns/", page, 200, "application/json", `{"name":"a: b.txt","is_dir":false}`},
		{"/api/resource/patterns", page, 302, "text/html; charset=utf-8", `href="/api/resource/patterns/"`},
		{"/api/resource/none/", program, 404, "application/json", "no folder"},
		{"/app/notes/readme", page, 200, "text/html; charset=utf-8", "Notes</h1>"},
		{"/app/notes/readme", program, 200, "text/markdown; charset=utf-8", "# Notes"},
		{"/app/none/readme", page, 404, "application/json", "no README.md"},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", tt.target, nil)
		r.Header.Set("Accept", tt.accept)
		h.ServeHTTP(w, r)
		if got := w.Body.String(); w.Code != tt.status || !strings.Contains(got, tt.body) || strings.Contains(got, "<script") && tt.accept == page {
			t.Errorf("%s (%s) = %d %s, want %d %s", tt.target, tt.accept, w.Code, got, tt.status, tt.body)
		}
		if got := w.Header().Get("Content-Type"); got != tt.kind {
			t.Errorf("%s (%s): Content-Type %s, want %s", tt.target, tt.accept, got, tt.kind)
		}
		if tt.status == 200 && tt.kind != "application/json" && !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: scripts may run", tt.target)
		}
	}
}

// A page that has a place for the themes links those that are there when it is loaded.
func TestThemes(t *testing.T) {
	t.Parallel()
	themes := app.Themes{}
	dir := t.TempDir()
	h := NewUI(UIOptions{
		Sessions: rooms(map[string]*memorySession{"1": newMemorySession()}), HTML: dir, Client: builtClient, Fallback: builtHTML,
		Themes: func() app.Themes { return themes },
	})
	write := func(page string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("<head><!-- ui:themes --></head>")
	before := get(h, "/1/")
	if got := before.Body.String(); got != "<head></head>" {
		t.Errorf("without themes: %s", got)
	}
	themes = app.Themes{Names: []string{"base", "night"}, Default: "night"}
	res := get(h, "/1/", "If-None-Match", before.Header().Get("ETag"))
	got := res.Body.String()
	for _, want := range []string{`<link rel="stylesheet" href="/themes/base.css">`, `<link rel="stylesheet" href="/themes/night.css">`, `: "night")`} {
		if res.Code != 200 || !strings.Contains(got, want) {
			t.Errorf("the page lacks %s: %d %s", want, res.Code, got)
		}
	}

	// The links of frictionless name themes that were there once.
	write("<head>\n<!-- #frictionless -->\n<link href=old.css>\n<!-- /frictionless -->\n</head>")
	got = get(h, "/1/").Body.String()
	if strings.Contains(got, "old.css") || !strings.Contains(got, "/themes/night.css") || !strings.Contains(got, `id="app-favicon"`) {
		t.Errorf("links of frictionless: %s", got)
	}
	for _, page := range []string{"<head></head>", "<head><!-- #frictionless --></head>"} {
		write(page)
		if got := get(h, "/1/").Body.String(); got != page {
			t.Errorf("a page without a place for themes: %s", got)
		}
	}
	// Without a file of its own, the project has the built-in page.
	if err := os.Remove(filepath.Join(dir, "index.html")); err != nil {
		t.Fatal(err)
	}
	if got := get(h, "/1/").Body.String(); !strings.Contains(got, "built index") {
		t.Errorf("the built-in page: %s", got)
	}
}
