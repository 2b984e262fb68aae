package term_test

import (
	"strings"
	"testing"

	"ui-mcp/internal/term"
	"ui-mcp/internal/testkit/wait"
)

// What real programs and shells read while the terminal does not echo is a secret only if a program
// asks for it.
func TestWhoReadsSecret(t *testing.T) {
	t.Parallel()
	const asks = `printf 'Password: '; stty -echo; read p; stty echo; printf '\nthanks\n'; exec cat`
	for name, tt := range map[string]struct {
		command, first string // the program, and what is typed first
		shown          string // then
		asked, kept    bool   // the next line may be typed as a secret; it is in the ledger
	}{
		"a prompt":                     {asks, "", "Password:", true, false},
		"a shell without an editor":    {"", "stty -echo; echo rea''dy\r", "ready", true, false}, // nothing says that it prompts
		"a program that does not read": {"stty -echo; echo ready; exec sleep 1000", "", "ready", false, false},
		"a program that echoes":        {"echo ready; exec cat", "", "ready", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRegistry(t)
			s := create(t, r, term.CreateOptions{Command: tt.command})
			if tt.first != "" {
				if err := s.Send(t.Context(), []byte(tt.first)); err != nil {
					t.Fatal(err)
				}
			}
			see(t, s, tt.shown)
			if tt.asked {
				wait.Until(t, "the program asks", func() bool { return s.ReadsSecret() })
				if err := s.Send(t.Context(), []byte("hun")); err != nil {
					t.Fatal(err)
				}
			} else if s.ReadsSecret() {
				t.Error("the next line counts as a secret")
			}
			if err := s.Send(t.Context(), []byte("ter2\rrm -rf build\r")); err != nil {
				t.Fatal(err)
			}
			list, err := s.Typed(t.Context(), 0, 100)
			if err != nil {
				t.Fatal(err)
			}
			var kept strings.Builder
			for _, e := range list {
				kept.WriteString(e.Text)
			}
			if strings.Contains(kept.String(), "ter2") != tt.kept || !strings.HasSuffix(kept.String(), "rm -rf build\r") {
				t.Errorf("the ledger has %q", kept.String())
			}
		})
	}
}
