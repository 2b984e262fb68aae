package term

import (
	"context"
	"sync"
	"time"

	"ui-mcp/internal/fault"
)

// RaceOptions define which of several sessions to wait for. LastGeneration is one of the session
// Last, and ignored for others.
type RaceOptions struct {
	QuiesceOptions
	Last string // name of a session, or ""
	// Match reports whether a session takes part. It must be quick; nil means that all do.
	Match func(Info) bool
}

// QuiesceAny waits until the first of several sessions is quiet, and returns it. Sessions that are
// created or begin to match during the wait take part, too; those whose program ends drop out. The
// error is of kind Timeout if none was quiet within MaxWait. It is of kind NotFound, with the
// detail [NoSessions], when none is left.
func (r *Registry) QuiesceAny(ctx context.Context, o RaceOptions) (*Session, Quiet, error) {
	quiesce, err := o.complete()
	if err != nil {
		return nil, Quiet{}, err
	}
	o.QuiesceOptions = quiesce
	ctx, cancel := context.WithTimeoutCause(ctx, o.MaxWait, fault.With(NotQuiet, fault.New(fault.Timeout,
		"no session was quiet for %v within %v: wait longer, or look at their screens", o.Timeout.Truncate(time.Millisecond), o.MaxWait.Truncate(time.Millisecond))))
	race := race{RaceOptions: o, results: make(chan result), runs: map[*Session]bool{}}
	defer race.wait.Wait()
	defer cancel()
	for {
		_, _, changed := r.Programs()
		race.enter(ctx, r.all())
		if race.running == 0 {
			return nil, Quiet{}, fault.With(NoSessions, fault.New(fault.NotFound, "no session whose program runs matches: create one first"))
		}
		select {
		case <-changed:
		case got := <-race.results:
			race.running--
			race.runs[got.session] = false
			switch {
			case got.err == nil && race.matches(got.session):
				return got.session, got.quiet, nil
			case got.err != nil && fault.KindOf(got.err) == fault.Internal:
				return nil, Quiet{}, got.err
			}
		case <-ctx.Done():
			return nil, Quiet{}, context.Cause(ctx)
		}
	}
}

// A race waits for several sessions at once, on a goroutine each.
type race struct {
	RaceOptions
	results chan result
	wait    sync.WaitGroup
	runs    map[*Session]bool // the sessions that someone waits for
	running int               // how many
}

// A result is what waiting for one session has given.
type result struct {
	session *Session
	quiet   Quiet
	err     error
}

// enter starts to wait for the sessions that match.
func (r *race) enter(ctx context.Context, sessions []*Session) {
	for _, s := range sessions {
		if r.runs[s] || !r.matches(s) {
			continue
		}
		r.runs[s] = true
		r.running++
		o := r.QuiesceOptions
		o.MaxWait = MaxWait // ctx ends first
		if s.Name() != r.Last {
			o.LastGeneration = nil
		}
		r.wait.Go(func() {
			quiet, err := s.Quiesce(ctx, o)
			select {
			case r.results <- result{s, quiet, err}:
			case <-ctx.Done():
			}
		})
	}
}

// matches reports whether a session takes part: a program that has ended is not active.
func (r *race) matches(s *Session) bool {
	i := s.Info()
	return i.Exit == nil && (r.Match == nil || r.Match(i))
}

// all returns the sessions, ended ones included.
func (r *Registry) all() []*Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []*Session
	for _, e := range r.sessions {
		if e.session != nil {
			list = append(list, e.session)
		}
	}
	return list
}
