package mcpapps

import (
	"encoding/json"
	"strings"
	"testing"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/relay"
	"ui-mcp/internal/transport/socketwire"
)

// withTerminals returns views that display terminals: see [opcases.New].
func withTerminals(t *testing.T, readOnly bool) *house {
	t.Helper()
	of := opcases.New(t, opcases.Case{})
	return openWith(t, &TerminalOptions{Terminals: of, PageURL: func(session string) string { return "http://localhost/" + session }, ReadOnly: readOnly}, "1")
}

// message waits for the next message to the view, and returns its channel and its text.
func (c *caller) message() (channel, text string) {
	c.h.t.Helper()
	for len(c.queue) == 0 {
		r := c.h.hub.Call(c.h.t.Context(), relay.Call{Version: 1, View: c.id, Ack: c.ack, WaitMS: 60_000})
		if r.Error != "" {
			c.h.t.Fatalf("a poll = %+v", r)
		}
		c.queue = r.In
		c.ack += int64(len(r.In))
	}
	f := c.queue[0]
	c.queue = c.queue[1:]
	return f.Channel, string(f.Message)
}

// frame waits for a frame of a kind on a channel, and returns its content.
func (c *caller) frame(channel string, kind socketwire.Kind) string {
	c.h.t.Helper()
	for {
		from, text := c.message()
		var m frameMessage
		if from != channel || json.Unmarshal([]byte(text), &m) != nil {
			continue
		}
		switch m.Kind {
		case kind:
			return string(m.Content)
		case socketwire.PtyOutput:
			c.sendFrame(channel, socketwire.Drawn, "")
		}
	}
}

func (c *caller) sendFrame(channel string, kind socketwire.Kind, content string) {
	c.h.t.Helper()
	if r := c.send(channel, string(jsonrpc.MustMarshal(frameMessage{kind, []byte(content)}))); r.Error != "" {
		c.h.t.Fatalf("a frame = %+v", r)
	}
}

// attach connects the terminal of a view, and waits until it is attached.
func (c *caller) attach(channel, typing string) {
	c.h.t.Helper()
	c.send("view", `{"type":"attach","channel":"`+channel+`","typing":`+typing+`}`)
	c.sendFrame(channel, socketwire.AttachSession, `{"client":{"follows":true,"counts":true,"paced":true,"kind":"page"}}`)
	c.frame(channel, socketwire.AttachSessionResponse)
}

const showsA = `view {"type":"show","what":"terminal","session":"a","url":"http://localhost/a"}`

// A view is attached as a page is, and types when the person has allowed it.
func TestTerminalInAView(t *testing.T) {
	h := withTerminals(t, false)
	c := h.view("", `{"tool":"wsh_run_command","input":{"session":"a"}}`)
	c.expect(showsA)
	c.attach("term:1", "false")
	c.sendFrame("term:1", socketwire.StdinInput, "no")
	c.frame("term:1", socketwire.Typed)
	c.attach("term:2", "true")
	c.sendFrame("term:2", socketwire.StdinInput, "yes")
	for screen := ""; !strings.Contains(screen, "yes"); {
		screen = c.frame("term:2", socketwire.PtyOutput)
		c.sendFrame("term:2", socketwire.Drawn, "")
		if strings.Contains(screen, "no") {
			t.Fatalf("without permission the view has typed: %q", screen)
		}
	}
	c.sendFrame("term:1", socketwire.StdinInput, "late") // of an earlier connection
	c.send("view", `{"type":"read","id":7,"operation":"scrollback.get","arguments":{"session":"a","tail":5}}`)
	for {
		if channel, text := c.message(); channel == "view" && strings.Contains(text, `"id":7`) {
			if !strings.Contains(text, "hello") || strings.Contains(text, `"text":"no`) {
				t.Errorf("the history = %s", text)
			}
			break
		}
	}
}

func TestGuardedTerminalInAView(t *testing.T) {
	h := withTerminals(t, true)
	c := h.view("", `{"tool":"wsh_run_command","input":{"session":"a"}}`)
	c.expect(strings.TrimSuffix(showsA, "}") + `,"readOnly":true}`)
	c.attach("term:1", "true")
	c.sendFrame("term:1", socketwire.StdinInput, "no")
	c.frame("term:1", socketwire.Typed)
	c.send("view", `{"type":"read","id":1,"operation":"scrollback.get","arguments":{"session":"a","tail":5}}`)
	for {
		if channel, text := c.message(); channel == "view" {
			if !strings.Contains(text, "hello") || strings.Contains(text, `no"`) {
				t.Errorf("the history = %s", text)
			}
			break
		}
	}
}

