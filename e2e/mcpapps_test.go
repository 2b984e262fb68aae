package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
)

// The app of the tests below: a counter.
const (
	counterLua = `Counter = session:prototype("Counter", { count = 0, name = "" })
counter = counter or session:create(Counter, { count = 0 })
function Counter:more() self.count = self.count + 1 end
`
	counterHTML = `<template><div>
  <h1>Counter</h1>
  <output id="count" ui-value="count"></output>
  <button id="more" ui-action="more()">More</button>
  <input id="name" ui-value="name">
  <sl-button id="shoelace" ui-action="more()">More</sl-button>
  <sl-icon name="alarm"></sl-icon>
</div></template>
`
)

// A chat is a conversation with an agent that has a running ui-mcp.
type chat struct {
	*apphost.Host
	t   *testing.T
	dir string
}

func openChat(t *testing.T, o apphost.Options) *chat {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	cmd := exec.Command("ui-mcp", "mcp", "--dir", dir)
	// The program's alone: the host builds its page, which would not find what is built already.
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
	c := &chat{apphost.New(t, apphost.Stdio(cmd), o), t, dir}
	testkit.Write(t, dir, "apps/counter/app.lua", counterLua)
	testkit.Write(t, dir, "apps/counter/viewdefs/Counter.DEFAULT.html", counterHTML)
	c.ok("ui_start", nil)
	return c
}

// ok calls a tool that must succeed, and returns its text.
func (c *chat) ok(tool string, args map[string]any) string {
	c.t.Helper()
	r := c.Call(tool, args).Result()
	if r.IsError {
		c.t.Fatalf("%s: %s", tool, r.Text())
	}
	return r.Text()
}

// display lets the agent display the counter, and returns its view.
func (c *chat) display() (*apphost.Call, *apphost.View, *browser.Tab) {
	c.t.Helper()
	call := c.Call("ui_display", map[string]any{"name": "counter"})
	view := call.View()
	content := view.Content()
	content.Wait(`document.querySelector("#count")`)
	return call, view, content
}

// Hosts that misbehave, and those that offer little, all end in something that helps the person.
func TestHostsThatOfferLittle(t *testing.T) {
	url := `document.querySelector(".ui-chat-bar input:not([hidden])")?.value.startsWith("http://127.0.0.1")`
	for name, tt := range map[string]struct {
		options apphost.Options
		ends    string // an expression that becomes true in the view
	}{
		"holds back the input":      {apphost.Options{HoldInput: true}, `document.querySelector("#count")`},
		"drops structured content":  {apphost.Options{StripStructured: true, StripMeta: true}, `document.querySelector("#count")`},
		"sends no notifications":    {apphost.Options{Silent: true}, `document.querySelector("#count")`},
		"forbids calls of tools":    {apphost.Options{NoServerTools: true}, url},
		"refuses each call":         {apphost.Options{Approval: apphost.Refuse}, url},
		"has not declared anything": {apphost.Options{Undeclared: true}, url},
	} {
		t.Run(name, func(t *testing.T) {
			c := openChat(t, tt.options)
			call := c.Call("ui_display", map[string]any{"name": "counter"})
			call.View().Content().Wait(tt.ends)
			if text := call.Result().Text(); !strings.Contains(text, "Displayed counter at http://127.0.0.1") {
				t.Errorf("the result = %s", text)
			}
		})
	}
}

// A host may declare views and display none.
func TestHostThatDisplaysNothing(t *testing.T) {
	c := openChat(t, apphost.Options{NoRender: true})
	if text := c.ok("ui_display", map[string]any{"name": "counter"}); !strings.Contains(text, "http://127.0.0.1") {
		t.Errorf("the result = %s", text)
	}
	if text := c.ok("ui_status", nil); !strings.Contains(text, `"views":0`) {
		t.Errorf("status = %s", text)
	}
}

// A person may have to approve each call.
func TestHostThatAsksForEachCall(t *testing.T) {
	c := openChat(t, apphost.Options{Approval: apphost.Ask})
	view := c.Call("ui_display", map[string]any{"name": "counter"}).View()
	view.Decide(true) // hello
	view.Decide(true) // the first poll
	content := view.Content()
	content.Wait(`document.querySelector("#count")`)
}

// Two views show one session, and a view that is mounted again shows it as it is now.
func TestViewsOfOneApp(t *testing.T) {
	c := openChat(t, apphost.Options{})
	_, first, one := c.display()
	_, second, two := c.display()
	click(one, "#more")
	two.WaitText("#count", "1")
	click(two, "#more")
	one.WaitText("#count", "2")

	first.Close()
	second.Vanish()
	last := first
	for range 20 {
		last = last.Remount()
		last.Content().WaitText("#count", "2")
		last.Close()
	}
	c.views(1) // that which has vanished without a word
}

// views waits until a number of views are connected.
func (c *chat) views(n int) {
	c.t.Helper()
	for {
		text := c.ok("ui_status", nil)
		if strings.Contains(text, fmt.Sprintf(`"views":%d,`, n)) {
			return
		}
		if c.t.Context().Err() != nil {
			c.t.Fatalf("status = %s", text)
		}
	}
}

