package e2e

import (
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
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