// A view calls operations that look back, and nothing else.
func TestWhatViewsRead(t *testing.T) {
	h := withTerminals(t, false)
	c := h.view("", `{"tool":"wsh_run_command","input":{"session":"a"}}`)
	c.received()
	for _, tt := range []struct{ request, answer string }{
		{`"operation":"session.remove","arguments":{"session":"a"}`, `"text":"views do not call \"session.remove\""`},
		{`"operation":"scrollback.get","arguments":{"session":"b"}`, `"text":"there is no session`},
		{`"operation":"scrollback.get","arguments":[]`, `"text":"give a JSON object`},
		{`"operation":"command.list","arguments":{"session":"a"}`, `"value":{`},
	} {
		c.send("view", `{"type":"read","id":1,`+tt.request+`}`)
		if got := c.received(); len(got) != 1 || !strings.Contains(got[0], tt.answer) {
			t.Errorf("%s: %q, want %s", tt.request, got, tt.answer)
		}
	}
}

// A view displays what its call is about, and what was used last if it does not know that.
func TestWhichTerminal(t *testing.T) {
	h := withTerminals(t, false)
	waits := `view {"type":"show","what":"nothing","text":"The session is being created."}`
	h.view("0", `{"tool":"wsh_create_session"}`).expect(waits)

	// The call is still running.
	created := h.Creating()
	c := h.view("1", `{"tool":"wsh_create_session","input":{"name":"a"}}`)
	other := h.view("2", `{"tool":"wsh_create_session","input":{"name":"b"}}`)
	c.expect(waits)
	other.expect(waits)
	created("a")
	c.expect(showsA)
	other.expect(`view {"type":"show","what":"nothing","text":"No session was created."}`)

	// It has returned.
	h.view("3", `{"tool":"wsh_create_session","created":"a"}`).expect(showsA)
	h.view("4", `{"tool":"wsh_create_session"}`).expect(showsA)
	h.view("5", `{"tool":"wsh_run_command"}`).expect(showsA)
	h.view("6", `{}`).expect(showsA)
	late := h.view("7", `{"tool":"wsh_create_session"}`)
	late.received()
	late.send("view", `{"type":"call","created":"over"}`)
	late.expect(`view {"type":"show","what":"terminal","session":"over","url":"http://localhost/over"}`)

	h.Displaying("1", "x")(nil)
	h.view("8", `{}`).expect(shows("1", "page:1"), "page:1 "+snapshot)
	named := h.view("9", `{"tool":"wsh_run_command","input":{"session":"7"}}`)
	named.expect(`view {"type":"show","what":"terminal","session":"7","url":"http://localhost/7"}`)
	named.send("view", `{"type":"call","input":{"sessionId":"1"}}`)
	named.expect(shows("1", "page:1"), "page:1 "+snapshot)
	if r := named.send("view", `{"type":"attach","channel":"view"}`); r.Error != relay.Refused {
		t.Errorf("a reserved channel = %+v", r)
	}
}

// A view finds its session under another name, both when its terminal connects again and when the
// view does.
func TestRenamedTerminalInAView(t *testing.T) {
	h := withTerminals(t, false)
	c := h.view("", `{"tool":"wsh_create_session","created":"a"}`)
	_, text := c.message()
	var show toView
	if err := json.Unmarshal([]byte(text), &show); err != nil || show.Terminal == "" {
		t.Fatalf("the view displays %s (%v)", text, err)
	}
	c.attach("term:1", "false")
	by := terminals.Everything
	if _, err := terminals.UpdateSession.Do(t.Context(), h.opts.Terminals().Terminals, by, terminals.NewLabel{Target: terminals.Target{Session: "a"}, Name: new("b")}); err != nil {
		t.Fatal(err)
	}
	c.attach("term:2", "false")
	again := h.view("x", `{"tool":"wsh_create_session","created":"a","terminal":"`+show.Terminal+`"}`)
	again.expect(`view {"type":"show","what":"terminal","session":"b","url":"http://localhost/b"}`)
	again.attach("term:1", "false")
}

// A view that ends is detached, and one whose session is gone learns it.
func TestTerminalsEndWithTheirViews(t *testing.T) {
	h := withTerminals(t, false)
	gone := h.view("", `{"tool":"wsh_run_command","input":{"session":"nowhere"}}`)
	gone.send("view", `{"type":"attach","channel":"term:1"}`)
	gone.sendFrame("term:1", socketwire.AttachSession, `{"client":{}}`)
	if got := gone.frame("term:1", socketwire.Failed); !strings.Contains(got, "session_not_found") {
		t.Errorf("the failure = %s", got)
	}
	c := h.view("x", `{"tool":"wsh_run_command","input":{"session":"a"}}`)
	c.attach("term:1", "true")
	h.hub.Call(t.Context(), relay.Call{Version: 1, View: c.id, Bye: true})
	h.Close() // waits for the connections
}
