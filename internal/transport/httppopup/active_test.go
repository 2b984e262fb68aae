package httppopup

import (
	"testing"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// Keys and the pointer in the dialog put off the end of a question with a default, and the dialog
// says so. A draft survives a reload of the page.
func TestPersonIsAtTheQuestion(t *testing.T) {
	load.Sequential(t)
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.openApp(browser.New(t))
	a := v.ask(func(s *question.Spec) { s.TimeoutSeconds, s.DefaultValue, s.AllowText = 25, "yes", true })
	v.shows("Confirm Action")
	asked := s.broker.Pending()[0]
	end := func() time.Time {
		if p := s.broker.Pending(); len(p) == 1 {
			return p[0].Deadline
		}
		t.Fatal("the question is over")
		return time.Time{}
	}
	if got := end(); !got.Equal(asked.At.Add(25 * time.Second)) {
		t.Fatalf("it ends after %s before anything was done", got.Sub(asked.At))
	}
	v.Run(in(".text") + `.dispatchEvent(new KeyboardEvent("keydown", { key: "x", bubbles: true, composed: true }))`) // a script is nobody
	v.ClickOn(in(".text"))
	wait.Until(t, "the click puts the end off", func() bool { return end().After(asked.Deadline) })
	v.Wait(`/^in 0:(29|30)/.test(` + in(".left") + `.textContent)`)
	before := end()
	v.Press("n")
	wait.Until(t, "the key puts the end off", func() bool { v.Press("\b" + "n"); return end().After(before) })

	v.page.Open(s.url)
	again := &viewer{v.page.Frame(frame), s, v.page}
	again.shows("Confirm Action")
	if got := browser.Eval[string](again.Tab, in(".text")+`.value`); got != "n" {
		t.Errorf("after a reload the draft is %q", got)
	}
	again.ClickOn(in(".text"))
	again.Press(browser.End + "o" + browser.Enter)
	again.value(a, "no")
}

// A question stays above the modal dialogs that the app opens while it is displayed.
func TestAboveModalsOfTheApp(t *testing.T) {
	load.Sequential(t)
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.openApp(browser.New(t))
	a := v.ask(nil)
	v.shows("Confirm Action")
	v.Run(`window.covered = 0; new MutationObserver(() => { if (` + host + `.dataset.settled === "false") window.covered++; }).observe(` + host + `, { attributes: true })`)
	v.page.Run(`const host = document.body.appendChild(document.createElement("div"));
		host.attachShadow({ mode: "closed" }).innerHTML = "<dialog style='opacity: 1'><button style='display: block !important'>mine</button></dialog>";
		window.hosts = host;
		const plain = document.body.appendChild(document.createElement("dialog"));
		plain.id = "plain"; plain.textContent = "app"; plain.style.cssText = "inset: 0; width: 100%; height: 100%; opacity: 1";
		plain.showModal()`)
	// A click counts only when the question has been on top again for a while.
	v.Wait(`window.covered > 0`)
	v.Wait(host + `.dataset.settled === "true"`)
	v.ClickOn(root + `.querySelectorAll(".option")[1]`)
	v.value(a, "no")
	v.page.Wait(`plain.open && document.activeElement === plain`)
}
