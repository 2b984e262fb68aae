//go:build unix

package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// The element with questions in a page, and what is in it.
const questionElement = `document.querySelector("ui-popup")`

func inQuestion(selector string) string {
	return fmt.Sprintf(questionElement+`?.shadowRoot.querySelector(%q)`, selector)
}

// asked waits until the page displays a question with this in its title.
func (p *terminalPage) asked(title string) {
	p.t.Helper()
	p.Wait(questionElement + `?.dataset.state === "dialog"`)
	p.Wait(inQuestion("h2") + fmt.Sprintf(`.textContent.includes(%q)`, title))
}

// settled waits until the question takes an answer.
func (p *terminalPage) settled() {
	p.t.Helper()
	p.Wait(questionElement + `.dataset.settled === "true"`)
}

// option is the button of an option.
func option(label string) string {
	return fmt.Sprintf(`[...`+questionElement+`.shadowRoot.querySelectorAll(".option")].find((e) => e.textContent.includes(%q))`, label)
}

// types has a program type into a session, and returns where its answer's status comes.
func (s *shellServer) types(t *testing.T, session, text string) <-chan int {
	status := make(chan int, 1)
	go func() {
		res, _ := s.do(t, "POST", "/sessions/"+session+"/input", text)
		status <- res.StatusCode
	}()
	return status
}

// TestTerminalPageQuestion asks who may type in a session that two panes and another page display.
// The question is the dialog of every other page, once, and not in the picture of the terminal. It
// takes no click that was meant for something else, and one answer ends it everywhere.
func TestTerminalPageQuestion(t *testing.T) {
	load.Long(t, "httppopup displays questions, termask decides who is asked, and TestTerminalInTheChat asks")
	t.Parallel()
	p := openTerminalPage(t, "/", "--ask-to-type")
	p.server.create(t, [2]string{"web", "exec cat"}, [2]string{"logs", "exec cat"})
	other := &terminalPage{Tab: browser.New(t).Tab(), t: t, server: p.server}
	other.Size(390, 844)
	for _, page := range []*terminalPage{p, other} {
		page.Open(p.server.base + "/s/web?panes=h50(web,logs)")
		page.readAloud()
		page.Wait(`document.querySelector(".pane .xterm")`)
	}
	p.Run(`document.querySelector(".pane.selected .xterm-helper-textarea").focus()`)
	const dialogs = `performance.getEntriesByType("resource").filter(({ name }) => name.includes("/dialog.js")).length`
	if n := browser.Eval[int](p.Tab, dialogs); n != 0 {
		t.Errorf("without a question, the page has loaded its dialog")
	}
	status := p.server.types(t, "web", "<b>hello</b>\r")
	for _, page := range []*terminalPage{p, other} {
		page.asked("type in the terminal “web”?")
		page.Wait(inQuestion(".message pre") + `.textContent.includes("<b>hello</b>")`)
		page.Wait(`document.querySelectorAll("ui-popup").length === 1`)
		page.Wait(dialogs + ` === 1`)
	}
	p.Run(option("Only this") + `.click()`) // as a script does
	p.settled()
	if text := browser.Eval[string](p.Tab, `[...document.querySelectorAll(".xterm")].map((e) => e.textContent).join(" ")`); strings.Contains(text, "May") || strings.Contains(text, "Only this") {
		t.Errorf("the picture has the question, too: %s", text)
	}
	named(t, "a question", other.Tab)
	if script, err := os.ReadFile(axeScript); err == nil {
		other.settled()
		for i, theme := range []string{"light", "dark", "contrast"} {
			if found := axeFinds(other.Tab, string(script), theme, i > 0); len(found) > 0 {
				t.Errorf("%s: %s", theme, strings.Join(found, "\n"))
			}
		}
	}
	select {
	case code := <-status:
		t.Fatalf("the question was answered with status %d", code)
	default:
	}
	p.ClickOn(option("Only this"))
	if code := <-status; code != 204 {
		t.Errorf("status %d", code)
	}
	for _, page := range []*terminalPage{p, other} {
		page.Wait(questionElement + `.dataset.state === "idle"`)
		page.Wait(`[...document.querySelectorAll(".xterm")].some((e) => e.textContent.includes("hello"))`)
	}
	// The keyboard is the terminal's again, also while nothing is asked.
	p.Wait(`document.activeElement?.classList.contains("xterm-helper-textarea")`)
	p.Press("mine")
	p.Wait(`[...document.querySelectorAll(".xterm")].some((e) => e.textContent.includes("mine"))`)

	// A person who types is not interrupted: the question is a chip until they pause.
	status = p.server.types(t, "web", "second\r")
	wait.Until(t, "the question is a chip", func() bool {
		p.Press("x")
		return browser.Eval[string](p.Tab, questionElement+`.dataset.state`) == "chip"
	})
	p.Press("typed on\r")
	p.Wait(`[...document.querySelectorAll(".xterm")].some((e) => e.textContent.includes("typed on"))`)
	p.asked("type in the terminal")
	p.settled()
	// Keys of the page and of the terminal do nothing below the dialog.
	p.Press("n", browser.Alt, browser.Shift)
	p.Press("below")
	p.Press("3")
	if code := <-status; code != 409 {
		t.Errorf("status %d", code)
	}
	p.Wait(questionElement + `.dataset.state === "idle"`)
	if text := browser.Eval[string](p.Tab, `[...document.querySelectorAll(".xterm")].map((e) => e.textContent).join(" ")`); strings.Contains(text, "below") {
		t.Errorf("the program got what was typed into the question: %s", text)
	}

	// A page that is closed ends no question that another one displays.
	status = p.server.types(t, "logs", "third\r")
	p.asked("“logs”")
	p.settled()
	other.Close()
	p.ClickOn(option("always"))
	if code := <-status; code != 204 {
		t.Errorf("status %d", code)
	}
}
