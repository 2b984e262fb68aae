package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// The app of most tests of views: a counter.
const (
	counterLua = `Counter = session:prototype("Counter", { count = 0, name = "" })
counter = counter or session:create(Counter, { count = 0 })
function Counter:more() self.count = self.count + 1 end
`
	counterHTML = `<template><div>
  <h1>Counter</h1>
  <output id="count" ui-value="count"></output>
  <button id="more" ui-action="more()">More</button>
</div></template>
`
)

// A chat is a conversation with an agent that has a running ui-mcp.
type chat struct {
	*apphost.Host
	t    *testing.T
	dir  string // the base directory
	stop func() // ends the server, which must succeed
}

// openChat begins a conversation with "ui-mcp mcp", over standard streams.
func openChat(t *testing.T, o apphost.Options) *chat {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	cmd := exec.Command("ui-mcp", "mcp", "--dir", dir)
	// The program's alone: the host builds its page, which would not find what is built already.
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir(), "XDG_RUNTIME_DIR="+t.TempDir())
	c := &chat{Host: apphost.New(t, apphost.Stdio(cmd), o), t: t, dir: dir}
	c.stop = func() { _ = cmd.Process.Signal(os.Interrupt) }
	testkit.Write(t, dir, "apps/counter/app.lua", counterLua)
	testkit.Write(t, dir, "apps/counter/viewdefs/Counter.DEFAULT.html", counterHTML)
	c.ok("ui_start", nil)
	return c
}

// openHTTPChat begins a conversation with "ui-mcp serve", over Streamable HTTP.
func openHTTPChat(t *testing.T, o apphost.Options) *chat {
	t.Helper()
	s := newServe(t)
	s.start("0", "0")
	return s.chat(o)
}

// A serve is a "ui-mcp serve" that can be restarted.
type serve struct {
	t    *testing.T
	home string
	dir  string // the base directory
	stop func() // ends the process, which must succeed
}

func newServe(t *testing.T) *serve {
	home := t.TempDir()
	s := &serve{t: t, home: home, dir: filepath.Join(home, "project", ".claude", "ui")}
	testkit.Write(t, s.dir, "apps/counter/app.lua", counterLua)
	testkit.Write(t, s.dir, "apps/counter/viewdefs/Counter.DEFAULT.html", counterHTML)
	return s
}

// start starts the process, and waits until it serves on two ports; 0 means any.
func (s *serve) start(port, mcpPort string, flags ...string) {
	s.t.Helper()
	cmd := exec.Command("ui-mcp", append([]string{"serve", "--dir", s.dir, "--port", port, "--mcp-port", mcpPort}, flags...)...)
	cmd.Env = append(os.Environ(), "HOME="+s.home, "XDG_RUNTIME_DIR="+s.home, "XDG_CACHE_HOME="+filepath.Join(s.home, "cache"),
		"SHELL=/bin/sh", "PS1=$ ", "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=")
	_, s.stop = serveUntilEnd(s.t, cmd)
}

// restart ends the process, calls meanwhile, and starts another on the same ports.
func (s *serve) restart(meanwhile func()) {
	s.t.Helper()
	port, mcpPort := testkit.Read(s.t, s.dir, "ui-port"), testkit.Read(s.t, s.dir, "mcp-port")
	s.stop()
	meanwhile()
	s.start(strings.TrimSpace(port), strings.TrimSpace(mcpPort))
}

