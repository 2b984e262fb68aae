package terminals

import (
	"context"
	"slices"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals/wire"
)

// WatchQuery is the input of [Watch].
type WatchQuery struct {
	Target
	Formatted
	Events        []string `json:"events" jsonschema:"what to report: lines, chars, cursor, mode, diffs, title, activity, input, overlay, command, state, client, bell, notification, progress or clipboard"`
	IntervalMS    *uint64  `json:"interval_ms,omitempty" jsonschema:"least milliseconds between two reports about the screen while it keeps changing; the first change after a pause, and the first after input, is reported at once" default:"100" min:"0"`
	IdleTimeoutMS uint64   `json:"idle_timeout_ms,omitempty" jsonschema:"milliseconds of silence after which the session counts as idle; 0: activity is not reported; more than 5 minutes count as 5 minutes" default:"0" min:"0"`
}

// OutputQuery is the input of [ReadOutput].
type OutputQuery struct {
	Target
	From  *uint64 `json:"from,omitempty" jsonschema:"offset of the first byte in all that the program has written; what is missing of it ends the stream with an error; left out: the present state of the program's terminal, and what follows"`
	Whole bool    `json:"whole,omitempty" jsonschema:"whether the program waits while more than 256 KiB have not been read, also for 20 seconds after the reader has left; needs from" default:"false"`
}

// A Watcher is a stream of events of a session: see [term.Watcher].
type Watcher interface {
	// Name returns the present name of the session, or "" when the caller's grant does not cover
	// the session any more.
	Name() string
	// SessionID returns the ID of the session.
	SessionID() string
	// Next waits for events. The first call returns a [wire.Sync]. A slow caller gets newer screens
	// and fewer events. The error is of kind Gone when the program has ended and everything has
	// been reported, and NotFound when the caller's grant does not cover the session any more.
	Next(context.Context) ([]wire.Event, error)
	Close()
}

// Output is a stream of a program's output: see [term.Output].
type Output interface {
	// Name returns the present name of the session, or "" when the caller's grant does not cover
	// the session any more, or it was removed: another session may have the name then.
	Name() string
	// SessionID returns the ID of the session, by which operations reach it and no other.
	SessionID() string
	Next(context.Context) ([]byte, error)
	// WithoutReplies returns the input of a terminal that displays the output, without its replies
	// to the program's queries.
	WithoutReplies([]byte) []byte
	// AwaitLoss is as in [Client].
	AwaitLoss(context.Context) error
	Close()
}

// A Client is counted as a client of a session until it is closed.
type Client interface {
	// Name and SessionID are as in [Output].
	Name() string
	SessionID() string
	// Detached returns a channel that is closed when the program has ended.
	Detached() <-chan struct{}
	// AwaitLoss waits until nothing arrives about the session any more although its program may
	// run, and returns why: an error of kind NotFound if the session was removed or the caller's
	// grant does not cover it any more, because it has another name or other tags; or one of kind
	// Unreachable if its host cannot be reached. It returns nil if ctx ends before that, and at
	// once if none of it can happen.
	AwaitLoss(context.Context) error
	Close()
}

// Lifecycle is a stream of changes of the sessions that the caller's grant covers: see
// [term.RegistryWatcher]. A session that the grant begins to cover appears as created, and one that
// it no longer covers as ended.
type Lifecycle interface {
	Next(context.Context) (events []wire.Lifecycle, missed int, err error)
	Close()
}

