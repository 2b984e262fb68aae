package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
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
	if got := s.run("return #contacts.items"); got != "0" {
		t.Errorf("%s contacts are left", got)
	}
}

// named reports controls without a name that a person can speak.
func named(t *testing.T, state string, tab *browser.Tab) {
	t.Helper()
	if found := tab.Misnamed(); len(found) > 0 {
		t.Errorf("%s: controls:\n%s", state, strings.Join(found, "\n"))
	}
}
