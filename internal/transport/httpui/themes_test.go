package httpui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/app"
)

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
