package core

import (
	"time"

	"ui-mcp/internal/term/vt"
)

// A Command is a command that a shell has run, as its marks tell.
type Command struct {
	// N is its number in the session, from 1.
	N uint64
	// Line is what was typed at the prompt, as displayed, at most 1 KiB: "" if it was not visible.
	Line     string
	Ended    bool
	ExitCode *int          // nil while it runs, and if the shell has not reported it
	Duration time.Duration // of a command that has ended
}

func (in Mark) apply(s *Session) error {
	m, p := in.Mark, &s.Shell
	if !m.Keyed {
		return nil // anything may have written it
	}
	before, n := p.Phase, p.N
	p.see(m, s.now)
	if p.Offer.isTaken(m) {
		s.taken()
	}
	after := p.Phase
	if before == PhaseRunning && (after != PhaseRunning || n != p.N) {
		s.commandOver(m)
	}
	if after == PhaseRunning && (before != PhaseRunning || n != p.N) {
		s.commandBegun(m)
	}
	if p.Image == 0 {
		p.Image = s.sys.Image()
	}
	return nil
}

// commandBegun records the start of a command, at the mark of its output.
func (s *Session) commandBegun(m vt.Mark) {
	n := uint64(1)
	if s.LastCommand != nil {
		n = s.LastCommand.N + 1
	}
	s.CommandAt = s.now
	s.LastCommand = &Command{N: n, Line: s.sys.CommandLine(m)}
	s.emit(Commanded{s.LastCommand})
}

func (s *Session) commandOver(m vt.Mark) {
	s.Follower.Commands++
	c := *s.LastCommand // others may have the old one
	c.Ended, c.Duration = true, s.now.Sub(s.CommandAt)
	if m.Kind == vt.MarkEnd && m.HasExitCode {
		c.ExitCode = new(m.ExitCode)
	}
	s.LastCommand = &c
	s.emit(Commanded{&c})
}
