package httppopup

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A frame whose document could not be loaded, since the server was away, is loaded again.
func TestFrameIsLoadedAgain(t *testing.T) {
	load.Long(t, "TestReconnect reconnects a page")
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	s.down.Store(true)
	tab := browser.New(t).Tab()
	tab.Open(s.url)
	wait.Until(t, "a document is requested", func() bool { return s.missed.Load() > 0 })
	s.down.Store(false)
	tab.Wait(ready)
	v := &viewer{tab.Frame(frame), s, tab}
	s.ask(nil)
	v.shows("Confirm Action")
}

// The columns of a table in a message are aligned as it says.
func TestAlignedTable(t *testing.T) {
	v := inApp(t)
	v.ask(func(s *question.Spec) { s.Message = "| table | rows | locked |\n|---|--:|:-:|\n| orders | 1200 | no |" })
	v.shows("Confirm Action")
	const cells = `[...` + root + `.querySelectorAll("td")].map((c) => getComputedStyle(c).textAlign).join()`
	if got := browser.Eval[string](v.Tab, cells); got != "start,right,center" {
		t.Errorf("the cells are aligned %q", got)
	}
}

// A table that is too wide for a phone scrolls, and breaks no words.
func TestWideTable(t *testing.T) {
	v := inApp(t)
	v.page.Size(390, 844)
	row := strings.Repeat("|constitutional|", 4)
	v.ask(func(s *question.Spec) {
		s.Message = row + "\n" + strings.Repeat("|---|", 4) + "\n" + row
		s.Message = strings.ReplaceAll(s.Message, "||", "|")
	})
	v.shows("Confirm Action")
	const heads = `[...` + root + `.querySelectorAll("th")].map((c) => Math.round(c.getBoundingClientRect().height / parseFloat(getComputedStyle(c).lineHeight))).join()`
	if got := browser.Eval[string](v.Tab, heads); got != "1,1,1,1" {
		t.Errorf("the heads have %s lines", got)
	}
}

func TestMouse(t *testing.T) {
	v := inApp(t)
	a := v.ask(nil)
	v.shows("Confirm Action")
	for expression, want := range map[string]string{
		in(".message") + `.innerHTML.trim()`:                                                       "<p>Deploy <strong>now</strong>?</p>",
		root + `.querySelectorAll(".label")[2].textContent`:                                        "Later <b>",
		in(".description") + `.textContent`:                                                        "It takes a minute.",
		in("dialog") + `.getAttribute("role")`:                                                     "dialog",
		in("dialog") + `.getAttribute("aria-modal")`:                                               "true",
		root + `.getElementById(` + in("dialog") + `.getAttribute("aria-labelledby")).textContent`: "Confirm Action",
		root + `.querySelector("[role=status]").textContent`:                                       "Question: Confirm Action",
		`String(getComputedStyle(` + in("dialog") + `).opacity)`:                                   "1",
		root + `.activeElement.tagName`:                                                            "DIALOG",
	} {
		if got := browser.Eval[string](v.Tab, expression); got != want {
			t.Errorf("%s = %q, want %q", expression, got, want)
		}
	}
	v.page.Wait(`document.title === "(1) App" && document.activeElement.localName === "ui-popup"`)
	v.ClickOn(root + `.querySelectorAll(".option")[1]`)
	v.value(a, "no")
	v.is("idle")
	v.page.Wait(`document.title === "App" && document.activeElement.id === "field"`)
}

