package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// An app knows the chat that displays it, and acts on it.
func TestAppKnowsItsChat(t *testing.T) {
	load.Long(t, "TestAppInTheChat displays an app in a chat")
	t.Parallel()
	c := openChat(t, apphost.Options{Width: 500, Context: map[string]any{"locale": "de-CH", "theme": "light"}})
	testkit.Write(t, c.dir, "apps/counter/viewdefs/Counter.DEFAULT.html", `<template><div>
  <output id="count" ui-value="count"></output>
  <output id="chat" ui-value="described()"></output>
  <button id="send" ui-action="send()">Send</button>
</div></template>`)
	testkit.Write(t, c.dir, "apps/counter/app.lua", counterLua+`
function Counter:described()
  local chat = mcp.chat
  return table.concat({ chat.views, chat.theme or "?", chat.locale or "?", chat.displayMode or "?", chat.width or "?" }, " ")
end
function Counter:send()
  mcp:context({ count = self.count })
  mcp:message("Please deploy.", function(ok) self.count = ok and 7 or -1 end)
end
`)
	_, view, content := c.display()
	content.WaitText("#chat", "1 light de-CH inline 500")
	c.Dark(true)
	content.WaitText("#chat", "1 dark de-CH inline 500")
	content.Click("#send")
	content.WaitText("#count", "7")
	view.Wait(`JSON.stringify(view.messages[0]).includes("Please deploy.")`)
	view.Wait(`JSON.stringify(view.contexts[0]).includes('"structuredContent":{"count":0}')`)
	if got := c.ok("ui_run", map[string]any{"code": "return mcp:fullscreen()"}); got != "true" {
		t.Errorf("fullscreen = %s", got)
	}
	content.Wait(`document.querySelector("#chat").textContent.includes("fullscreen")`)
	if got := c.ok("ui_run", map[string]any{"code": "return mcp:fullscreen(false)"}); got != "true" {
		t.Errorf("inline = %s", got)
	}
	content.Wait(`document.querySelector("#chat").textContent.includes("inline")`)
	view.Close()
	if got := c.ok("ui_run", map[string]any{"code": `return { mcp:message("x") }`}); !strings.Contains(got, "takes messages") {
		t.Errorf("without a view: %s", got)
	}
}

// A question of an app appears in the chat that displays the app, and is answered there.
func TestQuestionOfAnAppInItsChat(t *testing.T) {
	t.Parallel()
	c := openChat(t, apphost.Options{})
	c.Chat.Size(900, 1200) // all of a question must be visible
	_, _, content := c.display()
	c.ok("ui_run", map[string]any{"code": `mcp:ask({ title = "Which?", message = "Choose.", options = { { label = "One", value = "1" }, { label = "Two", value = "2" } } },
		function(answer, err) counter.count = answer and tonumber(answer.selectedValue) or -1 end)`})
	content.Focus()
	content.Wait(dialog("h2") + `.textContent === "Which?" && ` + settled)
	content.Press("2")
	content.WaitText("#count", "2")
	content.Wait(`document.querySelector(".ui-chat > .ui-chat-bar")`)
	if note := browser.Eval[string](content, `document.querySelector(".ui-chat-bar p").textContent`); note != "" {
		t.Errorf("above the app: %q", note)
	}
}

// A question that is longer than its frame scrolls, and nothing else does. A key does not choose an
// answer that is scrolled out of sight: it brings it into sight.
func TestLongQuestionInANarrowChat(t *testing.T) {
	load.Long(t, "TestQuestionOfAnAppInItsChat asks a short question")
	t.Parallel()
	c := openChat(t, apphost.Options{Width: 300, MaxHeight: 320})
	call := c.Call("popup", map[string]any{
		"title": "Deploy?", "message": strings.Repeat("Read this, please.\n\n", 30), "options": []string{"Yes", "No", "Later"},
	})
	content := call.View().Content()
	content.Wait(dialog("h2") + `.textContent === "Deploy?"`)
	content.Wait(`innerWidth === 300 && innerHeight === 320`)
	if browser.Eval[bool](content, `getComputedStyle(document.documentElement).overflowY !== "hidden" || document.documentElement.scrollWidth > 300`) {
		t.Error("the document scrolls below the question")
	}
	content.Focus()
	content.Wait(settled)
	const inSight = `((option, body) => option.top >= body.top && option.bottom <= body.bottom)(`
	third := inSight + dialog(".option:nth-child(3)") + `.getBoundingClientRect(), ` + dialog(".body") + `.getBoundingClientRect())`
	if browser.Eval[bool](content, third) {
		t.Fatal("the question does not scroll")
	}
	content.Press("3")
	content.Wait(third)
	content.Press("2") // which is in sight by now, and would come too late if 3 had answered
	if text := call.Result().Text(); !strings.Contains(text, `"selectedValue":"No"`) || !strings.Contains(text, `"channel":"chat"`) {
		t.Errorf("the result = %s", text)
	}
}

