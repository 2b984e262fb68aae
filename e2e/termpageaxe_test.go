//go:build unix

package e2e

import (
	"os"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
)

// axeScript is where tools/need installs axe.
const axeScript = "../scratch/axe/node_modules/axe-core/axe.min.js"

// TestTerminalPageIsAccessible runs axe on each state of the page, on most of it in each theme, at
// the width of a window and of a phone.
func TestTerminalPageIsAccessible(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile(axeScript)
	if err != nil {
		t.Skip("axe is not installed: tools/need axe does that")
	}
	p := openTerminalPage(t, "/")
	check := func(state string, themes ...string) {
		t.Helper()
		p.Run(string(script))
		for _, theme := range themes {
			p.Run(`document.documentElement.dataset.theme = "` + theme + `"`)
			for _, width := range []int{1400, 390} {
				p.Size(width, 844)
				found := browser.Eval[[]string](p.Tab, `axe.run(document).then(({violations, passes}) => (passes.length < 10 ? ["axe has checked nothing"] : []).concat(violations
					.filter(({impact}) => impact === "serious" || impact === "critical")
					.map(({id, nodes}) => id + ": " + nodes.map((n) => n.html + " " + n.failureSummary).join(" | ").slice(0, 600))))`)
				if len(found) > 0 {
					t.Errorf("%s, %s, %d px wide:\n%s", state, theme, width, strings.Join(found, "\n"))
				}
			}
		}
		p.Size(1400, 844)
	}
	p.WaitText(".empty h2", "No terminals yet")
	check("no session", "light")
	p.server.create(t,
		[2]string{"asks", "printf 'go on? '; read x; exec sleep 1000"}, [2]string{"works", "printf '\\033[31mred\\033[0m text\\n'; exec sleep 1000"},
		[2]string{"failed", "exit 3"}, [2]string{"over", "exit 0"},
	)
	p.server.do(t, "PATCH", "/sessions/works", `{"add_tags":["green"]}`)
	p.listed("calling", "asks", "failed")
	p.listed("ended", "over")
	check("a list", "light", "dark", "contrast")
	p.Open(p.server.base + "/s/works?panes=h50(works,over)")
	p.listed("calling", "asks", "failed")
	p.Wait(`document.querySelectorAll(".pane .xterm").length === 2`)
	p.says(".over .note", "ended successfully")
	check("panes", "light", "dark", "contrast")
	p.Run(`document.querySelector('[aria-label="All actions"]').click()`)
	p.Wait(`document.querySelector(".palette[open] li")`)
	check("the palette", "dark")
	p.Press("\x1b")
	for _, label := range []string{"New terminal", "Settings"} {
		p.Run(`document.querySelector('[aria-label="` + label + `"]').click()`)
		p.Wait(`document.querySelector("dialog.form[open]")`)
		check("the dialog "+label, "light")
		p.Press("\x1b")
		p.Wait(`!document.querySelector("dialog.form")`)
	}
}

// TestTerminalPageForcedColors marks what is selected where the system sets all colours.
func TestTerminalPageForcedColors(t *testing.T) {
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t, [2]string{"a", "exec sleep 1000"}, [2]string{"b", "exec sleep 1000"})
	p.ForcedColors(true)
	p.listed("running", "a", "b")
	p.Click(`[data-session="a"] a`)
	p.Wait(`getComputedStyle(document.querySelector('[data-session="a"]')).outlineStyle === "solid"`)
	p.Wait(`getComputedStyle(document.querySelector('[data-session="b"]')).outlineStyle === "none"`)
}
