package wsterm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
)

// Malformed requests get errors that say what is wrong, with what is known of the request.
func TestMalformed(t *testing.T) {
	srv := serve(t, opcases.New(t, opcases.Case{}), terminals.Everything)
	for _, path := range []string{"/ws/json", "/sessions/a/ws/json"} {
		c := srv.dial(t, path)
		for _, tt := range []struct{ in, want, message string }{
			{`{`, `{"error":{"code":"invalid_request"}}`, "not JSON"},
			{`[]`, `{"error":{"code":"invalid_request"}}`, "object"},
			{`{"method":5}`, `{"error":{"code":"invalid_request"}}`, "method must be a string"},
			{`{"id":7,"method":"list_sessions","session":5}`, `{"id":7,"method":"list_sessions","error":{"code":"invalid_request"}}`, "session must be a string"},
			{`{"session":[],"id":8,"method":"list_sessions"}`, `{"id":8,"method":"list_sessions","error":{"code":"invalid_request"}}`, "session must be a string"},
			{`{"id":7}`, `{"id":7,"error":{"code":"invalid_request"}}`, "method is missing"},
			{`{"id":{"x":[1]},"method":"fly"}`, `{"id":{"x":[1]},"method":"fly","error":{"code":"unknown_method"}}`, "fly"},
			{`{"id":null,"method":"get_screen","session":"a","params":[]}`, `{"id":null,"method":"get_screen","error":{"code":"invalid_request"}}`, "params must be an object"},
			{`{"id":1,"method":"get_input_mode","session":"a","params":null}`, `{"id":1,"method":"get_input_mode","result":{"mode":"passthrough"}}`, ""},
			{`{"method":"get_screen","session":"a","params":{"format":7}}`, `{"method":"get_screen","error":{"code":"invalid_request"}}`, "format must be a string, not a number"},
			{`{"method":"resize","session":"a","params":{"cols":80}}`, `{"method":"resize","error":{"code":"invalid_request"}}`, "rows is missing"},
			{`{"method":"resize","session":"a"}`, `{"method":"resize","error":{"code":"invalid_request"}}`, "is missing"},
			{`{"method":"create_overlay","session":"a","params":{"x":1}}`, `{"error":{"code":"invalid_request"}}`, "spans is missing"},
			{`{"method":"await_idle","session":"a","params":{}}`, `{"error":{"code":"invalid_request"}}`, "timeout_ms is missing"},
			{`{"method":"send_input","session":"a","params":{}}`, `{"error":{"code":"invalid_request"}}`, "data is missing"},
			{`{"method":"send_input","session":"a","params":{"data":5}}`, `{"error":{"code":"invalid_request"}}`, "data must be a string"},
			{`{"method":"send_input","session":"a","params":{"data":"!","encoding":"base64"}}`, `{"error":{"code":"invalid_request"}}`, "not base64"},
			{`{"method":"send_input","session":"a","params":{"data":"x","encoding":"utf7"}}`, `{"error":{"code":"invalid_request"}}`, "utf7"},
			{`{"method":"batch_update","session":"a","params":{"id":"x"}}`, `{"error":{"code":"invalid_request"}}`, "type is missing"},
			{`{"method":"subscribe","session":"a","params":{}}`, `{"error":{"code":"invalid_request"}}`, "events is missing"},
			{`{"method":"subscribe","session":"a","params":{"events":["linez"]}}`, `{"error":{"code":"invalid_request"}}`, "linez"},
		} {
			if err := c.Write(t.Context(), websocket.MessageBinary, []byte("ignored")); err != nil {
				t.Fatal(err)
			}
			c.write(t, tt.in)
			got := c.reply(t)
			if d := opcases.Diff(tt.want, got); d != "" || !strings.Contains(got, tt.message) {
				t.Errorf("%s: %s %s", tt.in, d, got)
			}
			var r map[string]json.RawMessage
			if err := json.Unmarshal([]byte(got), &r); err != nil {
				t.Fatal(err)
			}
			if _, id := r["id"]; id != strings.Contains(tt.in, `"id":`) && !strings.Contains(tt.in, `"params":{"id"`) {
				t.Errorf("%s: the id of %s", tt.in, got)
			}
		}
	}
	c := srv.dial(t, "/ws/json")
	for method, want := range map[string]string{
		`{"method":"get_screen"}`:                                        "session_required",
		`{"method":"get_screen","session":"none"}`:                       "session_not_found",
		`{"method":"resize","session":"none"}`:                           "session_not_found",
		`{"method":"kill_session","params":{"name":"none"}}`:             "session_not_found",
		`{"method":"subscribe","session":"over","params":{"events":[]}}`: "session_ended",
	} {
		c.write(t, method)
		if got := c.reply(t); opcases.Diff(`{"error":{"code":"`+want+`"}}`, got) != "" {
			t.Errorf("%s: %s, want %s", method, got, want)
		}
	}
	own := srv.dial(t, "/sessions/a/ws/json")
	own.write(t, `{"method":"list_sessions"}`)
	if got := own.reply(t); opcases.Diff(`{"error":{"code":"unknown_method"}}`, got) != "" {
		t.Error(got)
	}
	own.write(t, `{"method":"send_input","params":{"data":"`+strings.Repeat("x", 1<<20)+`"}}`)
	if code, _ := own.closed(t); code != websocket.StatusMessageTooBig {
		t.Errorf("a message that is too large: closed with %d", code)
	}
}

