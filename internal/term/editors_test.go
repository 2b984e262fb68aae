//go:build linux || darwin

package term_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// modes are keys that open something in a line editor that takes the next keys: searches, menus,
// questions, prefixes, numbers, quoting, modes of vi.
var modes = []string{
	"\x12", "\x12\x12", "\x12e", "\x13", "\t", "\t\t", "ls /etc/p\t\t", "\x1bx", "\x1b", "\x1bR", "\x1b[A", "\x1bp", "\x1b5", "\x18", "\x16", "\x1bz", "\x0f", "\x1b[200~", "half", "\x1f", "echo 'x",
}

// A line that is run right after keys that have opened something in the line editor runs as it is,
// once, or is said not to have been typed or run, and nothing else ever runs, however little time
// the editor had for the keys.
func TestRunAfterKeys(t *testing.T) {
	t.Parallel()
	const rc = "stty -ixon\n"
	for i, name := range shells {
		for _, vi := range []string{"", map[string]string{"bash": "set -o vi\n", "zsh": "bindkey -v\n", "fish": "fish_vi_key_bindings\n"}[name]} {
			t.Run(name+" "+vi, func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(uint64(i), uint64(len(vi))))
				s := shellSession(t, name, rcFile(name, rc+vi))
				ran := filepath.Join(s.Info().Dir, "ran")
				wantLine(t, s, typedLine{"touch decoy ran", 0, ""}) // searches find it
				var want []string
				refused := 0
				for n := range load.Count(8, 1000) {
					pressed := modes[r.IntN(len(modes))]
					must(t, s.Send(t.Context(), []byte(pressed)))
					if r.IntN(2) == 0 {
						wait.Pause(time.Duration(r.IntN(40)) * time.Millisecond) // as a person would
					}
					line := fmt.Sprintf("echo %d >>ran", n)
					got, err := s.RunCommand(t.Context(), line, term.RunOptions{MaxWait: time.Minute})
					switch {
					case fault.DetailOf(err) == core.NotTyped, err == nil && got.NotRun:
						refused++
						if err := s.Send(t.Context(), []byte("\x1b[201~n\x07\x03")); err != nil { // the person leaves it
							t.Fatal(err)
						}
					case err != nil || got.State != core.Done || got.ExitCode == nil || *got.ExitCode != 0:
						t.Fatalf("after %q: %q, %v, %v\n%s", pressed, got.State, got.ExitCode, err, strings.Join(plain(got.Screen), "\n"))
					default:
						want = append(want, fmt.Sprint(n))
					}
					if text, err := os.ReadFile(ran); err != nil || !slices.Equal(strings.Fields(string(text)), want) {
						t.Fatalf("after %q and %q: %q has run, want %q, %v\n%s", pressed, line, text, want, err, strings.TrimRight(strings.Join(plain(got.Screen), "\n"), "\n"))
					}
				}
				t.Log(refused, "not typed")
			})
		}
	}
}

// A shell that was stopped after it has read the line that it is offered does not run it when the
// offer has been withdrawn meanwhile.
func TestWithdrawnLineDoesNotRun(t *testing.T) {
	t.Parallel()
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, name, nil)
			wantLine(t, s, typedLine{"echo zero", 0, "zero\n"})
			must(t, s.OfferLate("touch ran"))
			must(t, s.Send(t.Context(), []byte("\x1b[20130~")))
			wantLine(t, s, typedLine{"ls ran 2>/dev/null; echo one", 0, "one\n"})
		})
	}
}
