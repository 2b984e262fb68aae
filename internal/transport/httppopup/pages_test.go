package httppopup

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/guard"
	"ui-mcp/internal/transport/ws"
	"ui-mcp/web"
)

// app is a page as an app may be: with a field that has the focus, and styles that would spoil a
// dialog.
const app = `<!doctype html><html><head><title>App</title><link rel="icon" href="data:,">
<style>button { display: none !important } * { color: red; z-index: 99999 } dialog { opacity: 0 }</style></head>
<body><input id="field" autofocus><button id="button">Press</button><script src="/popup.js"></script></body></html>`

// A testServer is a server with pages, which a test opens in a browser.
type testServer struct {
	t      testing.TB
	broker *popup.Broker
	pages  *Pages
	url    string
	down   atomic.Bool  // whether the documents of questions cannot be loaded
	missed atomic.Int32 // how many were requested meanwhile
}

func newTestServer(t testing.TB, opts popup.Options) *testServer {
	t.Helper()
	frame, err := fs.ReadFile(web.Dist, "dist/popup.js")
	if err != nil {
		t.Fatal(err)
	}
	script, err := fs.ReadFile(web.Dist, "dist/question.js")
	if err != nil {
		t.Fatal(err)
	}
	b, err := popup.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	p := NewPages(PagesOptions{Broker: b, Frame: frame, Script: script})
	t.Cleanup(p.Close)
	b.AddChannel(p)
	s := &testServer{t: t, broker: b, pages: p}
	checked := guard.New(p.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, app)
	}), map[string]http.Handler{"/beside": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.URL.Path, " ", AppOrigins(r.Context()))
	})}), guard.Options{Links: true, Frames: IsFrame})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/popup" && s.down.Load() {
			s.missed.Add(1)
			panic(http.ErrAbortHandler) // cuts the connection
		}
		checked.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	t.Cleanup(srv.CloseClientConnections)
	s.url = srv.URL
	return s
}

// A viewer is a document with the questions: a page of its own, or the frame in a page of an app.
type viewer struct {
	*browser.Tab
	*testServer
	page *browser.Tab // the page of the app; nil if there is none
}

// open opens the page with nothing but the questions.
func (s *testServer) open(b *browser.Browser) *viewer {
	s.t.Helper()
	v := &viewer{b.Tab(), s, nil}
	v.Open(s.url + "/popup")
	v.Wait(ready)
	return v
}

// openApp opens the page of an app.
func (s *testServer) openApp(b *browser.Browser) *viewer {
	s.t.Helper()
	tab := b.Tab()
	tab.Open(s.url)
	v := &viewer{tab.Frame(frame), s, tab}
	v.Wait(ready)
	return v
}

const (
	host  = `document.querySelector("ui-popup")`
	ready = host + `.dataset.ready === "true"`
	root  = host + `.shadowRoot`
	frame = root + `.querySelector("iframe")` // in the page of an app
)

// in finds an element in the dialog.
func in(selector string) string { return fmt.Sprintf(root+`.querySelector(%q)`, selector) }

