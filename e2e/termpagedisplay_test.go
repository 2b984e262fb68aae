//go:build unix

package e2e

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// A terminal whose graphics context is lost, as after the machine slept or another page took its
// memory, draws the same screen without it, and goes on.
func TestTerminalPageLosesGraphics(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t, [2]string{"work", "printf 'first 日本 '; exec cat"})
	p.Graphics()
	p.Open(p.server.base + "/s/work")
	p.Wait(`document.activeElement?.closest(".pane.selected .xterm")`)
	const canvas = `document.querySelector(".xterm-screen > canvas:not(.xterm-link-layer)")`
	p.Wait(canvas)
	p.Run(canvas + `.getContext("webgl2").getExtension("WEBGL_lose_context").loseContext()`)
	rows := func(text string) {
		t.Helper()
		p.Wait(`!` + canvas + ` && document.querySelector(".xterm-rows")?.textContent.replaceAll("\u00a0", " ").includes("` + text + `")`)
	}
	rows("first 日本")
	p.Press("typed")
	rows("first 日本 typed")
	// Underscores of some fonts are below their row.
	p.Wait(`getComputedStyle(document.querySelector(".xterm-rows > div")).overflowClipMargin === "2px"`)
}

// A bell plays a chime if the person wants that, and not another one while that sounds.
func TestTerminalPageBell(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t, [2]string{"rings", `while read x; do printf 'rang\a\a\a'; done`})
	p.Run(`localStorage.setItem("wsh-settings", '{"bell":"sound"}')`)
	p.Open(p.server.base + "/s/rings")
	p.Wait(`document.activeElement?.closest(".pane.selected .xterm")`)
	p.Run(`
		window.tones = [];
		const start = OscillatorNode.prototype.start;
		OscillatorNode.prototype.start = function (...when) {
			tones.push(this.frequency.value);
			start.apply(this, when);
		}`)
	p.Press("\r")
	p.Wait(`JSON.stringify(tones.map(Math.round)) === "[659,880]"`)
}

// TestTerminalPageCommandsByKeys goes from command to command in a shell's history with keys alone,
// to the one that failed, and copies the output of a command.
func TestTerminalPageCommandsByKeys(t *testing.T) {
	load.Long(t, "TestTerminalHistory in web looks back")
	t.Parallel()
	p := openTerminalPage(t, "/")
	if res, text := p.server.do(t, "POST", "/sessions", `{"name":"shell"}`); res.StatusCode != 201 {
		t.Fatal(text)
	}
	for _, line := range []string{"seq 101 199", "false", "seq 201 299"} {
		if res, text := p.server.do(t, "POST", "/sessions/shell/run", fmt.Sprintf(`{"line":%q}`, line)); res.StatusCode != 200 {
			t.Fatalf("run %s: %s %s", line, res.Status, text)
		}
	}
	p.Open(p.server.base + "/s/shell")
	p.Wait(`document.activeElement?.closest(".pane.selected .xterm")`)
	p.Wait(`performance.getEntriesByName("terminal-first-picture").length > 0`)
	marked := func(line string) {
		t.Helper()
		p.Wait(fmt.Sprintf(`document.querySelector(".terminal-history-mark")?.textContent.endsWith(%q)`, line))
	}
	p.Press(browser.ArrowUp, browser.Ctrl, browser.Shift)
	marked("seq 201 299")
	p.Press(browser.ArrowUp, browser.Ctrl, browser.Shift)
	marked("false")
	p.Press(browser.ArrowUp, browser.Ctrl, browser.Shift)
	marked("seq 101 199")
	p.Run(`window.copied = []; Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (text) => { copied.push(text) } } })`)
	p.Press("O", browser.Ctrl, browser.Shift)
	p.Wait(`copied.length === 1`)
	if got := strings.Split(browser.Eval[string](p.Tab, `copied[0]`), "\n"); len(got) != 99 || got[0] != "101" || got[98] != "199" {
		t.Errorf("copied %q", got)
	}
	p.Press(browser.ArrowDown, browser.Ctrl, browser.Shift)
	marked("false")
	p.Press(browser.ArrowDown, browser.Ctrl, browser.Shift)
	marked("seq 201 299")
	p.Press("E", browser.Ctrl, browser.Shift)
	marked("false")
}

