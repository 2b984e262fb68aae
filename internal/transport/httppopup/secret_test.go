package httppopup

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

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
	v.value(a, "") // its asker gets none
	v.is("idle")
	if got := browser.Eval[string](v.Tab, `JSON.stringify(sessionStorage) + JSON.stringify(localStorage)`); strings.Contains(got, "hush") {
		t.Errorf("the browser keeps %s", got)
	}
}

// The page does not promise who gets a secret that another host asks for.
func TestSecretForAnotherHost(t *testing.T) {
	t.Parallel()
	for _, q := range []question.Question{
		{Title: "For a program", Secret: true, Prompt: true, AllowText: true},
		{Title: "For an agent", Secret: true, Reveal: true, AllowText: true},
	} {
		v := newTestServer(t, popup.Options{}).open(browser.New(t))
		q.Message, q.Severity, q.Timeout = "Token?", question.Info, time.Hour
		if _, err := v.broker.Ask(q, popup.AskOptions{Asked: popup.Asked{Host: "build1"}}); err != nil {
			t.Fatal(err)
		}
		v.shows(q.Title)
		if got := browser.Eval[string](v.Tab, in(".text")+`.placeholder`); got != "Sent to build1" {
			t.Errorf("%s: the field says: %s", q.Title, got)
		}
	}
}

// A prompt of a program is answered with a text, which may be pasted, or with one of the buttons.
// Digits are text.
func TestPrompt(t *testing.T) {
	load.Long(t, "TestSecretInPage and TestTyping answer questions with text")
	load.Sequential(t)
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
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newTestServer(t, popup.Options{}).openApp(browser.New(t))
			got := make(chan question.Reply, 1)
			_, err := v.broker.Ask(question.Question{
				Title: "sudo asks", AllowText: true, Prompt: true, Secret: c.secret, Timeout: time.Hour, Severity: question.Info,
				Options: []question.Option{{Label: "Just press Enter", Value: "enter"}, {Label: "Stop it", Value: "stop"}},
			}, popup.AskOptions{Asked: popup.Asked{Asker: question.ByProgram}, Deliver: func(r question.Reply) error { got <- r; return nil }})
			if err != nil {
				t.Fatal(err)
			}
			v.shows("sudo asks")
			v.Wait(in(".text:focus") + ` !== null`)
			c.act(v)
			if r := wait.For(t, "the reply", got); r.Text != c.want.Text || !slices.Equal(r.Values, c.want.Values) {
				t.Errorf("the program gets %+v, want %+v", r, c.want)
			}
			v.is("idle")
		})
	}
}

// A secret whose answer was lost need not be typed again.
func TestSecretStaysUntilTaken(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.open(browser.New(t))
	a := s.ask(func(s *question.Spec) { s.Options, s.Secret = nil, true })
	v.shows("Confirm Action")
	v.Run(`window.sends = WebSocket.prototype.send;
		WebSocket.prototype.send = function (data) { if (JSON.parse(data).type !== "answer") sends.call(this, data); }`)
	v.Press("hush" + browser.Enter)
	v.Wait(in("form") + `.getAttribute("aria-busy") === "true"`)
	s.breakConnections()
	v.Wait(in(".error") + `.textContent.includes("Please answer again")`)
	if got := browser.Eval[string](v.Tab, in(".text")+`.value`); got != "hush" {
		t.Fatalf("the field has %q", got)
	}
	v.Run(`WebSocket.prototype.send = sends`)
	v.Press(browser.Enter)
	v.value(a, "")
	v.is("idle")
	if got := browser.Eval[string](v.Tab, in(".text")+`?.value ?? ""`); got != "" {
		t.Errorf("afterwards the field has %q", got)
	}
}

// The dialog of a question that ends while the person types a secret stays, until the person puts
// it away. It takes the remaining keys, which would go to what is below it.
func TestSecretEndsWhileTyping(t *testing.T) {
	load.Long(t, "TestSecretInPage types a secret")
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
			id, err := v.broker.Ask(q, popup.AskOptions{Asked: popup.Asked{Asker: question.ByProgram}})
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
