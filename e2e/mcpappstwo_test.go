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

// Two conversations, over standard streams and over HTTP, use one server at once. They display the
// same app, each asks its own questions, and what one has displayed survives the end of the other.
func TestTwoConversations(t *testing.T) {
	load.Long(t, "TestAppInTheChat has one conversation")
	t.Parallel()
	a := openChat(t, apphost.Options{Name: "a"})
	b := &chat{Host: apphost.New(t, apphost.HTTP(testkit.AgentURL(t, a.dir)+"/mcp"), apphost.Options{Name: "b", Modern: true}), t: t, dir: a.dir}
	testkit.Write(t, a.dir, "apps/counter/viewdefs/Counter.DEFAULT.html", strings.Replace(counterHTML, "</div>", `<p id="name" hidden ui-value="name"></p></div>`, 1))
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
