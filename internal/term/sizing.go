package term

import (
	"context"

	"ui-mcp/internal/fault"
)

// A SizeRule says whose terminal decides the size of a session, of the viewers that have called
// [Viewer.Resize] and may type.
type SizeRule string

const (
	SizeLeader   SizeRule = "leader"   // the one that typed last; at first, the first one
	SizeLatest   SizeRule = "latest"   // the one that was attached, resized or typed on last
	SizeSmallest SizeRule = "smallest" // all: as much as fits on each
	SizeLargest  SizeRule = "largest"  // all: as much as each can display
	SizeManual   SizeRule = "manual"   // none
)

// ParseSizeRule reads a rule. An error is of kind Invalid.
func ParseSizeRule(s string) (SizeRule, error) {
	switch r := SizeRule(s); r {
	case SizeLeader, SizeLatest, SizeSmallest, SizeLargest, SizeManual:
		return r, nil
	}
	return "", fault.New(fault.Invalid, "%q is not a rule for sizes: it is leader, latest, smallest, largest or manual", s)
}

// sizing is the part of a session's state that decides its size.
type sizing struct {
	rule    SizeRule // "" is SizeLeader
	leader  *Viewer  // may have left
	viewers []*Viewer
}

// Resize sets the size of the viewer's terminal, as [Viewer.Fit] does, and then the size of the
// session by its rule. [Session.Resize] overrides that until the next time that the rule applies:
// when the leader types, or a viewer is resized.
func (v *Viewer) Resize(ctx context.Context, cols, rows int) error {
	if err := checkSize(cols, rows); err != nil {
		return err
	}
	return v.session.do(ctx, func(st *state) error {
		v.fit(cols, rows)
		if v.readOnly || st.status.exit != nil || !v.isAttached() {
			return nil
		}
		z := &st.sizing
		if !v.terminal.sizes {
			v.terminal.sizes = true
			if v.sizeRule != "" {
				z.rule = v.sizeRule
			}
			z.viewers = append(z.viewers, v)
		}
		if z.rule == SizeLatest || z.leader == nil || !z.leader.isAttached() {
			z.leader = v
		}
		return v.session.applySize(st)
	})
}

// lead makes a viewer that is typed on the leader.
func (s *Session) lead(st *state, v *Viewer) error {
	if !v.terminal.sizes {
		return nil
	}
	st.sizing.leader = v
	return s.applySize(st)
}

// left applies the rule when a viewer has left. Where a leader decides the size, it stays until
// another one leads.
func (s *Session) left(st *state) {
	if r := st.sizing.rule; r != SizeSmallest && r != SizeLargest || st.status.exit != nil {
		return
	}
	if err := s.applySize(st); err != nil {
		s.log.Warn("apply the rule for sizes", "error", err)
	}
}

// applySize gives the session the size that its rule asks for.
func (s *Session) applySize(st *state) error {
	cols, rows, ok := st.sizing.size()
	if !ok || cols == st.status.cols && rows == st.status.rows {
		return nil
	}
	st.model.SetProgramAlternate(st.showsAlternate())
	failed := s.setSize(st, cols, rows)
	err := s.settle(st)
	st.notify()
	if failed != nil {
		return failed
	}
	return fault.Wrap(fault.Internal, err, "tell the program of session %q its new size", s.Name())
}

// size returns the size by the rule, and false if it does not decide.
func (z *sizing) size() (cols, rows int, ok bool) {
	there := z.viewers[:0]
	for _, v := range z.viewers {
		if v.isAttached() {
			there = append(there, v)
		}
	}
	clear(z.viewers[len(there):])
	z.viewers = there
	switch z.rule {
	case SizeManual:
		return 0, 0, false
	case SizeSmallest, SizeLargest:
		for i, v := range there {
			c, r := v.terminal.cols, v.terminal.rows
			switch {
			case i == 0:
				cols, rows = c, r
			case z.rule == SizeSmallest:
				cols, rows = min(cols, c), min(rows, r)
			default:
				cols, rows = max(cols, c), max(rows, r)
			}
		}
		return cols, rows, len(there) > 0
	}
	if z.leader == nil || !z.leader.isAttached() {
		return 0, 0, false
	}
	return z.leader.terminal.cols, z.leader.terminal.rows, true
}
