package effect

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/ui/lua/async"
)

// watchInterval is the least time between two looks at a screen whose title and commands are
// watched.
const watchInterval = 250

// Terminals lets scripts use terminals. A script may do everything with them but administer the
// server. The ledgers of sessions name it, and most is how many of the sessions that the scripts of
// one app have created may run at once; 0 means no limit. confirm matches the lines that scripts
// may enter only if a person allows them; nil: none.
func Terminals(t terminals.Terminals, most int, confirm *regexp.Regexp) async.Terminals {
	return &scriptTerminals{t, most, confirm}
}

type scriptTerminals struct {
	t       terminals.Terminals
	most    int
	confirm *regexp.Regexp
}

func (s *scriptTerminals) by(script string) terminals.Grant {
	return terminals.Grant{
		Rights: terminals.AllRights &^ (terminals.Administer | terminals.Answer),
		From:   core.Sender{Kind: core.SenderApp, Name: script},
		Client: "app " + script, MaxSessions: s.most,
	}.Confirmed(s.confirm)
}

// atOnce is a context that has ended: what is done with it does not wait for terminals that are
// being created.
var atOnce = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// List implements [async.Terminals].
func (s *scriptTerminals) List() []async.Terminal {
	list, err := terminals.ListSessions.Do(atOnce, s.t, s.by(""), terminals.SessionFilter{})
	if err != nil {
		return nil // it never fails for those who may read
	}
	out := make([]async.Terminal, len(list))
	for i, v := range list {
		// A state that lasts for less than a moment has no event, and so none that says it is over.
		out[i] = async.Terminal{
			ID: v.ID, Name: v.Name, Command: v.Command, State: cmp.Or(v.Reported, v.State), Reports: v.Reports, Title: v.Title, Rows: v.Rows, Cols: v.Cols, Tags: v.Tags, Keyboard: v.Keyboard,
		}
		if c := v.LastCommand; c != nil {
			out[i].Last = &async.TerminalCommand{Number: c.Number, Line: c.Line, Ended: !c.Running, Status: c.ExitCode, Duration: duration(c.DurationMS)}
		}
		if v.Leader != nil {
			out[i].Leader = *v.Leader
		}
		if v.Exit != nil {
			out[i].Exit = &async.TerminalExit{Status: v.Exit.Code, Signal: v.Exit.Signal}
		}
	}
	return out
}

func duration(ms *int64) time.Duration {
	if ms == nil {
		return 0
	}
	return time.Duration(*ms) * time.Millisecond
}

// Operations implements [async.Terminals].
func (s *scriptTerminals) Operations() (names []string) {
	for _, o := range terminals.All() {
		if o.OfSession() && o.Kind != terminals.Streaming {
			names = append(names, o.Name)
		}
	}
	return names
}

// Check implements [async.Terminals].
func (s *scriptTerminals) Check(name string, in []byte) (waits bool, err error) {
	o, _, _, err := decode(name, in)
	return o != nil && o.Kind == terminals.Wait, err
}

// decode returns an operation that scripts may use, its input, and where its answer goes.
func decode(name string, in []byte) (o *terminals.Operation, input, answer any, err error) {
	c := terminals.Named(name)
	switch {
	case c == nil:
		return nil, nil, nil, fault.New(fault.Invalid, "there is no operation %.40q on terminals", name)
	case c.Kind == terminals.Streaming:
		return nil, nil, nil, fault.New(fault.Invalid, "%s is a stream, which scripts cannot use: register handlers with on", name)
	}
	members, err := terminals.Members(in)
	if err != nil {
		return c.Operation, nil, nil, err
	}
	return c.Decode(members)
}

// Do implements [async.Terminals].
func (s *scriptTerminals) Do(ctx context.Context, script, name string, in []byte, begun func()) ([]byte, error) {
	o, input, answer, err := decode(name, in)
	if err != nil {
		return nil, err
	}
	if begun != nil {
		ctx = term.WithBegun(ctx, begun)
	}
	if err := s.t.Do(ctx, s.by(script), o, input, answer); err != nil {
		return nil, err
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "the answer of %s", name)
	}
	return data, nil
}

// Watch implements [async.Terminals].
func (s *scriptTerminals) Watch(ctx context.Context, id string) (next func() ([]async.TerminalEvent, error), err error) {
	if id == "" {
		list, err := terminals.Follow.Open(ctx, s.t, s.by(""), terminals.None{})
		if err != nil {
			return nil, err
		}
		context.AfterFunc(ctx, list.Close)
		return func() ([]async.TerminalEvent, error) { _, err := list.Next(ctx); return nil, err }, nil
	}
	interval := uint64(watchInterval)
	in := terminals.WatchQuery{Events: []string{"state", "command", "bell", "title"}, IntervalMS: &interval}
	in.Session, in.Format = id, string(wire.Plain)
	w, err := terminals.Watch.Open(ctx, s.t, s.by(""), in)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, w.Close)
	return func() ([]async.TerminalEvent, error) { list, err := w.Next(ctx); return events(list), err }, nil
}

// events converts what has happened in a session. A title is an event without content.
func events(list []wire.Event) []async.TerminalEvent {
	out := make([]async.TerminalEvent, 0, len(list))
	for _, e := range list {
		switch e := e.(type) {
		case wire.State:
			out = append(out, async.TerminalEvent{State: e.State, Reports: e.Reports})
		case wire.Command:
			c := async.TerminalCommand{Number: e.Number, Line: e.Line, Ended: e.State == "done", Status: e.ExitCode, Duration: duration(e.DurationMS)}
			out = append(out, async.TerminalEvent{Command: &c})
		case wire.Bell:
			out = append(out, async.TerminalEvent{Bell: true})
		}
	}
	return out
}
