package unixterm

import (
	"testing"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/socketwire"
)

// A size that a client sends right after it has attached replaces the first one for good, also when
// the client types.
func TestResizeRightAfterAttaching(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	path, _ := serve(t, l, "")
	if _, err := opcases.Do(t.Context(), l, terminals.Everything, "session.create", `{"name":"r","command":"exec cat"}`); err != nil {
		t.Fatal(err)
	}
	for range 50 { // a race
		c := dial(t, path)
		c.send(t, socketwire.AttachSession, `{"name":"r","rows":4,"cols":20`+by)
		c.send(t, socketwire.Resize, `{"rows":5,"cols":30}`)
		c.send(t, socketwire.StdinInput, "k")
		c.send(t, socketwire.Detach, "")
		for c.read(t).Kind != socketwire.Detach {
		}
		got, err := opcases.Do(t.Context(), l, terminals.Everything, "session.get", `{"session":"r"}`)
		if d := opcases.Diff(`{"rows":5,"cols":30}`, got); err != nil || d != "" {
			t.Fatalf("%s, %v", d, err)
		}
	}
}
