//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// act runs an action by some of its words.
func (p *terminalPage) act(words string) {
	p.t.Helper()
	p.Press("P", browser.Ctrl, browser.Shift)
	p.Wait(`document.activeElement?.matches(".palette input")`)
	p.Press(words)
	p.Press("\r")
	p.Wait(`!document.querySelector(".palette[open]")`)
}

// closes closes a dialog.
func (p *terminalPage) closes() {
	p.t.Helper()
	p.Press(browser.Escape)
	p.Wait(`!document.querySelector("dialog.form")`)
}

// plays waits until the player displays a text, or does not.
func (p *terminalPage) plays(text string, does bool) {
	p.t.Helper()
	p.Wait(fmt.Sprintf(`(document.querySelector(".player .xterm-rows")?.textContent.includes(%q) ?? false) === %t`, text, does))
}

// TestTerminalPageRecordings records a session, watches that while it goes on and afterwards,
// seeks, saves and deletes the recording, all by keys.
func TestTerminalPageRecordings(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t, [2]string{"talk", "echo first words; while read x; do echo said $x; done"})
	p.listed("calling", "talk")
	p.act("recordings…")
	p.says(`dialog.form [role="status"]`, "No session has a recording")
	p.closes()

	p.Open(p.server.base + "/s/talk")
	p.Wait(`document.activeElement?.closest(".pane.selected .xterm")`)
	p.Wait(`document.querySelector('[data-session="talk"]')`)
	p.act("record what talk")
	p.Wait(`[...document.querySelectorAll(".recording")].filter((e) => e.checkVisibility()).length === 2`) // in the list and above the terminal
	p.server.do(t, "POST", "/sessions/talk/input", "more\r")
	wait.Until(t, "the recording has it", func() bool {
		_, text := p.server.do(t, "GET", "/sessions/talk/recording", "")
		return strings.Contains(text, "said more")
	})
	p.act("recordings…")
	p.Wait(`document.activeElement?.ariaLabel === "Stop the recording of talk"`)
	p.Press("\t")
	p.Press("\r")
	p.Wait(`document.activeElement?.matches(".player .play")`)
	p.plays("said more", true)
	p.Wait(`document.querySelector(".player .time")?.textContent.match(/^(.*) \/ \1$/)`) // at its end

	p.Press(browser.Home)
	p.plays("said more", false)
	p.plays("first words", true)
	p.Wait(`document.querySelector(".player .play").ariaLabel === "Play" && document.querySelector('.player [type="range"]').value === "0"`)
	p.Press(browser.End)
	p.plays("said more", true)
	p.Press(browser.ArrowLeft) // by more than there is
	p.plays("said more", false)
	p.Press(" ")
	p.plays("said more", true)
	p.Press(browser.Escape)
	p.Wait(`!document.querySelector(".player") && document.activeElement?.ariaLabel === "Watch the recording of talk"`)

	// It ends, and then the player does.
	p.Run(`document.querySelector('[aria-label="Stop the recording of talk"]').focus()`)
	p.Press("\r")
	p.Wait(`document.querySelector('[aria-label="Stop the recording of talk"]').hidden && ![...document.querySelectorAll(".recording")].some((e) => e.checkVisibility())`)
	p.server.do(t, "POST", "/sessions/talk/input", "secretly\r")
	p.ClickOn(`document.querySelector('[aria-label="Watch the recording of talk"]')`)
	p.Wait(`document.querySelector(".player .time")?.textContent.match(/^(.*) \/ \1$/)`) // at its end
	p.plays("said more", true)
	p.plays("secretly", false)
	p.Press(" ") // again from the start
	p.Wait(`document.querySelector(".player .play").ariaLabel === "Pause" || document.querySelector(".player .time").textContent.match(/^(.*) \/ \1$/)`)
	p.Press(browser.Escape)
	p.Wait(`!document.querySelector(".player")`)

	p.Run(`
		URL.createObjectURL = (file) => { window.file = file; return "blob:" };
		HTMLAnchorElement.prototype.click = function () { window.saved = file.text().then((text) => this.download + ": " + text) }`)
	p.ClickOn(`document.querySelector('[aria-label="Download the recording of talk"]')`)
	p.Wait(`window.saved?.then((text) => text.startsWith("talk.cast: {") && text.includes("said more") && !text.includes("secretly"))`)

	p.ClickOn(`document.querySelector('[aria-label="Delete the recording of talk"]')`)
	p.says("dialog.form:last-of-type h2", "Delete the recording of talk?")
	p.Press("\r") // which cancels
	p.Wait(`document.querySelectorAll("dialog.form").length === 1 && document.querySelectorAll(".recordings li").length === 1`)
	p.ClickOn(`document.querySelector('[aria-label="Delete the recording of talk"]')`)
	p.Click("dialog.form .danger")
	p.says(`dialog.form [role="status"]`, "No session has a recording")
	if res, text := p.server.do(t, "GET", "/sessions/talk/recording", ""); res.StatusCode != 404 {
		t.Errorf("the deleted recording: %s %.100s", res.Status, text)
	}
	p.server.do(t, "POST", "/sessions/talk/recording/start", "") // by another client, while the list is open
	p.Wait(`document.querySelector('.recordings [data-recording="talk"]').dataset.active === "true"`)
	if errors := p.ConsoleErrors(); len(errors) > 0 {
		t.Errorf("the browser complains, maybe about the page's policy: %q", errors)
	}
}

