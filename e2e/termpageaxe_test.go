//go:build unix

package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// TestTerminalPageIsAccessible looks at the names of all controls in each state of the page, and
// runs axe on it: at the width of a window and of a phone, and on most of it in each theme, too.
func TestTerminalPageIsAccessible(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	script, err := os.ReadFile(axeScript)
	if err != nil {
		t.Log("axe is not installed: tools/need axe does that")
	}
	p := openTerminalPage(t, "/")
	widths := []int{1400, 390}
	check := func(state string, themes ...string) {
		t.Helper()
		named(t, state, p.Tab)
		if script == nil {
			return
		}
		for i, theme := range themes {
			for j, width := range widths {
				if i > 0 && j != i%len(widths) { // a theme has the same colours at each width
					continue
				}
				p.Size(width, 844)
				found := axeFinds(p.Tab, string(script), theme, i > 0)
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
	p.act("find in the history works")
	p.Wait(`document.activeElement?.type === "search" && document.activeElement.closest(".terminal-search")`)
	check("searching", "dark")
	p.Press(browser.Escape)
	p.Run(`document.querySelector('[aria-label="All actions"]').click()`)
	p.Wait(`document.querySelector(".palette[open] li")`)
	check("the palette", "dark")
	p.Press("\x1b")
	widths = widths[1:] // the other states are the same in a window
	closes := func() {
		t.Helper()
		p.Press(browser.Escape)
		p.Wait(`!document.querySelector("dialog.form")`)
	}
	p.server.do(t, "POST", "/sessions/works/recording/start", "")
	p.server.do(t, "POST", "/sessions/asks/recording/start", "")
	p.server.do(t, "POST", "/sessions/asks/recording/stop", "")
	for _, dialog := range [][2]string{{"who is attached works", "[data-client]"}, {"keys…", ".keys"}, {"kill… works", ".danger"}, {"links for others works", ".tokens li"}, {"recordings…", ".recordings [data-active]"}} {
		p.act(dialog[0])
		p.Wait(`document.querySelector(".form ` + dialog[1] + `")`)
		check("the dialog "+dialog[0], "dark")
		if dialog[0] != "recordings…" {
			closes()
		}
	}
	p.Run(`document.querySelector('[aria-label="Watch the recording of asks"]').click()`)
	p.plays("go on?", true)
	check("the player", "dark")
	p.Press(browser.Escape)
	p.Wait(`!document.querySelector(".player")`)
	closes()
	for _, label := range []string{"New terminal", "Settings"} {
		p.Run(`document.querySelector('[aria-label="` + label + `"]').click()`)
		p.Wait(`document.querySelector("dialog.form[open]")`)
		check("the dialog "+label, "light")
		closes()
	}
	p.readAloud()
	check("screen reader mode", "dark")
	p.Open(p.server.base + "/s/nothing")
	p.says(".missing .note", "There is no session")
	check("a session that does not exist", "light")
	locked := openTerminalPage(t, "/", "--token", ownersToken)
	p.Tab, p.server = locked.Tab, locked.server
	p.Wait(`document.activeElement?.id === "token"`)
	p.Press("wrong-wrong-wrong\r")
	p.says("#token-why", "is wrong")
	check("a token", "light")
}

// axeFinds runs axe, whose script it gets, on the page of terminals in a theme, and returns what it
// finds. A theme changes nothing but colours, so again, after a run in another theme at the same
// width, leaves out the rules about everything else.
func axeFinds(tab *browser.Tab, script, theme string, again bool) []string {
	if !browser.Eval[bool](tab, `"axe" in window`) {
		tab.Run(script)
	}
	tab.Run(`document.documentElement.dataset.theme = "` + theme + `"`)
	rules, enough := "", 10
	if again {
		rules, enough = `runOnly: ["color-contrast", "link-in-text-block"]`, 1
	}
	return browser.Eval[[]string](tab, fmt.Sprintf(`axe.run(document, { resultTypes: ["violations"], preload: false, %s }).then(({violations, passes}) => (passes.length < %d ? ["axe has checked nothing"] : []).concat(violations
		.filter(({impact}) => impact === "serious" || impact === "critical")
		.map(({id, nodes}) => id + ": " + nodes.map((n) => n.html + " " + n.failureSummary).join(" | ").slice(0, 600))))`, rules, enough))
}

// TestTerminalPageForcedColors marks what is selected where the system sets all colours.
func TestTerminalPageForcedColors(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t, [2]string{"a", "exec sleep 1000"}, [2]string{"b", "exec sleep 1000"})
	p.Feature("forced-colors", "active")
	p.listed("running", "a", "b")
	p.Click(`[data-session="a"] a`)
	p.Wait(`getComputedStyle(document.querySelector('[data-session="a"]')).outlineStyle === "solid"`)
	p.Wait(`getComputedStyle(document.querySelector('[data-session="b"]')).outlineStyle === "none"`)
}