func TestKeyboard(t *testing.T) {
	v := alone(t)
	for name, tt := range map[string]struct {
		change func(*question.Spec)
		keys   string
		want   question.Answer
	}{
		"a digit":                   {nil, "2", question.Answer{Outcome: question.Answered, Value: "no"}},
		"a digit without an option": {nil, "73", question.Answer{Outcome: question.Answered, Value: "later"}},
		"Enter on nothing":          {nil, browser.Enter + "2", question.Answer{Outcome: question.Answered, Value: "no"}},
		"arrows":                    {nil, browser.ArrowDown + browser.ArrowDown + browser.ArrowDown + browser.ArrowUp + browser.Enter, question.Answer{Outcome: question.Answered, Value: "no"}},
		"danger needs two":          {func(s *question.Spec) { s.Severity = question.Danger }, browser.Enter + "2" + browser.Enter, question.Answer{Outcome: question.Answered, Value: "no"}},
		"several":                   {multiple, "31" + browser.Enter, question.Answer{Outcome: question.Answered, Value: "yes", Values: []string{"yes", "later"}}},
		"a text beside options":     {func(s *question.Spec) { s.AllowText = true }, "v2.0" + browser.Enter, question.Answer{Outcome: question.Answered, Value: "v2.0", Text: "v2.0"}},
		"a text":                    {text, "3 a" + browser.Enter, question.Answer{Outcome: question.Answered, Value: "3 a", Text: "3 a"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := v.ask(tt.change)
			v.shows("Confirm Action")
			v.Press(tt.keys)
			got := v.answer(a)
			if got.Outcome != tt.want.Outcome || got.Value != tt.want.Value || got.Text != tt.want.Text || strings.Join(got.Values, " ") != strings.Join(tt.want.Values, " ") {
				t.Errorf("answer %+v, want %+v", got, tt.want)
			}
			v.is("idle")
		})
	}
}

// The focus stays within the dialog, both ways.
func TestFocusTrap(t *testing.T) {
	v := alone(t)
	v.ask(multiple)
	v.shows("Confirm Action")
	for _, held := range [][]browser.Modifier{nil, {browser.Shift}} {
		seen := map[string]bool{}
		for range 20 {
			v.Press(browser.Tabulator, held...)
			at := browser.Eval[string](v.Tab, root+`.activeElement?.closest("dialog") ? (`+root+`.activeElement.className || `+root+`.activeElement.value) : "outside"`)
			if at == "outside" {
				t.Fatalf("the focus has left the dialog, after %v", seen)
			}
			seen[at] = true
		}
		for _, want := range []string{"yes", "later", "send", "quiet decline", "tool away"} {
			if !seen[want] {
				t.Errorf("%q was not reached: %v", want, seen)
			}
		}
	}
}

// Escape keeps what was typed, also through a reload.
func TestDraft(t *testing.T) {
	v := alone(t)
	a := v.ask(text)
	v.shows("Confirm Action")
	v.Press("half an ans")
	v.Press(browser.Escape)
	v.is("chip")
	if got := browser.Eval[string](v.Tab, in(".chip .open")+`.textContent`); got != "Confirm Action" {
		t.Errorf("chip %q", got)
	}
	v.Reload()
	v.shows("Confirm Action")
	v.Press("wer" + browser.Enter)
	v.value(a, "half an answer")
}

// A question comes while the person types into the app: it is a chip, and what they type stays
// theirs. It grows into the dialog when they pause.
func TestTyping(t *testing.T) {
	v := inApp(t)
	// No pause ends before the test says so, however slow it is.
	v.page.Run(`const real = performance.now.bind(performance), now = real(); performance.now = () => now; window.goOn = () => { performance.now = real }`)
	v.page.Type("#field", "1")
	a := v.ask(nil)
	v.is("chip")
	v.Press("2" + browser.Enter)
	v.page.Run(`goOn()`)
	v.shows("Confirm Action")
	if got := browser.Eval[string](v.page, `field.value`); got != "12" {
		t.Errorf("field %q", got)
	}
	v.Press("3")
	v.value(a, "later")
	v.is("idle")
}

