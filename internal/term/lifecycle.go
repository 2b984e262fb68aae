package term

import (
	"context"
	"slices"

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

// A RegistryEvent is a change of a session. Info describes it afterwards, or before its removal.
type RegistryEvent struct {
	Change         Change
	Info           Info
	OldName        string   // its previous name: differs from Info.Name if it was renamed
	OldTags        []string // its previous tags, sorted
	Added, Removed []string // tags
}

// Size says that events are small.
func (e RegistryEvent) Size() int { return 0 }

// A RegistryWatcher reports changes of a registry's sessions, in order. The caller must Close it.
type RegistryWatcher struct {
	registry *Registry
	box      *mailbox.Box[RegistryEvent]
}

// Watch returns a watcher, which reports all changes from now on.
func (r *Registry) Watch() *RegistryWatcher {
	w := &RegistryWatcher{r, mailbox.New[RegistryEvent]()}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watchers[w] = struct{}{}
	return w
}

// Close ends watching. A call of Next that waits returns.
func (w *RegistryWatcher) Close() {
	w.box.Close()
	w.registry.mu.Lock()
	defer w.registry.mu.Unlock()
	delete(w.registry.watchers, w)
}

// Next waits for changes and returns them. A slow caller loses the oldest: see [mailbox.Box.Next].
func (w *RegistryWatcher) Next(ctx context.Context) (events []RegistryEvent, missed int, err error) {
	return w.box.Next(ctx)
}

// reportLocked sends watchers a change of a session, which had the given label before. Since the
// registry is locked, they get changes in the order in which they took place.
func (r *Registry) reportLocked(c Change, s *Session, before *label) {
	if len(r.watchers) == 0 {
		return
	}
	e := RegistryEvent{Change: c, Info: s.Info(), OldName: before.name, OldTags: slices.Clone(before.tags)}
	e.Added, e.Removed = without(e.Info.Tags, before.tags), without(before.tags, e.Info.Tags)
	for w := range r.watchers {
		w.box.Put(e, nil)
	}
}

// stateChanged reports another state of a session, unless its creation will be reported with that.
func (r *Registry) stateChanged(s *Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.nameLocked(s); err == nil {
		r.reportLocked(Switched, s, s.label.Load())
	}
}

// without returns the elements of list that others does not have.
func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(tag string) bool { return slices.Contains(others, tag) })
}