// More streams. Their data does not pass through the table.
var (
	Watch = stream[WatchQuery](Operation{
		Name: "session.watch", Aliases: []Alias{{Name: "subscribe", Members: map[string]string{"quiesce_ms": "idle_timeout_ms"}}}, Right: Read,
		Doc:   "Delivers changes of the screen, activity, input, commands and what else the program does. Changes are combined, and a slow caller gets newer screens.",
		Fails: []Failure{unknown, gone, invalid},
	})
	ReadOutput = stream[OutputQuery](Operation{
		Name: "session.output", Right: Read,
		Doc:   "Delivers the program's output as it is, after the bytes that bring a terminal into the state of the program's, or from an offset on: 1 MiB is kept for readers with offsets, and for 20 seconds after the last of them.",
		Fails: []Failure{unknown, invalid, {fault.Exhausted, term.OutputLost, "a part of what follows the offset is lost"}},
	})
	Join = stream[Target](Operation{
		Name: "session.join", Right: Read, Doc: "Counts the caller as a client of the session until it leaves.",
		Fails: []Failure{unknown, gone, exhausted, badClient, sameClient},
	})
	Follow = stream[None](Operation{
		Name: "server.watch", Right: Read, Doc: "Delivers what happens to sessions: created, renamed, tagged, in another state, ended, removed.",
	})
)

// Watch implements [Terminals].
func (l *Local) Watch(ctx context.Context, by Grant, in WatchQuery) (Watcher, error) {
	s, err := l.streamed(ctx, by, Watch, in.Session)
	if err != nil {
		return nil, err
	}
	sub := wire.Subscription{Topics: in.Events}
	if sub.Format, err = wire.ParseFormat(in.Format); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(in.Events, func(topic string) bool { return !wire.IsTopic(topic) }); i >= 0 {
		return nil, fault.New(fault.Invalid, "there are no events %.40q: events are %s", in.Events[i], wire.Topics())
	}
	o := term.WatchOptions{Topics: sub.Watched(), Interval: milliseconds(in.IntervalMS), MayCapture: by.mayCapture()}
	if in.IdleTimeoutMS > 0 {
		o.Idle = milliseconds(&in.IdleTimeoutMS)
	}
	w, err := s.Watch(ctx, o)
	if err != nil {
		return nil, err
	}
	return watcher{w, sub, l, s, by}, nil
}

// A watcher is a Watcher of this process.
type watcher struct {
	*term.Watcher
	sub     wire.Subscription
	l       *Local
	session *term.Session
	by      Grant
}

// Name implements [Watcher].
func (w watcher) Name() string { return w.by.nameOf(w.session) }

// SessionID implements [Watcher].
func (w watcher) SessionID() string { return w.session.ID() }

// Next implements [Watcher].
func (w watcher) Next(ctx context.Context) ([]wire.Event, error) {
	for {
		u, err := w.Watcher.Next(ctx)
		if err != nil {
			return nil, err
		}
		if err := w.by.recheck(w.session); err != nil {
			return nil, err
		}
		if events := w.sub.Events(u); len(events) > 0 {
			return events, nil
		}
	}
}

// recheck returns an error if the session has another name or other tags now, which the grant
// does not cover.
func (g Grant) recheck(s *term.Session) error {
	if g.nameOf(s) == "" {
		return ErrUncovered
	}
	return nil
}

// awaitLoss implements [Client.AwaitLoss] for a stream with that name.
func (l *Local) awaitLoss(ctx context.Context, by Grant, name func() string) error {
	if by.Sessions == nil && by.Tags == nil {
		return nil
	}
	changes := l.sessions.Watch()
	defer changes.Close()
	for name() != "" {
		if _, _, err := changes.Next(ctx); err != nil {
			return nil // the connection is ending
		}
	}
	return ErrUncovered
}

// ErrUncovered is the error about a stream whose session the caller's grant does not cover any
// more.
var ErrUncovered = fault.New(fault.NotFound, "the caller's rights do not cover the session any more")

// nameOf returns the present name of a session, or "" if it was removed or the grant does not cover
// it any more.
func (l *Local) nameOf(s *term.Session, by Grant) string {
	if !l.sessions.Has(s) {
		return ""
	}
	return by.nameOf(s)
}

// nameOf returns the present name of a session, or "" if the grant does not cover the session any
// more.
func (g Grant) nameOf(s *term.Session) string {
	if g.Sessions == nil && g.Tags == nil {
		return s.Name()
	}
	if i := s.Info(); g.covers(i.Name, i.Tags) {
		return i.Name
	}
	return ""
}

