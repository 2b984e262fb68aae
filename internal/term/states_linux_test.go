package term_test

import (
	"testing"
	"time"

	"ui-mcp/internal/term"
)

// awaitState waits until a session is in a state.
func awaitState(t testing.TB, s *term.Session, want term.State) {
	t.Helper()
	if _, err := s.WaitState(t.Context(), term.StateOptions{States: []term.State{want}, MaxWait: 2 * time.Minute}); err != nil {
		t.Fatalf("state %q: %v; it is %q", want, err, s.Info().State)
	}
}

func TestStatesOfShells(t *testing.T) {
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, name, nil)
			awaitState(t, s, term.StatePrompt)
			for _, tt := range []struct {
				line   string
				state  term.State
				answer string
			}{
				{"sleep 1000\r", term.StateRunning, "\x03"},
				{"cat\r", term.StateLine, "\x04"},
				{"sh -c 'printf \"Sure? \"; sleep 0.3; read a'\r", term.StateLine, "y\r"},
				{"sh -c 'stty -echo; read a; stty echo'\r", term.StateSecret, "secret\r"},
				{"sh -c 'read a; sleep 0.3; stty -echo; read a; stty echo'\r", term.StateLine, "y\r"},
				{"", term.StateSecret, "secret\r"},
				{"printf '\\033[?1049h'; cat; printf '\\033[?1049l'\r", term.StateFullScreen, "\x04"},
			} {
				if err := s.Send(t.Context(), []byte(tt.line)); err != nil {
					t.Fatal(err)
				}
				awaitState(t, s, tt.state)
				if err := s.Send(t.Context(), []byte(tt.answer)); err != nil {
					t.Fatal(err)
				}
				if tt.state != term.StateLine || tt.line == "cat\r" {
					awaitState(t, s, term.StatePrompt)
				}
			}
			if err := s.Send(t.Context(), []byte("exit\r")); err != nil {
				t.Fatal(err)
			}
			awaitState(t, s, term.StateEnded)
		})
	}
}

// A shell that marks nothing waits for a line at its prompt.
func TestStateOfPlainShell(t *testing.T) {
	t.Parallel()
	s := create(t, newRegistry(t), term.CreateOptions{})
	awaitState(t, s, term.StateLine)
	if err := s.Send(t.Context(), []byte("sleep 1000\r")); err != nil {
		t.Fatal(err)
	}
	awaitState(t, s, term.StateRunning)
	if err := s.Keys(t.Context(), "C-c"); err != nil {
		t.Fatal(err)
	}
	awaitState(t, s, term.StateLine)
}
