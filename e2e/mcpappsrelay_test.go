package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

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
