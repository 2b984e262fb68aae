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

// A model that calls the tool of views gets nowhere without a token. With one, which it can read
// where its host lets it, it sees no question that only a person may answer.
func TestModelCallsTheRelay(t *testing.T) {
	load.Long(t, "TestAppInTheChat has calls of views only")
	t.Parallel()
	relay := func(c *chat, args map[string]any) string {
		t.Helper()
		args["v"] = 1
		call := c.Call("ui_relay", args)
		if err := call.Err(); err != "" {
			return err
		}
		return call.Result().Text()
	}
	t.Run("a host that does not know views", func(t *testing.T) {
		t.Parallel()
		c := openHTTPChat(t, apphost.Options{Modern: true, Undeclared: true})
		token := tokenOf(c)
		got := relay(c, map[string]any{"view": "0123456789abcdef", "hello": map[string]any{}, "token": token})
		if !strings.Contains(got, "this client has not declared") {
			t.Errorf("the relay = %s", got)
		}
		c.views(0)
	})
	t.Run("a host that does", func(t *testing.T) {
		t.Parallel()
		c := openHTTPChat(t, apphost.Options{})
		hello := func(token string) map[string]any {
			return map[string]any{"view": "0123456789abcdef", "hello": map[string]any{"tool": "popup"}, "token": token}
		}
		for name, token := range map[string]string{"none": "", "one that is made up": strings.Repeat("x", 38)} {
			if got := relay(c, hello(token)); !strings.Contains(got, `"error":"token"`) {
				t.Errorf("token %s: %s", name, got)
			}
		}
		_, view, content := c.display()
		used := browser.Eval[string](live(view), `JSON.parse(document.getElementById("ui-config").textContent).token`)
		if got := relay(c, hello(used)); !strings.Contains(got, `"error":"token"`) {
			t.Errorf("the token of a view: %s", got)
		}
		if got := relay(c, hello(tokenOf(c))); !strings.Contains(got, `{"v":1,"got":0}`) {
			t.Fatalf("a token that was read: %s", got)
		}
		c.views(2)
		question := c.Call("popup", map[string]any{"title": "Delete?", "message": "All.", "options": []string{"Yes", "No"}, "severity": "danger"})
		for ack := 0; !question.Over(); {
			got := relay(c, map[string]any{"view": "0123456789abcdef", "ack": ack, "wait": 500})
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
		content.Click("#more") // the person's view goes on
		content.WaitText("#count", "1")
	})
}

// tokenOf reads the view as a model may, and returns its token.
func tokenOf(c *chat) string {
	c.t.Helper()
	return browser.Eval[string](c.Chat, `host.readResource("ui://ui-mcp/app.html").then(({ contents }) => JSON.parse(
		new DOMParser().parseFromString(contents[0].text, "text/html").getElementById("ui-config").textContent).token)`)
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

// The MCP session of a host expires under a view: the server does not know its ID any more. The
// view says so, and those of other hosts go on.
func TestMCPSessionExpiresUnderAView(t *testing.T) {
	load.Long(t, "TestAppInTheChat has a session that does not expire")
	t.Parallel()
	s := newServe(t)
	s.start("0", "0")
	a, b := s.chat(apphost.Options{}), s.chat(apphost.Options{Name: "b"})
	_, view, content := a.display()
	_, _, other := b.display()
	a.Chat.Run(`const plain = fetch; window.fetch = (url, init) => {
		const headers = new Headers(init?.headers);
		if (headers.has("mcp-session-id")) headers.set("mcp-session-id", "expired");
		return plain(url, { ...init, headers });
	}`)
	content.Click("#more")
	content.Wait(givenUp)
	view.Wait(`view.requests.some(({ state }) => state.includes("session not found"))`)
	other.Click("#more")
	other.WaitText("#count", "1")
}

// The person takes longer to approve the calls of views than a question waits for its view. That
// question goes elsewhere, and its view says so when it is there. The next question is displayed,
// as the client does display views.
func TestLateViewOfAQuestion(t *testing.T) {
	load.Long(t, "TestQuestionOfAnAppInItsChat has a view that is there already")
	t.Parallel()
	c := openChat(t, apphost.Options{Approval: apphost.Ask})
	c.Chat.Size(900, 1200) // all of a question must be visible
	ask := func(title string) *apphost.Call {
		return c.Call("popup", map[string]any{"title": title, "message": "Now.", "options": []string{"Yes", "No"}})
	}
	approve := func(view *apphost.View, until string) {
		t.Helper()
		view.Ready()
		wait.Until(t, until, func() bool {
			view.Wait(`(view.waiting.splice(0).forEach((answer) => answer(true)), true)`)
			return browser.Eval[bool](view.Content(), until)
		})
	}
	late := ask("Late?")
	if text := late.Result().Text(); !strings.Contains(text, `"status":"no_human"`) {
		t.Errorf("the question ended with %s", text)
	}
	approve(late.View(), `document.querySelector(".ui-chat-bar p").textContent === "This question is closed."`)
	next := ask("Next?")
	content := next.View().Content()
	content.Focus()
	approve(next.View(), `document.querySelector("ui-popup") !== null && `+dialog("h2")+`?.textContent === "Next?" && `+settled)
	content.Press("2")
	wait.Until(t, "the question is answered", func() bool {
		next.View().Wait(`(view.waiting.splice(0).forEach((answer) => answer(true)), true)`)
		return next.Over()
	})
	if text := next.Result().Text(); !strings.Contains(text, `"channel":"chat"`) || !strings.Contains(text, `"selectedValue":"No"`) {
		t.Errorf("the result = %s", text)
	}
}

// A host on standard streams uses an app at the same time as one over HTTP.
func TestHostsOfEachTransport(t *testing.T) {
	load.Long(t, "TestAppInTheChat has one host")
	t.Parallel()
	a := openChat(t, apphost.Options{Modern: true})
	b := &chat{Host: apphost.New(t, apphost.HTTP(testkit.AgentURL(t, a.dir)+"/mcp"), apphost.Options{Name: "b"}), t: t, dir: a.dir}
	_, view, first := a.display()
	_, _, other := b.display()
	for n, content := range []*browser.Tab{first, other, first} {
		content.Click("#more")
		first.WaitText("#count", fmt.Sprint(n+1))
		other.WaitText("#count", fmt.Sprint(n+1))
	}
	view.Close()
	b.views(1)
	other.Click("#more")
	other.WaitText("#count", "4")
}
