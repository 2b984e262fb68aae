package mcpterm

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/vt"
)

// Captured keys have the names that wsh_send_input takes: pressing them again has the same effect.
func TestKeyNames(t *testing.T) {
	for typed, want := range map[string]string{
		"y": `["y"]`, "Y1": `["Y","1"]`, "\r": `["Enter"]`, "\t": `["Tab"]`, "\x1b": `["Escape"]`, "\x7f": `["Backspace"]`, " ": `["Space"]`,
		"\x03": `["C-c"]`, "\x1bx": `["M-x"]`, "\x1b[A\x1b[B": `["Up","Down"]`, "\x1b[Z": `["S-Tab"]`, "\x1b[1;5D": `["C-Left"]`, "\x1b[15~": `["F5"]`,
		"é日": `["é","日"]`, "-": `["-"]`,
		"\x1b[200~two\nlines\x1b[201~": `[{"paste":"two\nlines"}]`,
		"\x1b[<0;3;4M":                 `null`, // a report of the mouse
	} {
		t.Run(typed, func(t *testing.T) {
			m, err := overlay.New(20, 4)
			if err != nil {
				t.Fatal(err)
			}
			m.Capture()
			var k overlay.Splitter
			names := keyNames(m.Input(&k, []byte(typed)))
			got, err := json.Marshal(names)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Fatalf("-want +got:\n%s", diff)
			}
			var again strings.Builder
			for _, name := range names {
				if name, ok := name.(string); ok {
					b, err := keys.Encode(name, vt.Input{})
					if err != nil {
						t.Fatal(err)
					}
					again.Write(b)
				}
			}
			if again.Len() > 0 && again.String() != typed {
				t.Errorf("pressed again: %q", again.String())
			}
		})
	}
	if got, err := json.Marshal(keyNames([]overlay.InputEvent{{Secret: true}})); err != nil || string(got) != `[{"secret":true}]` {
		t.Errorf("a secret: %s, %v", got, err)
	}
}