// A click on the chip opens the dialog, however recently the person typed.
func TestClickOnChip(t *testing.T) {
	load.Long(t, "TestMouse answers by a click")
	v := inApp(t)
	v.page.Run(`const now = performance.now(); performance.now = () => now`) // no pause ever ends
	v.page.Type("#field", "1")
	a := v.ask(nil)
	v.is("chip")
	v.Wait(host + `.dataset.settled === "true"`)
	v.ClickOn(in(".chip .open"))
	v.shows("Confirm Action")
	v.Press("2")
	v.value(a, "no")
	v.is("idle")
	v.page.Wait(`document.activeElement.id === "field"`)
}

// The focus alone does not hold a question back.
func TestFocusedField(t *testing.T) {
	load.Long(t, "TestTyping types an answer")
	v := inApp(t)
	v.page.Click("#field")
	v.page.Run(`const now = performance.now(); performance.now = () => now`) // no pause ever ends
	v.ask(nil)
	v.shows("Confirm Action")
}

// The answer of one of two tabs counts; the other tab learns of it.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	b := browser.New(t)
	one, two := s.open(b), s.open(b)
	a := s.ask(nil)
	one.shows("Confirm Action")
	two.shows("Confirm Action")
	// The second tab is late, and does not know it yet.
	two.Run(host + `.state = () => {}`)
	one.ClickOn(root + `.querySelectorAll(".option")[0]`)
	s.value(a, "yes")
	one.is("idle")
	two.ClickOn(root + `.querySelectorAll(".option")[1]`)
	two.Wait(in(".toast") + `.textContent.includes("dealt with elsewhere")`)

	// One that knows closes the dialog by itself, and says why.
	a = s.ask(func(s *question.Spec) { s.Title = "Second" })
	one.shows("Second")
	if err := s.broker.Withdraw(s.broker.Pending()[0].ID); err != nil {
		t.Fatal(err)
	}
	s.outcome(a, question.Withdrawn)
	one.is("idle")
	one.Wait(in(".toast") + `.textContent === "Second: withdrawn by the agent"`)
}

// Questions come one after another, with their number.
func TestQueue(t *testing.T) {
	t.Parallel()
	v := newTestServer(t, popup.Options{}).open(browser.New(t))
	first := v.ask(nil)
	v.shows("Confirm Action")
	v.Run(in("h2") + `.dataset.same = "yes"`)
	second := v.ask(func(s *question.Spec) { s.Title = "Second"; text(s) })
	v.Wait(in(".meta") + `.textContent.startsWith("1 of 2") && document.title === "(2) Questions"`)
	v.shows("Confirm Action") // it was not replaced
	v.Press("1")
	v.value(first, "yes")
	v.shows("Second")
	v.ClickOn(in(".decline"))
	v.outcome(second, question.Declined)
	v.is("idle")
}

// The dialog of a question that ends while the person types a text stays, too, with what was typed.
func TestQuestionEndsWhileTyping(t *testing.T) {
	load.Long(t, "TestTyping types an answer")
	t.Parallel()
	for name, spec := range map[string]func(*question.Spec){
		"text":    func(s *question.Spec) { s.Options = nil },
		"default": func(s *question.Spec) { s.Options, s.DefaultValue = nil, "usual" },
		"options": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTestServer(t, popup.Options{})
			v := s.openApp(browser.New(t))
			ask := func() {
				v.ask(func(s *question.Spec) {
					s.AllowText = true
					if spec != nil {
						spec(s)
					}
				})
				v.shows("Confirm Action")
			}
			ask()
			s.withdraw() // nothing was typed
			v.is("idle")
			ask()
			v.ClickOn(in(".text"))
			v.Press("because ")
			s.withdraw()
			v.Wait(in(".over") + `.checkVisibility()`)
			v.Press("of this" + browser.Enter)
			typed := browser.Eval[string](v.Tab, in(".text")+`.value`)
			if want := "because "; !strings.Contains(typed, want) || strings.Contains(typed, "of this") {
				t.Errorf("the dialog has %q, want %q", typed, want)
			}
			if got := browser.Eval[string](v.Tab, in(".over")+`.textContent`); !strings.Contains(got, "You can still copy it") {
				t.Errorf("the dialog says %q", got)
			}
			v.Press(browser.Escape)
			v.is("idle")
		})
	}
}

