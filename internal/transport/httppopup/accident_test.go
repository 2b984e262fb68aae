package httppopup

import (
	"fmt"
	"testing"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// soon is less than the time for which a question accepts nothing. A test whose input came later
// than that proves nothing, as on a busy machine, and tries again.
const (
	soon     = 400 * time.Millisecond
	attempts = 50
)

// unanswered fails the test if a question has an answer.
func (v *viewer) unanswered(c <-chan question.Answer, what string) {
	v.t.Helper()
	select {
	case a := <-c:
		v.t.Fatalf("%s has answered: %+v", what, a)
	default:
	}
}

// withdraw withdraws all questions without an answer.
func (s *testServer) withdraw() {
	s.t.Helper()
	for _, a := range s.broker.Pending() {
		if err := s.broker.Withdraw(a.ID); err != nil {
			s.t.Fatal(err)
		}
	}
}

// A question that has just appeared takes no key of a person who is doing something else.
func TestNextKey(t *testing.T) {
	load.Long(t, "TestKeyboard answers by keys")
	load.Sequential(t)
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.openApp(browser.New(t))
	for _, key := range []string{browser.Enter, " ", "1", browser.Escape} {
		t.Run(fmt.Sprintf("%q", key), func(t *testing.T) {
			for range attempts {
				v.page.Run(`document.getElementById("button").focus()`)
				start := time.Now()
				a := v.ask(func(s *question.Spec) { s.DefaultValue = "yes" })
				v.displays("Confirm Action")
				v.Press(key + key)
				late := time.Since(start) > soon
				if !late {
					v.shows("Confirm Action")
					v.unanswered(a, "an early key")
				}
				s.withdraw()
				v.is("idle")
				if !late {
					return
				}
			}
			t.Skip("the machine is too busy for a key in time")
		})
	}
}

// The second half of a double click does not answer the question that has taken the place of the
// first, however it is asked.
func TestDoubleClick(t *testing.T) {
	load.Long(t, "TestMouse answers by a click")
	load.Sequential(t)
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	for name, open := range map[string]func(*browser.Browser) *viewer{"page": s.open, "app": s.openApp} {
		t.Run(name, func(t *testing.T) {
			v := open(browser.New(t))
			for range attempts {
				danger := func(s *question.Spec) { s.Severity = question.Danger }
				first, second := v.ask(danger), v.ask(func(s *question.Spec) { danger(s); s.Title = "Second" })
				v.shows("Confirm Action")
				at := v.Middle(root + `.querySelectorAll(".option")[1]`)
				start := time.Now()
				v.ClickXY(at.X, at.Y)
				v.value(first, "no")
				v.displays("Second")
				v.ClickXY(at.X, at.Y)
				late := time.Since(start) > soon
				if !late {
					v.shows("Second")
					v.unanswered(second, "the second click")
					v.ClickXY(at.X, at.Y)
					v.value(second, "no")
				} else {
					s.withdraw()
				}
				v.is("idle")
				if !late {
					return
				}
			}
			t.Skip("the machine is too busy for a second click in time")
		})
	}
}

// A key that is held, and so repeats, answers one question and not the next.
func TestHeldKey(t *testing.T) {
	load.Long(t, "TestKeyboard answers by keys")
	load.Sequential(t)
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.open(browser.New(t))
	first, second := s.ask(nil), s.ask(func(s *question.Spec) { s.Title = "Second" })
	v.shows("Confirm Action")
	release := v.Hold("1")
	v.value(first, "yes")
	v.displays("Second")
	v.Run(`window.since = performance.now()`)
	v.Wait(`performance.now() - since > 1000`)
	if browser.Eval[bool](v.Tab, host+`.dataset.settled === "true"`) {
		t.Error("a question accepts input while a key is held")
	}
	v.Hold("1")() // it repeats
	release()
	v.shows("Second")
	v.unanswered(second, "the repeated key")
	v.Press("2")
	v.value(second, "no")
}

// A key whose release another document has seen keeps no question away for good: neither in the
// page around the questions nor in theirs.
func TestReleaseElsewhere(t *testing.T) {
	load.Long(t, "TestMouse answers by a click")
	load.Sequential(t)
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.openApp(browser.New(t))
	v.page.Run(`document.getElementById("button").focus()`)
	v.page.Hold("x")
	first, second := v.ask(nil), v.ask(func(s *question.Spec) { s.Title = "Second" })
	v.is("chip")
	v.shows("Confirm Action")
	v.Hold("1")
	v.value(first, "yes")
	v.shows("Second")
	v.unanswered(second, "the held key")
}

// Keys that overlap, as those of a fast typist do, all count once the question has settled.
func TestOverlappingKeys(t *testing.T) {
	load.Long(t, "TestKeyboard answers by keys")
	load.Sequential(t)
	t.Parallel()
	v := newTestServer(t, popup.Options{}).open(browser.New(t))
	a := v.ask(text)
	v.shows("Confirm Action")
	up1 := v.Hold("a")
	up2 := v.Hold("b")
	up1()
	v.Hold("c")()
	up2()
	v.Press(browser.Enter)
	v.value(a, "abc")
}

// A question that the app's page covers takes no answer, not even by a click that goes through the
// cover, and says why. When it is uncovered, it does.
func TestCovered(t *testing.T) {
	load.Sequential(t)
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.openApp(browser.New(t))
	a := s.ask(nil)
	v.shows("Confirm Action")
	v.page.Run(`const cover = document.createElement("div");
		cover.id = "cover"; cover.popover = "manual";
		cover.style.cssText = "inset: 0; width: 100%; height: 100%; padding: 0; border: 0; background: white; pointer-events: none";
		document.body.append(cover); cover.showPopover()`)
	v.Wait(host + `.dataset.settled === "false"`)
	v.ClickOn(root + `.querySelectorAll(".option")[0]`)
	v.Press("1")
	v.Wait(in(".covered") + `.checkVisibility() && ` + in(".covered") + `.textContent.includes("cover a part")`)
	v.unanswered(a, "a covered question")
	id := s.broker.Pending()[0].ID
	for changed := true; changed; { // until the server knows
		visible, c := s.pages.isVisible(id)
		if changed = visible; visible {
			<-c
		}
	}
	v.page.Run(`document.getElementById("cover").remove()`)
	v.shows("Confirm Action")
	v.Wait(`!` + in(".covered") + `.checkVisibility()`)
	v.Press("2")
	v.value(a, "no")
}

// A page that hides the frame shows nothing: the question goes elsewhere.
func TestHiddenFrame(t *testing.T) {
	load.Long(t, "TestCovered has a frame that something covers")
	load.Sequential(t)
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	other := terminal{&person{make(chan popup.Asked, 1)}}
	v := s.openApp(browser.New(t))
	v.page.Run(`const style = document.createElement("style"); style.textContent = "ui-popup { display: none !important }"; document.head.append(style)`)
	s.broker.AddChannel(other)
	s.ask(nil)
	select {
	case <-other.asked:
	case <-time.After(patience):
		t.Error("no other channel was tried")
	}
}

// A question accepts nothing while its window is too small to be read, and accepts input once the
// window has grown, although all of the question was in the window before.
func TestSmallWindow(t *testing.T) {
	load.Sequential(t)
	t.Parallel()
	v := newTestServer(t, popup.Options{}).open(browser.New(t))
	v.Size(190, 110)
	v.ask(nil)
	v.displays("Confirm Action")
	// The question is small enough for this window.
	v.Run(`window.seen = false; new IntersectionObserver((entries) => { window.seen = entries.at(-1).intersectionRatio === 1; }).observe(` + in("dialog") + `)`)
	v.Wait(`window.seen`)
	v.Run(`window.since = performance.now()`)
	v.Wait(`performance.now() - since > 1000`)
	if browser.Eval[bool](v.Tab, host+`.dataset.settled === "true"`) {
		t.Error("a question accepts input in a window that is too small")
	}
	v.Size(800, 600)
	v.shows("Confirm Action")
}
