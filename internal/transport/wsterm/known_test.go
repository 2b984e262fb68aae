package wsterm_test

import (
	"encoding/json"
	"testing"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
)

// Clients of the known server may ask for sizes outside the limits, and get the nearest possible
// one.
func TestClampedSize(t *testing.T) {
	srv := serve(t, opcases.New(t, opcases.Case{}), terminals.Everything)
	c := srv.dial(t, "/ws/json")
	if got := c.do(t, "create_session", "", `{"name":"n","rows":0,"cols":5000}`); opcases.Diff(`{"rows":1,"cols":1000}`, got) != "" {
		t.Error(got)
	}
	c.do(t, "resize", "n", `{"rows":70000,"cols":0}`)
	if got := c.do(t, "get_session", "", `{"name":"n"}`); opcases.Diff(`{"rows":1000,"cols":1}`, got) != "" {
		t.Error(got)
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
