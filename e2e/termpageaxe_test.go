//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// TestTerminalPageIsAccessible looks at the names of all controls in each state of the page, and
// runs axe on it: at the width of a window and of a phone, and on most of it in each theme, too.
// With -pictures, it takes pictures of the states in every width and theme instead.
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
		if *pictures != "" {
			return
		}
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
	both := func(state string, themes ...string) {
		t.Helper()
		check(state, themes...)
		p.picture(state)
	}
	const form = `document.querySelector("dialog.form[open]")`
	button := func(label string) {
		t.Helper()
		p.ClickOn(`document.querySelector('[aria-label="` + label + `"]')`)
	}
	p.WaitText(".empty h2", "No terminals yet")
	both("empty", "light")
	p.act("recordings…")
	p.says("dialog.form [role=status]", "No session has a recording")
	p.picture("recordings-none")
	p.closes()

	p.server.create(t,
		[2]string{"build", "printf '\\033]0;make test\\007'; i=0; while :; do i=$((i+1)); printf '\\033[32mok\\033[0m  package/%d  0.%ds\\n' $i $i; sleep 0.4; done"},
		[2]string{"web", "printf '\\033]0;vite\\007\\033[36m  ➜\\033[0m  Local: http://localhost:5173/\\n  ➜  ready in 312 ms\\n'; sleep 1000"},
		[2]string{"sudo", "stty -echo; printf '[sudo] password for ann: '; read x"},
		[2]string{"deploy", "printf 'Deploy to production? [y/N] '; read x"},
		[2]string{"tests", "printf 'FAIL  auth/login  2.1s\\n1 of 214 failed\\n'; exit 1"},
		[2]string{"notes", "printf '\\033[?1049hnotes.md\\n\\n# Ideas\\n- faster previews\\n'; sleep 1000"},
		[2]string{"done", "echo finished; exit 0"},
	)
	p.server.do(t, "PATCH", "/sessions/build", `{"add_tags":["ci","app"]}`)
	p.server.do(t, "PATCH", "/sessions/web", `{"add_tags":["app"]}`)
	listed := func() { // or the sessions have no actions yet
		t.Helper()
		p.listed("calling", "sudo", "deploy", "tests")
	}
	listed()
	p.listed("ended", "done")
	p.WaitText(".empty h2", "Choose a session")
	both("choose", "light", "dark", "contrast")
	p.Click(`[data-session="build"] a`)
	p.Wait(`document.querySelector(".pane .name")?.textContent === "build"`)
	p.picture("session")
	p.Open(p.server.base + "/s/web?panes=h50(web,done)")
	listed()
	p.Wait(`document.querySelectorAll(".pane .xterm").length === 2`)
	p.says(".over .note", "ended successfully")
	check("panes", "light", "dark", "contrast")
	p.act("find in the history web")
	p.Wait(`document.activeElement?.type === "search" && document.activeElement.closest(".terminal-search")`)
	check("searching", "dark")
	p.Press(browser.Escape)
	p.Open(p.server.base + "/s/web?panes=h60(build,v50(web,deploy))")
	p.Wait(`document.querySelectorAll(".pane").length === 3`)
	listed()
	p.picture("panes")
	button("All actions")
	p.Wait(`document.querySelector(".palette[open] li")`)
	both("palette", "dark")
	p.Press(browser.Escape)

	widths = widths[1:] // the other states are the same in a window
	for _, session := range []string{"build", "notes"} {
		p.server.do(t, "POST", "/sessions/"+session+"/recording/start", "")
	}
	p.server.do(t, "POST", "/sessions/notes/recording/stop", "")
	second := browser.New(t).Tab()
	second.Size(1000, 700)
	second.Open(p.server.base + "/s/web")
	second.Wait(`document.querySelector(".pane .lead")?.checkVisibility()`)
	second.Click(".pane .lead")
	for _, dialog := range [][3]string{
		{"attached", "who is attached web", "[data-client]"}, {"keys", "keys…", ".keys"}, {"kill", "kill… web", ".danger"},
		{"links", "links for others web", ".tokens li"}, {"recordings", "recordings…", ".recordings li + li"},
	} {
		p.act(dialog[1])
		p.Wait(`document.querySelector(".form ` + dialog[2] + `")`)
		if dialog[0] == "links" {
			p.Run(`[...document.querySelectorAll("dialog button")].find((b) => b.textContent === "Create link").click()`)
			p.Wait(`document.querySelector('[aria-label="Link"]').value !== ""`)
			p.Run(`document.querySelector('[aria-label="Link"]').value = "http://localhost:8080/s/build#token=wsh_EXAMPLE"`)
		}
		both(dialog[0], "dark")
		if dialog[0] != "recordings" {
			p.closes()
		}
	}
	button("Watch the recording of build")
	p.plays("package/1", true)
	p.says(".player .time", "/")
	both("player", "dark")
	p.Press(browser.Escape)
	p.Wait(`!document.querySelector(".player")`)
	p.closes()
	for state, label := range map[string]string{"create": "New terminal", "settings": "Settings"} {
		button(label)
		p.Wait(form)
		both(state, "light")
		p.closes()
	}
	p.readAloud()
	check("screen reader mode", "dark")
	p.Run(`localStorage.clear()`)

	for _, page := range []struct{ session, says string }{{"tests", "ended with status 1"}, {"nothing", "There is no session"}} {
		p.Open(p.server.base + "/s/" + page.session)
		p.says(".over .note", page.says)
		both(map[string]string{"tests": "ended", "nothing": "missing"}[page.session], "light")
	}
	p.server.do(t, "POST", "/sessions/web/overlay", `{"x":6,"y":4,"spans":[{"text":" rebuilt 3 files ","bg":"blue","fg":"white"}]}`)
	p.Open(p.server.base + "/s/web")
	p.says(".pane .leader", " leads")
	p.picture("led-by-another")
	second.Close()
	p.Open(p.server.base + "/s/build")
	p.Wait(`document.querySelector(".xterm-screen")?.getBoundingClientRect().height > 0`)
	listed()
	p.act("look back")
	p.Wait(`document.querySelector(".terminal-history [data-line]")`)
	p.picture("history")
	p.Run(`localStorage.setItem("wsh-settings", '{"theme":"contrast"}')`)
	p.Open(p.server.base + "/s/build")
	listed()
	p.picture("contrast")
	away := newLine(t, strings.TrimPrefix(p.server.base, "http://"))
	p.Open("http://" + away.listener.Addr().String() + "/s/web")
	listed()
	away.set(true)
	p.Wait(`!document.querySelector(".gone").hidden`)
	p.picture("no-server")
	locked := openTerminalPage(t, "/", "--token", ownersToken)
	p.Tab, p.server = locked.Tab, locked.server
	p.Wait(`document.activeElement?.id === "token"`)
	p.Press("wrong-wrong-wrong\r")
	p.says("#token-why", "is wrong")
	both("token", "light")
}

// picture takes pictures of a state, if they are wanted.
func (p *terminalPage) picture(state string) {
	p.t.Helper()
	if *pictures == "" {
		return
	}
	// The previews of those sessions in the list that are in view.
	p.Wait(`!document.querySelector(".gone").hidden || [...document.querySelectorAll(".item")].every((e) => e.getBoundingClientRect().top > innerHeight || !e.querySelector(".preview.waiting:not([hidden])"))`)
	p.Run(`const still = new CSSStyleSheet(); still.replaceSync("* { transition: none !important }"); document.adoptedStyleSheets.push(still)`)
	for _, dark := range []bool{false, true} {
		p.Dark(dark)
		for size, wh := range map[string][2]int{"wide": {1400, 900}, "tablet": {900, 700}, "phone": {390, 844}} {
			p.Size(wh[0], wh[1])
			p.Wait(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
			p.Screenshot(filepath.Join(*pictures, fmt.Sprintf("%s-%s-%s.webp", state, size, map[bool]string{true: "dark", false: "light"}[dark])))
		}
	}
	p.Size(1400, 900)
	p.Dark(false)
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
