package registry

import (
	"slices"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/mailbox"
)

// A Change is what has happened to a session of a registry.
type Change string

const (
	Created  Change = "created"
	Renamed  Change = "renamed"
	Tagged   Change = "tagged" // its tags have changed
	Switched Change = "state"  // its state or its recording has changed: not reported for its end
	Ended    Change = "ended"  // its program has ended; the session can still be read
	Removed  Change = "removed"
)

// An Event is a change of a session. Info describes it afterwards, or before its removal.
type Event struct {
	Change         Change
	Info           term.Info
	OldName        string   // its previous name: differs from Info.Name if it was renamed
	OldTags        []string // its previous tags, sorted
	Added, Removed []string // tags
}

// Size says that events are small.
func (e Event) Size() int { return 0 }

// Watch returns what gets all changes of sessions from now on, in order. The caller must Close it.
func (r *Registry) Watch() *mailbox.Box[Event] {
	w := mailbox.New[Event]()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watchers = append(r.watchersLocked(), w)
	return w
}

// watchersLocked returns the watchers that are not closed.
func (r *Registry) watchersLocked() []*mailbox.Box[Event] {
	return slices.DeleteFunc(r.watchers, func(w *mailbox.Box[Event]) bool { return w.Err() != nil })
}

// reportLocked sends watchers a change of a session, which had the given label before. Since the
// registry is locked, they get changes in the order in which they took place.
func (r *Registry) reportLocked(c Change, s *term.Session, before *label.Label) {
	if r.watchers = r.watchersLocked(); len(r.watchers) == 0 {
		return
	}
	e := Event{Change: c, Info: s.Info(), OldName: before.Name, OldTags: slices.Clone(before.Tags)}
	e.Added, e.Removed = without(e.Info.Tags, before.Tags), without(before.Tags, e.Info.Tags)
	for _, w := range r.watchers {
		w.Put(e, nil)
	}
}

// stateChanged reports another state of a session, unless its creation will be reported with that.
func (r *Registry) stateChanged(s *term.Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, err := r.entryLocked(s); err == nil {
		r.reportLocked(Switched, s, e.label.Load())
	}
}

// without returns the elements of list that others does not have.
func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(tag string) bool { return slices.Contains(others, tag) })
}
