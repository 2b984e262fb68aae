package term_test

import (
	"testing"

	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
)

// A job that the person suspends leaves the shell at its prompt; the command of it has ended with a
// status that says so. In the foreground again, it runs.
func TestStateOfSuspendedJob(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bash", "zsh"} { // fish reports no such status
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, name, nil)
			awaitState(t, s, core.StatePrompt)
			for _, line := range []string{"sleep 1000\r", "fg\r"} {
				must(t, s.Send(t.Context(), []byte(line)))
				awaitState(t, s, core.StateRunning)
				awaitJob(t, s, "sleep")
				must(t, s.Keys(t.Context(), "C-z"))
				awaitState(t, s, core.StatePrompt)
				if c := s.Info().LastCommand; c == nil || c.ExitCode == nil || *c.ExitCode != 128+20 {
					t.Errorf("after %q, the last command is %+v", line, c)
				}
			}
		})
	}
}

// A program that passes on what another terminal shows, as ssh and script do, waits for keys and
// for output at once: after half a second of silence it counts as waiting, even if what runs there
// works.
func TestStateOfRelay(t *testing.T) {
	t.Parallel()
	program(t, "script")
	s := create(t, newRegistry(t), registry.CreateOptions{Command: "script -qc 'sleep 1000' /dev/null"})
	awaitState(t, s, core.StateLine)
}