// The methods of the known server that differ from the operations' own inputs.
func TestOlderParameters(t *testing.T) {
	srv := serve(t, opcases.New(t, opcases.Case{}), terminals.Everything)
	c := srv.dial(t, "/ws/json")
	for _, tt := range []struct{ method, session, params, want string }{
		{"create_session", "", `{"name":"b","tags":["t"],"rows":5,"cols":50}`, `{"name":"b","tags":["t"],"rows":5,"cols":50,"running":true,"pid":4242}`},
		{"rename_session", "", `{"name":"b","new_name":"c"}`, `{"name":"c","tags":["t"]}`},
		{"update_tags", "", `{"session":"c","add":["u"],"remove":["t"]}`, `{"name":"c","tags":["u"]}`},
		{"set_server_mode", "", ``, `{"persistent":true}`},
		{"set_server_mode", "", `{"persistent":false}`, `{"persistent":false}`},
		{"get_server_mode", "", ``, `{"persistent":false}`},
		{"send_input", "a", `{"data":"é"}`, `{}`},
		{"await_text", "a", `{"text":"é"}`, `{"text":"é"}`}, // before, it is quiet, too
		{"await_quiesce", "a", `{"timeout_ms":1,"format":"plain"}`, `{"screen":{"lines":["hello","$ é","",""]},"scrollback_lines":4}`},
		{"create_overlay", "a", `{"x":1,"y":1,"width":4,"height":1,"spans":[{"text":"o","id":"i"}]}`, `{"id":"overlay-1"}`},
		{"batch_update", "a", `{"id":"overlay-1","type":"overlay","spans":[{"text":"new","id":"i"}],"writes":[{"row":0,"col":3,"text":"w"}]}`, `{"ids":["overlay-1","overlay-1"]}`},
		{"get_overlay", "a", `{"id":"overlay-1"}`, `{"spans":[{"text":"new"}],"region_writes":[{"text":"w"}]}`},
	} {
		got := c.do(t, tt.method, tt.session, tt.params)
		if d := opcases.Diff(tt.want, got); d != "" {
			t.Errorf("%s %s: %s", tt.method, tt.params, d)
		}
	}
	// A batch is atomic.
	got := c.call(t, map[string]any{"method": "batch_update", "session": "a", "params": json.RawMessage(
		`{"id":"overlay-1","type":"overlay","spans":[{"text":"half","id":"i"}],"writes":[{"row":-1,"col":0,"text":"x"}]}`)})
	if got.Error == nil || got.Error.Code != "invalid_request" {
		t.Errorf("a wrong batch: %+v", got)
	}
	if d := opcases.Diff(`{"spans":[{"text":"new"}]}`, c.do(t, "get_overlay", "a", `{"id":"overlay-1"}`)); d != "" {
		t.Errorf("after a wrong batch: %s", d)
	}
}

