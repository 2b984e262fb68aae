package fleet

import (
	"context"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/remote"
)

// A hostTerminals is the terminals of another host for callers here. Names are those that sessions
// have there; grants are those that callers have here. The right is checked here, too, and the host
// gets no more of a limited grant than what that says of its sessions.
type hostTerminals struct {
	*host
	on string // the name by which the host was found
}

var _ terminals.Terminals = hostTerminals{}

// grant returns what the host may know of a caller's grant.
func (v hostTerminals) grant(by terminals.Grant, o *terminals.Operation, session string) (terminals.Grant, error) {
	if err := by.Check(o); err != nil {
		return by, err
	}
	there, ok := by.On(v.on)
	switch {
	case ok:
		return there, nil
	case session != "":
		return by, registry.UnknownSession(session)
	}
	return by, terminals.UnknownServer(v.on)
}

// answerTime is how long a call that waits for nothing may take in all: a host that does nothing
// but say that it is there must not hold up callers for ever.
const answerTime = 2 * time.Minute

// slowTime is how long a call that waits for nothing may take before the host is asked whether it
// is there at all.
const slowTime = 2 * time.Second

// Do implements [terminals.Doer].
func (v hostTerminals) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	session, _ := terminals.SessionIn(in)
	there, err := v.grant(by, o, session)
	if err != nil {
		return err
	}
	to, err := v.use(ctx, o)
	if err != nil {
		return undone(o, err)
	}
	within := ctx
	if o.Kind != terminals.Wait {
		defer time.AfterFunc(slowTime, v.poke).Stop()
		if o.Right&terminals.Type == 0 { // which may wait for a person's permission
			var cancel context.CancelFunc
			within, cancel = context.WithTimeoutCause(ctx, answerTime, remote.Silent(v.on, fault.New(fault.Timeout, "it has not answered for %v", answerTime)))
			defer cancel()
		}
	}
	if err = to.Do(within, there, o, in, out); err == nil || ctx.Err() == nil {
		err = v.used(err)
	}
	err = undone(o, err)
	for _, s := range sessionsIn(out) {
		s.Server = v.on
	}
	return err
}

func sessionsIn(out any) (list []*wire.Session) {
	switch out := out.(type) {
	case *wire.Session:
		list = append(list, out)
	case *[]wire.Session:
		for i := range *out {
			list = append(list, &(*out)[i])
		}
	case *wire.Lifecycle:
		list = append(list, &out.Params.Session)
	}
	return list
}

// Open implements [terminals.Terminals].
func (v hostTerminals) Open(ctx context.Context, by terminals.Grant, o *terminals.Operation, in any) (terminals.Stream, error) {
	session, _ := terminals.SessionIn(in)
	needed := o
	if query, ok := in.(*terminals.AttachQuery); ok {
		query.Followed = query.Followed && v.mayAnswer()
		if query.Host = v.on; query.Create {
			needed = &terminals.CreateSession.Operation
		}
	}
	there, err := v.grant(by, needed, session)
	if err != nil {
		return nil, err
	}
	to, err := v.use(ctx, needed)
	if err != nil {
		return nil, undone(needed, err)
	}
	s, err := to.Open(ctx, there, o, in)
	if err != nil && ctx.Err() == nil {
		err = v.used(err)
	}
	return s, undone(needed, err)
}

// undone adds to the error that a host cannot be reached what has become of a change. Where nothing
// is changed, the words would seem to be about what went on there before.
func undone(o *terminals.Operation, err error) error {
	if detail := fault.DetailOf(err); o.Kind == terminals.Change && (detail == terminals.HostAway || detail == terminals.HubAway) {
		return fault.With(detail, fault.Wrap(fault.KindOf(err), err, "nothing was done"))
	}
	return err
}

// views returns the hosts that a caller may list. The caller holds f.mu.
func (f *Fleet) views(by terminals.Grant) []hostTerminals {
	list := make([]hostTerminals, 0, len(f.hosts))
	for _, h := range f.hosts {
		if _, ok := by.On(h.name); ok {
			list = append(list, hostTerminals{h, h.name})
		}
	}
	return list
}
