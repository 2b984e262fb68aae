package terminals

import (
	"context"
	"slices"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/registry"
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

// JoinQuery is the input of [Join].
type JoinQuery struct {
	Target
	Count Count `json:"count" jsonschema:"as what the caller is counted"`
}

// Count says as what [Join] counts the caller.
type Count struct {
	Kind     clients.Kind `json:"kind,omitempty" jsonschema:"what the client is: websocket or raw"`
	Name     string       `json:"name,omitempty" jsonschema:"the client's name; if it is taken, a number is added"`
	Exact    bool         `json:"exact,omitempty" jsonschema:"whether a name that is taken is an error"`
	ReadOnly bool         `json:"read_only,omitempty" jsonschema:"whether the client only looks"`
}

// Changes are changes of the sessions that the caller's grant covers: see
// [registry.Registry.Watch]. A session that the grant begins to cover appears as created, and one
// that it no longer covers as ended.
type Changes struct {
	Events []wire.Lifecycle `json:"events,omitempty"`
	Missed int              `json:"missed,omitempty"` // events that are left out
}

// Streams. Their parts do not pass through the table.
var (
	// Watch delivers a [wire.Sync] first. A slow caller gets newer screens and fewer events.
	Watch = sessionStream(Operation{
		Name: "session.watch", Aliases: []Alias{{Name: "subscribe", Members: map[string]string{"quiesce_ms": "idle_timeout_ms"}}}, Right: Read,
		Doc:   "Delivers changes of the screen, activity, input, commands and what else the program does. Changes are combined, and a slow caller gets newer screens.",
		Fails: []Failure{unknown, gone, invalid},
	}, func(ctx context.Context, s *term.Session, by Grant, in WatchQuery) (*delivery[[]wire.Event], error) {
		sub := wire.Subscription{Topics: in.Events, Format: in.format()}
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
		next := func(ctx context.Context) ([]wire.Event, error) {
			for {
				u, err := w.Next(ctx)
				if err != nil {
					return nil, err
				}
				if events := sub.Events(u); len(events) > 0 {
					return events, nil
				}
			}
		}
		return &delivery[[]wire.Event]{next: next, close: w.Close, keepsName: true}, nil
	})
	ReadOutput = sessionStream(Operation{
		Name: "session.output", Right: Read,
		Doc:   "Delivers the program's output as it is, after the bytes that bring a terminal into the state of the program's, or from an offset on: 1 MiB is kept for readers with offsets, and for 20 seconds after the last of them.",
		Fails: []Failure{unknown, invalid, {fault.Exhausted, term.OutputLost, "a part of what follows the offset is lost"}},
	}, func(_ context.Context, s *term.Session, _ Grant, in OutputQuery) (*delivery[[]byte], error) {
		o, err := s.Output(term.OutputOptions{From: in.From, Whole: in.Whole})
		if err != nil {
			return nil, err
		}
		return &delivery[[]byte]{next: o.Next, close: o.Close}, nil
	})
	// Join delivers nothing but its end, when the program has ended.
	Join = sessionStream(Operation{
		Name: "session.join", Right: Read, Doc: "Counts the caller as a client of the session until it leaves.",
		Fails: []Failure{unknown, gone, exhausted, badClient, sameClient},
	}, func(_ context.Context, s *term.Session, by Grant, in JoinQuery) (*delivery[None], error) {
		c, err := s.Attach(clients.Options{
			Kind: in.Count.Kind, Name: by.clientName(in.Count.Name, in.Count.Kind), Exact: in.Count.Exact, ReadOnly: in.Count.ReadOnly, Observer: true,
		})
		if err != nil {
			return nil, err
		}
		next := func(ctx context.Context) (None, error) {
			select {
			case <-c.Detached():
				return None{}, fault.New(fault.Gone, "the program has ended")
			case <-ctx.Done():
				return None{}, context.Cause(ctx)
			}
		}
		return &delivery[None]{next: next, close: c.Close}, nil
	})
	Follow = stream(Operation{
		Name: "server.watch", Right: Read, Doc: "Delivers what happens to sessions: created, renamed, tagged, in another state, ended, removed.",
	}, func(_ context.Context, l *Local, by Grant, _ None) (*delivery[Changes], error) {
		w := l.sessions.Watch()
		next := func(ctx context.Context) (c Changes, err error) {
			for {
				events, missed, err := w.Next(ctx)
				if err != nil {
					return c, err
				}
				c.Missed += missed
				for _, e := range events {
					if e, ok := by.limit(e); ok {
						c.Events = append(c.Events, wire.NewLifecycle(e, l.host.Name))
					}
				}
				if len(c.Events) > 0 || c.Missed > 0 {
					return c, nil
				}
			}
		}
		return &delivery[Changes]{next: next, close: w.Close}, nil
	})
)

// awaitLoss waits until a name is empty: the grant does not cover the session any more, or it was
// removed. It returns nil at once if the first cannot happen.
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

// limit returns an event as the grant lets the caller see it, and false if it does not.
func (g Grant) limit(e registry.Event) (registry.Event, bool) {
	before, now := g.covers(e.OldName, e.OldTags), g.covers(e.Info.Name, e.Info.Tags)
	switch {
	case before && !now:
		e.Change = registry.Ended
		e.Info.Name, e.Info.Tags = e.OldName, e.OldTags
	case now && !before:
		e.Change = registry.Created
		e.OldName, e.OldTags = e.Info.Name, e.Info.Tags
	}
	return e, before || now
}

var streams = ops(Attach, Watch, ReadOutput, Join, Follow)