// An answer that may not be sent is refused in the dialog, which stays.
func TestNothingChosen(t *testing.T) {
	load.Long(t, "TestMouse and TestKeyboard choose")
	v := alone(t)
	a := v.ask(multiple)
	v.shows("Confirm Action")
	v.ClickOn(in(".send"))
	v.Wait(in(".error") + `.textContent === "Choose at least one."`)
	v.ClickOn(root + `.querySelectorAll(".option")[1]`)
	v.ClickOn(in(".send"))
	v.value(a, "no")
}

// A telephone has 320 pixels: nothing is cut off, nothing scrolls sideways, and every control can
// be hit.
func TestNarrow(t *testing.T) {
	load.Long(t, "TestSmallWindow has a window that is too small")
	v := inApp(t)
	v.page.Size(320, 568)
	v.ask(func(s *question.Spec) {
		s.Title = strings.Repeat("Averyverylongword", 4)
		s.Message = "| a | b | c |\n|-|-|-|\n| " + strings.Repeat("x", 60) + " | y | z |\n\n`" + strings.Repeat("code", 30) + "`"
		s.AllowText, s.Multiple = true, true
	})
	v.Wait(host + `.dataset.settled === "true"`)
	if got := browser.Eval[string](v.Tab, `(() => {
		const dialog = `+in("dialog")+`, {left, right, top, bottom} = dialog.getBoundingClientRect();
		const wide = [...dialog.querySelectorAll("header, .body, footer, .option, .text")].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.className || e.tagName);
		const small = [...dialog.querySelectorAll("button")].filter((e) => e.checkVisibility() && Math.min(e.offsetWidth, e.offsetHeight) < 32).map((e) => e.className);
		return left >= 0 && right <= 320 && top >= 0 && bottom <= 568 ? [...wide, ...small].join() : [left, right, top, bottom].join();
	})()`); got != "" {
		t.Errorf("does not fit: %s", got)
	}
}

// A person who has turned to something else is called by the desktop, and brought back by it. The
// page of the app calls, and does not learn what is asked.
func TestNotification(t *testing.T) {
	v := inApp(t)
	v.page.Run(`window.notes = []; window.focused = 0;
		window.Notification = class { static permission = "granted"; constructor(title) { this.title = title; notes.push(this); } close() { this.closed = true; } };
		window.focus = () => { focused++; };
		document.hasFocus = () => false`)
	a := v.ask(nil)
	v.page.Wait(`notes.length === 1 && notes[0].title === "Your agent has a question."`)
	v.page.Run(`notes[0].onclick()`)
	v.page.Wait(`focused === 1 && notes[0].closed`)
	v.shows("Confirm Action")
	v.Press("1")
	v.value(a, "yes")
	v.is("idle")
	v.ask(nil)
	v.page.Wait(`notes.length === 2 && !notes[1].closed`)
	if err := v.broker.Withdraw(v.broker.Pending()[0].ID); err != nil {
		t.Fatal(err)
	}
	v.page.Wait(`notes[1].closed`)
}

// A terminal is a channel of another kind.
type terminal struct{ *persons.Page }

func (terminal) Name() string { return "terminal" }

func (terminal) Kind() core.Kind { return core.Terminal }

// A question that another channel displays is known in the page, too: it does not come to the front
// there, but can be opened and answered.
func TestMirror(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	other := terminal{persons.NewPage().Be(core.Attended)}
	s.broker.AddChannel(other)
	v := s.open(browser.New(t))
	a := s.ask(func(s *question.Spec) { s.Channel = "terminal" })
	<-other.Asked
	v.is("chip")
	v.Wait(`!` + in(".dismiss") + `.checkVisibility()`)
	v.ClickOn(in(".chip .open"))
	v.shows("Confirm Action")
	v.Press("2")
	s.value(a, "no")
	v.is("idle")
}

