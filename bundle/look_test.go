package bundle_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	uimcp "ui-mcp"
	"ui-mcp/bundle"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// pictures is a folder for pictures of the bundled pages, to be looked at after a change of the
// base style: docs/screenshots/update passes it.
var pictures = flag.String("pictures", "", "folder for pictures of the bundled pages")

// axeScript is where tools/need installs axe.
const axeScript = "../scratch/axe/node_modules/axe-core/axe.min.js"

// A look is a tab in which pages are looked at: at the width of a phone and of a window, light and
// dark.
type look struct {
	*browser.Tab
	t   *testing.T
	axe string // the script; "" if it is not installed
}

func newLook(t *testing.T) *look {
	t.Helper()
	script, err := os.ReadFile(axeScript)
	if err != nil {
		t.Log("axe is not installed: tools/need axe does that")
	}
	return &look{Tab: browser.New(t).Tab(), t: t, axe: string(script)}
}

// at looks at a page: every control has a name, nothing is wider than the page, and axe finds
// nothing. With -pictures, it also takes pictures.
func (l *look) at(name, url, ready string) {
	l.t.Helper()
	l.Open(url)
	l.Wait(ready)
	l.Run(`const still = new CSSStyleSheet(); still.replaceSync("*, ::before, ::after { transition: none !important }"); document.adoptedStyleSheets.push(still)`)
	if found := l.Misnamed(); len(found) > 0 {
		l.t.Errorf("%s: controls:\n%s", name, strings.Join(found, "\n"))
	}
	if l.axe != "" {
		l.Run(l.axe)
	}
	l.pictures(name)
}

// pictures judges the page as it is now, at each width and in each theme once, since neither
// changes what the other does. make load, and taking pictures, has all pairs.
func (l *look) pictures(name string) {
	l.t.Helper()
	judged := map[int]bool{} // by width
	for _, dark := range []bool{false, true} {
		l.Dark(dark)
		for _, width := range []int{390, 1280} {
			if *pictures == "" && !load.Full() && dark != (width == 1280) {
				continue
			}
			l.Size(width, 844)
			l.Wait(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
			state := fmt.Sprintf("%s-%d-%s", name, width, map[bool]string{true: "dark", false: "light"}[dark])
			l.judge(state, judged[width])
			judged[width] = true
			if *pictures != "" {
				height := browser.Eval[int](l.Tab, `Math.max(844, Math.min(document.documentElement.scrollHeight, 12000))`)
				l.Size(width, height)
				l.Screenshot(filepath.Join(*pictures, state+".png"))
			}
		}
	}
}

// judge judges the page as it is now. A theme changes nothing but colours, so again, after a run in
// another theme at the same width, leaves out axe's rules about everything else.
func (l *look) judge(state string, again bool) {
	l.t.Helper()
	wide := browser.Eval[[]string](l.Tab, `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")]
		.filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 120))`)
	if len(wide) > 0 {
		l.t.Errorf("%s: wider than the page:\n%s", state, strings.Join(wide, "\n"))
	}
	if l.axe == "" {
		return
	}
	rules, enough := "", 10
	if again {
		rules, enough = `runOnly: ["color-contrast", "link-in-text-block"]`, 1
	}
	found := browser.Eval[[]string](l.Tab, fmt.Sprintf(`axe.run(document, { resultTypes: ["violations"], preload: false, %s }).then(({violations, passes}) => (passes.length < %d ? ["axe has checked nothing"] : []).concat(violations
		.map(({id, nodes}) => id + ": " + nodes.map((n) => n.html + " " + n.failureSummary).join(" | ").slice(0, 800))))`, rules, enough))
	if len(found) > 0 {
		l.t.Errorf("%s: axe:\n%s", state, strings.Join(found, "\n"))
	}
}

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
	for _, text := range documents(t) {
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