// Waits hold up nothing. A wait for silence takes the place of another, which is answered under the
// name that it was called by.
func TestWaits(t *testing.T) {
	for _, path := range []string{"/ws/json", "/sessions/a/ws/json"} {
		t.Run(path, func(t *testing.T) {
			c := serve(t, opcases.New(t, opcases.Case{}), terminals.Everything).dial(t, path)
			c.write(t, `{"id":1,"method":"await_text","session":"a","params":{"text":"later"}}`)
			c.write(t, `{"id":2,"method":"await_quiesce","session":"a","params":{"timeout_ms":100000,"fresh":true}}`)
			c.write(t, `{"id":3,"method":"await_idle","session":"a","params":{"timeout_ms":100000,"fresh":true}}`)
			c.await(t, `{"id":2,"method":"await_quiesce","error":{"code":"quiesce_superseded"}}`)
			c.write(t, `{"id":4,"method":"await_idle","session":"a","params":{"timeout_ms":100000,"max_wait_ms":1}}`)
			c.awaitAll(t, `{"id":3,"method":"await_idle","error":{"code":"idle_superseded"}}`,
				`{"id":4,"method":"await_idle","error":{"code":"idle_timeout"}}`)
			c.write(t, `{"id":5,"method":"await_quiesce","session":"a","params":{"timeout_ms":100000,"max_wait_ms":1}}`)
			c.await(t, `{"id":5,"error":{"code":"quiesce_timeout"}}`)
			c.write(t, `{"id":6,"method":"send_input","session":"a","params":{"data":"later"}}`)
			c.awaitAll(t, `{"id":6,"result":{}}`,
				`{"id":1,"method":"await_text","result":{"text":"later"}}`)
			for i := range 65 {
				c.write(t, fmt.Sprintf(`{"id":%d,"method":"await_exit","session":"a"}`, 100+i))
			}
			c.await(t, `{"id":164,"error":{"code":"resource_limit_reached"}}`)
		})
	}
}

