package core

import "slices"

// A SizeRule says whose terminal decides the size of a session, of those that have been [Resize]d.
type SizeRule string

const (
	SizeLeader SizeRule = "leader" // the terminal that typed or took the lead last; initially the first
	SizeManual SizeRule = "manual" // none
)

// Sizing is how large a session is, and whose terminal decides that.
type Sizing struct {
	Cols, Rows int // of the whole screen
	SizeRule   SizeRule
	Leader     uint64 // the terminal that leads; 0: none
}

// A terminal is one on which a person may type, and whose size is known.
type terminal struct {
	ID         uint64
	Cols, Rows int
	Follows    bool // it decides nothing before it leads
}

type (
	// Resize says how large a terminal is that a person may type on, and that takes part in
	// deciding the session's size.
	Resize struct {
		Terminal   uint64
		Cols, Rows int
		// Follows says that it takes part only once it leads.
		Follows bool
		// Rule becomes the session's with the terminal's first size; "" leaves that as it is.
		Rule SizeRule
	}
	// Lead makes a terminal the leader, because it was typed on or has taken the lead. Terminals
	// whose size is not known are left alone.
	Lead struct{ Terminal uint64 }
	// Leave says that a terminal is gone. The size stays until another one leads.
	Leave struct{ Terminal uint64 }
	// SetSize sets the session's size until the rule applies again: when the leader is typed on or
	// is resized, or when there is another leader.
	SetSize struct{ Cols, Rows int }
)

// Actions about the size.
type (
	// Resized says that the session has another size.
	Resized struct{}
	// Led says that there is another leader.
	Led struct{}
)

// find returns a terminal, or nil. It is valid until there is another one.
func (s *Session) find(id uint64) *terminal {
	if i := slices.IndexFunc(s.Terminals, func(t terminal) bool { return t.ID == id }); i >= 0 {
		return &s.Terminals[i]
	}
	return nil
}

// Knows reports whether a terminal is there whose size is known.
func (s *Session) Knows(terminal uint64) bool { return s.find(terminal) != nil }

func (in Resize) apply(s *Session) error {
	t := s.find(in.Terminal)
	first := t == nil
	if first {
		s.Terminals = append(s.Terminals, terminal{ID: in.Terminal, Follows: in.Follows})
		t = s.find(in.Terminal)
	} else if t.Cols == in.Cols && t.Rows == in.Rows {
		return nil // it is only to be drawn again
	}
	t.Cols, t.Rows = in.Cols, in.Rows
	if s.Exit != nil || t.Follows {
		return nil
	}
	anotherRule := first && in.Rule != "" && in.Rule != s.SizeRule
	if anotherRule {
		s.SizeRule = in.Rule
	}
	if s.Leader == 0 {
		s.lead(in.Terminal)
	}
	if s.Leader == in.Terminal || anotherRule {
		s.decideSize()
	}
	return nil
}

func (in Lead) apply(s *Session) error {
	if t := s.find(in.Terminal); t != nil {
		t.Follows = false
		s.lead(in.Terminal)
		s.decideSize()
	}
	return nil
}

func (in Leave) apply(s *Session) error {
	s.Terminals = slices.DeleteFunc(s.Terminals, func(t terminal) bool { return t.ID == in.Terminal })
	if s.Leader == in.Terminal {
		s.Leader = 0
	}
	return nil
}

func (in SetSize) apply(s *Session) error {
	s.setSize(in.Cols, in.Rows)
	return nil
}

func (s *Session) lead(terminal uint64) {
	if s.Leader != terminal {
		s.Leader = terminal
		s.emit(Led{})
	}
}

// decideSize gives the session the size that its rule asks for.
func (s *Session) decideSize() {
	if t := s.find(s.Leader); t != nil && s.SizeRule != SizeManual && (t.Cols != s.Cols || t.Rows != s.Rows) {
		s.setSize(t.Cols, t.Rows)
	}
}

func (s *Session) setSize(cols, rows int) {
	s.Cols, s.Rows = cols, rows
	s.emit(Resized{})
}
