package e2e

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// Two conversations of two hosts use one server at once. They display the same app, each asks its
// own questions, and what one has displayed survives the end of the other.
func TestTwoConversations(t *testing.T) {
	load.Long(t, "TestAppInTheChat has one conversation")
	t.Parallel()
	s := newServe(t)
	s.start("0", "0")
	testkit.Write(t, s.dir, "apps/counter/viewdefs/Counter.DEFAULT.html", strings.Replace(counterHTML, "</div>", `<p id="name" hidden ui-value="name"></p></div>`, 1))
	a, b := s.chat(apphost.Options{Name: "a"}), s.chat(apphost.Options{Name: "b", Modern: true})
	_, _, first := a.display()
	_, second, other := b.display()
	first.Click("#more")
	other.WaitText("#count", "1")
	other.Click("#more")
	first.WaitText("#count", "2")

	// A question appears in the conversation that asks, and not in the view of an earlier one.
	ask := func(c *chat, title string) (*apphost.Call, *browser.Tab) {
		c.Chat.Size(900, 1200)
		call := c.Call("popup", map[string]any{"title": title, "message": "Now.", "options": []string{"Yes", "No"}})
		content := call.View().Content()
		content.Wait(dialog("h2") + `.textContent === ` + fmt.Sprintf("%q", title))
		content.Focus()
		return call, content
	}
	// Between the two conversations the focus changes, which makes a question wait again.
	answer := func(call *apphost.Call, content *browser.Tab, key string) {
		wait.Until(t, "the question is answered", func() bool {
			if browser.Eval[bool](content, settled) {
				content.Press(key)
			}
			return call.Over()
		})
	}
	answered, closed := ask(a, "Of a?")
	answer(answered, closed, "1")
	const over = `document.querySelector(".ui-chat > .ui-chat-bar p").textContent === "This question is closed."`
	closed.Wait(over)
	open, content := ask(b, "Of b?")
	if !browser.Eval[bool](closed, over) {
		t.Error("a view whose question is closed displays another")
	}
	answer(open, content, "2")
	if text := open.Result().Text(); !strings.Contains(text, `"selectedValue":"No"`) {
		t.Errorf("the result = %s", text)
	}

	// A snapshot of some megabytes passes through the relay, in pieces, to a view that is opened
	// next to others.
	const size = 3 << 20
	a.run(fmt.Sprintf(`counter.name = string.rep("é", %d)`, size/2))
	again := live(second.Remount())
	again.Wait(fmt.Sprintf(`document.querySelector("#name").textContent === "é".repeat(%d)`, size/2))
	again.WaitText("#count", "2")
	a.run(`counter.name = ""`)
	again.Wait(`document.querySelector("#name").textContent === ""`)

	a.Chat.Open("about:blank") // the person closes the conversation
	other.Click("#more")
	again.WaitText("#count", "3")
}

// Two views display two sessions, each its own, also when the host opens the conversation again.
func TestViewsOfTwoSessions(t *testing.T) {
	load.Long(t, "TestAppInTheChat has the views of one session")
	t.Parallel()
	c := openChat(t, apphost.Options{})
	display := func(args map[string]any) (*apphost.View, *browser.Tab) {
		args["name"] = "counter"
		call := c.Call("ui_display", args)
		call.Result()
		content := call.View().Content()
		content.WaitText("#count", "0")
		grown(content, 600)
		return call.View(), content
	}
	first, one := display(map[string]any{}) // session 1
	one.Click("#more")
	one.WaitText("#count", "1")
	second, two := display(map[string]any{"sessionId": "2"})
	two.Click("#more")
	two.WaitText("#count", "1")
	two.Click("#more")
	two.WaitText("#count", "2")
	first.Close()
	second.Close()
	for _, displayed := range []struct {
		view  *apphost.View
		count string
	}{{second, "2"}, {first, "1"}, {second, "2"}} {
		again := displayed.view.Remount()
		again.Content().WaitText("#count", displayed.count)
		again.Close()
	}
}

// A host that sends the input before the answer to the handshake, which it must not, loses nothing.
func TestViewWithEarlyInput(t *testing.T) {
	load.Long(t, "TestAppInTheChat has a host that waits for the handshake")
	t.Parallel()
	c := openChat(t, apphost.Options{EarlyInput: true, ReadEarly: true})
	first := c.Call("ui_display", map[string]any{"name": "counter", "sessionId": "1"})
	first.Result()
	content := first.View().Content()
	content.WaitText("#count", "0")
	grown(content, 600)
	content.Click("#more")
	content.WaitText("#count", "1")
	// What was sent before the click has been sent by now, and the server knew about the call.
	if n := sent(first.View(), `"type":"call"`); n != 0 {
		t.Errorf("the view has reported its call %d times", n)
	}
	second := c.Call("ui_display", map[string]any{"name": "counter", "sessionId": "2"})
	second.Result()
	second.View().Content().WaitText("#count", "0")
	if n := sent(second.View(), `"type":"call"`); n > 1 {
		t.Errorf("the view of another session has reported its call %d times", n)
	}
	first.View().Close()
	first.View().Remount().Content().WaitText("#count", "1")
}

// A host that opens a conversation again displays the views of old questions, too. They leave the
// present question to its own view.
func TestViewsOfOldQuestions(t *testing.T) {
	load.Long(t, "TestQuestionOfAnAppInItsChat has the view of one question")
	t.Parallel()
	c := openChat(t, apphost.Options{})
	c.Chat.Size(900, 1200) // all of a question must be visible
	ask := func(title string) (*apphost.Call, *browser.Tab) {
		call := c.Call("popup", map[string]any{"title": title, "message": "Now.", "options": []string{"Yes", "No"}})
		content := call.View().Content()
		content.Wait(dialog("h2") + fmt.Sprintf(`.textContent === %q`, title))
		return call, content
	}
	old, content := ask("Old?")
	content.Focus()
	content.Wait(settled)
	content.Press("1")
	old.Result()
	given := c.Call("popup", map[string]any{"title": "Given up?", "message": "Now.", "options": []string{"Yes", "No"}})
	given.View().Content().Wait(dialog("h2") + `.textContent === "Given up?"`)
	given.Cancel()
	given.Err()
	present, content := ask("Present?")
	for _, call := range []*apphost.Call{old, given} {
		again := live(call.View().Remount())
		again.Wait(`document.querySelector(".ui-chat-bar p").textContent === "This question is closed."`)
		if browser.Eval[bool](again, `document.querySelector("ui-popup") !== null`) {
			t.Errorf("the view of call %v displays the present question", call)
		}
	}
	content.Focus()
	content.Wait(settled)
	content.Press("2")
	if text := present.Result().Text(); !strings.Contains(text, `"selectedValue":"No"`) {
		t.Errorf("the result = %s", text)
	}
}
