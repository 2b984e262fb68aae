package mcpapps

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/relay"
)

// What views say about their hosts, which may be anything.
func TestHosts(t *testing.T) {
	h := open(t, "1", "2")
	changes := make(chan string, 100)
	h.opts.Changed = func(session string) { changes <- session }
	if got := h.State("1"); got != (app.ChatState{}) {
		t.Errorf("without views: %+v", got)
	}
	a := h.view("a", `{"host":{"theme":"dark","locale":"de-CH","displayMode":"inline","width":640,"height":-3,"message":true}}`)
	a.received()
	if s := <-changes; s != "1" {
		t.Errorf("a change of %q", s)
	}
	want := app.ChatState{Views: 1, Theme: "dark", Locale: "de-CH", DisplayMode: "inline", Width: 640, Message: true}
	if got := h.State("1"); got != want {
		t.Errorf("%+v", got)
	}
	a.send("view", `{"type":"host","host":{"theme":7,"locale":"`+strings.Repeat("x", 100)+`","width":1e99,"fullscreen":true}}`)
	want = app.ChatState{Views: 1, Locale: strings.Repeat("x", maxWord), Width: 1 << 20, Fullscreen: true}
	if got := h.State("1"); got != want {
		t.Errorf("%+v", got)
	}
	a.send("view", `{"type":"host","host":"malformed"}`)
	if got := h.State("1"); got != (app.ChatState{Views: 1}) {
		t.Errorf("%+v", got)
	}

	// Of two views it is that in which something has happened last.
	b := h.view("b", `{"host":{"theme":"light","context":true}}`)
	b.received()
	a.send("view", `{"type":"host","host":{"theme":"dark","message":true}}`)
	if got := h.State("1"); got != (app.ChatState{Views: 2, Theme: "dark", Message: true}) {
		t.Errorf("%+v", got)
	}
	b.send("page:1", `{}`)
	if got := h.State("1"); got != (app.ChatState{Views: 2, Theme: "light", Context: true}) {
		t.Errorf("%+v", got)
	}
	if got := h.State("2"); got.Views != 0 {
		t.Errorf("another session: %+v", got)
	}
	h.hub.Call(t.Context(), relay.Call{Version: 1, View: b.id, Bye: true})
	if got := h.State("1"); got.Views != 1 || got.Theme != "dark" {
		t.Errorf("%+v", got)
	}
}

// A view whose host offers it is asked, and its answer answers the request.
func TestRequestsToHosts(t *testing.T) {
	h := open(t, "1")
	if err := h.Message(t.Context(), "1", "x"); fault.KindOf(err) != fault.Precondition {
		t.Errorf("without views: %v", err)
	}
	h.view("a", `{}`).received() // offers nothing
	c := h.view("b", `{"host":{"message":true,"context":true,"fullscreen":true}}`)
	c.received()
	for _, tt := range []struct {
		do      func(context.Context) error
		request string
	}{
		{func(ctx context.Context) error { return h.Message(ctx, "1", "Hello.") }, `"text":"Hello.","name":"message","id":1`},
		{func(ctx context.Context) error { return h.Context(ctx, "1", json.RawMessage(`{"a":[1]}`)) }, `"name":"context","id":2,"value":{"a":[1]}`},
		{func(ctx context.Context) error { return h.Fullscreen(ctx, "1", true) }, `"name":"fullscreen","id":3,"value":true`},
	} {
		done := make(chan error, 1)
		go func() { done <- tt.do(t.Context()) }()
		_, text := c.message()
		if want := `{"type":"request",` + tt.request + `}`; text != want {
			t.Errorf("the view gets %s, want %s", text, want)
		}
		var m struct{ ID int64 }
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		problem := "declined"
		if m.ID == 3 {
			problem = ""
		}
		answer := `{"type":"answered","id":` + string(jsonrpc.MustMarshal(m.ID)) + `,"text":"` + problem + `"}`
		c.send("view", answer)
		c.send("view", answer) // twice
		got := ""
		if err := <-done; err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(problem, got); diff != "" {
			t.Errorf("request %d (-want +got):\n%s", m.ID, diff)
		}
	}

	// A view that goes away answers nothing.
	done := make(chan error, 1)
	go func() { done <- h.Message(context.Background(), "1", "x") }()
	c.message()
	h.hub.Call(t.Context(), relay.Call{Version: 1, View: c.id, Bye: true})
	if err := <-done; fault.KindOf(err) != fault.Gone {
		t.Errorf("after the view has gone: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := h.view("c", `{"host":{"message":true}}`)
	d.received()
	if err := h.Message(ctx, "1", "x"); err == nil {
		t.Error("a request that was given up succeeds")
	}
}
