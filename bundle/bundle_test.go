package bundle_test

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"ui-mcp/bundle"
	uipath "ui-mcp/internal/ui/path"
	"ui-mcp/internal/ui/viewdef"
)

// files returns the bundled files whose paths match a suffix.
func files(t *testing.T, suffix string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := fs.WalkDir(bundle.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, suffix) {
			return err
		}
		data, err := fs.ReadFile(bundle.Files, name)
		found[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatalf("the bundle has no %s files", suffix)
	}
	return found
}

// viewdefs parses the bundled view definitions, as a session does.
func viewdefs(t *testing.T) map[string]*viewdef.Template {
	t.Helper()
	parsed := map[string]*viewdef.Template{}
	for name, src := range files(t, ".html") {
		if path.Base(path.Dir(name)) != "viewdefs" {
			continue
		}
		tmpl, err := viewdef.Parse(strings.TrimSuffix(path.Base(name), ".html"), name, src)
		if err != nil {
			t.Fatal(err)
		}
		parsed[name] = tmpl
	}
	return parsed
}

func TestViewdefsAreRight(t *testing.T) {
	t.Parallel()
	for _, tmpl := range viewdefs(t) {
		for _, w := range tmpl.Warnings {
			t.Error(w)
		}
	}
}

// An app's view definitions name only fields and methods that its Lua declares.
func TestViewdefsNameWhatTheAppHas(t *testing.T) {
	t.Parallel()
	for name, tmpl := range viewdefs(t) {
		var code []byte
		app := path.Dir(path.Dir(name))
		for file, text := range files(t, ".lua") {
			if strings.HasPrefix(file, app+"/") && path.Base(app) != "base" {
				code = append(code, text...)
			}
		}
		if code == nil {
			continue // it belongs to no app
		}
		typ := strings.TrimSuffix(tmpl.Key, path.Ext(tmpl.Key))
		typ = typ[strings.LastIndex(typ, ".")+1:] // in files, a type's table is a local without its prefix
		for _, b := range tmpl.Bindings {
			step := b.Path.Steps[0]
			declared := `\b` + step.Name + ` = `
			if step.Kind != uipath.Field {
				declared = `function ` + typ + `:` + step.Name + `\(`
			}
			if !regexp.MustCompile(declared).Match(code) {
				t.Errorf("%s:%d: %s, but no Lua of the app has such a thing", name, b.Line, b.Source)
			}
		}
	}
}

func TestIndex(t *testing.T) {
	t.Parallel()
	src, err := fs.ReadFile(bundle.Files, "base/html/index.html")
	if err != nil {
		t.Fatal(err)
	}
	apps := 0
	var scripts, styles []string
	doc, err := html.Parse(bytes.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "ui-app":
				apps++
			case n.Data == "script" && a.Key == "src":
				scripts = append(scripts, a.Val)
			case n.Data == "link" && a.Key == "href" && !strings.HasPrefix(a.Val, "data:"):
				styles = append(styles, a.Val)
			}
		}
	}
	if apps != 1 {
		t.Errorf("%d elements with ui-app, want 1", apps)
	}
	if !slices.Equal(scripts, []string{"/main-HASH.js", "/popup.js"}) { // the client, and the dialog for questions
		t.Errorf("scripts: %q", scripts)
	}
	for _, s := range styles {
		if _, err := fs.Stat(bundle.Files, "base/html"+s); err != nil {
			t.Errorf("index.html links %s, which is not in the bundle", s)
		}
	}
}

var elsewhere = regexp.MustCompile(`(?i)(src|href)\s*=\s*["']?\s*(https?:)?//|url\(\s*["']?(https?:)?//|@import`)

// No page of ours loads anything from the network.
func TestNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{".html", ".css"} {
		for name, src := range files(t, suffix) {
			if m := elsewhere.FindString(src); m != "" {
				t.Errorf("%s: %s", name, m)
			}
		}
	}
}