// A frame whose document could not be loaded, since the server was away, is loaded again.
func TestFrameIsLoadedAgain(t *testing.T) {
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

// shows waits until the tab shows a question and takes an answer.
func (v *viewer) shows(title string) {
	v.t.Helper()
	v.displays(title)
	v.Wait(host + `.dataset.settled === "true"`)
}

// displays waits until the tab shows a question.
func (v *viewer) displays(title string) {
	v.t.Helper()
	v.Wait(host + `.dataset.state === "dialog" && ` + in("h2") + fmt.Sprintf(`.textContent === %q`, title))
}

// twice presses Escape, which leaves a chip, and again, which dismisses the question.
func (v *viewer) twice() {
	v.t.Helper()
	v.Press(browser.Escape)
	v.is("chip")
	v.Wait(host + `.dataset.settled === "true"`)
	v.Press(browser.Escape)
}

// is waits until the tab is in a state: dialog, chip or idle.
func (v *viewer) is(state string) {
	v.t.Helper()
	v.Wait(fmt.Sprintf(host+`.dataset.state === %q`, state))
}

// ask asks, and has the answer come by a channel.
func (s *testServer) ask(change func(*question.Spec)) <-chan question.Answer {
	s.t.Helper()
	spec := question.Spec{Title: "Confirm Action", Message: "Deploy **now**?", Options: []question.Option{
		{Label: "Yes", Value: "yes", Description: "It takes a minute."}, {Label: "No", Value: "no"}, {Label: "Later <b>", Value: "later"}}}
	if change != nil {
		change(&spec)
	}
	q, err := spec.Question()
	if err != nil {
		s.t.Fatal(err)
	}
	out := make(chan question.Answer, 1)
	id, err := s.broker.Ask(q, popup.AskOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	go func() {
		if a, err := s.broker.Wait(s.t.Context(), id); err == nil {
			out <- a
		}
	}()
	return out
}

func (s *testServer) answer(c <-chan question.Answer) question.Answer {
	s.t.Helper()
	select {
	case a := <-c:
		return a
	case <-time.After(patience):
		s.t.Fatal("no answer")
		return question.Answer{}
	}
}

// value fails the test unless the answer is a value, from the page.
func (s *testServer) value(c <-chan question.Answer, want string) {
	s.t.Helper()
	if a := s.answer(c); a.Outcome != question.Answered || a.Value != want || a.Channel != "page" {
		s.t.Errorf("answer %+v, want %s", a, want)
	}
}

func (s *testServer) outcome(c <-chan question.Answer, want question.Outcome) {
	s.t.Helper()
	if a := s.answer(c); a.Outcome != want {
		s.t.Errorf("answer %+v, want %s", a, want)
	}
}

func text(s *question.Spec)     { s.Options, s.AllowText = nil, true }
func multiple(s *question.Spec) { s.Multiple = true }

func TestMouse(t *testing.T) {
	t.Parallel()
	v := newTestServer(t, popup.Options{}).openApp(browser.New(t))
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
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.open(browser.New(t))
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
		"a text":                    {text, "3 a" + browser.Enter, question.Answer{Outcome: question.Answered, Value: "3 a", Text: "3 a"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.ask(tt.change)
			v.shows("Confirm Action")
			v.Press(tt.keys)
			got := s.answer(a)
			if got.Outcome != tt.want.Outcome || got.Value != tt.want.Value || got.Text != tt.want.Text || strings.Join(got.Values, " ") != strings.Join(tt.want.Values, " ") {
				t.Errorf("answer %+v, want %+v", got, tt.want)
			}
			v.is("idle")
		})
	}
}

// The focus stays within the dialog, both ways.
func TestFocusTrap(t *testing.T) {
	t.Parallel()
	v := newTestServer(t, popup.Options{}).open(browser.New(t))
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
	t.Parallel()
	v := newTestServer(t, popup.Options{}).open(browser.New(t))
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
	t.Parallel()
	v := newTestServer(t, popup.Options{}).openApp(browser.New(t))
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
	t.Parallel()
	v := newTestServer(t, popup.Options{}).openApp(browser.New(t))
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
	t.Parallel()
	v := newTestServer(t, popup.Options{}).openApp(browser.New(t))
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

// Questions come one after another, with their number; the past can be looked up.
func TestQueueAndHistory(t *testing.T) {
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
	v.ClickOn(in(".past"))
	v.Wait(in(".history .asked") + `.textContent === "Confirm Action" && ` + in(".history .outcome") + `.textContent === "Yes"`)
	if browser.Eval[bool](v.Tab, in(".decline")+`.checkVisibility()`) {
		t.Error("past questions offer to decline")
	}
	v.Press(browser.Escape)
	v.Wait(in(".text") + `.checkVisibility()`)
	v.ClickOn(in(".decline"))
	v.outcome(second, question.Declined)
	v.is("idle")
}

func TestSecretInPage(t *testing.T) {
	t.Parallel()
	v := newTestServer(t, popup.Options{}).open(browser.New(t))
	a := v.ask(func(s *question.Spec) { s.Options, s.Secret = nil, true })
	v.shows("Confirm Action")
	if got := browser.Eval[string](v.Tab, in(".text")+`.type`); got != "password" {
		t.Errorf("the field is a %s", got)
	}
	if got := browser.Eval[string](v.Tab, in(".text")+`.placeholder`); got != "The program that asks learns only that you have typed something" {
		t.Errorf("the field says: %s", got)
	}
	v.Press("hush" + browser.Enter)
	v.value(a, "hush")
	v.is("idle")
	if got := browser.Eval[string](v.Tab, `JSON.stringify(sessionStorage) + JSON.stringify(localStorage)`); strings.Contains(got, "hush") {
		t.Errorf("the browser keeps %s", got)
	}
}

// A prompt of a program is answered with a text, which may be pasted, or with one of the buttons.
// It says when Caps Lock is on, and digits are text.
func TestPrompt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		secret bool
		act    func(v *viewer)
		want   question.Reply
	}{
		"typed": {true, func(v *viewer) {
			v.Press("1")
			v.Compose("correct horse")
			v.Wait(in(".text") + `.value.length === 14 && ` + in(".text") + `.type === "password"`)
			v.Press(browser.Enter)
		}, question.Reply{Text: "1correct horse"}},
		"line": {false, func(v *viewer) {
			v.Press("2nd")
			v.Wait(in(".text") + `.value === "2nd" && ` + in(".text") + `.type === "text"`)
			v.ClickOn(in(".send"))
		}, question.Reply{Text: "2nd"}},
		"stopped": {true, func(v *viewer) {
			v.Press("half")
			v.ClickOn(root + `.querySelectorAll(".option")[1]`)
		}, question.Reply{Values: []string{"stop"}}},
		"enter": {true, func(v *viewer) {
			v.Press(browser.Enter) // nothing was typed
			v.Wait(in(".error") + `.textContent === "Type something first."`)
			v.ClickOn(root + `.querySelectorAll(".option")[0]`)
		}, question.Reply{Values: []string{"enter"}}},
		"Caps Lock": {true, func(v *viewer) {
			key := func(on bool) {
				v.Run(fmt.Sprintf(in(".text")+`.dispatchEvent(new KeyboardEvent("keydown", { key: "CapsLock", modifierCapsLock: %v }))`, on))
			}
			key(true)
			v.Wait(in(".caps") + `.checkVisibility()`)
			key(false)
			v.Wait(`!` + in(".caps") + `.checkVisibility()`)
			v.Press("x" + browser.Enter)
		}, question.Reply{Text: "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newTestServer(t, popup.Options{}).openApp(browser.New(t))
			got := make(chan question.Reply, 1)
			_, err := v.broker.Ask(question.Question{
				Title: "sudo asks", AllowText: true, Prompt: true, Secret: c.secret, Timeout: time.Hour, Severity: question.Info,
				Options: []question.Option{{Label: "Just press Enter", Value: "enter"}, {Label: "Stop it", Value: "stop"}},
			}, popup.AskOptions{Asker: popup.Program, Deliver: func(r question.Reply) error { got <- r; return nil }})
			if err != nil {
				t.Fatal(err)
			}
			v.shows("sudo asks")
			v.Wait(in(".text:focus") + ` !== null`)
			c.act(v)
			select {
			case r := <-got:
				if r.Text != c.want.Text || !slices.Equal(r.Values, c.want.Values) {
					t.Errorf("the program gets %+v, want %+v", r, c.want)
				}
			case <-time.After(patience):
				t.Fatal("the program gets nothing")
			}
			v.is("idle")
		})
	}
}