// Output implements [Terminals].
func (l *Local) Output(ctx context.Context, by Grant, in OutputQuery) (Output, error) {
	s, err := l.streamed(ctx, by, ReadOutput, in.Session)
	if err != nil {
		return nil, err
	}
	o, err := s.Output(term.OutputOptions{From: in.From, Whole: in.Whole})
	if err != nil {
		return nil, err
	}
	return output{o, l, s, by}, nil
}

// An output is an Output of this process.
type output struct {
	*term.Output
	l       *Local
	session *term.Session
	by      Grant
}

// Name implements [Output].
func (o output) Name() string { return o.l.nameOf(o.session, o.by) }

// SessionID implements [Output].
func (o output) SessionID() string { return o.session.ID() }

// AwaitLoss implements [Output].
func (o output) AwaitLoss(ctx context.Context) error {
	return o.l.awaitLoss(ctx, o.by, o.Name)
}

// Next implements [Output].
func (o output) Next(ctx context.Context) ([]byte, error) {
	b, err := o.Output.Next(ctx)
	if err != nil {
		return nil, err
	}
	return b, o.by.recheck(o.session)
}

// Join implements [Terminals].
func (l *Local) Join(ctx context.Context, by Grant, session string, o term.ClientOptions) (Client, error) {
	s, err := l.streamed(ctx, by, Join, session)
	if err != nil {
		return nil, err
	}
	o.Observer, o.Name = true, by.clientName(o.Name, o.Kind)
	c, err := s.Attach(o)
	if err != nil {
		return nil, err
	}
	return client{c, l, s, by}, nil
}

// A client is a Client of this process.
type client struct {
	*term.Client
	l       *Local
	session *term.Session
	by      Grant
}

// Name implements [Client].
func (c client) Name() string { return c.l.nameOf(c.session, c.by) }

// AwaitLoss implements [Client].
func (c client) AwaitLoss(ctx context.Context) error {
	return c.l.awaitLoss(ctx, c.by, c.Name)
}

// Follow implements [Terminals].
func (l *Local) Follow(_ context.Context, by Grant) (Lifecycle, error) {
	if err := by.Check(Follow); err != nil {
		return nil, err
	}
	return lifecycle{l.sessions.Watch(), l, by}, nil
}

// A lifecycle is a Lifecycle of this process.
type lifecycle struct {
	*term.RegistryWatcher
	l  *Local
	by Grant
}

// Next implements [Lifecycle].
func (f lifecycle) Next(ctx context.Context) ([]wire.Lifecycle, int, error) {
	missed := 0
	for {
		events, n, err := f.RegistryWatcher.Next(ctx)
		if err != nil {
			return nil, 0, err
		}
		missed += n
		var list []wire.Lifecycle
		for _, e := range events {
			if e, ok := f.by.limit(e); ok {
				list = append(list, wire.NewLifecycle(e, f.l.host.Name))
			}
		}
		if len(list) > 0 || missed > 0 {
			return list, missed, nil
		}
	}
}

// limit returns an event as the grant lets the caller see it, and false if it does not.
func (g Grant) limit(e term.RegistryEvent) (term.RegistryEvent, bool) {
	before, now := g.covers(e.OldName, e.OldTags), g.covers(e.Info.Name, e.Info.Tags)
	switch {
	case before && !now:
		e.Change = term.Ended
		e.Info.Name, e.Info.Tags = e.OldName, e.OldTags
	case now && !before:
		e.Change = term.Created
		e.OldName, e.OldTags = e.Info.Name, e.Info.Tags
	}
	return e, before || now
}

var (
	_ Watcher   = watcher{}
	_ Output    = output{}
	_ Client    = client{}
	_ Lifecycle = lifecycle{}
)

// streams are the operations with more than one answer, in the order of the reference.
var streams = []*Operation{
	Attach, Watch, ReadOutput, Join, Follow,
}