// noWordBreaks checks that a table that is too wide for a narrow view scrolls, as in pages, and
// breaks no words.
func (c *chat) noWordBreaks(content *browser.Tab) {
	c.t.Helper()
	c.Chat.Size(390, 844)
	content.Run(`const row = "<tr>" + "<th>constitutional</th>".repeat(4) + "</tr><tr>" + "<td>1</td>".repeat(4) + "</tr>";
		document.querySelector("[ui-app]").insertAdjacentHTML("beforeend", '<div class="card"><table id="wide">' + row + "</table></div>")`)
	const lines = `Math.max(...[...document.querySelectorAll("#wide th")].map((c) => {
		const text = document.createRange();
		text.selectNodeContents(c);
		return new Set([...text.getClientRects()].map(({ top }) => top)).size;
	}))`
	if n := browser.Eval[int](content, lines); n != 1 {
		c.t.Errorf("a word of the head has %d lines", n)
	}
}

// The view of a call that has failed says why, in the place of the app that an earlier call has
// displayed. The views of other calls go on.
func TestFailedDisplayInTheChat(t *testing.T) {
	load.Long(t, "TestAppInTheChat displays an app that works")
	t.Parallel()
	for name, o := range map[string]apphost.Options{
		"handshake":                       {},
		"stateless, holds back the input": {Modern: true, HoldInput: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := openChat(t, o)
			_, good, content := c.display()
			testkit.Write(t, c.dir, "apps/broken/app.lua", "broken = = 1\n")
			const failure = `document.querySelector(".ui-chat-failure")`
			for _, tt := range []struct {
				app, why string
				refused  bool // by an error of the protocol, which the host passes on as the end of the call
			}{
				{"broken", "apps/broken/app.lua:1", false},
				{"missing", "missing", false},
				{"no name", `"no name" cannot be the name of an app`, true},
			} {
				call := c.Call("ui_display", map[string]any{"name": tt.app})
				if err := call.Err(); (err != "") != tt.refused {
					t.Errorf("the error of the call of %s is %q", tt.app, err)
				}
				view := call.View().Content()
				view.Wait(fmt.Sprintf(`%s?.textContent.includes(%q)`, failure, tt.why))
				if browser.Eval[bool](view, `Boolean(document.querySelector("#count"))`) {
					t.Errorf("the view of %s displays the earlier app", tt.app)
				}
				view.Wait(note + ` === "" && ` + buttonOf("Open in browser") + `.hidden`)
				if text := browser.Eval[string](view, failure+`.textContent`); !strings.HasPrefix(text, "The app is not displayed.") {
					t.Errorf("the view of %s says %q", tt.app, text)
				}
			}
			c.views(1)
			content.Click("#more")
			content.WaitText("#count", "1")
			again := good.Remount().Content()
			again.WaitText("#count", "1")
		})
	}
}

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

