//go:build unix

package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
)

// TestTerminalPictures takes pictures of every state of the page of terminals, in every width and
// theme, for documents and for a look at them after a change.
func TestTerminalPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("-pictures names no folder")
	}
	p := openTerminalPage(t, "/")
	sizes := map[string][2]int{"wide": {1400, 900}, "tablet": {900, 700}, "phone": {390, 844}}
	previews := func() { // of those sessions in the list that are in view
		t.Helper()
		p.Wait(`!document.querySelector(".gone").hidden || [...document.querySelectorAll(".item")].every((e) => e.getBoundingClientRect().top > innerHeight || !e.querySelector(".preview.waiting"))`)
	}
	picture := func(name string) {
		t.Helper()
		previews()
		p.Run(`const still = new CSSStyleSheet(); still.replaceSync("* { transition: none !important }"); document.adoptedStyleSheets.push(still)`)
		for _, dark := range []bool{false, true} {
			p.Dark(dark)
			for size, wh := range sizes {
				p.Size(wh[0], wh[1])
				p.Wait(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
				p.Screenshot(filepath.Join(*pictures, fmt.Sprintf("%s-%s-%s.webp", name, size, map[bool]string{true: "dark", false: "light"}[dark])))
			}
		}
		p.Size(1400, 900)
		p.Dark(false)
	}
	p.WaitText(".empty h2", "No terminals yet")
	picture("empty")

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
	p.listed("calling", "sudo", "deploy", "tests")
	p.WaitText(".empty h2", "Choose a session")
	picture("choose")
	p.Click(`[data-session="build"] a`)
	p.Wait(`document.querySelector(".pane .name")?.textContent === "build"`)
	picture("session")
	p.Open(p.server.base + "/s/build?panes=h60(build,v50(web,deploy))")
	p.Wait(`document.querySelectorAll(".pane").length === 3`)
	p.listed("calling", "sudo", "deploy", "tests")
	picture("panes")
	p.Run(`document.querySelector('[aria-label="All actions"]').click()`)
	p.Wait(`document.querySelector(".palette[open]")`)
	picture("palette")
	p.Run(`document.querySelector(".palette").close(); document.querySelector('[aria-label="New terminal"]').click()`)
	p.Wait(`document.querySelector("dialog.form[open]")`)
	picture("create")
	p.Run(`document.querySelector("dialog.form").close(); document.querySelector('[aria-label="Settings"]').click()`)
	p.Wait(`document.querySelector("dialog.form[open] fieldset")`)
	picture("settings")
	p.Run(`document.querySelector("dialog.form").close()`)
	p.Run(`document.querySelector('.pane.selected [aria-label="Actions for this session"]').click()`)
	p.Wait(`document.querySelector(".palette[open]")`)
	p.Press("links")
	p.Press("\r")
	p.Wait(`document.querySelector(".tokens li")`)
	p.Run(`[...document.querySelectorAll("dialog button")].find((b) => b.textContent === "Create link").click()`)
	p.Wait(`document.querySelector('[aria-label="Link"]').value !== ""`)
	p.Run(`document.querySelector('[aria-label="Link"]').value = "http://localhost:8080/s/build#token=wsh_EXAMPLE"`)
	picture("links")
	p.Run(`document.querySelector("dialog.form").close()`)

	p.act("recordings…")
	p.says("dialog.form [role=status]", "No session has a recording")
	picture("recordings-none")
	p.Run(`document.querySelector("dialog.form").close()`)
	p.server.do(t, "POST", "/sessions/build/recording/start", "")
	p.server.do(t, "POST", "/sessions/notes/recording/start", "")
	p.server.do(t, "POST", "/sessions/notes/recording/stop", "")
	p.act("recordings…")
	p.Wait(`document.querySelectorAll(".recordings li").length === 2`)
	picture("recordings")
	p.ClickOn(`document.querySelector('[aria-label="Watch the recording of build"]')`)
	p.Wait(`document.querySelector(".player .cast-state").hidden && document.querySelector(".player .time").textContent.includes("being recorded")`)
	picture("player")
	p.Run(`document.querySelector(".player").close(); document.querySelector("dialog.form").close()`)
	p.server.do(t, "POST", "/sessions/build/recording/stop", "")
	p.act("keys…")
	p.Wait(`document.querySelector(".keys")`)
	picture("keys")
	p.Run(`document.querySelector("dialog.form").close()`)
	p.Open(p.server.base + "/s/tests")
	p.says(".over .note", "ended with status 1")
	picture("ended")
	p.Open(p.server.base + "/s/nothing")
	p.says(".over .note", "There is no session")
	picture("missing")
	second := browser.New(t).Tab()
	second.Size(1000, 700)
	second.Open(p.server.base + "/s/web")
	second.Wait(`document.querySelector(".pane .lead")?.checkVisibility()`)
	second.Click(".pane .lead")
	p.server.do(t, "POST", "/sessions/web/overlay", `{"x":6,"y":4,"spans":[{"text":" rebuilt 3 files ","bg":"blue","fg":"white"}]}`)
	p.Open(p.server.base + "/s/web")
	p.WaitText(".pane .leader", "page leads")
	picture("led-by-another")
	p.act("who is attached")
	p.Wait(`document.querySelectorAll("[data-client]").length === 2`)
	picture("attached")
	p.Run(`document.querySelector("dialog.form").close()`)
	second.Close()
	p.act("kill…")
	p.Wait(`document.querySelector(".danger")`)
	picture("kill")
	p.Run(`document.querySelector("dialog.form").close()`)
	p.Open(p.server.base + "/s/build")
	p.Wait(`document.querySelector(".xterm-screen")?.getBoundingClientRect().height > 0`)
	p.listed("calling", "sudo", "deploy", "tests") // or the session has no actions yet
	p.act("look back")
	p.Wait(`document.querySelector(".terminal-history [data-line]")`)
	picture("history")
	p.Run(`localStorage.setItem("wsh-settings", '{"theme":"contrast"}')`)
	p.Open(p.server.base + "/s/build")
	p.listed("calling", "sudo", "deploy", "tests")
	picture("contrast")

	away := newLine(t, strings.TrimPrefix(p.server.base, "http://"))
	p.Open("http://" + away.listener.Addr().String() + "/s/web")
	p.listed("calling", "sudo", "deploy", "tests")
	previews()
	away.set(true)
	p.Wait(`!document.querySelector(".gone").hidden`)
	picture("no-server")

	locked := openTerminalPage(t, "/", "--token", ownersToken)
	p.Tab, p.server = locked.Tab, locked.server
	p.Wait(`document.activeElement?.id === "token"`)
	p.Press("wrong-wrong-wrong\r")
	p.says("#token-why", "is wrong")
	picture("token")
}
