package wsterm_test

import (
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
