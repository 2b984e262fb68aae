package term

import (
	"context"
	"slices"

	"ui-mcp/internal/fault"
)

// A SizeRule says whose terminal decides the size of a session, of the viewers that have called
// [Viewer.Resize] and may type.
type SizeRule string

const (
	SizeLeader   SizeRule = "leader"   // the one that typed last or took the lead; at first, the first one
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

// sizing is the part of a session's state that decides its size by the rule, which is in its
// status.
type sizing struct {
	leader  *Viewer // may have left
	viewers []*Viewer
}

// Resize sets the size of the viewer's terminal, as [Viewer.Fit] does, and then the size of the
// session by its rule. [Session.Resize] overrides that until the rule applies again: when the
// leader types or is resized, when there is another leader, or, unless a leader decides, when any
// viewer is resized.
func (v *Viewer) Resize(ctx context.Context, cols, rows int) error {
	if err := checkSize(cols, rows); err != nil {
		return err
	}
	return v.session.do(ctx, func(st *state) error { return v.resize(st, cols, rows) })
}

// resize is Resize on the session's executor.
func (v *Viewer) resize(st *state, cols, rows int) error {
	v.fit(st, cols, rows)
	if v.readOnly || st.status.exit != nil || !v.isAttached() {
		return nil
	}
	z, anotherRule := &st.sizing, false
	if !v.terminal.sizes {
		if v.follows {
			return nil
		}
		z.join(v)
		if v.sizeRule != "" && v.sizeRule != st.status.rule {
			anotherRule = true
			st.status.rule = v.sizeRule
			v.session.publishStatus(st)
		}
	}
	if st.status.rule == SizeLatest || z.leader == nil || !z.leader.isAttached() {
		v.session.setLeader(st, v)
	}
	if st.status.rule == SizeLeader && z.leader != v && !anotherRule {
		return nil
	}
	return v.session.applySize(st)
}

// Lead makes a client the leader, as if it had typed. The error is of kind NotFound if there is no
// client of that name, and Precondition if its terminal cannot decide the size.
func (s *Session) Lead(ctx context.Context, client string) error {
	return s.doRunning(ctx, func(st *state) error {
		c, err := s.clients.find(s, client)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(st.sizing.viewers, func(v *Viewer) bool { return v.Client == c })
		for v := range st.persons { // one that follows has not taken part yet
			if i < 0 && v.Client == c && v.terminal.cols > 0 {
				return s.lead(st, v)
			}
		}
		switch {
		case i >= 0:
			return s.lead(st, st.sizing.viewers[i])
		case c.about.ReadOnly:
			return fault.New(fault.Precondition, "the client %q only looks, so it cannot lead", client)
		}
		return fault.New(fault.Precondition, "the client %q has no terminal of its own, so it cannot lead", client)
	})
}

// Lead makes the viewer the leader, as if the person had typed. The error is of kind Precondition
// if its terminal cannot decide the size.
func (v *Viewer) Lead(ctx context.Context) error {
	return v.session.doRunning(ctx, func(st *state) error {
		switch {
		case !v.isAttached():
			return v.detachedError()
		case v.readOnly:
			return fault.New(fault.Precondition, "the client %q only looks, so it cannot lead", v.ClientName())
		case v.terminal.cols == 0:
			return fault.New(fault.Precondition, "the client %q has not said how large its terminal is, so it cannot lead", v.ClientName())
		}
		return v.session.lead(st, v)
	})
}

// join lets a viewer take part in deciding the size.
func (z *sizing) join(v *Viewer) {
	v.terminal.sizes = true
	z.viewers = append(z.viewers, v)
}

// lead makes a viewer the leader, because it was typed on or has taken the lead.
func (s *Session) lead(st *state, v *Viewer) error {
	if v.follows && !v.terminal.sizes && v.terminal.cols > 0 && !v.readOnly {
		st.sizing.join(v)
	}
	if !v.terminal.sizes {
		return nil
	}
	s.setLeader(st, v)
	return s.applySize(st)
}

func (s *Session) setLeader(st *state, v *Viewer) {
	if st.sizing.leader != v {
		st.sizing.leader, st.status.leader = v, v.Client
		s.publishStatus(st)
		s.reportClient(st, ClientLeads, s.clients.describe(v.Client))
	}
}

// left forgets viewers that have left or were asked to, and applies the rule if there were any.
// Where a leader decides the size, it stays until another one leads.
func (s *Session) left(st *state) {
	if !st.sizing.forget() || st.status.exit != nil {
		return
	}
	if r := st.status.rule; r != SizeSmallest && r != SizeLargest {
		return
	}
	if err := s.applySize(st); err != nil {
		s.log.Warn("apply the rule for sizes", "error", err)
	}
}

// forget removes viewers that are not attached any more, and reports whether there were any.
func (z *sizing) forget() bool {
	before := len(z.viewers)
	z.viewers = slices.DeleteFunc(z.viewers, func(v *Viewer) bool { return !v.isAttached() })
	return len(z.viewers) < before
}

// applySize gives the session the size that its rule asks for.
func (s *Session) applySize(st *state) error {
	cols, rows, ok := st.sizing.size(st.status.rule)
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

// size returns the size by a rule, and false if it does not decide.
func (z *sizing) size(rule SizeRule) (cols, rows int, ok bool) {
	z.forget()
	switch rule {
	case SizeManual:
		return 0, 0, false
	case SizeSmallest, SizeLargest:
		for i, v := range z.viewers {
			c, r := v.terminal.cols, v.terminal.rows
			switch {
			case i == 0:
				cols, rows = c, r
			case rule == SizeSmallest:
				cols, rows = min(cols, c), min(rows, r)
			default:
				cols, rows = max(cols, c), max(rows, r)
			}
		}
		return cols, rows, len(z.viewers) > 0
	}
	if z.leader == nil || !z.leader.isAttached() {
		return 0, 0, false
	}
	return z.leader.terminal.cols, z.leader.terminal.rows, true
}
