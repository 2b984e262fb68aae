package registry

import (
	"context"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
)

// RaceOptions define which of several sessions to wait for. LastGeneration is one of the session
// Last, and ignored for others.
type RaceOptions struct {
	term.QuiesceOptions
	Last string // name of a session, or ""
	// Match reports whether a session takes part. It must be quick; nil means that all do.
	Match func(term.Info) bool
}

// QuiesceAny waits until the first of several sessions is quiet, and returns it. Sessions that are
// created or begin to match during the wait take part, too; those whose program ends drop out. The
// error is of kind Timeout if none was quiet within MaxWait. It is of kind NotFound, with the
// detail [NoSessions], when none is left.
func (r *Registry) QuiesceAny(ctx context.Context, o RaceOptions) (*term.Session, term.Quiet, error) {
	quiesce, err := o.Complete()
	if err != nil {
		return nil, term.Quiet{}, err
	}
	o.QuiesceOptions = quiesce
	ctx, cancel := context.WithTimeoutCause(ctx, o.MaxWait, fault.With(term.NotQuiet, fault.New(fault.Timeout,
		"no session was quiet for %v within %v: wait longer, or look at their screens", o.Timeout.Truncate(time.Millisecond), o.MaxWait.Truncate(time.Millisecond))))
	var waits sync.WaitGroup
	defer waits.Wait()
	defer cancel()
	results, awaited := make(chan result), map[*term.Session]bool{}
	for {
		_, _, changed := r.Programs()
		for _, s := range r.all() {
			if awaited[s] || !o.matches(s) {
				continue
			}
			awaited[s] = true
			q := o.QuiesceOptions
			q.MaxWait = term.MaxWait // ctx ends first
			if s.Name() != o.Last {
				q.LastGeneration = nil
			}
			waits.Go(func() {
				quiet, err := s.Quiesce(ctx, q)
				select {
				case results <- result{s, quiet, err}:
				case <-ctx.Done():
				}
			})
		}
		if len(awaited) == 0 {
			return nil, term.Quiet{}, fault.With(NoSessions, fault.New(fault.NotFound, "no session whose program runs matches: create one first"))
		}
		select {
		case <-changed:
		case got := <-results:
			delete(awaited, got.session)
			switch {
			case got.err == nil && o.matches(got.session):
				return got.session, got.quiet, nil
			case got.err != nil && fault.KindOf(got.err) == fault.Internal:
				return nil, term.Quiet{}, got.err
			}
		case <-ctx.Done():
			return nil, term.Quiet{}, context.Cause(ctx)
		}
	}
}

// A result is what waiting for one session has given.
type result struct {
	session *term.Session
	quiet   term.Quiet
	err     error
}

// matches reports whether a session takes part: a program that has ended is not active.
func (o *RaceOptions) matches(s *term.Session) bool {
	i := s.Info()
	return i.Exit == nil && (o.Match == nil || o.Match(i))
}

// all returns the sessions, ended ones included.
func (r *Registry) all() []*term.Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []*term.Session
	for _, e := range r.entries {
		if e.session != nil {
			list = append(list, e.session)
		}
	}
	return list
}
