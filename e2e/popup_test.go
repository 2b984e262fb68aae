package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// dialog is the JavaScript expression for an element in a page's dialog.
func dialog(selector string) string {
	return `document.querySelector("ui-popup").shadowRoot.querySelector("` + selector + `")`
}

// settled is true in the document with the questions as soon as it takes an answer.
const settled = `document.querySelector("ui-popup").dataset.settled === "true"`

// A person answers, in one page, questions from a tool, from plain JSON-RPC and from the command
// line.
func TestQuestions(t *testing.T) {
	t.Parallel()
	s := startAlone(t)
	url := s.ok("ui_start", nil)
	tab := browser.New(t).Tab()
	tab.Open(url + "/popup")
	tab.Wait(`document.querySelector("ui-popup").dataset.ready === "true"`)
	named(t, "the page of questions", tab)
	answer := func(title, key string) {
		t.Helper()
		tab.Wait(dialog("h2") + `.textContent === "` + title + `" && ` + settled)
		tab.Press(key)
	}

	said := make(chan string)
	go func() {
		text, _ := s.call("popup", map[string]any{"title": "By tool", "message": "?", "options": []map[string]string{{"label": "A", "value": "a"}, {"label": "B", "value": "b"}}})
		said <- text
	}()
	answer("By tool", "2")
	if text := <-said; !strings.Contains(text, `"status":"answered","selectedValue":"b"`) {
		t.Errorf("popup says %s", text)
	}

	// The example of the specification, with no handshake.
	go func() {
		res, err := http.Post(s.agentURL("/mcp"), "application/json", strings.NewReader(`{"jsonrpc": "2.0", "method": "triggerPopup", "params": {"workspacePath": "/path/to/workspace", "title": "Confirm Action", "message": "Deploy now?", "options": [{"label": "Yes", "value": "yes"}, {"label": "No", "value": "no"}]}, "id": "req1"}`))
		if err != nil {
			said <- err.Error()
			return
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Error(err)
		}
		said <- string(body)
	}()
	answer("Confirm Action", "1")
	var response struct {
		ID     string
		Result struct{ SelectedValue string }
	}
	if text := <-said; json.Unmarshal([]byte(text), &response) != nil || response.ID != "req1" || response.Result.SelectedValue != "yes" {
		t.Errorf("triggerPopup says %s", text)
	}

	go func() {
		out, err := alone(t, exec.Command("ui-mcp", "ask", "--dir", s.dir, "--title", "By command", "Which?", "-o", "x=X", "-o", "y=Y")).Output()
		if err != nil {
			t.Error(err)
		}
		said <- string(out)
	}()
	answer("By command", "2")
	if text := <-said; text != "y\n" {
		t.Errorf("ask prints %q", text)
	}
	tab.Wait(`document.querySelector("ui-popup").dataset.state === "idle"`)
}

// An app asks with mcp:ask: the dialog appears above the app, in its own page, and the app gets the
// answer.
func TestAppAsks(t *testing.T) {
	t.Parallel()
	s := startAlone(t)
	url := s.ok("ui_start", nil)
	s.ok("ui_display", map[string]any{"name": "contacts"})
	tab := browser.New(t).Tab()
	tab.Open(url + "/1/")
	tab.WaitText("h1", "Contacts")
	tab.Wait(`document.querySelector("ui-popup")?.dataset.ready === "true"`)
	s.run(`mcp:ask({ title = "Delete", message = "Remove **all** contacts?", options = { { label = "Yes", value = "yes" }, { label = "No", value = "no" } } },
		function(answer, err)
			if answer and answer.selectedValue == "yes" then contacts.items = {} end
		end)`)
	questions := tab.Frame(dialog("iframe"))
	questions.Wait(dialog("h2") + `.textContent === "Delete" && ` + settled)
	questions.Wait(dialog("strong") + `.textContent === "all"`)
	tab.Press("1")
	questions.Wait(`document.querySelector("ui-popup").dataset.state === "idle"`)
	tab.Wait(`document.body.textContent.includes("0 contacts") || document.querySelectorAll("li").length === 0`)
	s.returns("return #contacts.items", "0")
}

// named reports controls without a name that a person can speak.
func named(t *testing.T, state string, tab *browser.Tab) {
	t.Helper()
	if found := tab.Misnamed(); len(found) > 0 {
		t.Errorf("%s: controls:\n%s", state, strings.Join(found, "\n"))
	}
}

