package term

import (
	"cmp"
	"context"
	"errors"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/vt"
)

// QuiesceOptions define the silence to wait for.
type QuiesceOptions struct {
	// Timeout is the time without output or input; 0 means DefaultSilence. It may be longer than
	// MaxWait.
	Timeout time.Duration
	// MaxWait is how long to wait for that; 0 means DefaultWait. It is at most MaxWait.
	MaxWait time.Duration
	// LastGeneration, if not nil, is a generation that the caller knows: the wait lasts until there
	// is something newer, and then silence.
	LastGeneration *uint64
	// Fresh ignores silence before the call. It takes precedence over LastGeneration.
	Fresh bool
}

// A Quiet is the result of waiting for silence.
type Quiet struct {
	Screen     *vt.Snapshot
	Generation uint64        // for LastGeneration
	Since      time.Duration // how long it has been quiet
	End        uint64        // lines of the history and the screen that can be read
}

// Complete checks the options and fills in defaults.
func (o QuiesceOptions) Complete() (QuiesceOptions, error) {
	if o.Timeout < 0 || o.MaxWait < 0 {
		return o, fault.New(fault.Invalid, "a time to wait cannot be negative")
	}
	o.Timeout = cmp.Or(o.Timeout, core.DefaultSilence)
	o.MaxWait = min(cmp.Or(o.MaxWait, DefaultWait), MaxWait)
	return o, nil
}

// Quiesce waits until the terminal is quiet. Silence starts when output has been parsed, so the
// returned screen is complete. The error is of kind Timeout if it was not quiet within MaxWait, and
// Gone, at once, if the program ends.
func (s *Session) Quiesce(ctx context.Context, o QuiesceOptions) (Quiet, error) {
	o, err := o.Complete()
	if err != nil {
		return Quiet{}, err
	}
	late := fault.With(NotQuiet, fault.New(fault.Timeout,
		"session %q was not quiet for %v within %v: wait longer, or look at its screen", s.Name(), o.Timeout.Truncate(time.Millisecond), o.MaxWait.Truncate(time.Millisecond)))
	defer s.clients.Wait()()
	ctx, cancel := context.WithTimeoutCause(ctx, o.MaxWait, late)
	defer cancel()
	w := core.Quiet{Timeout: o.Timeout, Known: o.LastGeneration}
	if o.Fresh {
		w.Since, w.Known = time.Now(), nil
	}
	quiet, err := awaitAnswer(ctx, s, func(id uint64) core.Input { w.ID = id; return w }, func(st *state, r core.Quieted) Quiet {
		oldest, _, last := st.term.Extent()
		return Quiet{st.snapshot(), st.core.Idle.Count, r.Since, last - oldest}
	})
	if w.Known != nil && s.status.Load().Idle.Count == *w.Known && errors.Is(err, late) {
		err = fault.With(NotQuiet, fault.New(fault.Timeout,
			"nothing has happened in session %q since generation %d, for %v: look at its screen", s.Name(), *w.Known, o.MaxWait.Truncate(time.Millisecond)))
	}
	return quiet, err
}