// JavaScript of an app would act for the view, so it does not run, and the person learns it.
func TestScriptsOfAnAppInTheChat(t *testing.T) {
	c := openChat(t, apphost.Options{})
	testkit.Write(t, c.dir, "apps/counter/viewdefs/Counter.DEFAULT.html", `<template><div>
  <output id="count" ui-value="count"></output>
  <script>window.ran = true</script>
  <img src="data:," onerror="window.ran = true">
  <span ui-code="name"></span>
</div></template>`)
	view := c.Call("ui_display", map[string]any{"name": "counter"}).View()
	content := view.Content()
	content.WaitText("#count", "0")
	c.ok("ui_run", map[string]any{"code": `counter.name = "window.ran = true" counter.count = 1`})
	content.WaitText("#count", "1")
	content.Wait(`document.querySelector(".ui-chat-bar p").textContent.includes("JavaScript")`)
	if browser.Eval[bool](content, `window.ran === true`) {
		t.Error("a script of the app has run in the view")
	}
}

// click clicks an element of a view. For half a second after a frame of another origin has moved,
// Chromium drops what the mouse does in it, and views move when they grow.
func click(content *browser.Tab, selector string) {
	content.Wait(`document.querySelector("` + selector + `")`)
	content.Run(`document.querySelector("` + selector + `").click()`)
}

// Agent and person act on one app, in the chat and in a browser.
func TestAppInTheChat(t *testing.T) {
	for name, o := range map[string]apphost.Options{
		"with a handshake": {},
		"stateless":        {Modern: true},
	} {
		t.Run(name, func(t *testing.T) {
			c := openChat(t, o)
			call, view, content := c.display()
			if text := call.Result().Text(); !strings.Contains(text, "http://127.0.0.1") {
				t.Errorf("the result has no URL: %s", text)
			}
			click(content, "#more")
			content.WaitText("#count", "1")
			if got := c.ok("ui_run", map[string]any{"code": "counter.count = 41 return counter.count"}); got != "41" {
				t.Errorf("ui_run = %s", got)
			}
			content.WaitText("#count", "41")
			click(content, "#shoelace")
			content.WaitText("#count", "42")
			content.Wait(`document.querySelector("sl-icon").shadowRoot.querySelector("svg path")`)

			tab := browser.New(t).Tab()
			tab.Open(regexp.MustCompile(`http://127\.0\.0\.1:\d+/1/`).FindString(call.Result().Text()))
			tab.WaitText("#count", "42")
			content.Run(`document.querySelector("#name").focus()`)
			content.Press("Ada\t")
			tab.Wait(`document.querySelector("#name").value === "Ada"`)
			tab.Click("#more")
			content.WaitText("#count", "43")

			if text := c.ok("ui_status", nil); !strings.Contains(text, `"views":1`) {
				t.Errorf("status = %s", text)
			}
			if bad := view.Violations(); len(bad) != 0 {
				t.Errorf("the policy has stopped %q", bad)
			}
			for _, tool := range c.ModelTools() {
				if tool == "ui_relay" {
					t.Error("the model sees ui_relay")
				}
			}
			log := testkit.Read(t, c.dir, "log/mcp-apps.log")
			for _, want := range []string{"a host reads the view", "a view says hello", "out=[page:1]"} {
				if !strings.Contains(log, want) {
					t.Errorf("the log lacks %q:\n%s", want, log)
				}
			}
		})
	}
}

// A view says goodbye before its host removes it: hosts give up the calls of a view that has agreed
// to its end, and the server would keep it until it lapses.
func TestGoodbyeOfAView(t *testing.T) {
	c := openChat(t, apphost.Options{})
	_, view, _ := c.display()
	view.Close()
	requests := view.Requests()
	last := requests[len(requests)-1]
	if !strings.Contains(string(last.Arguments), `"bye":true`) || last.State != "answered" {
		t.Errorf("the last call was %s: %s", last.Arguments, last.State)
	}
}

// The person answers a question in the chat, even if the host holds back what the tool was given.
func TestQuestionInTheChat(t *testing.T) {
	for name, o := range map[string]apphost.Options{
		"with a handshake":      {},
		"stateless, held":       {Modern: true, HoldInput: true},
		"silent, with no _meta": {Silent: true, StripMeta: true, Context: map[string]any{"theme": "dark"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := openChat(t, o)
			c.Chat.Size(900, 1200) // all of a question must be visible
			call := c.Call("popup", map[string]any{"title": "Deploy?", "message": "Now.", "options": []string{"Yes", "No"}})
			content := call.View().Content()
			content.Wait(dialog("h2") + `.textContent === "Deploy?" && ` + settled)
			content.Run("window.focus()")
			content.Press("2")
			if text := call.Result().Text(); !strings.Contains(text, `"selectedValue":"No"`) || !strings.Contains(text, `"channel":"chat"`) {
				t.Errorf("the result = %s", text)
			}
			content.Wait(`document.querySelector(".ui-chat-bar p").textContent === "This question is closed."`)
		})
	}
}

// A dangerous question is not asked where the model might answer it.
func TestDangerousQuestionIsNotInTheChat(t *testing.T) {
	c := openChat(t, apphost.Options{})
	call := c.Call("popup", map[string]any{"title": "Delete?", "message": "All.", "options": []string{"Yes", "No"}, "severity": "danger"})
	content := call.View().Content()
	if text := call.Result().Text(); !strings.Contains(text, `"status":"no_human"`) {
		t.Errorf("the result = %s", text)
	}
	if browser.Eval[bool](content, `document.querySelector("ui-popup") !== null`) {
		t.Error("the view has displayed a question")
	}
}
