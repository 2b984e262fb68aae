package remote

import (
	"context"
	"encoding/json"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/stream"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/attachedterm"
)

// A Host is the terminals of another host, as far as it lets this one. Its sessions have the names
// that they have there. Beside what the operations report, errors can have the details
// [terminals.HostAway], [terminals.HostSilent], [terminals.HubAway] and [terminals.HostLacks].
type Host struct {
	link *Link
	id   string
	name string // for errors
}

var (
	_ terminals.Terminals = (*Host)(nil)
	_ attachedterm.Relay  = (*Host)(nil)
)

// Do implements [terminals.Doer].
func (h *Host) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	if o == &terminals.CreateToken.Operation && by.Token != "" {
		// It would stay valid when the caller's own token is withdrawn.
		return fault.With(terminals.NotAllowed, fault.New(fault.Precondition, "a token issues tokens of its own server only, not of host %s", h.name))
	}
	e, err := h.open(ctx, by, o, in)
	if err != nil {
		return err
	}
	defer e.cancel(ErrEnded)
	b, last, err := e.read(ctx)
	switch {
	case err != nil:
		return err
	case !last:
		return e.malformed()
	}
	var got outcome
	if err := json.Unmarshal(b, &got); err != nil {
		return e.malformed()
	}
	if len(got.Out) > 0 && Decode(o, got.Out, out) != nil {
		return e.malformed()
	}
	return got.Error.error(h.name, o)
}

// open opens a stream. Its caller must cancel it.
func (h *Host) open(ctx context.Context, by terminals.Grant, o *terminals.Operation, in any) (*end, error) {
	request := encode(opening{o.Name, newClaim(by), encode(in)})
	e, err := h.link.newEnd(h)
	if err != nil {
		return nil, err
	}
	e.op, e.limit = o, LimitOf(o)
	first, rest := request, []byte(nil)
	head := whole
	if len(request) > pieceSize {
		first, rest, head = request[:pieceSize], request[pieceSize:], more
	}
	sending, cancel := context.WithTimeout(ctx, stream.Silence)
	defer cancel()
	err = e.conn.Send(sending, Message{Peer: h.id, Kind: Open, Stream: e.to.Stream, Data: append([]byte{head}, first...)})
	switch {
	case err == nil:
	case ctx.Err() != nil:
		e.cancel(ErrEnded)
		return nil, context.Cause(ctx)
	default:
		e.cancel(ErrEnded)
		detail := fault.DetailOf(err)
		if sending.Err() != nil {
			detail = terminals.HostAway
		}
		return nil, fault.With(detail, fault.Wrap(fault.Unreachable, err, "host %s cannot be reached", h.name))
	}
	if head == more {
		if err := e.write(ctx, rest, false); err != nil {
			// A host that refuses a request need not read all of it.
			if _, refused := e.message(ctx); refused != nil && refused != ErrEnded {
				err = refused
			}
			e.cancel(ErrEnded)
			return nil, err
		}
	}
	return e, nil
}

// newEnd returns an end of a new stream to a host.
func (l *Link) newEnd(h *Host) (*end, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed && l.broken() != nil:
		return nil, absent(h.name)
	case l.closed:
		return nil, errClosing
	}
	l.next++
	e := newEnd(context.Background(), l.o.Conn, Message{Peer: h.id, Kind: Up, Stream: number(l.run, l.next)}, h.name)
	l.opened[e.to.Stream] = e
	l.busy.Go(func() {
		e.run()
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.opened, e.to.Stream)
	})
	return e, nil
}

// deliver opens a stream that delivers something.
func (h *Host) deliver(ctx context.Context, by terminals.Grant, o *terminals.Operation, in any) (*feed, error) {
	e, err := h.open(ctx, by, o, in)
	if err != nil {
		return nil, err
	}
	f := &feed{end: e, limited: by.Sessions != nil || by.Tags != nil, uncovered: make(chan struct{})}
	b, err := f.message(ctx)
	if err == nil && json.Unmarshal(b, &f.session) != nil {
		err = e.malformed()
	}
	f.session = begun{safetext.Plain(f.session.Name), safetext.Plain(f.session.ID)}
	if err != nil {
		e.cancel(ErrEnded)
		return nil, err
	}
	return f, nil
}

// Watch implements [terminals.Terminals].
func (h *Host) Watch(ctx context.Context, by terminals.Grant, in terminals.WatchQuery) (terminals.Watcher, error) {
	f, err := h.deliver(ctx, by, terminals.Watch, in)
	if err != nil {
		return nil, err
	}
	return watcher{f}, nil
}

// Output implements [terminals.Terminals].
func (h *Host) Output(ctx context.Context, by terminals.Grant, in terminals.OutputQuery) (terminals.Output, error) {
	f, err := h.deliver(ctx, by, terminals.ReadOutput, in)
	if err != nil {
		return nil, err
	}
	return &output{feed: f}, nil
}

// Join implements [terminals.Terminals].
func (h *Host) Join(ctx context.Context, by terminals.Grant, session string, o term.ClientOptions) (terminals.Client, error) {
	f, err := h.deliver(ctx, by, terminals.Join, joining{Session: session, Kind: o.Kind, Name: o.Name, Exact: o.Exact, ReadOnly: o.ReadOnly})
	if err != nil {
		return nil, err
	}
	c := client{f, make(chan struct{})}
	h.link.mu.Lock()
	defer h.link.mu.Unlock()
	if h.link.closed {
		return nil, errClosing
	}
	h.link.busy.Go(c.follow)
	return c, nil
}

// Follow implements [terminals.Terminals].
func (h *Host) Follow(ctx context.Context, by terminals.Grant) (terminals.Lifecycle, error) {
	f, err := h.deliver(ctx, by, terminals.Follow, terminals.None{})
	if err != nil {
		return nil, err
	}
	return lifecycle{f}, nil
}

// FollowQuestions implements [terminals.Terminals].
func (h *Host) FollowQuestions(ctx context.Context, by terminals.Grant) (terminals.QuestionStream, error) {
	f, err := h.deliver(ctx, by, terminals.FollowQuestions, terminals.None{})
	if err != nil {
		return nil, err
	}
	return asked{f}, nil
}

// An asked implements [terminals.QuestionStream].
type asked struct{ *feed }

// Receive implements [terminals.QuestionStream].
func (a asked) Receive(ctx context.Context) (news terminals.QuestionNews, err error) {
	_, b, err := a.next(ctx)
	if err == nil && Decode(terminals.FollowQuestions, b, &news) != nil {
		err = a.malformed()
	}
	return news, err
}

// Send implements [terminals.QuestionStream].
func (a asked) Send(ctx context.Context, in terminals.FromFollower) error {
	return a.write(ctx, encode(in), false)
}