// A question takes the focus from a field, and returns it with the selection: whatever happens to
// the field meanwhile, what the person types next replaces what they had selected.
func TestQuestionReturnsFocus(t *testing.T) {
	load.Long(t, "TestTyping types into a page and answers a question")
	t.Parallel()
	s := startAlone(t)
	url := s.ok("ui_start", nil)
	s.write("apps/memo/app.lua", `
Memo = session:prototype("Memo", { text = "", other = "" })
if not session.reloading then memo = session:create(Memo) end`)
	version := 0
	save := func() {
		version++
		s.write("apps/memo/viewdefs/Memo.DEFAULT.html", fmt.Sprintf(`<template><div data-version="%d">%s
			<input id="bound" ui-value="text?access=rw"><input id="free" name="free"></div></template>`, version, strings.Repeat("<p>new</p>", version)))
	}
	save()
	s.ok("ui_display", map[string]any{"name": "memo"})
	tab := browser.New(t).Tab()
	tab.Open(url + "/1/")
	for _, c := range []struct {
		name, field string
		value       string // set by the app meanwhile
		saves       bool   // the view definition is saved meanwhile
		want        string // after typing
	}{
		{name: "nothing", field: "bound", want: "some NEW text"},
		{name: "another value", field: "bound", value: "quite old words", want: "quiteNEWd words"},
		{name: "a shorter value", field: "bound", value: "short", want: "shortNEW"},
		{name: "another version", field: "bound", saves: true, want: "some NEW text"},
		{name: "another version and value", field: "bound", value: "quite old words", saves: true, want: "quiteNEWd words"},
		{name: "another version around an unbound field", field: "free", saves: true, want: "some NEW text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab.Wait(`document.querySelector("ui-popup")?.dataset.ready === "true" && document.querySelector("#bound")`)
			s.run(`memo.text = "some old text"`)
			tab.Wait(`bound.value === "some old text"`)
			tab.Run(fmt.Sprintf(`const field = document.getElementById(%q); field.value = "some old text"; field.focus(); field.setSelectionRange(5, 8)`, c.field))
			s.run(fmt.Sprintf(`mcp:ask({ title = %q, message = "?", options = { { label = "Yes", value = "yes" } } }, function() end)`, c.name))
			questions := tab.Frame(dialog("iframe"))
			questions.Wait(dialog("h2") + `.textContent === "` + c.name + `" && ` + settled)
			if c.value != "" {
				s.run(fmt.Sprintf(`memo.text = %q`, c.value))
				tab.Wait(fmt.Sprintf(`bound.value === %q`, c.value))
			}
			if c.saves {
				save()
				tab.Wait(fmt.Sprintf(`document.querySelector("[data-version='%d']")`, version))
			}
			tab.Press("1")
			tab.Wait(`document.querySelector("ui-popup").dataset.state !== "dialog" && document.hasFocus()`)
			tab.Press("NEW")
			tab.Wait(fmt.Sprintf(`document.getElementById(%q).value.includes("NEW")`, c.field))
			if got := browser.Eval[string](tab, fmt.Sprintf(`document.getElementById(%q).value`, c.field)); got != c.want {
				t.Errorf("after typing, the field has %q, want %q", got, c.want)
			}
			tab.Run(`document.activeElement.blur()`)
			tab.Wait(`document.documentElement.dataset.uiPending === "0"`) // before the next text is set
		})
	}
}

// In a view in a conversation, the dialog is in the same document as the field.
func TestQuestionInTheChatReturnsFocus(t *testing.T) {
	load.Long(t, "TestAppAsks asks a question above an app, and TestAppInTheChat has the view of one")
	t.Parallel()
	c := openChat(t, apphost.Options{})
	c.Chat.Size(900, 1200) // all of a question must be visible
	version := func(n int) {
		testkit.Write(t, c.dir, "apps/counter/viewdefs/Counter.DEFAULT.html", fmt.Sprintf(`<template><div data-version="%d">%s
			<output id="count" ui-value="count"></output> <input id="field" ui-value="name?access=rw"></div></template>`, n, strings.Repeat("<p>new</p>", n)))
	}
	version(1)
	_, _, content := c.display()
	c.run(`counter.name = "some old text"`)
	content.Wait(`field.value === "some old text"`)
	content.Focus()
	content.Run(`field.focus(); field.setSelectionRange(5, 8)`)
	c.run(`mcp:ask({ title = "Which?", message = "Choose.", options = { { label = "One", value = "1" } } }, function() counter.count = 1 end)`)
	content.Wait(dialog("h2") + `.textContent === "Which?" && ` + settled)
	c.run(`counter.name = "quite old words"`)
	content.Wait(`field.value === "quite old words"`)
	version(2)
	content.Wait(`document.querySelector("[data-version='2']")`)
	content.Press("1")
	content.WaitText("#count", "1")
	content.Wait(`document.activeElement.id === "field"`)
	content.Press("NEW")
	content.Wait(`field.value.includes("NEW")`)
	if got := browser.Eval[string](content, `field.value`); got != "quiteNEWd words" {
		t.Errorf("after typing, the field has %q", got)
	}
}
