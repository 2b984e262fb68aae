package bundle_test

import (
	"runtime"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/load"
)

// TestPages looks at the bundled apps, the page without an app, and the apps of the documents.
func TestPages(t *testing.T) {
	load.Long(t, "TestStyle looks at everything in the base style once")
	t.Parallel()
	toolsets := "ui,popup"
	if runtime.GOOS != "windows" {
		toolsets += ",terminal"
	}
	w, example := newWorld(t, "--toolsets", toolsets), exampleWorld(t)
	l := newLook(t) // whose pages are closed before the servers' clients leave
	l.at("no-app", w.url+"/1/", `document.querySelector(".mcp-empty")`)
	apps := []string{"contacts", "terminals"} // TestCatalog looks at the catalogue
	all := ""
	w.later = func(shown string) string { return withoutUnused(shown, all) }
	for _, text := range documents(t) {
		all += text
		for _, b := range blocks(t, text) {
			m := fileLine.FindStringSubmatch(b.code)
			if m == nil {
				continue
			}
			w.write(m[1], b.code)
			if app, isCode := strings.CutSuffix(m[1], "/app.lua"); isCode {
				apps = append(apps, strings.TrimPrefix(app, "apps/"))
			}
		}
	}
	if len(apps) < 10 {
		t.Errorf("the documents have only %q", apps)
	}
	for _, app := range apps {
		w.display("look-"+app, app)
		l.at(app, w.url+"/look-"+app+"/", displayed)
	}
	example.display("1", "contacts")
	l.at("example", example.url+"/1/", displayed)
}

// displayed holds when an app is displayed.
const displayed = `document.querySelector(".mcp-app:not(:empty)")`
