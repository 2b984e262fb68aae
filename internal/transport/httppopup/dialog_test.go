package httppopup

import (
	"fmt"
	"testing"
	"time"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// The keys that an option names are those that answer: with danger, a digit only selects, and where
// a question takes a text, it is text. What Send says of an empty text names both ways to answer.
func TestDigits(t *testing.T) {
	load.Long(t, "TestKeyboard answers by keys")
	v := alone(t)
	for _, c := range []struct {
		change            func(*question.Spec)
		names, keys, want string
	}{
		{nil, "2", "2", "no"},
		{func(s *question.Spec) { s.Severity = question.Danger }, "2 ⏎", "2" + browser.Enter, "no"},
		{func(s *question.Spec) { s.Severity, s.AllowText = question.Danger, true }, "", browser.ArrowDown + "2 v2.0" + browser.Enter, "2 v2.0"},
	} {
		a := v.ask(c.change)
		v.shows("Confirm Action")
		if got := browser.Eval[string](v.Tab, root+`.querySelectorAll(".digit")[1].textContent`); got != c.names {
			t.Errorf("the second option names the keys %q, want %q", got, c.names)
		}
		if c.names == "" {
			v.ClickOn(in(".send"))
			v.Wait(in(".error") + `.textContent === "Choose an option, or type an answer."`)
		}
		v.Press(c.keys)
		v.value(a, c.want)
		v.is("idle")
	}
}

// The footer has one row, or where that is too long, one with what is to be known and one with the
// buttons, the last of which is at its end.
func TestFooter(t *testing.T) {
	load.Long(t, "TestSmallWindow has a window that is too small")
	v := alone(t)
	v.ask(func(s *question.Spec) { s.AllowText, s.TimeoutSeconds = true, 600 })
	v.shows("Confirm Action")
	for width, rows := range map[int]int{320: 2, 390: 2, 800: 1, 1280: 1} {
		v.Size(width, 844)
		v.Wait(fmt.Sprintf(`innerWidth === %d`, width))
		got := browser.Eval[string](v.Tab, `(() => {
			const footer = `+in("footer")+`, inner = footer.getBoundingClientRect().right - parseFloat(getComputedStyle(footer).paddingRight);
			const boxes = [".meta", ".left", ".decline", ".send"].map((s) => footer.querySelector(s).getBoundingClientRect()).filter(({ width }) => width > 0);
			const middles = boxes.map(({ top, bottom }) => (top + bottom) / 2);
			const rows = middles.filter((y, i) => i === 0 || Math.abs(y - middles[i - 1]) > 4).length;
			return rows + " rows, Send " + Math.round(inner - boxes.at(-1).right) + " px from the end";
		})()`)
		if want := fmt.Sprintf("%d rows, Send 0 px from the end", rows); got != want {
			t.Errorf("at %d px: %s, want %s", width, got, want)
		}
	}
}

// One control says how the person is called. It asks for notifications where the browser has not
// been asked, and silences the chime otherwise.
func TestBell(t *testing.T) {
	load.Long(t, "TestNotification notifies the person")
	v := inApp(t)
	v.page.Run(`window.asked = 0;
		window.Notification = class { static permission = "default"; static async requestPermission() { asked++; return "default"; } close() {} }`)
	v.ask(nil)
	v.shows("Confirm Action")
	// The frame has learned that the person can be asked.
	v.Wait(in(".bell") + `.title.startsWith("Notify me")`)
	if texts := browser.Eval[[]string](v.Tab, `[...`+in("dialog")+`.querySelectorAll("button")].filter((e) => e.checkVisibility() && /notif|chime/i.test(e.textContent + e.title)).map((e) => e.className)`); len(texts) != 1 {
		t.Errorf("%d controls for one matter: %v", len(texts), texts)
	}
	v.ClickOn(in(".bell"))
	v.page.Wait(`asked === 1`)
	// The person has not decided, and is not asked again.
	v.Wait(in(".bell") + `.title === "Silence the chime"`)
	v.ClickOn(in(".bell"))
	v.Wait(in(".bell") + `.getAttribute("aria-pressed") === "true"`)
	v.ClickOn(in(".bell"))
	v.Wait(in(".bell") + `.getAttribute("aria-pressed") === "false"`)
	if n := browser.Eval[int](v.page, `asked`); n != 1 {
		t.Errorf("the person was asked %d times", n)
	}
}

// The time that is left does not depend on a clock that is set while the question is displayed.
func TestClockIsSet(t *testing.T) {
	load.Long(t, "few changes touch it")
	v := alone(t)
	v.ask(func(s *question.Spec) { s.TimeoutSeconds = 600 })
	v.shows("Confirm Action")
	before := browser.Eval[string](v.Tab, in(".left")+`.textContent`)
	v.Run(`{ const now = Date.now; Date.now = () => now() - 3600_000; }`)
	v.Wait(in(".left") + fmt.Sprintf(`.textContent !== %q`, before))
	if got := browser.Eval[string](v.Tab, in(".left")+`.textContent`); !(got[0] == '9' && got[1] == ':') {
		t.Errorf("%q, and %q after the clock was set back an hour", before, got)
	}
}

// Keys and the pointer in the dialog put off the end of a question with a default, and the dialog
// says so. A draft survives a reload of the page.
func TestPersonIsAtTheQuestion(t *testing.T) {
	v := inApp(t)
	a := v.ask(func(s *question.Spec) { s.TimeoutSeconds, s.DefaultValue, s.AllowText = 25, "yes", true })
	v.shows("Confirm Action")
	asked := v.broker.Pending()[0]
	end := func() time.Time {
		if p := v.broker.Pending(); len(p) == 1 {
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

	v.page.Open(v.url)
	again := &viewer{v.page.Frame(frame), v.testServer, v.page}
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
	v := inApp(t)
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
	v := inApp(t)
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
				v.withdraw()
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
	v := alone(t)
	first, second := v.ask(nil), v.ask(func(s *question.Spec) { s.Title = "Second" })
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
	v := inApp(t)
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
	v := alone(t)
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
	v := inApp(t)
	a := v.ask(nil)
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
	id := v.broker.Pending()[0].ID
	for changed := true; changed; { // until the server knows
		visible, c := v.pages.isVisible(id)
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
	other := terminal{persons.NewPage().Be(core.Attended)}
	v := inApp(t)
	v.page.Run(`const style = document.createElement("style"); style.textContent = "ui-popup { display: none !important }"; document.head.append(style)`)
	v.broker.AddChannel(other)
	v.ask(nil)
	wait.For(t, "the question in another channel", other.Asked)
}

// A question accepts nothing while its window is too small to be read, and accepts input once the
// window has grown, although all of the question was in the window before.
func TestSmallWindow(t *testing.T) {
	v := alone(t)
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