// The dialog of a question that ends while the person types a secret stays, until the person puts
// it away. It takes the remaining keys, which would go to what is below it.
func TestSecretEndsWhileTyping(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ prompt, typed bool }{
		"prompt": {true, true}, "secret": {false, true}, "first key": {true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newTestServer(t, popup.Options{}).openApp(browser.New(t))
			v.page.Run(`document.getElementById("field").focus()`)
			q := question.Question{Title: "sudo asks", AllowText: true, Prompt: c.prompt, Secret: true, Timeout: time.Hour, Severity: question.Info}
			if c.prompt {
				q.Options = []question.Option{{Label: "Stop it", Value: "stop"}}
			}
			id, err := v.broker.Ask(q, popup.AskOptions{Asker: popup.Program})
			if err != nil {
				t.Fatal(err)
			}
			v.shows("sudo asks")
			if c.typed {
				v.Press("corr")
			}
			v.Wait(in(".text:focus") + ` !== null`)
			if err := v.broker.Withdraw(id); err != nil {
				t.Fatal(err)
			}
			v.Wait(host + `.dataset.state !== "dialog" || ` + in(".over") + `?.checkVisibility()`)
			v.Press("ect horse 1" + browser.Enter)
			if got := browser.Eval[string](v.page, `document.getElementById("field").value`); got != "" {
				t.Fatalf("the app gets %q", got)
			}
			v.is("dialog")
			if got := browser.Eval[string](v.Tab, in(".text")+`.value`); got != "" {
				t.Errorf("the dialog keeps %q", got)
			}
			// Another question waits until the person has put this one away.
			other := v.ask(nil)
			v.Wait(in(".sr") + `.textContent === "Question: Confirm Action"`)
			v.displays("sudo asks")
			if c.typed {
				v.Press(browser.Escape)
			} else {
				v.ClickOn(in(".decline"))
			}
			v.shows("Confirm Action")
			v.Press("1")
			v.value(other, "yes")
			v.is("idle")
		})
	}
}

