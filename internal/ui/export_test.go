package ui

import "time"

// ViewsGeneration changes whenever the engine has read view definitions.
func ViewsGeneration(e *Engine) uint64 { return e.views.store.Snapshot().Generation() }

// SetBurst changes how much time deferred work may take at once.
func (s *Session) SetBurst(d time.Duration) {
	l := s.st.later
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pace.burst = d
}