// The number of questions stands before the page's own title, whatever that is, and goes again.
func TestTitle(t *testing.T) {
	v := inApp(t)
	v.page.Run(`document.title = "(3) Inbox"`)
	v.ask(nil)
	v.page.Wait(`document.title === "(1) (3) Inbox"`)
	v.page.Run(`document.title = "(4) Inbox"`) // another mail has come
	v.page.Wait(`document.title === "(1) (4) Inbox"`)
	v.page.Run(`document.title = "● " + document.title`) // as a page that blinks
	v.page.Wait(`document.title === "(1) ● (4) Inbox"`)
	v.withdraw()
	v.page.Wait(`document.title === "● (4) Inbox"`)
}

// The frame follows the colours of its page. They must match, or it would hide the page.
func TestScheme(t *testing.T) {
	load.Long(t, "few changes touch it")
	v := inApp(t)
	v.page.Run(`document.documentElement.style.colorScheme = "light dark"`)
	v.ask(nil)
	v.shows("Confirm Action")
	for dark, want := range map[bool]string{true: "dark", false: "light"} {
		v.page.Dark(dark)
		v.page.Wait(frame + `.style.colorScheme === "` + want + `"`)
		v.Wait(`document.documentElement.style.colorScheme === "` + want + `"`)
	}
}

// A long default leaves room for the time that remains.
func TestCountdown(t *testing.T) {
	load.Long(t, "few changes touch it")
	v := alone(t)
	v.Size(400, 700)
	v.ask(func(s *question.Spec) {
		s.Options[0].Label = strings.Repeat("a long label ", 20)
		s.DefaultValue, s.TimeoutSeconds = "yes", 600
	})
	v.shows("Confirm Action")
	if got := browser.Eval[string](v.Tab, `(() => {
		const left = `+in(".left")+`, range = document.createRange();
		range.setStart(left.firstChild, 0);
		range.setEnd(left.firstChild, left.textContent.indexOf(":", 4));
		const time = range.getBoundingClientRect(), box = left.getBoundingClientRect();
		return time.width > 0 && time.right <= box.right && box.right <= 400 ? left.textContent.slice(0, 4) : "hidden";
	})()`); got != "in 1" && got != "in 9" {
		t.Errorf("the time is %s", got)
	}
}

func TestMute(t *testing.T) {
	load.Long(t, "TestNotification notifies the person")
	v := alone(t)
	v.Run(`window.tones = 0; window.AudioContext = class { constructor() { window.tones++; throw new Error("no sound here"); } }`)
	a := v.ask(nil)
	v.shows("Confirm Action")
	v.Wait(`tones === 1`)
	v.ClickOn(in(".bell"))
	v.Wait(in(".bell") + `.getAttribute("aria-pressed") === "true"`)
	v.twice()
	v.outcome(a, question.Dismissed)
	v.is("idle")
	v.ask(nil)
	v.shows("Confirm Action")
	v.Wait(`navigator.locks.query().then(() => true)`)
	if n := browser.Eval[int](v.Tab, `tones`); n != 1 {
		t.Errorf("%d chimes", n)
	}
}

// breakConnections ends connections as a server does that stops.
func (s *testServer) breakConnections() {
	s.breaks.Range(func(_, cancel any) bool {
		cancel.(context.CancelFunc)()
		return true
	})
}

// The page finds the server again, and the question is still there.
func TestReconnect(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.open(browser.New(t))
	a := s.ask(nil)
	v.shows("Confirm Action")
	s.ask(nil)
	v.Wait(in(".meta") + `.textContent.startsWith("1 of 2")`)
	v.Run(host + `.dataset.connection = "about to break"; delete ` + host + `.dataset.ready`)
	s.breakConnections()
	v.Wait(host + `.dataset.connection === "live" && ` + host + `.dataset.ready`)
	if got := browser.Eval[string](v.Tab, in(".meta")+`.textContent`); !strings.HasPrefix(got, "1 of 2") {
		t.Errorf("the question is %q", got)
	}
	v.Press("2")
	s.value(a, "no")
}