// Subscribers get what they ask for, on both sockets.
func TestSubscribe(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	srv := serve(t, l, terminals.Everything)
	all, own, act := srv.dial(t, "/ws/json"), srv.dial(t, "/sessions/a/ws/json"), srv.dial(t, "/sessions/a/ws/json")

	const query = `{"events":["lines","cursor","mode","activity","input","bell"],"format":"plain","idle_timeout_ms":1,"interval_ms":0}`
	for _, c := range []*conn{all, own} {
		if d := opcases.Diff(`{"events":["lines","cursor","mode","activity","input","bell"]}`, c.do(t, "subscribe", "a", query)); d != "" {
			t.Error(d)
		}
		for _, e := range c.events {
			// The first program has only just ended, and a session looks at its program at any
			// time.
			if !strings.Contains(e, `"name":"over"`) && !strings.Contains(e, `"session_state_changed"`) {
				t.Errorf("before the reply: %s", e)
			}
		}
	}
	const screen = `"screen":{"lines":["hello","$","",""]},"scrollback_lines":4`
	all.await(t, `{"event":"sync","session":"a",`+screen+`,"params":{`+screen+`}}`)
	all.await(t, `{"event":"idle","session":"a","scrollback_lines":4}`)
	if got := own.await(t, `{"event":"sync",`+screen+`}`); strings.Contains(got, "session") || strings.Contains(got, "params") {
		t.Errorf("a sync on the session's own socket: %s", got)
	}
	own.await(t, `{"event":"idle"}`)

	// Older clients give idle_timeout_ms as quiesce_ms, and the socket of the session sends
	// activity whenever it is given.
	act.do(t, "subscribe", "", `{"events":[],"quiesce_ms":1}`)
	act.await(t, `{"event":"sync"}`)
	act.await(t, `{"event":"idle"}`)

	all.do(t, "send_input", "a", `{"data":"x"}`)
	for _, c := range []*conn{all, own} {
		c.await(t, `{"event":"line","index":1,"line":"$ x","total_lines":4}`)
		c.await(t, `{"event":"cursor","row":1,"col":3}`)
	}
	act.await(t, `{"event":"running"}`)
	own.do(t, "capture_input", "", "")
	for _, c := range []*conn{all, own} {
		c.await(t, `{"event":"mode","mode":"capture"}`)
	}

	// A new subscription takes the place of the last, also under a new name.
	all.do(t, "update_session", "a", `{"name":"z"}`)
	all.await(t, `{"event":"session_renamed","params":{"old_name":"a","new_name":"z"}}`)
	all.do(t, "send_input", "z", `{"data":"y"}`)
	all.await(t, `{"event":"line","session":"z","line":"$ xy"}`)
	if d := opcases.Diff(`{"clients":3,"leader":null}`, all.do(t, "get_session", "z", "")); d != "" {
		t.Error(d)
	}
	all.do(t, "subscribe", "z", `{"events":["bell"]}`)
	all.await(t, `{"event":"sync","session":"z"}`)
	all.events = nil
	all.do(t, "send_input", "z", `{"data":"\u0007"}`)
	if got := all.await(t, `{"session":"z"}`); !strings.Contains(got, `"bell"`) {
		t.Errorf("the new subscription sends %s", got)
	}
	all.do(t, "unsubscribe", "z", "")
	if d := opcases.Diff(`{"clients":2}`, all.do(t, "get_session", "z", "")); d != "" {
		t.Error(d)
	}

	// The end of the program is the last event, and closes the session's own socket.
	all.do(t, "subscribe", "z", `{"events":["lines"]}`)
	all.do(t, "signal_session", "z", `{"signal":"TERM"}`)
	all.await(t, `{"event":"session_destroyed","params":{"name":"z","running":false,"exit":{"code":143}}}`)
	if code, reason := own.closed(t); code != websocket.StatusNormalClosure || reason != "session ended" {
		t.Errorf("closed with %d %q", code, reason)
	}
	all.do(t, "kill_session", "", `{"name":"z"}`)
	all.await(t, `{"event":"session_removed","params":{"name":"z"}}`)
}

// A socket that removes its own session gets the answer first.
func TestKillOwn(t *testing.T) {
	srv := serve(t, opcases.New(t, opcases.Case{}), terminals.Everything)
	c := srv.dial(t, "/sessions/a/ws/json")
	c.write(t, `{"id":1,"method":"await_exit"}`)
	c.write(t, `{"id":2,"method":"kill_session"}`)
	c.await(t, `{"id":2,"result":{}}`)
	if code, reason := c.closed(t); code != websocket.StatusNormalClosure || reason != "session ended" {
		t.Errorf("closed with %d %q", code, reason)
	}
}

// An ended session can be read.
func TestEndedSession(t *testing.T) {
	srv := serve(t, opcases.New(t, opcases.Case{}), terminals.Everything)
	c := srv.dial(t, "/sessions/over/ws/json")
	if d := opcases.Diff(`{"lines":["bye","","",""]}`, c.do(t, "get_screen", "", `{"format":"plain"}`)); d != "" {
		t.Error(d)
	}
	raw := srv.dial(t, "/sessions/over/ws/raw")
	if got := raw.read(t); !strings.Contains(got, "bye") {
		t.Errorf("the output is %q", got)
	}
	if code, reason := raw.closed(t); code != websocket.StatusNormalClosure || reason != "session ended" {
		t.Errorf("closed with %d %q", code, reason)
	}
}

// The socket of a session that is gone does not reach another one of that name.
func TestReplacedSession(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	srv := serve(t, l, terminals.Everything)
	c := srv.dial(t, "/sessions/over/ws/json")
	if _, err := opcases.Do(t.Context(), l, terminals.Everything, "session.create", `{"name":"over","command":"other"}`); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"get_screen", "kill_session", "subscribe"} {
		if got := c.call(t, map[string]any{"method": method, "params": map[string]any{"events": []string{}}}); got.Error == nil || got.Error.Code != "session_not_found" {
			t.Errorf("%s: %s", method, got.Result)
		}
	}
	c.do(t, "unsubscribe", "", "")
	if _, err := opcases.Do(t.Context(), l, terminals.Everything, "session.signal", `{"session":"over","signal":"TERM"}`); err != nil {
		t.Errorf("the other session: %v", err)
	}
}

