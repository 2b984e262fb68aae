package registry

import (
	"context"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
)

// creationPatience is how long [Registry.AwaitCreations] waits for a creation, from its beginning,
// and [Registry.Close] from its own.
const creationPatience = time.Second

// A creation is a session that is being created. Its program may run already, and look for it.
type creation struct {
	id    string
	began time.Time
	over  chan struct{} // closed when the session can be found, or could not be created
}

// Find is like [Registry.Session], but waits for a session that is being created. It gives up with
// an error of kind Timeout when ctx ends.
func (r *Registry) Find(ctx context.Context, of string) (*term.Session, error) {
	for {
		s, c := r.lookUp(of)
		switch {
		case s != nil:
			return s, nil
		case c == nil:
			return nil, UnknownSession(of)
		}
		select {
		case <-c.over:
		case <-ctx.Done():
			return nil, fault.Wrap(fault.Timeout, context.Cause(ctx), "session %q is still being created", of)
		}
	}
}

// lookUp returns the session of that name or ID, or else its creation, if there is one.
func (r *Registry) lookUp(of string) (*term.Session, *creation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.ids[of]; s != nil {
		return s, nil
	}
	if e := r.sessions[of]; e != nil {
		return e.session, e.creation
	}
	for _, e := range r.sessions {
		if e.session == nil && e.creation.id == of {
			return nil, e.creation
		}
	}
	return nil, nil
}

// AwaitCreations waits until the sessions that are being created can be found, so that their
// programs find themselves in a list. It does not wait for creations that began more than a second
// ago, which may take for ever: programs can be on a network drive that does not answer.
func (r *Registry) AwaitCreations(ctx context.Context) {
	for _, c := range r.creations() {
		select {
		case <-c.over:
		case <-time.After(creationPatience - time.Since(c.began)):
		case <-ctx.Done():
		}
	}
}

func (r *Registry) creations() (list []*creation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.sessions {
		if e.session == nil {
			list = append(list, e.creation)
		}
	}
	return list
}
