package wsh

import (
	"strings"
	"testing"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/terminals/wire"
)

// Who only follows a session, as a page that lists it, is not attached to it.
func TestPersonsAttached(t *testing.T) {
	s := wire.Session{Clients: 4, Attached: []wire.Client{{Kind: "attach"}, {Kind: "page"}, {Kind: "websocket"}, {Kind: "raw"}}}
	if got := attachedTo(s); got != "2 clients" {
		t.Errorf("%s", got)
	}
	if got := attachedTo(wire.Session{Clients: 1, Attached: s.Attached[2:3]}); got != "-" {
		t.Errorf("an open page: %s", got)
	}
}

func TestPaint(t *testing.T) {
	t.Parallel()
	table := caller.Table{Paint: paintState}
	table.Add("a", "ended 1", "x")
	table.Add("line", "secret", "")
	table.Add("c", "running", "y")
	var b strings.Builder
	want := "a     \x1b[31mended 1\x1b[m  x\nline  \x1b[33msecret\x1b[m\nc     running  y\n"
	if err := table.Print(&b); err != nil || b.String() != want {
		t.Errorf("%v: %q, want %q", err, b.String(), want)
	}
}
