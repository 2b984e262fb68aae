package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// note is the expression for what the bar of a view says.
const note = `document.querySelector(".ui-chat-bar p").textContent`

// sent returns how many of a view's calls have a text in their arguments.
func sent(view *apphost.View, text string) (n int) {
	for _, r := range view.Requests() {
		if strings.Contains(string(r.Arguments), text) {
			n++
		}
	}
	return n
}

// caughtUp waits until a view has handled all that its host has sent it.
func (c *chat) caughtUp(view *apphost.View) {
	c.t.Helper()
	for _, dark := range []bool{true, false} {
		c.Dark(dark)
		view.Content().Wait(fmt.Sprintf(`document.documentElement.classList.contains("sl-theme-dark") === %v`, dark))
	}
}

// click clicks on an element of a view with a question until the click reaches the element: a frame
// that grows may miss one.
func (c *chat) click(content *browser.Tab, element string) {
	c.t.Helper()
	content.Run(`window.clicked = false; addEventListener("click", (e) => { window.clicked ||= e.composedPath().includes(` + element + `); }, { capture: true })`)
	wait.Until(c.t, "the click counts", func() bool {
		content.Wait(settled)
		content.ClickOn(element)
		return browser.Eval[bool](content, `window.clicked`)
	})
}

// A view tells its server about its call only what the server does not know: where the person has
// to approve each call of a view, one for nothing would be a nuisance.
func TestViewReportsWhatIsNew(t *testing.T) {
	load.Long(t, "TestAppInTheChat does not count what its view reports")
	t.Parallel()
	const report = `"type":"call"`
	for name, o := range map[string]apphost.Options{
		"the input comes first":  {},
		"stateless, and at last": {Modern: true, HoldInput: true, StripMeta: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := openChat(t, o)
			count := func(what string, view *apphost.View, want int) {
				t.Helper()
				if got := sent(view, report); got != want {
					t.Errorf("%s: the view has reported %d times, want %d", what, got, want)
				}
			}
			call, view, content := c.display()
			call.Result()
			c.caughtUp(view)
			content.Click("#more") // what was sent before has been sent by now
			content.WaitText("#count", "1")
			count("the default session", view, 0)

			call = c.Call("ui_display", map[string]any{"name": "counter", "sessionId": "2"})
			call.Result()
			view = call.View()
			content = view.Content()
			content.WaitText("#count", "0")
			c.caughtUp(view)
			grown(content, 600)
			content.Click("#more")
			content.WaitText("#count", "1")
			if got := sent(view, report); got > 1 {
				t.Errorf("another session: the view has reported %d times", got)
			}

			c.Chat.Size(900, 1200) // all of a question must be visible
			call = c.Call("popup", map[string]any{"title": "Which?", "message": "Now.", "options": []string{"A", "B"}})
			view = call.View()
			content = view.Content()
			content.Focus()
			content.Wait(dialog("h2") + `.textContent === "Which?" && ` + settled)
			content.Press("1")
			call.Result()
			content.Wait(note + ` === "This question is closed."`)
			c.caughtUp(view)
			count("a question", view, 0)
		})
	}
}

// A call may end while its question is still open, because nobody has answered for as long as the
// call could wait. The view of the call goes on with that question, though it displays no other.
func TestQuestionOutlivesItsCall(t *testing.T) {
	load.Long(t, "TestQuestionOfAnAppInItsChat answers while the question waits")
	t.Parallel()
	c := openChat(t, apphost.Options{})
	c.Chat.Size(900, 1200) // all of a question must be visible
	call := c.Call("popup", map[string]any{"title": "Which?", "message": "Now.", "options": []string{"A", "B"}})
	view := call.View()
	content := view.Content()
	content.Wait(dialog("h2") + `.textContent === "Which?"`)
	shown := func() (id string) {
		for _, r := range view.Requests() {
			var args struct {
				Out []struct{ M struct{ Type, ID string } }
			}
			if json.Unmarshal(r.Arguments, &args) != nil {
				continue
			}
			for _, f := range args.Out {
				if f.M.Type == "shown" {
					id = f.M.ID
				}
			}
		}
		return id
	}
	wait.Until(t, "the view has shown the question", func() bool { return shown() != "" })
	// The wait takes 50 seconds; the host says right away what the result would be.
	result := fmt.Sprintf(`{"status":"waiting","popupId":%q}`, shown())
	c.Chat.Run(fmt.Sprintf(`((view) => {
		view.call.result = { content: [{ type: "text", text: %q }], structuredContent: %s };
		view.deliver();
		view.call.result = null;
	})(host.views.at(-1))`, result, result))
	c.caughtUp(view)
	if got := browser.Eval[string](content, note); got != "" {
		t.Errorf("the view says %q", got)
	}
	content.Focus()
	content.Wait(dialog("dialog") + `.open && ` + settled)
	content.Press("2")
	if text := call.Result().Text(); !strings.Contains(text, `"selectedValue":"B"`) {
		t.Errorf("the result = %s", text)
	}
}

// What a view has said is gone when it is true no more.
func TestNotesOfAViewEnd(t *testing.T) {
	load.Long(t, "TestAppInTheChat has nothing to say")
	t.Parallel()
	c := openChat(t, apphost.Options{})
	t.Run("a link that was opened after all", func(t *testing.T) {
		_, view, content := c.display()
		c.Chat.Run(`host.views.at(-1).links.push = () => { throw new Error("no") }`)
		content.ClickOn(buttonOf("Open in browser"))
		content.Wait(note + ` !== "" && !document.querySelector(".ui-chat-bar input").hidden`)
		c.Chat.Run(`delete host.views.at(-1).links.push`)
		grown(content, 600)
		content.ClickOn(buttonOf("Open in browser"))
		view.Wait(`view.links.length === 1`)
		content.Wait(note + ` === "" && document.querySelector(".ui-chat-bar input").hidden`)
		view.Close()
	})
	t.Run("a call that has failed", func(t *testing.T) {
		testkit.Write(t, c.dir, "apps/slow/app.lua", fmt.Sprintf(`repeat local go = io.open(%q) until go error("no luck")`, filepath.Join(c.dir, "go")))
		view := c.Call("ui_display", map[string]any{"name": "slow"}).View()
		content := live(view)
		c.Chat.Run(`host.views.at(-1).links.push = () => { throw new Error("no") }`)
		content.Run(`window.open("https://example.org/plan")`)
		content.Wait(note + ` !== "" && !document.querySelector(".ui-chat-bar input").hidden`)
		testkit.Write(t, c.dir, "go", "")
		content.Wait(`document.querySelector(".ui-chat-failure")?.textContent.includes("no luck")`)
		content.Wait(note + ` === "" && document.querySelector(".ui-chat-bar input").hidden`)
		view.Close()
	})
	t.Run("an app that starts", func(t *testing.T) {
		_, view, _ := c.display()
		c.ok("ui_configure", map[string]any{"base_dir": c.dir})
		view.Close()
		view = view.Remount()
		content := view.Content()
		content.Wait(note + ` === "No app is running. The agent can start one."`)
		c.ok("ui_start", nil)
		content.WaitText("#count", "0")
		content.Wait(note + ` === ""`)
		view.Close()
	})
}
