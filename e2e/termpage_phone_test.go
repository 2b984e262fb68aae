//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// TestTerminalPageOnPhone has a drawer, one pane at a time, keys that phones lack, and targets that
// a finger hits.
func TestTerminalPageOnPhone(t *testing.T) {
	load.Long(t, "TestTerminalPagePanes has panes in a window")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.Size(390, 844)
	p.server.create(t, [2]string{"cat", "exec cat -v"}, [2]string{"other", "exec sleep 1000"})
	p.server.do(t, "PATCH", "/sessions/other", `{"add_tags":["`+strings.Repeat("long", 16)+`"]}`)
	p.Wait(`[".chip", ".tag"].every((tag) => document.querySelector(tag).getBoundingClientRect().right < innerWidth)`)
	p.listed("calling", "cat") // where it stays
	p.Click(`[data-session="cat"] a`)
	p.Wait(`getComputedStyle(document.querySelector(".sidebar")).visibility === "hidden"`)
	p.Wait(`document.activeElement?.closest(".xterm")`)
	p.Click(`.keyrow [aria-label="Control"]`)
	p.Wait(`document.querySelector('.keyrow [aria-label="Control"]').getAttribute("aria-pressed") === "true"`)
	p.Press("g")
	p.Wait(`document.querySelector('.keyrow [aria-label="Control"]').getAttribute("aria-pressed") === "false"`)
	p.Click(`.keyrow [aria-label="Pipe"]`)
	p.Click(`.keyrow [aria-label="Escape"]`)
	p.Click(`.keyrow [aria-label="Up"]`)
	p.Press("x\r")
	p.server.sees(t, "cat", "^G|^[^[[Ax")
	p.Wait(`document.activeElement?.closest(".xterm")`) // the keyboard stays
	small := browser.Eval[[]string](p.Tab, `[...document.querySelectorAll(".head button, .keyrow button, .note button")]
		.filter((b) => b.checkVisibility({visibilityProperty: true}) && !b.matches(".mode"))
		.filter((b) => b.getBoundingClientRect().height < 40 || b.getBoundingClientRect().width < 40)
		.map((b) => b.ariaLabel ?? b.textContent)`)
	if len(small) > 0 {
		t.Errorf("buttons smaller than 40 px: %q", small)
	}
	if wide := browser.Eval[bool](p.Tab, `document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("the page scrolls sideways")
	}
	p.Click(`.pane.selected .drawer-button`)
	p.Wait(`getComputedStyle(document.querySelector(".sidebar")).visibility === "visible"`)
	p.ClickOn(`document.querySelector('[data-session="other"] a')`)
	p.Wait(`location.pathname === "/s/other" && getComputedStyle(document.querySelector(".sidebar")).visibility === "hidden"`)
}

// TestTerminalPageWideOnPhone has a session that is much wider than a phone: as a whole, and with
// one tap at a size that can be read, where a finger pans and the cursor is in view.
func TestTerminalPageWideOnPhone(t *testing.T) {
	load.Long(t, "web TestUnits fits a session into a view")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.Size(390, 844)
	if res, text := p.server.do(t, "POST", "/sessions", `{"name":"wide","command":"seq 1 30; printf '%0200d' 1; exec sleep 1000","cols":300,"rows":70}`); res.StatusCode != 201 {
		t.Fatal(text)
	}
	p.listed("running", "wide")
	p.Click(`[data-session="wide"] a`)
	const width = `document.querySelector(".xterm-screen").getBoundingClientRect().width`
	const screen = `document.querySelector(".terminal-screen")`
	p.Wait(`document.querySelector(".pane .head [aria-pressed]").checkVisibility() && ` + width + ` > 0 && ` + width + ` <= innerWidth`)
	p.Click(`.pane .head [aria-pressed]`)
	p.Wait(width + ` > 5 * innerWidth && document.querySelector(".pane .head [aria-pressed='true']")`)
	p.Wait(`(({left, width}) => left + width * 200 / 300 > 0 && left + width * 201 / 300 <= innerWidth)(document.querySelector(".xterm-screen").getBoundingClientRect())`)
	left := browser.Eval[float64](p.Tab, screen+`.scrollLeft`)
	// However busy the machine is, the finger does not rest before it moves.
	p.Run(`window.setTimeout = ((later) => (f, ms, ...values) => later(f, ms === 500 ? 1e9 : ms, ...values))(window.setTimeout)`)
	p.Swipe(browser.Point{X: 60, Y: 300}, browser.Point{X: 360, Y: 310})
	p.Wait(fmt.Sprintf(`%s.scrollLeft < %v`, screen, left-150))
	p.Swipe(browser.Point{X: 200, Y: 600}, browser.Point{X: 205, Y: 300})
	p.Wait(screen + `.scrollTop > 100 && !document.querySelector(".terminal-history")`)
	if wide := browser.Eval[bool](p.Tab, `document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("the page scrolls sideways")
	}
	p.Click(`.pane .head [aria-pressed]`)
	p.Wait(width + ` <= innerWidth && ` + screen + `.scrollLeft === 0`)
	// One that fits has no such button.
	p.Run(`document.querySelector(".pane .lead").click()`)
	p.Wait(`!document.querySelector(".pane .head [aria-pressed]").checkVisibility()`)
}
