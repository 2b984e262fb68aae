package registry

import (
	"cmp"
	"slices"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/label"
)

// A Relabel changes a session's name and tags.
type Relabel struct {
	Name        *string // nil keeps it
	Add, Remove []string
	// ReplaceTags, if not nil, protects an ended session of the new name without any of these tags.
	ReplaceTags []string
	// Within is where the session must be afterwards; otherwise the error is of kind Precondition
	// with the detail [NotAllowed].
	Within *label.Scope
}

// Relabel changes a session's name and tags, all or nothing. It replaces an ended session of the
// new name. A tag that is both added and removed is removed.
func (r *Registry) Relabel(s *term.Session, c Relabel) error {
	replaced, err := r.relabel(s, c)
	if replaced != nil {
		replaced.Discard()
	}
	s.Renamed()
	return err
}

func (r *Registry) relabel(s *term.Session, c Relabel) (replaced *term.Session, err error) {
	if c.Name != nil {
		if err := label.CheckName(*c.Name); err != nil {
			return nil, err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e, err := r.entryLocked(s)
	if err != nil {
		return nil, err
	}
	old := e.label.Load()
	to := *cmp.Or(c.Name, &old.Name)
	tags, err := label.ChangeTags(old.Tags, c.Add, c.Remove)
	if err != nil {
		return nil, err
	}
	if !c.Within.Covers(to, tags) {
		return nil, fault.With(NotAllowed, fault.New(fault.Precondition, "the caller's rights do not cover a session %q with these tags", to))
	}
	if to != old.Name {
		over, err := r.freeLocked(to, c.ReplaceTags)
		if err != nil {
			return nil, err
		}
		if over != nil {
			r.forgetLocked(over)
			replaced = over.session
		}
		r.storeLocked(e, Renamed, &label.Label{Name: to, Tags: old.Tags})
	}
	if !slices.Equal(tags, old.Tags) {
		r.storeLocked(e, Tagged, &label.Label{Name: to, Tags: tags})
	}
	return replaced, nil
}

// storeLocked changes a session's label and reports that.
func (r *Registry) storeLocked(e *entry, c Change, l *label.Label) {
	old := e.label.Swap(l)
	r.reportLocked(c, e.session, old)
	r.notifyLocked()
}