// A page that the person has left has not dismissed its question: the next page displays it.
func TestPageIsLeft(t *testing.T) {
	load.Long(t, "TestHiddenForLong has a page that displays nothing for a while")
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	b := browser.New(t)
	v := s.open(b)
	a := s.ask(nil)
	v.shows("Confirm Action")
	v.Open("about:blank")
	wait.Until(t, "nothing displays the question", func() bool {
		pending := s.broker.Pending()
		return len(pending) == 1 && pending[0].Idle
	})
	v = s.open(b)
	v.shows("Confirm Action")
	v.Press("2")
	s.value(a, "no")
}

// An answer that was lost counts as not given: the person learns that, and when the question ends,
// the dialog is not closed under what they have typed.
func TestAnswerIsLost(t *testing.T) {
	load.Long(t, "TestReconnect breaks a connection")
	t.Parallel()
	for name, breaks := range map[string]bool{"with its connection": true, "before the question ends": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTestServer(t, popup.Options{})
			v := s.open(browser.New(t))
			s.ask(text)
			v.shows("Confirm Action")
			v.Run(`{ const send = WebSocket.prototype.send;
				WebSocket.prototype.send = function (data) { if (JSON.parse(data).type !== "answer") send.call(this, data); } }`)
			v.ClickOn(in(".text"))
			v.Press("because" + browser.Enter)
			v.Wait(in("form") + `.getAttribute("aria-busy") === "true"`)
			want := "because"
			if breaks {
				s.breakConnections()
				v.Wait(in(".error") + `.textContent.includes("Please answer again")`)
				v.Press(" of this")
				want += " of this"
			}
			s.withdraw()
			v.Wait(in(".over") + `.checkVisibility()`)
			if got := browser.Eval[string](v.Tab, in(".text")+`.value`); got != want {
				t.Errorf("the dialog has %q, want %q", got, want)
			}
		})
	}
}

// If there is no page, one is opened, which reports that it displays the question.
func TestOpener(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	b := browser.New(t)
	opened := make(chan string, 1)
	s.broker.AddChannel(s.pages.Opener(func(_ context.Context, url string) error { opened <- url; return nil }, func() string { return s.url + "/popup" }))
	a := s.ask(nil)
	v := &viewer{b.Tab(), s, nil}
	v.Open(<-opened)
	v.shows("Confirm Action")
	v.Press("1")
	s.value(a, "yes")
	v.Wait(`document.title === "Questions" && document.body.innerText.includes("nothing to answer")`)
}

func TestOpenerFails(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{Patience: time.Millisecond})
	s.broker.AddChannel(s.pages.Opener(func(context.Context, string) error { return errors.New("no display") }, func() string { return s.url }))
	s.outcome(s.ask(nil), question.NoHuman)
}

// Nothing moves for a person who asks for that; for others the dialog comes in with a short
// movement.
func TestReducedMotion(t *testing.T) {
	load.Long(t, "few changes touch it")
	load.Sequential(t)
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	tab := browser.New(t).Tab()
	tab.Open(s.url + "/popup")
	s.ask(nil)
	const dialog = `document.querySelector("ui-popup").shadowRoot.querySelector("dialog")`
	tab.Wait(dialog + `.open`)
	for _, still := range []bool{false, true} {
		tab.Feature("prefers-reduced-motion", map[bool]string{true: "reduce", false: "no-preference"}[still])
		tab.Wait(`(getComputedStyle(` + dialog + `).animationName === "none") === ` + strconv.FormatBool(still))
	}
}
