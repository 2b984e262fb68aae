package wsterm_test

import (
	"encoding/json"
	"testing"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/socketwire"
)

// On the socket for all sessions, a request may name the server that it is meant for: its events
// say so, and what is asked of the session of the same name here is another matter.
func TestOtherServers(t *testing.T) {
	here, there := opcases.New(t, opcases.Case{}), opcases.New(t, opcases.Case{})
	srv := serve(t, opcases.WithServer(here, "build1", there), terminals.Everything)
	c := srv.dial(t, "/ws/json")
	c.do(t, "subscribe", "a", `{"events":["bell"]}`)
	c.await(t, `{"session":"a","event":"sync"}`)
	c.do(t, "subscribe", "a", `{"events":["bell"],"server":"build1"}`)
	if got := c.await(t, `{"event":"sync"}`); opcases.Diff(`{"session":"a","server":"build1","event":"sync"}`, got) != "" {
		t.Errorf("the first event of another server is %.200s", got)
	}
	c.do(t, "send_input", "a", `{"data":"\u0007","server":"build1"}`)
	c.await(t, `{"session":"a","server":"build1","event":"bell"}`)
	if got := c.do(t, "create_session", "", `{"name":"b","server":"build1"}`); opcases.Diff(`{"name":"b"}`, got) != "" {
		t.Errorf("created: %s", got)
	}
	if got := c.call(t, map[string]any{"method": "get_session", "session": "b"}); got.Error == nil || got.Error.Code != "session_not_found" {
		t.Errorf("the session of another server is found here: %+v", got)
	}

	// A wait for silence takes the place of one for the same session, not of its namesake's.
	idle := func(id, server string) {
		t.Helper()
		c.write(t, `{"id":"`+id+`","method":"await_idle","session":"a","server":"`+server+`","params":{"timeout_ms":60000,"max_wait_ms":60000,"fresh":true}}`)
	}
	idle("here", "")
	idle("there", "build1")
	idle("again", "build1")
	c.await(t, `{"id":"there","error":{"code":"idle_superseded"}}`)

	// Each subscription ends by itself.
	c.do(t, "unsubscribe", "a", `{"server":"build1"}`)
	c.do(t, "send_input", "a", `{"data":"\u0007","server":"build1"}`)
	c.do(t, "send_input", "a", `{"data":"\u0007"}`)
	if got := c.await(t, `{"event":"bell"}`); opcases.Diff(`{"session":"a","event":"bell"}`, got) != "" || opcases.Diff(`{"server":"build1"}`, got) == "" {
		t.Errorf("after the end of the other subscription, the bell is %s", got)
	}

	for _, request := range []map[string]any{
		{"method": "list_sessions", "server": "build2"},
		{"method": "get_screen", "session": "a", "server": "build2"},
		{"method": "create_session", "params": map[string]any{"server": "build2"}},
	} {
		if got := c.call(t, request); got.Error == nil || got.Error.Code != "server_not_found" {
			t.Errorf("%v: %+v", request, got)
		}
	}
	if got := c.call(t, map[string]any{"method": "list_sessions", "params": map[string]any{"server": 5}}); got.Error == nil || got.Error.Code != "invalid_request" {
		t.Errorf("a number as server: %+v", got)
	}
}

// A socket may belong to another server as a whole, or to a session there.
func TestSocketsOfOtherServers(t *testing.T) {
	here, there := opcases.New(t, opcases.Case{}), opcases.New(t, opcases.Case{Before: []opcases.Step{{Op: "session.create", In: `{"name":"b","command":"on build1$ "}`}}})
	srv := serve(t, opcases.WithServer(here, "build1", there), terminals.Everything)
	for _, path := range []string{"/ws/json?server=build2", "/sessions/a/ws/json?server=build2", "/sessions/a/ws/raw?server=build2"} {
		if _, code := srv.connect(t, path); code != "server_not_found" {
			t.Errorf("%s: %q", path, code)
		}
	}
	all := srv.dial(t, "/ws/json?server=build1")
	all.do(t, "kill_session", "over", "")
	all.await(t, `{"event":"session_removed","params":{"name":"over"}}`)
	if _, err := opcases.Do(t.Context(), here, terminals.Everything, "session.get", `{"session":"over"}`); err != nil {
		t.Errorf("the session of the same name here: %v", err)
	}
	one := srv.dial(t, "/sessions/b/ws/json?server=build1")
	one.do(t, "await_text", "", `{"text":"on build1"}`)

	attached := srv.dial(t, "/sessions/b/ws/attach?server=build1")
	attached.sendFrame(t, socketwire.AttachSession, follower)
	if d := opcases.Diff(`{"name":"b"}`, attached.frame(t, socketwire.AttachSessionResponse)); d != "" {
		t.Error(d)
	}
	attached.output(t, "on build1$")
	lost := srv.dial(t, "/sessions/b/ws/attach?server=build2")
	lost.sendFrame(t, socketwire.AttachSession, follower)
	if d := opcases.Diff(`{"code":"server_not_found"}`, lost.frame(t, socketwire.Failed)); d != "" {
		t.Error(d)
	}
}

// Every subscriber learns that all rows may have changed, whatever it subscribes to.
func TestResetAlways(t *testing.T) {
	srv := serve(t, opcases.New(t, opcases.Case{}), terminals.Everything)
	c := srv.dial(t, "/sessions/a/ws/json")
	c.do(t, "subscribe", "", `{"events":["activity"]}`)
	c.await(t, `{"event":"sync"}`)
	c.do(t, "resize", "", `{"rows":7,"cols":33}`)
	c.await(t, `{"event":"reset","reason":"resize"}`)
}

// batch_update without changes still reports that there is no such element.
func TestBatchUpdateOfNothing(t *testing.T) {
	srv := serve(t, opcases.New(t, opcases.Case{}), terminals.Everything)
	c := srv.dial(t, "/sessions/a/ws/json")
	for params, want := range map[string]string{
		`{"id":"none","type":"overlay"}`:  "overlay_not_found",
		`{"id":"none","type":"panel"}`:    "panel_not_found",
		`{"id":"panel-1","type":"frame"}`: "invalid_request",
	} {
		got := c.call(t, map[string]any{"method": "batch_update", "params": json.RawMessage(params)})
		if got.Error == nil || got.Error.Code != want {
			t.Errorf("%s: %+v, want %s", params, got, want)
		}
	}
	c.do(t, "create_panel", "", `{}`)
	c.do(t, "batch_update", "", `{"id":"panel-1","type":"panel"}`)
}
