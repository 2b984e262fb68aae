//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// paneRows are the rows of the terminal in the selected pane, which are in the document in screen
// reader mode.
const paneRows = `[...document.querySelectorAll(".pane.selected .xterm-accessibility-tree > div")].map((row) => row.textContent.replaceAll("\u00a0", " ").trimEnd())`

// readAloud switches screen reader mode on in the settings.
func (p *terminalPage) readAloud() { p.set("Screen reader mode") }

// set switches settings on, whose labels begin so.
func (p *terminalPage) set(labels ...string) {
	p.t.Helper()
	p.Run(`document.querySelector('[aria-label="Settings"]').click()`)
	for _, label := range labels {
		p.Run(fmt.Sprintf(`[...document.querySelectorAll("dialog.form label")].find((l) => l.textContent.startsWith(%q)).click()`, label))
	}
	p.closes()
}

// TestTerminalPageAttached has two pages at one session: each says who leads, takes the lead, and
// sees who is attached; one detaches the other.
func TestTerminalPageAttached(t *testing.T) {
	load.Long(t, "TestTerminalPageTypes has one page at a session")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t, [2]string{"shared", "stty -echo; echo ready; exec cat"})
	p.listed("calling", "shared") // it asks for input
	p.readAloud()
	p.Open(p.server.base + "/s/shared")
	p.Wait(paneRows + `.includes("ready")`) // also after a reload: it is stored
	p.Wait(`document.querySelector(".pane .leader").hidden && document.querySelector(".pane .lead").textContent === "Fit to pane"`)
	p.Press("x\r")
	p.Wait(`document.querySelector(".pane .lead").hidden`) // the page that types leads

	second := &terminalPage{Tab: browser.New(t).Tab(), t: t, server: p.server}
	second.Size(1000, 700)
	second.Open(p.server.base + "/s/shared")
	second.WaitText(".pane .leader", "page leads")
	second.WaitText(".pane .lead", "Take the lead")
	size := func() string {
		t.Helper()
		var session struct{ Rows, Cols int }
		_, text := p.server.do(t, "GET", "/sessions/shared", "")
		if err := json.Unmarshal([]byte(text), &session); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%d×%d", session.Cols, session.Rows)
	}
	before := size()
	second.Click(".pane .lead")
	second.Wait(`document.querySelector(".pane .leader").hidden && document.querySelector(".pane .lead").hidden`)
	p.WaitText(".pane .leader", "page-2 leads")
	p.Wait(`!document.querySelector(".pane .lead").hidden`)
	if after := size(); after == before {
		t.Errorf("the session has still %s", after)
	}

	p.Press("y\r")
	p.Wait(`document.querySelector(".pane .lead").hidden`)

	// The list of clients, with the keyboard alone.
	p.act("who is attached")
	p.Wait(`JSON.stringify([...document.querySelectorAll("[data-client] b")].map((e) => e.textContent)) === '["page","page-2"]'`)
	p.Wait(`document.querySelector('[data-client="page"] .mode').checkVisibility() && !document.querySelector('[data-client="page-2"] .mode').checkVisibility()`)
	p.says(`[data-client="page"]`, "this page")
	p.says(`[data-client="page"]`, "typed")
	p.Wait(`document.querySelector('[data-client="page"] button').hidden`)
	p.Run(`document.querySelector('[aria-label="Detach page-2"]').focus()`)
	p.Press("\r")
	p.Wait(`!document.querySelector('[data-client="page-2"]')`)
	second.says(".terminal-notice", "This terminal was detached.")
	p.closes()
	second.Run(`[...document.querySelectorAll(".terminal-notice button")].find((b) => b.textContent === "Attach again").click()`)
	second.WaitText(".pane .leader", "page leads")
}

