//go:build linux || darwin

package e2e

import (
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// What another host asks is one dialog of a page that displays a session of it, beside one of the
// page's own host or alone, and not in the picture of the terminal. What was typed stays when the
// pane goes that brought the dialog.
func TestTerminalPageQuestionOfAHost(t *testing.T) {
	load.Long(t, "attachedterm, termask and web have the parts of the way")
	t.Parallel()
	const token = "wsh_0123456789abcdef0123456789abcdef"
	h := newHosts(t, "laptop", "build")
	h.serve("build", "--ask-prompts", "all")
	log := h.serve("laptop", "--token", token)
	h.run("laptop", "servers", "add", "ssh://build")
	h.run("laptop", "run", "-b", "--name", "notes", "--", "cat")
	h.run("build", "run", "-b", "--name", "work", "--", "cat")
	asker := h.agent("build")
	base := regexp.MustCompile(`address=(http://\S+)`).FindStringSubmatch(log.String())[1]
	p := &terminalPage{t: t, Tab: browser.New(t).Tab()}
	p.Size(1400, 900)
	const attached = `[...document.querySelectorAll(".xterm-screen")].filter((e) => e.getBoundingClientRect().height > 0).length`
	ask := func(title string) <-chan string {
		answered := asker.popup(t, title)
		p.asked(title)
		p.Wait(inQuestion("dialog") + `.textContent.includes("asked on build")`)
		p.settled()
		if browser.Eval[bool](p.Tab, `[...document.querySelectorAll(".pane")].some((e) => e.textContent.includes("Staging"))`) {
			t.Error("the picture has the question, too")
		}
		return answered
	}
	answer := func(answered <-chan string) {
		p.settled()
		p.ClickOn(option("Staging"))
		wait.For(t, "the answer", answered)
		p.Wait(questionElement + `.dataset.state !== "dialog"`)
	}
	p.Open(base + "/s/build%2Fwork#token=" + token)
	p.Wait(attached + ` === 1`)
	answer(ask("With the pane of its host?"))

	for _, pane := range []struct{ goes, host, name string }{{"build/work", "build", "work"}, {"notes", "laptop", "notes"}} {
		p.Open(base + "/s/build%2Fwork?panes=h50(notes,build/work)")
		p.Wait(attached + ` === 2`)
		answered := ask("With both, and then without " + pane.goes + "?")
		const open = questionElement + `.dataset.question + ` + questionElement + `.dataset.state`
		before := browser.Eval[string](p.Tab, open)
		h.run("laptop", "kill", pane.goes)
		p.Wait(`document.querySelector(".pane .note:not([hidden])") !== null`)
		if after := browser.Eval[string](p.Tab, open); after != before {
			t.Errorf("the dialog %s is %s without a pane", before, after)
		}
		answer(answered)
		h.run(pane.host, "run", "-b", "--name", pane.name, "--", "cat")
	}

	p.Open(base + "/s/build%2Fwork?panes=h50(notes,build/work)")
	p.Wait(attached + ` === 2`)
	dismissed := ask("To be dismissed?")
	p.Press(browser.Escape)
	p.Wait(questionElement + `.dataset.state === "chip"`)
	p.settled()
	p.Press(browser.Escape)
	if got := wait.For(t, "the end", dismissed); !strings.Contains(got, "dismissed") {
		t.Error(got)
	}
	p.Wait(questionElement + `.dataset.state === "idle"`)
}
