package term

import (
	"context"

	"ui-mcp/internal/term/pty"
)

// Block keeps the session's executor busy until the channel is closed.
func (s *Session) Block(until <-chan struct{}) { s.exec.Post(func() { <-until }) }

// IsLocked reports whether somebody holds the registry's lock.
func (r *Registry) IsLocked() bool {
	if !r.mu.TryLock() {
		return true
	}
	r.mu.Unlock()
	return false
}

// Subscriptions returns how many callers and viewers are notified of changes, found text, input or
// other events.
func (s *Session) Subscriptions() int {
	n := 0
	_ = s.exec.Run(func() {
		n = len(s.st.waiters) + len(s.st.watchers) + len(s.st.outputs) + len(s.st.searches.all)
	})
	return n
}

// Reads reports whether the program waits for input.
func (s *Session) Reads() pty.Reading { return s.process.Reads() }

// Unread reports whether output has been read that is not on the screen yet.
func (s *Session) Unread() bool { return s.unread.Load() }

// AwaitPrompt waits until the shell does not run a command.
func (s *Session) AwaitPrompt(ctx context.Context) error {
	return s.awaitRunning(ctx, func(st *state) (verdict, error) {
		return verdict{over: st.shell.phase != phaseRunning && st.shell.lost == 0}, nil
	})
}

// Changes returns how many changes wait until the watcher looks.
func (w *Watcher) Changes() int { return len(w.changed) }

// CountKeys returns how many keys typed bytes are.
func CountKeys(b []byte) int { return countKeys(b) }
