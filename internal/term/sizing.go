package term

import (
	"context"
	"fmt"
	"slices"

	"ui-mcp/internal/fault"
)

// A SizeRule says whose terminal decides the size of a session, of the viewers that have called
// [Viewer.Resize] and may type.
type SizeRule string

const (
	SizeLeader SizeRule = "leader" // the one that typed last or took the lead; at first, the first one
	SizeManual SizeRule = "manual" // none
)

// ParseSizeRule reads a rule. The rules latest, smallest and largest of earlier versions act as
// SizeLeader, and notice then tells the person so. An error is of kind Invalid.
func ParseSizeRule(s string) (r SizeRule, notice string, err error) {
	switch s {
	case string(SizeLeader), string(SizeManual):
		return SizeRule(s), "", nil
	case "latest", "smallest", "largest":
		return SizeLeader, fmt.Sprintf("the rule %q for sizes is gone: the terminal that is typed on decides the size, as with %q", s, SizeLeader), nil
	}
	return "", "", fault.New(fault.Invalid, "%q is not a rule for sizes: it is leader or manual", s)
}

// sizing is the part of a session's state that decides its size by the rule, which is in its
// status.
type sizing struct {
	leader  *Viewer // may have left
	viewers []*Viewer
}

// Resize sets the size of the viewer's terminal, as [Viewer.Fit] does, and then the size of the
// session by its rule. [Session.Resize] overrides that until the rule applies again: when the
// leader types or is resized, or when there is another leader.
func (v *Viewer) Resize(ctx context.Context, cols, rows int) error {
	if err := checkSize(cols, rows); err != nil {
		return err
	}
	return v.session.do(ctx, func(st *state) error { return v.resize(st, cols, rows) })
}

// resize is Resize on the session's executor.
func (v *Viewer) resize(st *state, cols, rows int) error {
	v.fit(st, cols, rows)
	if v.readOnly || st.core.Exit != nil || !v.isAttached() {
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
	if z.leader == nil || !z.leader.isAttached() {
		v.session.setLeader(st, v)
	}
	if z.leader != v && !anotherRule {
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

// forget removes viewers that are not attached any more. The size stays until another one leads.
func (z *sizing) forget() {
	z.viewers = slices.DeleteFunc(z.viewers, func(v *Viewer) bool { return !v.isAttached() })
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
	if rule == SizeManual || z.leader == nil || !z.leader.isAttached() {
		return 0, 0, false
	}
	return z.leader.terminal.cols, z.leader.terminal.rows, true
}
