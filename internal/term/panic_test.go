//go:build linux || darwin

package term_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/testkit/wait"
)

// A panic while output is parsed leaves no one waiting for what is on the screen already. Nothing
// is typed then, no program starts, and one caller waits: each makes the session look at what there
// is.
func TestPanicWakesWaits(t *testing.T) {
	t.Parallel()
	for name, await := range map[string]func(*term.Session, *render.Frame) error{
		"a picture": func(s *term.Session, before *render.Frame) error {
			_, err := s.NextPicture(t.Context(), before)
			return err
		},
		"a text": func(s *term.Session, _ *render.Frame) error {
			_, err := s.WaitForText(t.Context(), "got word", 0)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said strings.Builder
			r := newRegistry(t, func(c *registry.Config) { c.Log = slog.New(slog.NewTextHandler(&said, nil)) })
			pipe := filepath.Join(t.TempDir(), "pipe")
			must(t, syscall.Mkfifo(pipe, 0o600))
			s := create(t, r, registry.CreateOptions{Command: `echo ready; read x <` + pipe + `; printf 'got %s\a' "$x"; read x <` + pipe})
			see(t, s, "ready")
			before, err := s.NextPicture(t.Context(), nil)
			must(t, err)
			woken := make(chan error, 1)
			go func() { woken <- await(s, before) }()
			wait.Until(t, "it waits", func() bool { return s.Subscriptions() == 1 })
			s.BreakOutput()
			must(t, os.WriteFile(pipe, []byte("word\n"), 0o600))
			select {
			case err := <-woken:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(20 * time.Second):
				t.Error("it sleeps")
			}
			must(t, r.Remove(s))
			if !strings.Contains(said.String(), "panic in a terminal session") {
				t.Errorf("nothing has panicked: %s", said.String())
			}
		})
	}
}
