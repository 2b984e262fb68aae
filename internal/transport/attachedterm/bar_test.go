package attachedterm

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/terminals/wire"
)

func TestCalls(t *testing.T) {
	t.Parallel()
	failed := &wire.Ran{ExitCode: new(2)}
	list := []wire.Session{
		{ID: "1", Name: "own", State: "line", Running: true},
		{ID: "2", Name: "made", State: "prompt", Running: true, LastCommand: failed},
		{ID: "3", Name: "seen", State: "prompt", Running: true, LastCommand: failed, Attached: []wire.Client{{Kind: "page"}}},
		{ID: "4", Name: "watched", State: "ended", Exit: &wire.Exit{Code: 130}, Attached: []wire.Client{{Kind: "websocket"}}},
		{ID: "5", Name: "done", State: "ended", Exit: &wire.Exit{}, LastCommand: failed},
		{ID: "6", Name: "again", State: "running", Running: true, LastCommand: &wire.Ran{Running: true}},
		{ID: "7", Name: "good", State: "prompt", Running: true, LastCommand: &wire.Ran{ExitCode: new(0)}},
		{ID: "8", Name: "unknown", State: "prompt", Running: true, LastCommand: &wire.Ran{}},
		{ID: "9", Name: "reader", State: "line", Running: true, Attached: []wire.Client{{Kind: "attach"}}},
		{ID: "10", Name: "secret", State: "secret", Running: true},
		{ID: "11", Name: "asked", State: "line", Running: true, PersonAsked: true},
	}
	want := []string{"h/secret asks", "h/asked asks", "h/reader waits", "h/made failed", "h/watched failed"}
	if diff := cmp.Diff(want, calls(list, "h/", "1")); diff != "" {
		t.Errorf("what needs the person (-want +got):\n%s", diff)
	}
}
