package term

import (
	"cmp"
	"slices"

	"ui-mcp/internal/fault"
)

// A Scope is the sessions that have one of the names or one of the tags. Nil is all sessions.
type Scope struct{ Names, Tags []string }

// Covers reports whether a session of that name with those tags is in the set.
func (s *Scope) Covers(name string, tags []string) bool {
	return s == nil || slices.Contains(s.Names, name) || haveCommon(tags, s.Tags)
}

// haveCommon reports whether two lists of tags share one.
func haveCommon(a, b []string) bool {
	return slices.ContainsFunc(a, func(tag string) bool { return slices.Contains(b, tag) })
}

// A Relabel changes a session's name and tags.
type Relabel struct {
	Name        *string // nil keeps it
	Add, Remove []string
	// ReplaceTags, if not nil, protects an ended session of the new name without any of these tags.
	ReplaceTags []string
	// Within is where the session must be afterwards; otherwise the error is of kind Precondition
	// with the detail [NotAllowed].
	Within *Scope
}

// Relabel changes a session's name and tags, all or nothing. It replaces an ended session of the
// new name. A tag that is both added and removed is removed.
func (r *Registry) Relabel(s *Session, c Relabel) error {
	replaced, err := r.relabel(s, c)
	if replaced != nil {
		replaced.discard()
	}
	s.exec.Post(func() { s.st.notify() }) // bars name the session
	return err
}

func (r *Registry) relabel(s *Session, c Relabel) (replaced *Session, err error) {
	if c.Name != nil {
		if err := checkName(*c.Name); err != nil {
			return nil, err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	name, err := r.nameLocked(s)
	if err != nil {
		return nil, err
	}
	to := *cmp.Or(c.Name, &name)
	old := s.label.Load()
	tags, err := changeTags(old.tags, c.Add, c.Remove)
	if err != nil {
		return nil, err
	}
	if !c.Within.Covers(to, tags) {
		return nil, fault.With(NotAllowed, fault.New(fault.Precondition, "the caller's rights do not cover a session %q with these tags", to))
	}
	if to != name {
		e, err := r.freeLocked(to, c.ReplaceTags)
		if err != nil {
			return nil, err
		}
		if e != nil {
			r.forgetLocked(to)
			replaced = e.session
		}
		r.sessions[to] = r.sessions[name]
		delete(r.sessions, name)
		r.storeLocked(s, Renamed, &label{to, old.tags})
	}
	if !slices.Equal(tags, old.tags) {
		r.storeLocked(s, Tagged, &label{to, tags})
	}
	return replaced, nil
}

// storeLocked changes a session's label and reports that.
func (r *Registry) storeLocked(s *Session, c Change, l *label) {
	old := s.label.Swap(l)
	r.reportLocked(c, s, old)
	r.notifyLocked()
}