// Connections end with the server and with the caller's token.
func TestEndsWithTheGrant(t *testing.T) {
	for name, tt := range map[string]struct {
		cause  error
		code   websocket.StatusCode
		reason string
	}{
		"stopped":   {fault.With(registry.Stopping, fault.New(fault.Gone, "x")), websocket.StatusGoingAway, "the server is stopping"},
		"withdrawn": {fault.With(terminals.Withdrawn, fault.New(fault.Precondition, "the token was withdrawn")), websocket.StatusPolicyViolation, "the token was withdrawn"},
	} {
		t.Run(name, func(t *testing.T) {
			srv := serve(t, opcases.New(t, opcases.Case{}), terminals.Everything)
			conns := []*conn{srv.dial(t, "/ws/json"), srv.dial(t, "/sessions/a/ws/json"), srv.dial(t, "/sessions/a/ws/raw")}
			conns[0].do(t, "subscribe", "a", `{"events":["lines"]}`)
			for i, wait := range []string{ // waits hold up nothing, so all are read when the last call is answered
				`"await_exit"`, `"await_idle","params":{"timeout_ms":60000,"fresh":true}`, `"await_text","params":{"text":"never"}`, `"await_text","params":{"pattern":"never"}`, `"await_prompt"`,
				`"await_state","params":{"states":["prompt"]}`, `"run_command","params":{"command":"x","timeout_ms":60000}`, `"get_screen"`,
			} {
				conns[1].write(t, fmt.Sprintf(`{"id":%d,"method":%s}`, i, wait))
			}
			conns[1].await(t, `{"method":"get_screen","result":{}}`)
			srv.stop(tt.cause)
			for _, c := range conns {
				if code, reason := c.closed(t); code != tt.code || reason != tt.reason {
					t.Errorf("closed with %d %q", code, reason)
				}
			}
		})
	}
}

// The number of sockets is limited, and refusals are JSON.
func TestLimits(t *testing.T) {
	srv := serve(t, opcases.New(t, opcases.Case{}), terminals.Everything)
	for range registry.DefaultClients {
		srv.dial(t, "/sessions/a/ws/raw")
	}
	all := srv.dial(t, "/ws/json")
	for _, path := range []string{"/sessions/a/ws/raw", "/sessions/a/ws/json"} {
		if _, code := srv.connect(t, path); code != "resource_limit_reached" {
			t.Errorf("%s: %q", path, code)
		}
	}
	got := all.call(t, map[string]any{"method": "subscribe", "session": "a", "params": map[string]any{"events": []string{}}})
	if got.Error == nil || got.Error.Code != "resource_limit_reached" {
		t.Errorf("subscribe: %+v", got)
	}
}

// A stopping life stops the server before the request that asks for it has been answered.
type stoppingLife struct{ stop func() }

func (stoppingLife) Persistent() bool   { return true }
func (stoppingLife) SetPersistent(bool) {}

func (l stoppingLife) Stop() {
	l.stop()
	for range 1000 {
		runtime.Gosched() // a connection that is closed at once is closed by then
	}
}

// The client that stops the server gets the answer, and then learns that the server stops.
func TestStopServerIsAnswered(t *testing.T) {
	for range 10 {
		r := opcases.Sessions(t, registry.Config{Log: slog.New(slog.DiscardHandler)})
		var stop context.CancelCauseFunc
		srv := serve(t, terminals.NewLocal(r, terminals.Host{Name: "host", Life: stoppingLife{func() { stop(errors.New("the server is stopping")) }}}), terminals.Everything)
		stop = srv.stop
		c, _ := srv.connect(t, "/ws/json")
		c.do(t, "stop_server", "", "")
		if code, _ := c.closed(t); code != websocket.StatusGoingAway {
			t.Errorf("closed with code %d", code)
		}
	}
}
