//go:build unix

package e2e

import (
	"encoding/json"
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
	p.Wait(`document.querySelector(".tag").getBoundingClientRect().right < innerWidth`)
	p.listed("calling", "cat") // where it stays
	p.Click(`[data-session="cat"] a`)
	p.Wait(`getComputedStyle(document.querySelector(".sidebar")).visibility === "hidden"`)
	p.Wait(`document.activeElement?.closest(".xterm")`)
	p.Click(`.keyrow [aria-label="Ctrl"]`)
	p.Wait(`document.querySelector('.keyrow [aria-label="Ctrl"]').getAttribute("aria-pressed") === "true"`)
	p.Press("g")
	p.Wait(`document.querySelector('.keyrow [aria-label="Ctrl"]').getAttribute("aria-pressed") === "false"`)
	p.Click(`.keyrow [aria-label="Pipe"]`)
	p.Click(`.keyrow [aria-label="Esc"]`)
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

// TestTerminalPageSearchBar searches at the width of a phone, of a narrow window and of a wide one:
// the bar is one row, with all of its parts in the pane, and covers few lines.
func TestTerminalPageSearchBar(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t, [2]string{"a", "seq 1 2000; exec sleep 1000"}, [2]string{"b", "seq 1 2000; exec sleep 1000"})
	p.listed("running", "a", "b")
	for _, panes := range []string{"/s/a", "/s/a?panes=h50(a,b)"} {
		p.Size(1280, 844)
		p.Open(p.server.base + panes)
		p.Wait(`document.querySelector(".pane.selected .xterm-rows")?.textContent.includes("2000")`)
		p.listed("running", "a", "b") // actions have their names from there
		p.Run(`document.querySelector(".pane.selected .xterm-helper-textarea").focus()`)
		p.act("find in the history a")
		p.Wait(`document.activeElement?.closest(".terminal-search")`)
		p.Press("1")
		p.Wait(`document.querySelector(".terminal-search [role=status]").textContent === "1000 of 1000+"`)
		for _, width := range []int{390, 550, 1280} {
			p.Size(width, 844)
			wrong := browser.Eval[string](p.Tab, `(() => {
				const bar = document.querySelector(".terminal-search");
				const { top, bottom, left, right } = bar.getBoundingClientRect();
				const pane = bar.closest(".pane").getBoundingClientRect();
				const parts = [...bar.children].map((e) => e.getBoundingClientRect());
				if (bottom - top > 50) return "it is " + (bottom - top) + " px high";
				if (left < pane.left || right > pane.right) return "it leaves the pane";
				if (parts.some((r) => r.left < left || r.right > right || r.width < 25)) return "a part does not fit: " + JSON.stringify(parts);
				if (parts.some((r, i) => i > 0 && r.left < parts[i - 1].right)) return "parts overlap";
				return "";
			})()`)
			if wrong != "" {
				t.Errorf("%s, %d px: %s", panes, width, wrong)
			}
		}
	}
}

// TestTerminalPageWideOnPhone has a session that is much wider than a phone: at a size that can be
// read, where a finger pans and the cursor is in view, and with one tap as a whole. It keeps its
// size until the person types.
func TestTerminalPageWideOnPhone(t *testing.T) {
	load.Long(t, "web TestUnits fits a session into a view")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.Graphics() // text of the page cannot be as narrow
	p.Reload()
	p.Size(390, 844)
	if res, text := p.server.do(t, "POST", "/sessions", `{"name":"wide","command":"seq 1 30; printf '%0200d' 1; exec sleep 1000","cols":300,"rows":70}`); res.StatusCode != 201 {
		t.Fatal(text)
	}
	p.listed("running", "wide")
	p.Click(`[data-session="wide"] a`)
	const width = `document.querySelector(".xterm-screen").getBoundingClientRect().width`
	const screen = `document.querySelector(".terminal-screen")`
	p.Wait(width + ` > 5 * innerWidth && document.querySelector(".pane .head [aria-pressed='true']").checkVisibility()`)
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
	p.Wait(width + ` <= innerWidth && ` + screen + `.scrollLeft === 0 && document.querySelector(".pane .head [aria-pressed='false']")`)
	p.Size(300, 600) // the choice stays
	p.Wait(width + ` <= innerWidth && document.querySelector(".pane .head [aria-pressed='false']")`)
	size := func() string {
		var info struct{ Cols, Rows int }
		_, text := p.server.do(t, "GET", "/sessions/wide", "")
		if err := json.Unmarshal([]byte(text), &info); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(info.Cols, "x", info.Rows)
	}
	if got := size(); got != "300x70" {
		t.Errorf("the session has %s before anyone has typed", got)
	}
	// One that fits has no such button.
	p.Run(`document.querySelector(".xterm-helper-textarea").focus()`)
	p.Press("x")
	p.Wait(`!document.querySelector(".pane .head [aria-pressed]").checkVisibility()`)
	if got := size(); got == "300x70" {
		t.Errorf("the session has %s after the person has typed", got)
	}
}
