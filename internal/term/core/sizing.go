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
	Rule       SizeRule
	Leader     uint64 // the terminal that leads; 0: none
	Terminals  []terminal
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
func (z *Sizing) find(id uint64) *terminal {
	if i := slices.IndexFunc(z.Terminals, func(t terminal) bool { return t.ID == id }); i >= 0 {
		return &z.Terminals[i]
	}
	return nil
}

// Knows reports whether a terminal is there whose size is known.
func (z *Sizing) Knows(terminal uint64) bool { return z.find(terminal) != nil }

func (in Resize) apply(s *Session) error {
	z := &s.Sizing
	t := z.find(in.Terminal)
	first := t == nil
	if first {
		z.Terminals = append(z.Terminals, terminal{ID: in.Terminal, Follows: in.Follows})
		t = z.find(in.Terminal)
	} else if t.Cols == in.Cols && t.Rows == in.Rows {
		return nil // it is only to be drawn again
	}
	t.Cols, t.Rows = in.Cols, in.Rows
	if s.Exit != nil || t.Follows {
		return nil
	}
	anotherRule := first && in.Rule != "" && in.Rule != z.Rule
	if anotherRule {
		z.Rule = in.Rule
		s.emit(Published{})
	}
	if z.Leader == 0 {
		s.lead(in.Terminal)
	}
	if z.Leader == in.Terminal || anotherRule {
		s.decideSize()
	}
	return nil
}

func (in Lead) apply(s *Session) error {
	if t := s.Sizing.find(in.Terminal); t != nil {
		t.Follows = false
		s.lead(in.Terminal)
		s.decideSize()
	}
	return nil
}

func (in Leave) apply(s *Session) error {
	z := &s.Sizing
	z.Terminals = slices.DeleteFunc(z.Terminals, func(t terminal) bool { return t.ID == in.Terminal })
	if z.Leader == in.Terminal {
		z.Leader = 0
	}
	return nil
}

func (in SetSize) apply(s *Session) error {
	s.setSize(in.Cols, in.Rows)
	return nil
}

func (s *Session) lead(terminal uint64) {
	if s.Sizing.Leader != terminal {
		s.Sizing.Leader = terminal
		s.emit(Published{})
		s.emit(Led{})
	}
}

// decideSize gives the session the size that its rule asks for.
func (s *Session) decideSize() {
	z := &s.Sizing
	if t := z.find(z.Leader); t != nil && z.Rule != SizeManual && (t.Cols != z.Cols || t.Rows != z.Rows) {
		s.setSize(t.Cols, t.Rows)
	}
}

func (s *Session) setSize(cols, rows int) {
	s.Sizing.Cols, s.Sizing.Rows = cols, rows
	s.emit(Published{})
	s.emit(Resized{})
}
