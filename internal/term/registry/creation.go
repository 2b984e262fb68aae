package registry

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
)

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
