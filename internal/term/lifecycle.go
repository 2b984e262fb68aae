package term

import (
	"context"
	"slices"
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

func (e RegistryEvent) size() int { return 0 }

// A RegistryWatcher reports changes of a registry's sessions, in order. The caller must Close it.
type RegistryWatcher struct {
	registry *Registry
	box      *mailbox[RegistryEvent]
	ending   ending
}

// Watch returns a watcher, which reports all changes from now on.
func (r *Registry) Watch() *RegistryWatcher {
	w := &RegistryWatcher{registry: r, box: newMailbox[RegistryEvent](), ending: newEnding()}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watchers[w] = struct{}{}
	return w
}

// Close ends watching. A call of Next that waits returns.
func (w *RegistryWatcher) Close() {
	w.ending.close()
	w.registry.mu.Lock()
	defer w.registry.mu.Unlock()
	delete(w.registry.watchers, w)
}

// Next waits for changes and returns them. A slow caller loses the oldest; missed is how many were
// lost just before the returned ones. An error is the cause of ctx's end, or of kind Gone after
// Close.
//
// It may be called from one goroutine at a time.
func (w *RegistryWatcher) Next(ctx context.Context) (events []RegistryEvent, missed int, err error) {
	for {
		if err := context.Cause(w.ending); err != nil {
			return nil, 0, err
		}
		if events, missed = w.box.take(); len(events) > 0 {
			return events, missed, nil
		}
		select {
		case <-w.box.wake:
		case <-w.ending.Done():
		case <-ctx.Done():
			return nil, 0, context.Cause(ctx)
		}
	}
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
		w.box.put(e, nil)
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
