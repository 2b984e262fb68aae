package registry

import "ui-mcp/internal/term"

// killAbandoned kills a session's program if it has been abandoned for long enough, and otherwise
// looks again when that can be so.
func (r *Registry) killAbandoned(s *term.Session) {
	rest := r.cfg.IdleKill - s.Abandoned()
	r.mu.Lock()
	e, err := r.entryLocked(s)
	if err != nil || r.closed || !e.running() {
		r.mu.Unlock()
		return
	}
	if rest > 0 {
		e.idle.Reset(rest)
		r.mu.Unlock()
		return
	}
	r.busy.Add(1)
	r.mu.Unlock()
	defer r.busy.Done()
	r.cfg.Log.Info("killing the program of an abandoned session", "session", s.Name(), "after", r.cfg.IdleKill)
	if err := s.End(); err != nil {
		r.cfg.Log.Warn("the program of an abandoned session cannot be killed", "session", s.Name(), "error", err)
	}
}
