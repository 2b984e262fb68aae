//go:build linux

package term_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
)

// A line reaches the shell, however long that takes to start, and no program that runs when it
// starts.
func TestRunWhileTheShellStarts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, shell, rc string
		marks           bool // the shell marks its prompts when it has started
	}{
		{"bash, slow", "bash", "sleep 6", true}, // more than is waited for a program of which nothing is known
		{"bash, prints a lot", "bash", "seq 1 100000; printf 'no end of line'", true},
		{"bash, drops its input", "bash", "sleep 0.5; stty sane; read -t 0.01 -n 1000 x", true},
		{"bash, becomes sh", "bash", "sleep 0.5; exec sh", false},
		{"bash, becomes a shell with a line editor", "bash", "sleep 0.5; exec bash --norc", false},
		{"zsh, slow", "zsh", "sleep 3", true},
		{"fish, slow", "fish", "sleep 3", true},
		{"sh, slow", "sh", "sleep 3", false},
		{"sh, slow without children", "sh", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := startingShell(t, tt.shell, tt.rc)
			got := run(t, s, "echo he''llo; sh -c 'exit 7'", term.RunOptions{MaxWait: 2 * time.Minute})
			if tt.marks {
				wantRun(t, "the line", got, 7, "hello\n")
				return
			}
			if got.State != core.Silent || !hasLine(got.Screen, "hello") {
				t.Errorf("state %q, screen:\n%s", got.State, strings.Join(plain(got.Screen), "\n"))
			}
			if got = run(t, s, "echo $?", term.RunOptions{}); !hasLine(got.Screen, "7") {
				t.Errorf("the status is missing:\n%s", strings.Join(plain(got.Screen), "\n"))
			}
		})
	}
}

// startingShell returns a session whose shell has just begun to read its start-up file.
func startingShell(t *testing.T, name, rc string) *term.Session {
	t.Helper()
	if name == "sh" {
		r := newRegistry(t)
		file := filepath.Join(t.TempDir(), "rc")
		must(t, os.WriteFile(file, []byte(rc), 0o600))
		return create(t, r, registry.CreateOptions{Env: map[string]string{"ENV": file}})
	}
	return shellSession(t, name, rcFile(name, rc))
}

func TestRunWhenTheStartAsks(t *testing.T) {
	t.Parallel()
	s := shellSession(t, "bash", rcFile("bash", "read -p 'Name? ' name; read -s -p 'Password? ' password; echo"))
	for _, tt := range []struct{ asks, answer string }{{"Name\\?", "Ada\r"}, {"Password\\?", "secret\r"}} {
		see(t, s, tt.asks)
		got, err := s.RunCommand(t.Context(), "rm -rf everything", term.RunOptions{MaxWait: 2 * time.Minute})
		if fault.DetailOf(err) != core.NotTyped || got.Screen == nil || got.State != "" {
			t.Fatalf("RunCommand = %+v, %v", got, err)
		}
		must(t, s.Send(t.Context(), []byte(tt.answer)))
	}
	wantRun(t, "after the answers", run(t, s, "echo $name, $password", term.RunOptions{MaxWait: 2 * time.Minute}), 0, "Ada, secret\n")
}