// TestTerminalPageRecordingsOfServer watches and saves what the server records of all sessions,
// also of one that was removed. Files elsewhere cannot be read.
func TestTerminalPageRecordingsOfServer(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	folder, outside := t.TempDir(), t.TempDir()
	const stamp = ".20200102-030405.wsh.cast"
	testkit.Write(t, outside, "secret"+stamp, "{}")
	if err := os.Symlink(filepath.Join(outside, "secret"+stamp), filepath.Join(folder, "secret"+stamp)); err != nil {
		t.Fatal(err)
	}
	p := openTerminalPage(t, "/", "--record", folder)
	p.server.create(t, [2]string{"over", "echo last words; exec sleep 1000"}, [2]string{"talk", "echo first words; while read x; do echo said $x; done"})
	p.listed("calling", "talk")
	p.says(`[data-session="over"] .preview`, "last words")
	p.server.do(t, "DELETE", "/sessions/over", "")
	p.act("recordings…")
	row := func(session string) string {
		return fmt.Sprintf(`document.querySelector('.recordings [data-file^="%s."]')`, session)
	}
	p.Wait(row("over") + `?.dataset.active === "false" && ` + row("talk") + `?.dataset.active === "true"`)
	p.Wait(`document.querySelectorAll(".recordings [data-file]").length === 2`)

	p.ClickOn(row("talk") + `.querySelector("button")`)
	p.plays("first words", true)
	p.Press(browser.Escape)
	p.Wait(`!document.querySelector(".player")`)

	p.ClickOn(row("over") + `.querySelector("button")`)
	p.plays("last words", true)
	p.Wait(`document.querySelector(".player .time")?.textContent.match(/^(.*) \/ \1$/)`) // at its end
	p.Press(browser.Escape)
	p.Wait(`!document.querySelector(".player")`)

	p.Run(`
		URL.createObjectURL = (file) => { window.file = file; return "blob:" };
		HTMLAnchorElement.prototype.click = function () { window.saved = file.text().then((text) => this.download + ": " + text) }`)
	p.ClickOn(row("over") + `.querySelector("[aria-label^=Download]")`)
	p.Wait(`window.saved?.then((text) => text.startsWith("over.") && text.includes('.wsh.cast: {"version') && text.includes("last words"))`)

	// A recording appears while the list is open.
	p.server.create(t, [2]string{"new", "echo new"})
	p.Wait(row("new") + ` !== null`)
	for _, name := range []string{"secret" + stamp, "..%2F" + filepath.Base(outside) + "%2Fsecret" + stamp} {
		if res, text := p.server.do(t, "GET", "/archive/"+name, ""); res.StatusCode != 404 {
			t.Errorf("%s: %s %.100s", name, res.Status, text)
		}
	}
	if errors := p.ConsoleErrors(); len(errors) > 0 {
		t.Errorf("the browser complains, maybe about the page's policy: %q", errors)
	}
}

// TestTerminalPageRecordingOfFile watches files: recordings of both versions, one of them cut, a
// file that is not a recording, and a recording without output.
func TestTerminalPageRecordingOfFile(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.WaitText(".empty h2", "No terminals yet")
	p.act("recordings…")
	p.Wait(`document.querySelector("dialog.form[open]")`)
	watch := func(name, content string) {
		t.Helper()
		p.Run(fmt.Sprintf(`{
			const files = new DataTransfer();
			files.items.add(new File([%q], %q));
			const input = document.querySelector('dialog.form [type="file"]');
			input.files = files.files;
			input.dispatchEvent(new Event("change"));
		}`, content, name))
		p.WaitText(".player h2", name)
	}
	closes := func() {
		t.Helper()
		p.Press(browser.Escape)
		p.Wait(`!document.querySelector(".player")`)
	}
	watch("old.cast", `{"version":2,"width":20,"height":5,"timestamp":1}`+"\n"+`[0,"o","one"]`+"\n"+`[60,"r","30x6"]`+"\n"+`[60.1,"o"," two"]`+"\n"+`[60.2,"o"," cu`)
	p.plays("one", true)
	p.Run(`document.querySelector(".player .check input").click()`) // shortens the pause
	p.plays("one two", true)
	p.Wait(`document.querySelectorAll(".player .xterm-rows > div").length === 6`)
	if p.Press(browser.Home); !browser.Eval[bool](p.Tab, `document.querySelector(".player [aria-label='Download']") === null`) {
		t.Error("a file that the person has can be downloaded")
	}
	p.Wait(`document.querySelectorAll(".player .xterm-rows > div").length === 5`)
	closes()
	watch("new.cast", `{"version":3,"term":{"cols":20,"rows":5}}`+"\n"+`[0.01,"o","new \u001b[31mred"]`)
	p.plays("new red", true)
	closes()
	watch("picture.png", "\x89PNG and so on\n")
	p.says(".player .cast-state", "This is not a recording.")
	p.Run(`[...document.querySelectorAll(".player button")].find((b) => b.textContent === "Try again").click()`)
	p.says(".player .cast-state", "This is not a recording.")
	p.Wait(`document.querySelector('.player [type="range"]').disabled`)
	closes()
	watch("empty.cast", `{"version":2,"width":20,"height":5}`+"\n")
	p.says(".player .cast-state", "Nothing was recorded")
	closes()
}
