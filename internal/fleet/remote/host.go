package remote

import (
	"context"
	"encoding/json"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/stream"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/socketwire"
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
	defer e.cancel(errEnded)
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
	if len(got.Out) > 0 && wire.Decode(got.Out, out) != nil {
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
	e.op = o
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
		e.cancel(errEnded)
		return nil, context.Cause(ctx)
	default:
		e.cancel(errEnded)
		detail := fault.DetailOf(err)
		if sending.Err() != nil {
			detail = terminals.HostAway
		}
		return nil, fault.With(detail, fault.Wrap(fault.Unreachable, err, "host %s cannot be reached, and nothing was done", h.name))
	}
	if head == more {
		if err := e.write(ctx, rest, false); err != nil {
			e.cancel(errEnded)
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
	if err != nil {
		e.cancel(errEnded)
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
func (h *Host) Output(ctx context.Context, by terminals.Grant, session string) (terminals.Output, error) {
	f, err := h.deliver(ctx, by, terminals.ReadOutput, terminals.Target{Session: session})
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

// Relay implements [attachedterm.Relay]. A frame of the client is a message, and so is one for it.
func (h *Host) Relay(ctx context.Context, conn attachedterm.Conn, first socketwire.Frame, o attachedterm.Options) error {
	e, err := h.open(ctx, o.By, terminals.Attach, attaching{byte(first.Kind), first.Content, o.Session, o.Untrusted, o.Prefix})
	if err != nil {
		return err
	}
	defer e.cancel(errEnded)
	b, err := e.message(ctx)
	if err != nil {
		return err
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		e.passOn(conn)
	}()
	for ; err == nil; b, err = e.message(ctx) {
		if len(b) == 0 || conn.Write(socketwire.Kind(b[0]), b[1:]) != nil {
			break
		}
	}
	switch {
	case ctx.Err() != nil:
		_ = attachedterm.WriteJSON(conn, socketwire.Detach, socketwire.End{Reason: socketwire.Stopping})
	case err != errEnded:
		attachedterm.Fail(conn, err)
	}
	e.cancel(errEnded)
	_ = conn.Close() // ends reading
	<-read
	return nil
}

// passOn passes a client's frames on until the client has left.
func (e *end) passOn(conn attachedterm.Conn) {
	for {
		f, err := conn.Read()
		if err != nil {
			attachedterm.Fail(conn, attachedterm.UnlessNetwork(err))
			_ = e.write(e.ctx, nil, true) // if it fails, the other host knows
			return
		}
		if e.write(e.ctx, frame(f.Kind, f.Content), false) != nil {
			return
		}
	}
}