// chat begins a conversation with the server.
func (s *serve) chat(o apphost.Options) *chat {
	s.t.Helper()
	return &chat{Host: apphost.New(s.t, apphost.HTTP(testkit.AgentURL(s.t, s.dir)+"/mcp"), o), t: s.t, dir: s.dir, stop: s.stop}
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

// run runs Lua code and returns the JSON of its result.
func (c *chat) run(code string) string {
	c.t.Helper()
	return c.ok("ui_run", map[string]any{"code": code})
}

// display lets the agent display the counter, and returns its view.
func (c *chat) display() (*apphost.Call, *apphost.View, *browser.Tab) {
	c.t.Helper()
	call := c.Call("ui_display", map[string]any{"name": "counter"})
	view := call.View()
	content := view.Content()
	content.Wait(`document.querySelector("#count")`)
	grown(content, 600)
	return call, view, content
}

// grown waits until a view's frame is as large as its content, or as the host allows: until then
// its content scrolls, and a click may miss what it is for.
func grown(content *browser.Tab, most int) {
	content.Wait(fmt.Sprintf(`innerHeight >= Math.min(%d, document.querySelector(".ui-chat").getBoundingClientRect().height)`, most))
}

// views waits until a number of views are connected.
func (c *chat) views(n int) {
	c.t.Helper()
	var status string
	defer func() {
		if c.t.Failed() {
			c.t.Logf("the status is %s", status)
		}
	}()
	wait.Until(c.t, fmt.Sprintf("%d views are connected", n), func() bool {
		status = c.ok("ui_status", nil)
		return strings.Contains(status, fmt.Sprintf(`"views":%d,`, n))
	})
}

// pageURL returns the URL of the page in the browser.
func pageURL(c *chat) string {
	c.t.Helper()
	var status struct{ URL string }
	if err := json.Unmarshal([]byte(c.ok("ui_status", nil)), &status); err != nil {
		c.t.Fatal(err)
	}
	return status.URL
}

// live returns the document of a view that is connected to the server.
func live(view *apphost.View) *browser.Tab {
	tab := view.Content()
	tab.Wait(`document.documentElement.dataset.uiView === "live"`)
	return tab
}

// A view that cannot reach the server says so, and displays the page's address.
const givenUp = `document.documentElement.dataset.uiView === "failed" && document.querySelector(".ui-chat-bar p").textContent !== "" &&
	Boolean(document.querySelector(".ui-chat-bar input:not([hidden])")?.value.startsWith("http://127.0.0.1"))`

// buttonOf is the expression for a button with a text.
func buttonOf(text string) string {
	return fmt.Sprintf(`Array.from(document.querySelectorAll("button")).find((b) => b.textContent === %q)`, text)
}

// Hosts that misbehave, and those that offer little, all end in something that helps the person.
func TestHostsThatOfferLittle(t *testing.T) {
	load.Long(t, "TestAppInTheChat has a host that offers all")
	t.Parallel()
	const displayed = `document.querySelector("#count")`
	s := newServe(t)
	s.start("0", "0")
	for name, tt := range map[string]struct {
		options apphost.Options
		ends    string // an expression that becomes true in the view
	}{
		"holds back the input":      {apphost.Options{HoldInput: true}, displayed},
		"sends it too early":        {apphost.Options{EarlyInput: true, ReadEarly: true}, displayed},
		"drops structured content":  {apphost.Options{Modern: true, StripStructured: true, StripMeta: true}, displayed},
		"sends no notifications":    {apphost.Options{Silent: true}, displayed},
		"refuses each call":         {apphost.Options{Approval: apphost.Refuse}, givenUp},
		"has not declared anything": {apphost.Options{Modern: true, Undeclared: true}, givenUp},
		// The person reads that in plain words, at once.
		"forbids calls of tools": {apphost.Options{NoServerTools: true}, givenUp + ` && ` + note + `.startsWith("This chat does not let views talk to their server")`},
	} {
		t.Run(name, func(t *testing.T) {
			c := s.chat(tt.options)
			call := c.Call("ui_display", map[string]any{"name": "counter"})
			view := call.View()
			view.Content().Wait(tt.ends)
			if text := call.Result().Text(); !strings.Contains(text, "Displayed counter at http://127.0.0.1") {
				t.Errorf("the result = %s", text)
			}
			if calls := view.Requests(); tt.options.NoServerTools && len(calls) != 1 {
				t.Errorf("the view has tried %d times", len(calls))
			}
		})
	}
}

// A host may declare views and display none. Then the text of the result has the address, and a
// question moves on.
func TestHostThatDisplaysNothing(t *testing.T) {
	load.Long(t, "TestAppInTheChat has a host that displays views")
	t.Parallel()
	c := openChat(t, apphost.Options{NoRender: true})
	question := c.Call("popup", map[string]any{"title": "Deploy?", "message": "Now.", "options": []string{"Yes", "No"}})
	if text := c.ok("ui_display", map[string]any{"name": "counter"}); !strings.Contains(text, "http://127.0.0.1") || !strings.Contains(text, "No view of it has appeared") {
		t.Errorf("the result = %s", text)
	}
	if text := c.ok("ui_status", nil); !strings.Contains(text, `"views":0`) {
		t.Errorf("status = %s", text)
	}
	if text := question.Result().Text(); !strings.Contains(text, `"status":"no_human"`) {
		t.Errorf("the question ended with %s", text)
	}
}

// A person may have to approve each call, and take their time. What they do in the view meanwhile
// happens later.
func TestHostThatAsksForEachCall(t *testing.T) {
	load.Long(t, "TestAppInTheChat has a host that asks nothing")
	t.Parallel()
	c := openChat(t, apphost.Options{Approval: apphost.Ask})
	view := c.Call("ui_display", map[string]any{"name": "counter"}).View()
	view.Decide(true) // hello
	view.Decide(true) // the first poll
	content := view.Content()
	content.Wait(`document.querySelector("#count")`)
	grown(content, 600)
	content.Click("#more")
	view.Wait(`view.waiting.length === 2`) // the next poll, and what the click sends
	if got := c.run(`return counter.count`); got != "0" {
		t.Errorf("%s, want %s", got, "0")
	}
	view.Decide(true)
	view.Decide(true)
	content.WaitText("#count", "1")

	// Then they have enough of it.
	refused := c.Call("ui_display", map[string]any{"name": "counter"}).View()
	for range 5 { // attempts
		refused.Decide(false)
	}
	refused.Content().Wait(givenUp)
}

// A view is left when its server ends. It says so, and the person can let it connect to the next
// one.
func TestServerRestartsUnderAView(t *testing.T) {
	load.Long(t, "TestServerRestarts has a page that outlives the server")
	t.Parallel()
	s := newServe(t)
	s.start("0", "0")
	c := s.chat(apphost.Options{Modern: true})
	_, _, content := c.display()
	content.Click("#more")
	content.WaitText("#count", "1")
	s.restart(func() { content.Wait(givenUp) })
	c.ok("ui_display", map[string]any{"name": "counter"})
	grown(content, 600)
	content.ClickOn(buttonOf("Try again"))
	content.WaitText("#count", "0") // the new server's
	content.Wait(`document.documentElement.dataset.uiView === "live" && document.querySelector(".ui-chat-bar p").textContent === ""`)
	grown(content, 600)
	content.Click("#more")
	content.WaitText("#count", "1")
}

// JavaScript of an app would act for the view, so it does not run, and the person learns it. What
// it is mostly used for has bindings of its own.
func TestScriptsOfAnAppInTheChat(t *testing.T) {
	load.Long(t, "TestAppInTheChat displays an app without scripts")
	t.Parallel()
	c := openChat(t, apphost.Options{})
	testkit.Write(t, c.dir, "apps/counter/viewdefs/Counter.DEFAULT.html", `<template><div>
  <output id="count" ui-value="count"></output>
  <script>window.ran = true</script>
  <img src="data:," onerror="window.ran = true">
  <span ui-code="name"></span>
  <p id="sized" ui-measure-width="resized(_)"><input id="field" ui-focus="count"></p>
  <div id="box" style="height: 60px; overflow: auto"><p style="height: 500px">All that was</p><b ui-scroll="news">new</b></div>
</div></template>`)
	testkit.Write(t, c.dir, "apps/counter/app.lua", counterLua+`function Counter:resized(width) self.width = width end`)
	_, _, content := c.display()
	content.WaitText("#count", "0")
	c.ok("ui_run", map[string]any{"code": `counter.name = "window.ran = true" counter.count = 1`})
	content.WaitText("#count", "1")
	content.Wait(`document.querySelector(".ui-chat-bar p").textContent.includes("JavaScript")`)
	if browser.Eval[bool](content, `window.ran === true`) {
		t.Error("a script of the app has run in the view")
	}

	if at := browser.Eval[float64](content, `document.querySelector("#box").scrollTop`); at != 0 {
		t.Errorf("the box is scrolled to %v", at)
	}
	c.run(`counter.news = 1`)
	content.Wait(`document.querySelector("#box").scrollTop >= 440`)

	width := browser.Eval[int](content, `document.querySelector("#sized").clientWidth`)
	wait.Until(t, "the app knows the size", func() bool { return c.run(`return counter.width`) == fmt.Sprint(width) })
	const focused = `document.activeElement.id === "field"`
	if browser.Eval[bool](content, focused) {
		t.Error("the view has taken the focus from the chat")
	}
	content.Click("#count")
	c.run(`counter.count = 2`)
	content.Wait(focused)
}

// Components and their icons work in a view, and the policy has nothing to stop.
func TestComponentsInTheChat(t *testing.T) {
	load.Long(t, "TestAppInTheChat displays an app in a chat")
	t.Parallel()
	c := openChat(t, apphost.Options{})
	testkit.Write(t, c.dir, "apps/counter/viewdefs/Counter.DEFAULT.html", `<template><div>
  <output id="count" ui-value="count"></output>
  <input id="name" ui-value="name">
  <sl-button id="more" ui-action="more()">More</sl-button>
  <sl-icon name="alarm"></sl-icon>
</div></template>`)
	_, view, content := c.display()
	content.Wait(`document.querySelector("sl-icon").shadowRoot?.querySelector("svg path")`)
	grown(content, 600)
	content.Click("#more")
	content.WaitText("#count", "1")
	content.Type("#name", "Ada\t")
	wait.Until(t, "the server has the name", func() bool { return c.run(`return counter.name`) == `"Ada"` })
	if bad := view.Violations(); len(bad) != 0 {
		t.Errorf("the policy has stopped %q", bad)
	}

	// In a conversation the agent has just spoken: a view does not say that the agent does not
	// listen.
	content.Wait(`document.querySelector(".mcp-agent")`)
	if browser.Eval[bool](content, `document.querySelector(".mcp-agent").checkVisibility()`) {
		t.Error("the view speaks of the agent")
	}
	c.noWordBreaks(content)
}

// The person answers a question in the chat, even if the host holds back what the tool was given.
func TestQuestionInTheChat(t *testing.T) {
	load.Long(t, "TestQuestionOfAnAppInItsChat answers a question in the chat")
	t.Parallel()
	for name, tt := range map[string]struct {
		open    func(*testing.T, apphost.Options) *chat
		options apphost.Options
	}{
		"with a handshake":                 {openHTTPChat, apphost.Options{}},
		"stateless, silent, with no _meta": {openChat, apphost.Options{Modern: true, Silent: true, StripMeta: true, Context: map[string]any{"theme": "dark"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := tt.open(t, tt.options)
			c.Chat.Size(900, 1200) // all of a question must be visible
			call := c.Call("popup", map[string]any{"title": "Deploy?", "message": "Now.", "options": []string{"Yes", "No"}})
			content := call.View().Content()
			content.Focus()
			content.Wait(dialog("h2") + `.textContent === "Deploy?" && ` + settled)
			content.Press("2")
			if text := call.Result().Text(); !strings.Contains(text, `"selectedValue":"No"`) || !strings.Contains(text, `"channel":"chat"`) {
				t.Errorf("the result = %s", text)
			}
			content.Wait(`document.querySelector(".ui-chat > .ui-chat-bar p").textContent === "This question is closed."`)
			if name == "with a handshake" {
				c.useBar()
			}
		})
	}
}

// useBar checks that the buttons of a view work while it asks a question, whose dialog is modal.
func (c *chat) useBar() {
	c.t.Helper()
	view := c.Call("popup", map[string]any{"title": "Again?", "message": "Now.", "options": []string{"Yes", "No"}}).View()
	content := view.Content()
	content.Wait(dialog("h2") + `.textContent === "Again?" && ` + settled)
	c.click(content, buttonOf("Open in browser"))
	view.Wait(`view.links.length === 1`)
	// From the last control of the dialog, Tab leads to the first button of the bar, and back.
	content.Run(dialog(".decline") + `.focus()`)
	content.Press("\t")
	content.Wait(`document.activeElement.textContent === "Full screen"`)
	content.Press("\t\t")
	content.Wait(dialog("dialog") + `.contains(document.activeElement.shadowRoot?.activeElement)`)
	c.click(content, buttonOf("Full screen"))
	content.Wait(`document.documentElement.dataset.display === "fullscreen"`)
}

// A dangerous question is not asked where the model might answer it.
func TestDangerousQuestionIsNotInTheChat(t *testing.T) {
	load.Long(t, "TestQuestionOfAnAppInItsChat asks what is not dangerous")
	t.Parallel()
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