// The dialog of a question that ends while the person types a text stays, too, with what was typed.
func TestQuestionEndsWhileTyping(t *testing.T) {
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
	t.Parallel()
	v := newTestServer(t, popup.Options{}).open(browser.New(t))
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
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.openApp(browser.New(t))
	v.page.Size(320, 568)
	s.ask(func(s *question.Spec) {
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
	t.Parallel()
	v := newTestServer(t, popup.Options{}).openApp(browser.New(t))
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
type terminal struct{ *person }

func (terminal) Name() string     { return "terminal" }
func (terminal) Kind() popup.Kind { return popup.Terminal }

// What another channel shows is known in the page, too: it does not come to the front there, but
// can be looked at and answered.
func TestMirror(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	other := terminal{&person{make(chan popup.Asked, 1)}}
	s.broker.AddChannel(other)
	v := s.open(browser.New(t))
	a := s.ask(func(s *question.Spec) { s.Channel = "terminal" })
	<-other.asked
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
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.openApp(browser.New(t))
	v.page.Run(`document.title = "(3) Inbox"`)
	s.ask(nil)
	v.page.Wait(`document.title === "(1) (3) Inbox"`)
	v.page.Run(`document.title = "(4) Inbox"`) // another mail has come
	v.page.Wait(`document.title === "(1) (4) Inbox"`)
	v.page.Run(`window.title = document.title; document.title = "● " + title`) // as a page that blinks
	v.page.Wait(`document.title === "(1) ● (4) Inbox"`)
	v.page.Run(`document.title = title`)
	v.page.Wait(`document.title === "(1) (4) Inbox"`)
	s.withdraw()
	v.page.Wait(`document.title === "(4) Inbox"`)
}

// The frame follows the colours of its page. They must match, or it would hide the page.
func TestScheme(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.openApp(browser.New(t))
	v.page.Run(`document.documentElement.style.colorScheme = "light dark"`)
	s.ask(nil)
	v.shows("Confirm Action")
	for dark, want := range map[bool]string{true: "dark", false: "light"} {
		v.page.Dark(dark)
		v.page.Wait(frame + `.style.colorScheme === "` + want + `"`)
		v.Wait(`document.documentElement.style.colorScheme === "` + want + `"`)
	}
}

// A long default leaves room for the time that remains.
func TestCountdown(t *testing.T) {
	t.Parallel()
	v := newTestServer(t, popup.Options{}).open(browser.New(t))
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
	t.Parallel()
	v := newTestServer(t, popup.Options{}).open(browser.New(t))
	v.Run(`window.tones = 0; window.AudioContext = class { constructor() { window.tones++; throw new Error("no sound here"); } }`)
	a := v.ask(nil)
	v.shows("Confirm Action")
	v.Wait(`tones === 1`)
	v.ClickOn(in(".mute"))
	v.Wait(in(".mute") + `.getAttribute("aria-pressed") === "true"`)
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

// The page finds the server again, and the question is still there.
func TestReconnect(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.open(browser.New(t))
	a := s.ask(nil)
	v.shows("Confirm Action")
	v.Run(host + `.dataset.connection = "about to break"`)
	s.pages.mu.Lock()
	for p := range s.pages.pages {
		p.conn.(*ws.Conn).Close(ws.GoingAway, "as when the server stops")
	}
	s.pages.mu.Unlock()
	v.Wait(host + `.dataset.connection === "live"`)
	v.Press("2")
	s.value(a, "no")
}

// If there is no page, one is opened, which reports that it displays the question.
func TestOpener(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	b := browser.New(t)
	opened := make(chan string, 1)
	s.broker.AddChannel(s.pages.Opener(func(url string) error { opened <- url; return nil }, func() string { return s.url + "/popup" }))
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
	s.broker.AddChannel(s.pages.Opener(func(string) error { return errors.New("no display") }, func() string { return s.url }))
	s.outcome(s.ask(nil), question.NoHuman)
}

// Nothing moves for a person who asks for that; for others the dialog comes in with a short
// movement.
func TestReducedMotion(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	tab := browser.New(t).Tab()
	tab.Open(s.url + "/popup")
	s.ask(nil)
	const dialog = `document.querySelector("ui-popup").shadowRoot.querySelector("dialog")`
	tab.Wait(dialog + `.open`)
	for _, still := range []bool{false, true} {
		tab.Still(still)
		tab.Wait(`(getComputedStyle(` + dialog + `).animationName === "none") === ` + strconv.FormatBool(still))
	}
}
