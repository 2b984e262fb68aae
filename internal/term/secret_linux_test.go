package term_test

import (
	"strings"
	"testing"

	"ui-mcp/internal/term/registry"
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
			s := create(t, r, registry.CreateOptions{Command: tt.command})
			if tt.first != "" {
				must(t, s.Send(t.Context(), []byte(tt.first)))
			}
			see(t, s, tt.shown)
			if tt.asked {
				wait.Until(t, "the program asks", func() bool { return s.ReadsSecret() })
				must(t, s.Send(t.Context(), []byte("hun")))
			} else if s.ReadsSecret() {
				t.Error("the next line counts as a secret")
			}
			must(t, s.Send(t.Context(), []byte("ter2\r")))
			list, err := s.Typed(t.Context(), 0, 100)
			must(t, err)
			var kept strings.Builder
			for _, e := range list {
				kept.WriteString(e.Text)
			}
			if strings.Contains(kept.String(), "ter2") != tt.kept {
				t.Errorf("the ledger has %q", kept.String())
			}
		})
	}
}

// What programs read without echo is kept nowhere, also where one has taken the place of a shell
// that is followed.
func TestSecretsOfPrograms(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"python3":    `exec python3 -c 'import getpass; getpass.getpass(); input()'`,
		"dash":       `exec dash -c 'stty -echo; read p; stty echo; cat'`,
		"psql":       `psql -W -h 127.0.0.1 -p 1 -U x`,
		"ssh-keygen": `exec ssh-keygen -y -f key`,
		"bash":       `read -s`,
		"zsh":        `zsh -fc 'read -s p'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program(t, name)
			s := shellSession(t, "bash", nil)
			if name == "ssh-keygen" {
				wantLine(t, s, typedLine{"ssh-keygen -q -N hunter1 -f key", 0, ""})
			}
			for i, b := range []string{line + "\r", "hunt", "er2\r"} {
				must(t, s.Send(t.Context(), []byte(b)))
				if i < 2 {
					wait.Until(t, "the program asks", func() bool { return s.ReadsSecret() })
				}
			}
			list, err := s.Typed(t.Context(), 0, 100)
			must(t, err)
			for _, e := range list {
				if strings.Contains(e.Text, "hunt") && !strings.Contains(e.Text, "-N") || strings.Contains(e.Text, "er2") {
					t.Errorf("the ledger has %q", e.Text)
				}
			}
		})
	}
}
