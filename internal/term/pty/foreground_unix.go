//go:build linux || darwin

package pty

// Foreground returns the job in the foreground of the terminal: a shell, or what it runs. It
// returns the zero value when the program has ended, and while it is being killed. It does not
// block.
func (p *Process) Foreground() Foreground {
	if !p.mu.TryLock() {
		return Foreground{}
	}
	defer p.mu.Unlock()
	if p.reaped {
		return Foreground{}
	}
	group := p.foreground()
	f := describe(group)
	if f.PID != 0 {
		return f
	}
	for _, m := range p.members() { // its leader has ended: it is the rest of a pipeline
		if m.group == group {
			return describe(m.pid)
		}
	}
	return Foreground{}
}
