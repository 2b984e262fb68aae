package term

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
