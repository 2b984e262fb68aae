package e2e

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// contacts displays the contacts and waits until their view is live.
func (c *chat) contacts() (*apphost.Call, *apphost.View) {
	c.t.Helper()
	call := c.Call("ui_display", map[string]any{"name": "contacts"})
	view := call.View()
	live(view).WaitText(".contacts h1", "Contacts")
	return call, view
}

// names is the expression for the names in the list of contacts.
const names = `Array.from(document.querySelectorAll(".contact-name"), (e) => e.textContent).join()`

// Agent and person act on one app, in two views of a conversation and in a browser. The result of
// the first call says that a view displays the app: the host reads the view while the call waits.
func TestAppInTheChat(t *testing.T) {
	t.Parallel()
	c := openChat(t, apphost.Options{Modern: true})
	call, view := c.contacts()
	if text := call.Result().Text(); !strings.Contains(text, pageURL(c)) || !strings.Contains(text, "The app is displayed in the conversation.") {
		t.Errorf("the result = %s", text)
	}
	content := live(view)
	grown(content, 600)

	// The person changes the app there.
	content.Type(`input[placeholder="Ada Lovelace"]`, "Vera Chat")
	content.Type(`input[placeholder="ada@example.org"]`, "vera@example.org")
	content.Click(`.contacts-new button`)
	content.Wait(names + `.includes("Vera Chat")`)
	if got := c.run(`return contacts.items[#contacts.items].name`); got != `"Vera Chat"` {
		t.Errorf("%s, want %s", got, `"Vera Chat"`)
	}
	c.pushes(content)

	// A page in the browser is one more of the same session.
	tab := browser.New(t).Tab()
	tab.Open(pageURL(c))
	tab.Wait(names + `.includes("Zoe Zed")`)
	tab.Type(`input[placeholder="Ada Lovelace"]`, "Pia Page")
	tab.Type(`input[placeholder="ada@example.org"]`, "pia@example.org")
	tab.Click(`.contacts-new button`)
	content.Wait(names + `.includes("Pia Page")`)

	const scheme = `getComputedStyle(document.documentElement).colorScheme`
	c.Dark(true)
	// The theme is the host's word, not what the browser makes of the page around.
	c.Chat.Run(`document.documentElement.style.colorScheme = "light"`)
	content.Wait(`!matchMedia("(prefers-color-scheme: dark)").matches && ` + scheme + ` === "dark"`)
	c.Dark(false)
	content.Wait(scheme + ` === "light"`)

	if got := c.remount(view).Violations(); len(got) > 0 {
		t.Errorf("the policy has stopped the view: %q", got)
	}
	if slices.Contains(c.ModelTools(), "ui_relay") {
		t.Error("the model sees ui_relay")
	}
	log := testkit.Read(t, c.dir, "log/mcp-apps.log")
	for _, want := range []string{"a host reads the view", "a view says hello", "out=1 in="} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
}

// pushes checks that a change of the agent appears at once: a view that waited for the end of a
// poll would display it after 25 seconds. BenchmarkChat measures the time.
func (c *chat) pushes(content *browser.Tab) {
	c.t.Helper()
	const displayed = names + `.includes("Zoe Zed")`
	content.Run(`window.appeared = 0; new MutationObserver(() => { if (!window.appeared && ` + displayed + `) window.appeared = Date.now(); }).observe(document.body, { subtree: true, childList: true, characterData: true })`)
	change := c.Call("ui_run", map[string]any{"code": `contacts.items[1].name = "Zoe Zed"`})
	content.Wait("window.appeared")
	if took := browser.Eval[float64](content, "window.appeared") - change.Begun(); took > 15_000 {
		c.t.Errorf("the change appears after %.0f ms", took)
	}
}

// remount displays the view once more, which continues with the present state, ends the first one,
// and returns the other.
func (c *chat) remount(first *apphost.View) *apphost.View {
	c.t.Helper()
	again := first.Remount()
	live(again).Wait(names + `.includes("Pia Page")`)
	c.views(2)
	c.run(`contacts.items[1].name = "Both See"`)
	live(first).Wait(names + `.includes("Both See")`)
	live(again).Wait(names + `.includes("Both See")`)

	// It says goodbye before the host removes it: hosts give up the calls of a view that has agreed
	// to its end, and the server would keep it until it lapses.
	first.Close()
	requests := first.Requests()
	if last := requests[len(requests)-1]; !strings.Contains(string(last.Arguments), `"bye":true`) || last.State != "answered" {
		c.t.Errorf("the last call was %s: %s", last.Arguments, last.State)
	}
	c.views(1)
	c.run(`contacts.items[1].name = "Still Here"`)
	live(again).Wait(names + `.includes("Still Here")`)
	return again
}