// TestTerminalPageProgram displays a program's title and progress, also in the tab's title, and
// calls the person as the settings have it.
func TestTerminalPageProgram(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	p := openTerminalPage(t, "/")
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	p.server.create(t, [2]string{"other", "exec sleep 1000"}, [2]string{"work", `echo ready; while read -r x; do printf "$x"; done <>'` + pipe + `'`})
	p.listed("running", "other", "work")
	p.Open(p.server.base + "/s/work")
	p.Wait(`document.activeElement?.closest(".pane.selected .xterm") && document.querySelector(".status").dataset.up === "true"`)
	p.says(`[data-session="work"] .preview`, "ready") // so the page gets the session's events
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(pipe, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`\033]2;make all\007`)
	p.Wait(`document.title === "work: make all"`)
	write(`\033]9;4;1;42\007`)
	p.Wait(`document.title === "42% work: make all"`)
	for _, bar := range []string{".pane .progress", `[data-session="work"] .progress`} {
		p.Wait(fmt.Sprintf(`document.querySelector(%q).getAttribute("aria-valuenow") === "42" && document.querySelector(%[1]q).checkVisibility()`, bar))
	}
	write(`\033]9;4;3\007`)
	p.Wait(`document.title === "… work: make all" && document.querySelector(".pane .progress").getAttribute("aria-valuetext") === "under way"`)
	write(`\033]9;4;0\007`)
	p.Wait(`document.title === "work: make all" && document.querySelector(".pane .progress").hidden`)

	// Notifications are off until the person wants them. The browser is asked once for each.
	p.Run(`
		window.notes = [];
		window.asked = 0;
		window.Notification = class { constructor(title, {body}) { notes.push(title + " " + body) } static permission = "default" };
		Notification.requestPermission = async () => { asked++; return Notification.permission = "granted" };
		document.hasFocus = () => false;`)
	p.Click(`[data-session="other"] a`)
	write(`\033]777;notify;Done;all of it\007`)
	p.WaitText(`[data-session="work"] .detail`, "Done: all of it")
	p.Wait(`notes.length === 0 && asked === 0`)
	p.set("a program has a message for me")
	p.Wait(`asked === 1`)
	p.Run(`document.querySelector('[aria-label^="Done with work"]').click()`)
	write(`\a\033]9;again\007`)
	p.Wait(`JSON.stringify(notes) === '["work has a message"]'`) // which quotes nothing, and the bell does not call
	p.set("a program rings the bell")
	p.Run(`document.querySelector('[aria-label^="Done with work"]').click()`)
	write(`\a`)
	p.Wait(`JSON.stringify(notes) === '["work has a message","work rang"]' && asked === 1`)
}

// TestTerminalPageInstalls has a manifest that the browser takes, at any path, without a service
// worker: pages are never stale.
func TestTerminalPageInstalls(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	p := openTerminalPage(t, "/s/deep")
	p.Wait(`document.querySelector(".shell:not([hidden])")`)
	if errors := p.ManifestErrors(); len(errors) > 0 {
		t.Errorf("the manifest: %q", errors)
	}
	wrong := browser.Eval[[]string](p.Tab, `(async () => {
		const link = document.querySelector('link[rel="manifest"]').href;
		const manifest = await (await fetch(link)).json();
		const wrong = [];
		if (new URL(manifest.start_url, link).href !== document.baseURI || new URL(manifest.scope, link).href !== document.baseURI) wrong.push("it starts elsewhere");
		for (const { src, sizes, type } of manifest.icons) {
			const icon = await fetch(new URL(src, link));
			if (!icon.ok || icon.headers.get("Content-Type") !== type) wrong.push(src + ": " + icon.status);
			else if (type === "image/png") {
				const { width, height } = await createImageBitmap(await icon.blob());
				if (width + "x" + height !== sizes) wrong.push(src + " has " + width + "x" + height);
			}
		}
		if ((await navigator.serviceWorker.getRegistrations()).length > 0) wrong.push("there is a service worker");
		return wrong;
	})()`)
	if len(wrong) > 0 {
		t.Errorf("%q", wrong)
	}
}

// TestTerminalPageServerRestarts loses the server for another one, which has other sessions, and
// one of the same name.
func TestTerminalPageServerRestarts(t *testing.T) {
	load.Long(t, "TestTerminalReconnects in web comes back to the same server")
	t.Parallel()
	first, then := startShellServer(t, "TCP"), startShellServer(t, "TCP")
	line := newLine(t, strings.TrimPrefix(first.base, "http://"))
	first.create(t, [2]string{"build", "echo the first; exec sleep 1000"}, [2]string{"only", "exec sleep 1000"})
	then.create(t, [2]string{"build", "echo the second; exec sleep 1000"}, [2]string{"fresh", "exec sleep 1000"})
	p := &terminalPage{Tab: browser.New(t).Tab(), t: t, server: first}
	p.Open("http://" + line.listener.Addr().String() + "/")
	p.listed("running", "build", "only")
	p.readAloud()
	p.Click(`[data-session="build"] a`)
	p.Wait(paneRows + `.includes("the first")`)
	line.set(true)
	p.Wait(`!document.querySelector(".gone").hidden`)
	line.redirect(strings.TrimPrefix(then.base, "http://"))
	line.set(false)
	p.listed("running", "build", "fresh")
	p.Wait(`document.querySelector(".gone").hidden && document.querySelector(".status").dataset.up === "true"`)
	// The program that the pane displayed is gone, and the page says so before it shows another.
	p.says(".terminal-notice", "Attach again")
	p.Run(`[...document.querySelectorAll(".terminal-notice button")].find((b) => b.textContent === "Attach again").click()`)
	p.Wait(paneRows + `.includes("the second")`)
}
