package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"ui-mcp/internal/app"
	"ui-mcp/internal/testkit/wait"
)

// A chat records what scripts ask of it.
type chat struct {
	mu    sync.Mutex // guards the fields below
	state app.ChatState
	asked []string
	err   error
}

func (c *chat) State(string) app.ChatState {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

func (c *chat) set(s app.ChatState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = s
}

func (c *chat) ask(what string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, what)
	return c.err
}

func (c *chat) Message(_ context.Context, session, text string) error {
	return c.ask(session + " message " + text)
}

func (c *chat) Context(_ context.Context, session string, value json.RawMessage) error {
	return c.ask(session + " context " + string(value))
}

func (c *chat) Fullscreen(_ context.Context, session string, on bool) error {
	if on {
		return c.ask(session + " fullscreen")
	}
	return c.ask(session + " inline")
}

// Scripts see the chat in a table that stays the same, and so do objects that hold it.
func TestChatInLua(t *testing.T) {
	c := &chat{}
	h := started(t, func(o *app.Options) { o.Chat = func() app.Chat { return c } })
	h.want(`kept = mcp.chat return { kept.views, kept.theme == nil, kept.canMessage }`, `[0,true,false]`)
	c.set(app.ChatState{Views: 1, Theme: "dark", Locale: "de-CH", DisplayMode: "inline", Width: 640, Message: true})
	h.ChatChanged("1")
	h.ChatChanged("no such session")
	h.wantSoon(`return { kept == mcp.chat, kept.views, kept.theme, kept.locale, kept.displayMode, kept.width, kept.height == nil, kept.canMessage, kept.canContext }`,
		`[true,1,"dark","de-CH","inline",640,true,true,false]`)
	c.set(app.ChatState{})
	h.ChatChanged("1")
	h.wantSoon(`return { kept.views, kept.theme == nil }`, `[0,true]`)
}

func (h *harness) wantSoon(code, want string) {
	h.t.Helper()
	got := ""
	wait.Until(h.t, code+" is not "+want, func() bool {
		got = h.run(code)
		return got == want
	})
}

// Scripts act on a chat that offers it, and learn at once if none does, and later what came of it.
func TestChatFunctions(t *testing.T) {
	c := &chat{}
	h := started(t, func(o *app.Options) { o.Chat = func() app.Chat { return c } })
	h.want(`return { mcp:message("a") }`, `[false,"no chat that displays this app takes messages"]`)
	h.want(`return { mcp:context({}) }`, `[false,"no chat that displays this app takes context for its model"]`)
	h.want(`return { mcp:fullscreen() }`, `[false,"no chat that displays this app can display a view in another size"]`)
	h.want(`local ok, err = pcall(mcp.message) return err:match("mcp:message needs a text")`, `"mcp:message needs a text"`)
	h.want(`local ok, err = pcall(mcp.message, string.rep("x", 40000)) return err:match("at most %d+")`, `"at most 32768"`)
	h.want(`local ok, err = pcall(mcp.context, { string.rep("x", 70000) }) return err:match("at most %d+")`, `"at most 65536"`)

	c.set(app.ChatState{Views: 1, Message: true, Context: true, Fullscreen: true})
	h.want(`said = {} local function note(...) table.insert(said, { ... }) end
		return { mcp:message("Deploy it.", note), mcp:context({ a = 1 }), mcp:fullscreen(), mcp:fullscreen(false) }`, `[true,true,true,true]`)
	h.wantSoon(`return said`, `[[true]]`)
	wait.Until(t, "not everything has arrived", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		all := strings.Join(c.asked, "; ")
		return len(c.asked) == 4 && strings.Contains(all, "1 message Deploy it.") && strings.Contains(all, `1 context {"a":1}`) &&
			strings.Contains(all, "1 fullscreen") && strings.Contains(all, "1 inline")
	})
	c.mu.Lock()
	c.err = errors.New("The chat declined.")
	c.mu.Unlock()
	h.want(`said = {} return mcp:message("Again.", function(ok, err) said = { ok, err } end)`, `true`)
	h.wantSoon(`return said`, `[false,"The chat declined."]`)
}