// The view is as large as its content, up to what the host allows, and as large as the window when
// the person wants it so.
func TestAppSizesInChat(t *testing.T) {
	load.Long(t, "TestAppInTheChat has views as large as their content")
	t.Parallel()
	c := openChat(t, apphost.Options{Width: 300, MaxHeight: 500})
	_, view := c.contacts()
	view.Wait(`view.size?.height > 200 && view.frame.clientHeight === Math.min(500, view.size.height)`)
	content := live(view)
	if got := browser.Eval[int](content, `document.documentElement.scrollWidth - innerWidth`); got > 0 {
		t.Errorf("in 300 pixels, %d are cut off", got)
	}
	grown(content, 500)
	content.ClickOn(buttonOf("Full screen"))
	content.Wait(`innerWidth === 1000 && innerHeight === 800`)
	content.ClickOn(buttonOf("Back to the chat"))
	content.Wait(`innerWidth === 300`)
	c.run(`for i = 1, 50 do contacts.items[#contacts.items + 1] = session:create(AddressBookEntry, { name = "P" .. i, email = "" }) end`)
	view.Wait(`view.size.height > 1000 && view.frame.clientHeight === 500`)

	// A question is as high as its content.
	question := c.Call("popup", map[string]any{
		"title": "Deploy to production?", "message": "All **214** tests pass. The last release was on Tuesday.", "options": []string{"Deploy", "Deploy tonight", "Not now"},
	}).View().Content()
	question.Wait(dialog("h2") + `.textContent === "Deploy to production?" && innerHeight < 500 && innerHeight === Math.ceil(` + dialog("dialog") + `.offsetHeight)`)
	question.Wait(`((body) => body.scrollHeight <= body.clientHeight)(` + dialog(".body") + `)`)
}

const (
	guestsLua = `Guests = session:prototype("Guests", { name = "", list = "" })
function Guests:add() self.list = self.list .. self.name .. ";" self.name = "" end
function Guests:fail() error("no seat is left") end
if not session.reloading then guests = Guests:new() end
`
	guestsHTML = `<template><form>
  <label>Name <input id="name" ui-value="name"></label>
  <button id="add" ui-action="add()">Add</button>
  <button type="button" id="fail" ui-action="fail()">Seat</button>
  <output id="list" ui-value="list"></output>
</form></template>
`
)

// An agent acts in the view that its host displays: the events happen there, and the answer has
// what changed. Without a view, the session alone follows the act.
func TestActInTheChat(t *testing.T) {
	t.Parallel()
	c := openChat(t, apphost.Options{})
	testkit.Write(t, c.dir, "apps/guests/app.lua", guestsLua)
	testkit.Write(t, c.dir, "apps/guests/viewdefs/Guests.DEFAULT.html", guestsHTML)
	ref := func(control string) string {
		t.Helper()
		text := c.ok("ui_inspect", nil)
		m := regexp.MustCompile(control + `.*?(@\w+)`).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("no reference of %s in\n%s", control, text)
		}
		return m[1]
	}
	act := func(args map[string]any, want ...string) {
		t.Helper()
		text := c.ok("ui_act", args)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("ui_act %v lacks %q:\n%s", args, w, text)
			}
		}
		if strings.Contains(text, "no page is open") {
			t.Errorf("ui_act %v does not act in the view:\n%s", args, text)
		}
	}
	view := c.Call("ui_display", map[string]any{"name": "guests"}).View()
	content := live(view)
	content.Wait(`document.querySelector("#add")`)
	content.Run(`window.happened = []; for (const type of ["input", "change", "click"]) {
		document.addEventListener(type, (e) => window.happened.push(type + " " + (e.target.id || e.target.localName)), true);
	}`)
	act(map[string]any{"ref": ref("input"), "fill": "Ada"}, `Filled input`, `"Ada"`)
	content.Wait(`document.querySelector("#name").value === "Ada"`)
	act(map[string]any{"ref": ref("button Add"), "click": true}, `Clicked button "Add"`, "Ada;")
	content.WaitText("#list", "Ada;")
	happened := strings.Join(browser.Eval[[]string](content, `window.happened`), ", ")
	for _, event := range []string{"input name", "change name", "click add"} {
		if !strings.Contains(happened, event) {
			t.Errorf("%s has not happened in the view: %s", event, happened)
		}
	}
	failed := c.Call("ui_act", map[string]any{"ref": ref("button Seat"), "click": true}).Result()
	if !strings.Contains(fmt.Sprint(failed), "no seat is left") {
		t.Errorf("an action that fails: %v", failed)
	}
	// An old reference is told in a result, which a model reads, in both generations.
	old := c.Call("ui_act", map[string]any{"ref": "@aaaa1", "click": true}).Result()
	if !old.IsError || !strings.Contains(old.Text(), "ui_inspect") {
		t.Errorf("an old reference: %v", old)
	}
	view.Close()
	c.views(0)
	if text := c.ok("ui_act", map[string]any{"ref": ref("button Add"), "click": true}); !strings.Contains(text, "no page is open") {
		t.Errorf("without a view:\n%s", text)
	}
}
