package registry

import (
	"context"
	"maps"
	"slices"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
)

// creationPatience is how long [Registry.AwaitCreations] waits for a creation, from its beginning,
// and [Registry.Close] from its own.
const creationPatience = time.Second

// Find is like [Registry.Session], but waits for a session that is being created. It gives up with
// an error of kind Timeout when ctx ends.
func (r *Registry) Find(ctx context.Context, of string) (*term.Session, error) {
	for {
		s, created := r.lookUp(of)
		switch {
		case s != nil:
			return s, nil
		case created == nil:
			return nil, UnknownSession(of)
		}
		select {
		case <-created:
		case <-ctx.Done():
			return nil, fault.Wrap(fault.Timeout, context.Cause(ctx), "session %q is still being created", of)
		}
	}
}

// lookUp returns the session of that name or ID, or what is closed when its creation is over.
func (r *Registry) lookUp(of string) (_ *term.Session, created <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.entries[of]
	if e == nil {
		e = r.namedLocked(of)
	}
	if e == nil {
		return nil, nil
	}
	return e.session, e.created
}

// AwaitCreations waits until the sessions that are being created can be found, so that their
// programs find themselves in a list. It does not wait for creations that began more than a second
// ago, which may take for ever: programs can be on a network drive that does not answer.
func (r *Registry) AwaitCreations(ctx context.Context) {
	r.mu.Lock()
	list := slices.Collect(maps.Values(r.entries))
	list = slices.DeleteFunc(list, func(e *entry) bool { return e.session != nil })
	r.mu.Unlock()
	for _, e := range list {
		select {
		case <-e.created:
		case <-time.After(creationPatience - time.Since(e.began)):
		case <-ctx.Done():
		}
	}
}
