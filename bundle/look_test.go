package bundle_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