// TestTerminalPageNotification has the browser's own notifications, which a person has allowed:
// each names the session and the reason, and a click opens the session.
func TestTerminalPageNotification(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	s := startShellServer(t, "TCP")
	person := browser.New(t)
	person.Permit("notifications", s.base)
	p := &terminalPage{Tab: person.Tab(), t: t, server: s}
	s.create(t, [2]string{"quiet", "exec sleep 1000"})
	p.Open(s.base + "/s/quiet")
	p.listed("running", "quiet")
	// A browser without windows has no notifications, and says that they are denied.
	p.Run(`
		window.notes = [];
		const real = Notification.permission === "granted";
		window.Notification = class extends (real ? Notification : EventTarget) {
			static permission = "granted";
			constructor(title, how) {
				super(...(real ? [title, how] : []));
				notes.push(real ? this : Object.assign(this, { title, ...how, close() {} }));
			}
		};
		document.hasFocus = () => false; // the person looks at another window
		window.raised = 0; window.focus = () => { raised++ }`)
	p.set("a session asks for input or a secret", "a command of 10 seconds or more is done, or a program has failed")
	s.create(t, [2]string{"sudo", "stty -echo; printf 'the password of ann: '; read x"})
	p.Wait(`JSON.stringify(notes.map(({title, body, tag}) => [title, body, tag])) === '[["sudo","asks for a secret","wsh-sudo"]]'`)
	s.create(t, [2]string{"tests", "echo the secret failure; exit 3"})
	p.Wait(`JSON.stringify(notes.slice(1).map(({title, body}) => [title, body])) === '[["tests","ended with status 3"]]'`)
	p.Wait(`location.pathname === "/s/quiet"`)
	p.Run(`notes[0].onclick()`)
	p.Wait(`location.pathname === "/s/sudo" && document.querySelector(".pane.selected .name").textContent === "sudo" && raised === 1`)
}

// TestTerminalPageNetwork uses the page, and finds no request to anything but its own server. The
// browser would install it.
func TestTerminalPageNetwork(t *testing.T) {
	load.Long(t, "bundle has a test of what the files load")
	t.Parallel()
	s := startShellServer(t, "TCP")
	s.create(t, [2]string{"work", "printf '\\033[31mred\\033[m 日本 👍🏽 https://example.com/page \\033]8;;https://example.org\\033\\\\link\\033]8;;\\033\\\\'; exec cat"})
	p := &terminalPage{Tab: browser.New(t).Tab(), t: t, server: s}
	p.Size(1400, 900)
	requests := p.Requests()
	p.Open(s.base + "/s/work")
	p.listed("calling")
	p.says(`[data-session="work"] .preview`, "red")
	p.Press("typed\r")
	s.sees(t, "work", "typed\ntyped")
	p.MoveTo(p.Middle(`document.querySelector(".xterm-screen")`))
	for _, dialog := range []string{"settings…", "keys…", "recordings…", "links for others…"} {
		p.act(dialog)
		p.Wait(`document.querySelector("dialog.form[open]")`)
		p.closes()
	}
	list := requests()
	own, err := url.Parse(s.base)
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range list {
		if u, err := url.Parse(address); err != nil || u.Host != own.Host && u.Scheme != "data" && u.Scheme != "blob" {
			t.Errorf("the page requests %s", address)
		}
	}
	for _, part := range []string{"/s/work", "/ui/page.js", "/ui/page.css", "/ui/xterm/xterm.js", "/server/info", "/ws/json", "/ws/attach"} {
		if !slices.ContainsFunc(list, func(address string) bool { return strings.Contains(address, part) }) {
			t.Errorf("%s is not among the requests that were seen: %q", part, list)
		}
	}
	if why := p.InstallErrors(); len(why) > 0 {
		t.Errorf("the browser would not install the page: %q", why)
	}
}
