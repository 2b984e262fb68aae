//go:build unix

package e2e

import (
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
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
}

// A bell plays a tone if the person wants that: the first one after the page was opened, too. Its
// sound begins a moment later, as the standard has it; Chromium's own begins at once.
func TestTerminalPageBell(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t, [2]string{"rings", `while read x; do printf 'rang\a'; done`})
	p.Run(`localStorage.setItem("wsh-settings", '{"bell":"sound"}')`)
	p.Open(p.server.base + "/s/rings")
	p.Wait(`document.activeElement?.closest(".pane.selected .xterm")`)
	p.Run(`
		window.tones = [];
		const Real = AudioContext;
		window.AudioContext = class extends Real {
			#begun = false;
			get state() { return this.#begun ? super.state : "suspended" }
			async resume() { await super.resume(); this.#begun = true }
		};
		const start = OscillatorNode.prototype.start;
		OscillatorNode.prototype.start = function (...when) {
			tones.push(this.frequency.value + " Hz, " + this.context.state);
			this.onended = () => tones.push("over");
			start.apply(this, when);
		}`)
	// A busy machine starts the audio so late that the page drops the first tones.
	const settled = `new Promise((resolve) => {
		const look = setInterval(() => { if (tones.includes("over")) end(true); }, 10), late = setTimeout(() => end(false), 4000);
		const end = (ok) => { clearInterval(look); clearTimeout(late); resolve(ok); };
	})`
	wait.Until(t, "a bell has sounded", func() bool {
		p.Press("\r")
		return browser.Eval[bool](p.Tab, settled)
	})
	p.Run(`tones.length = 0`)
	p.Press("\r")
	p.Wait(`JSON.stringify(tones) === '["880 Hz, running","over"]'`)
}
