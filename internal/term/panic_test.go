//go:build linux || darwin

package term_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/testkit/wait"
)

// A panic while output is parsed leaves no one waiting for what is on the screen already.
func TestPanicWakesWaits(t *testing.T) {
	var said strings.Builder
	r := newRegistry(t, func(c *term.Config) { c.Log = slog.New(slog.NewTextHandler(&said, nil)) })
	s := create(t, r, term.CreateOptions{Command: `stty -echo; echo ready; read x; printf 'got %s\a' "$x"; exec sleep 1000`})
	see(t, s, "ready")
	before, err := s.NextPicture(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	waits := map[string]func() error{
		"a picture": func() error {
			_, err := s.NextPicture(t.Context(), before)
			return err
		},
		"a text": func() error {
			_, err := s.WaitForText(t.Context(), "got word", 0)
			return err
		},
	}
	type result struct {
		name string
		err  error
	}
	results := make(chan result, len(waits))
	for name, w := range waits {
		go func() { results <- result{name, w()} }()
	}
	wait.Until(t, "all wait", func() bool { return s.Subscriptions() == len(waits) })
	s.BreakOutput()
	if err := s.Send(t.Context(), []byte("word\r")); err != nil {
		t.Fatal(err)
	}
	for range waits {
		select {
		case got := <-results:
			if got.err != nil {
				t.Errorf("waiting for %s: %v", got.name, got.err)
			}
			delete(waits, got.name)
		case <-time.After(20 * time.Second):
			for name := range waits {
				t.Errorf("what waits for %s sleeps", name)
			}
			return
		}
	}
	if err := r.Remove(s); err != nil {
		t.Error(err)
	}
	if !strings.Contains(said.String(), "panic in a terminal session") {
		t.Errorf("nothing has panicked: %s", said.String())
	}
}
