package bundle_test

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"testing"

	uimcp "ui-mcp"
	"ui-mcp/bundle"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/load"
)

// seen has "ui-mcp check" try apps and look at them, in one browser: it finds nothing, and could
// look.
func (w *world) seen(apps ...string) {
	w.t.Helper()
	cmd := command(w.t, append([]string{"check", "--json", "--dir", w.dir}, apps...)...)
	out, err := cmd.Output()
	var found finding.Checked
	if json.Unmarshal(out, &found) != nil || err != nil {
		w.t.Fatalf("check %s: %v: %s", apps, err, out)
	}
	for _, u := range found.NotTried {
		if u.File == "" {
			w.t.Errorf("check %s: %v", apps, u)
		}
	}
}

// The bundled apps, the demo, the example and the tutorial's have nothing that a person could not
// read or use.
func TestAppsAreSeen(t *testing.T) {
	load.Long(t, "looking at seven apps, two of them with components")
	t.Parallel()
	w := newWorld(t)
	demo, err := fs.Sub(bundle.Demo, "demo")
	if err != nil {
		t.Fatal(err)
	}
	testkit.Copy(t, filepath.Join(w.dir, "apps", "demo"), demo)
	// What the documents tell to write is displayed, so that it is there when it is looked at.
	readme := &story{world: w, file: "README.md"}
	readme.followFiles(uimcp.Readme, map[string][]string{
		"lua":  {"apps/counter/app.lua"},
		"html": {"apps/counter/viewdefs/Counter.DEFAULT.html"},
	})
	tutorial := &story{world: w, file: "docs/tutorial.md"}
	tutorial.followFiles(document(t, "tutorial.md"), map[string][]string{
		"lua":  {"apps/shopping/app.lua"},
		"html": {"apps/shopping/viewdefs/Shopping.DEFAULT.html", "apps/shopping/viewdefs/Item.list-item.html"},
	})
	w.seen("contacts", "catalog", "terminals", "demo", "counter", "shopping")
	exampleWorld(t).seen("contacts") // of the same name
}
