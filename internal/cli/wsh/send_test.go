//go:build linux || darwin

package wsh

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/testkit/wait"
)

// No piece of a text that is too long for one request ends within a character, wherever the
// characters are.
func TestLongTextKeepsCharacters(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"stty raw -echo; echo ready; exec cat >/dev/null"}`)
	wait.Until(t, "the program is there", func() bool { return strings.Contains(must(t, "screen", "a"), "ready") })
	for _, start := range []string{"", "x", "xx", "xxx"} {
		text := start + strings.Repeat("ä日👩", (wholeText+2*typePiece)/9)
		var errs output
		if got := Run(t.Context(), "dev", []string{"send", "a", "-"}, vars(t), commandline.Streams{In: strings.NewReader(text), Out: io.Discard, Err: &errs}); got != 0 {
			t.Fatalf("status %d: %s", got, &errs)
		}
	}
	entries := 0
	for line := range strings.Lines(must(t, "typed", "a", "--json")) {
		var e struct{ Text string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if entries++; strings.Contains(e.Text, "\ufffd") {
			t.Errorf("entry %d begins with %.20q", entries, e.Text)
		}
	}
	if entries < 4*3 {
		t.Errorf("there are %d entries", entries)
	}
}