// A model that reads a token where its host lets it, and calls the tool of views with it, sees no
// question that only a person may answer; the person's view goes on.
func TestModelWithAToken(t *testing.T) {
	load.Long(t, "TestQuestionOfAnAppInItsChat asks in the view of a person")
	t.Parallel()
	c := openChat(t, apphost.Options{})
	_, _, content := c.display()
	call := func(args map[string]any) string {
		t.Helper()
		args["v"], args["view"] = 1, "0123456789abcdef"
		call := c.Call("ui_relay", args)
		if err := call.Err(); err != "" {
			return err
		}
		return call.Result().Text()
	}
	token := browser.Eval[string](c.Chat, `host.readResource("ui://ui-mcp/app.html").then(({ contents }) => JSON.parse(
		new DOMParser().parseFromString(contents[0].text, "text/html").getElementById("ui-config").textContent).token)`)
	if got := call(map[string]any{"hello": map[string]any{"tool": "popup"}, "token": token}); !strings.Contains(got, `{"v":1,"got":0}`) {
		t.Fatalf("the model's view: %s", got)
	}
	c.views(2)
	question := c.Call("popup", map[string]any{"title": "Delete?", "message": "All.", "options": []string{"Yes", "No"}, "severity": "danger"})
	for ack := 0; !question.Over(); {
		got := call(map[string]any{"ack": ack, "wait": 500})
		var reply struct {
			First int
			In    []any
		}
		if err := json.Unmarshal([]byte(got), &reply); err != nil || strings.Contains(got, "Delete?") {
			t.Fatalf("the reply to the model is %s (%v)", got, err)
		}
		ack = max(ack, reply.First+len(reply.In)-1)
	}
	if text := question.Result().Text(); !strings.Contains(text, `"status":"no_human"`) {
		t.Errorf("the question ended with %s", text)
	}
	grown(content, 600)
	content.Click("#more")
	content.WaitText("#count", "1")
}

// Windows other than the host's cannot speak for it.
func TestForeignMessagesToAView(t *testing.T) {
	load.Long(t, "TestAppInTheChat has messages of the host only")
	t.Parallel()
	c := openChat(t, apphost.Options{})
	_, _, content := c.display()
	// The page of the chat is not the parent of the view: the sandbox is between them.
	const message = `{ jsonrpc: "2.0", method: "ui/notifications/host-context-changed", params: { theme: "dark" } }`
	c.Chat.Run("const script = document.createElement(`script`);" +
		"script.textContent = `document.querySelector('#view-0').contentWindow[0].postMessage(" + message + ", '*')`; document.body.append(script)")
	// A message of the host that is sent later arrives later.
	c.Change(map[string]any{"locale": "de-CH"})
	content.Wait(`document.documentElement.lang === "de-CH"`)
	if got := browser.Eval[string](content, `document.documentElement.style.colorScheme`); got != "light" {
		t.Errorf("the view has believed another window: the scheme is %s", got)
	}
}

// A view looks as its host says, and answers what hosts ask.
func TestViewFollowsItsHost(t *testing.T) {
	load.Long(t, "TestAppInTheChat has a view that follows the theme")
	t.Parallel()
	c := openChat(t, apphost.Options{Context: map[string]any{
		"safeAreaInsets": map[string]any{"top": 1, "right": 2, "bottom": 3, "left": 4},
		"styles": map[string]any{
			"variables": map[string]any{"--color-background-primary": "rgb(1, 2, 3)", "color": "red"},
			"css":       map[string]any{"fonts": ".ui-chat-bar { letter-spacing: 7px; }"},
		},
	}})
	_, view, content := c.display()
	const css = `getComputedStyle(document.querySelector(".ui-chat-bar"))`
	content.Wait(`getComputedStyle(document.body).padding === "1px 2px 3px 4px" && ` + css + `.letterSpacing === "7px"`)
	content.Wait(`getComputedStyle(document.documentElement).backgroundColor === "rgb(1, 2, 3)" || getComputedStyle(document.body).backgroundColor === "rgb(1, 2, 3)"`)
	if got := browser.Eval[string](content, `document.documentElement.style.color`); got != "" {
		t.Errorf("the host has set a property that is no variable: color is %s", got)
	}
	content.Wait(`innerHeight > 100 && document.documentElement.scrollHeight === innerHeight`) // the frame has room for the insets
	for method, want := range map[string]string{"ping": "{}", "tools/list": "-32601"} {
		if got := view.Ask(method); got != want {
			t.Errorf("%s = %s, want %s", method, got, want)
		}
	}
	c.views(1)
	if got := view.Ask("ui/resource-teardown"); got != "{}" {
		t.Errorf("teardown = %s", got)
	}
	c.views(0)
}
