package remote

import (
	"context"
	"encoding/json"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/internal/wake"
)

// deliver carries out an operation that delivers something until it ends.
func (s *served) deliver(t terminals.Terminals, op *terminals.Operation, by terminals.Grant, input json.RawMessage) error {
	switch op {
	case terminals.Watch:
		return decoded(op, input, func(in terminals.WatchQuery) error { return s.watch(t, by, in) })
	case terminals.ReadOutput:
		return decoded(op, input, func(in terminals.OutputQuery) error { return s.output(t, by, in) })
	case terminals.Join:
		return decoded(op, input, func(in joining) error { return s.join(t, by, in) })
	case terminals.Follow:
		return s.follow(t, by)
	case terminals.FollowQuestions:
		return s.questions(t, by)
	case terminals.Attach:
		return decoded(op, input, func(in attaching) error { return s.attach(t, by, in) })
	}
	return fault.With(terminals.HostLacks, fault.New(fault.Invalid, "the host does not deliver %s to other hosts", op.Name))
}

// decoded calls f with the input of an operation.
func decoded[In any](op *terminals.Operation, input json.RawMessage, f func(In) error) error {
	var in In
	if err := json.Unmarshal(input, &in); err != nil {
		return fault.Wrap(fault.Invalid, err, "the input of %s", op.Name)
	}
	return f(in)
}

// A delivery sends what a stream of a session delivers, and the session's new names.
type delivery struct {
	*served
	of interface {
		Name() string
		SessionID() string
	}

	mu   sync.Mutex // held while a name is sent, so that they arrive in order
	name string     // as the other end knows it
}

// begin tells the other host that a stream has begun.
func (s *served) begin(d *delivery) error {
	d.served, d.name = s, d.of.Name()
	return s.write(s.ctx, encode(begun{d.name, d.of.SessionID()}), false)
}

// send sends something, and the session's name before it if that is new.
func (d *delivery) send(kind byte, content []byte) error {
	if err := d.sendName(); err != nil {
		return err
	}
	return d.write(d.ctx, append([]byte{kind}, content...), false)
}

func (d *delivery) sendName() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := d.of.Name()
	if name == d.name {
		return nil
	}
	d.name = name
	return d.write(d.ctx, append([]byte{renamed}, name...), false)
}

// sendNames sends the session's names until the stream ends.
func (d *delivery) sendNames(t terminals.Terminals, by terminals.Grant) {
	changes, err := t.Follow(d.ctx, by)
	if err != nil {
		return // the stream needs the same right, so the host is stopping
	}
	defer changes.Close()
	for err == nil && d.sendName() == nil {
		_, _, err = changes.Next(d.ctx)
	}
}

// watchAhead is how many reports of changes are under way before the watcher has asked for more. A
// slow watcher gets newer screens instead of more of them.
const watchAhead = 2

func (s *served) watch(t terminals.Terminals, by terminals.Grant, in terminals.WatchQuery) error {
	w, err := t.Watch(s.ctx, by, in)
	if err != nil {
		return err
	}
	defer w.Close()
	d := &delivery{of: w}
	if err := s.begin(d); err != nil {
		return err
	}
	var reading sync.WaitGroup
	defer reading.Wait()
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	asked := make(chan struct{}, watchAhead)
	for range watchAhead {
		asked <- struct{}{}
	}
	reading.Go(func() {
		for {
			if _, _, err := s.read(ctx); err != nil {
				return
			}
			wake.Up(asked)
		}
	})
	for {
		select {
		case <-asked:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		events, err := w.Next(ctx)
		if err != nil {
			_ = d.sendName() // it may be why
			return err
		}
		if err := d.send(item, wire.AppendEvents(nil, events)); err != nil {
			return err
		}
	}
}

func (s *served) output(t terminals.Terminals, by terminals.Grant, in terminals.OutputQuery) error {
	o, err := t.Output(s.ctx, by, in)
	if err != nil {
		return err
	}
	defer o.Close()
	d := &delivery{of: o}
	if err := s.begin(d); err != nil {
		return err
	}
	var naming sync.WaitGroup
	defer naming.Wait()
	naming.Go(func() { d.sendNames(t, by) })
	for {
		b, err := o.Next(s.ctx)
		if err != nil { // the stream stays, and tells the session's name
			_ = d.send(failed, encode(newFailure(err)))
			<-s.ctx.Done()
			return context.Cause(s.ctx)
		}
		if err := d.send(item, b); err != nil {
			return err
		}
	}
}

func (s *served) join(t terminals.Terminals, by terminals.Grant, in joining) error {
	c, err := t.Join(s.ctx, by, in.Session, term.ClientOptions{Kind: in.Kind, Name: in.Name, Exact: in.Exact, ReadOnly: in.ReadOnly})
	if err != nil {
		return err
	}
	defer c.Close()
	d := &delivery{of: c}
	if err := s.begin(d); err != nil {
		return err
	}
	var naming sync.WaitGroup
	defer naming.Wait()
	naming.Go(func() { d.sendNames(t, by) })
	select {
	case <-c.Detached():
		_ = d.send(detached, nil)
		<-s.ctx.Done()
	case <-s.ctx.Done():
	}
	return context.Cause(s.ctx)
}

func (s *served) follow(t terminals.Terminals, by terminals.Grant) error {
	f, err := t.Follow(s.ctx, by)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := s.write(s.ctx, encode(begun{}), false); err != nil {
		return err
	}
	for {
		var c changes
		if c.Events, c.Missed, err = f.Next(s.ctx); err != nil {
			return err
		}
		if err := s.write(s.ctx, append([]byte{item}, encode(c)...), false); err != nil {
			return err
		}
	}
}

func (s *served) questions(t terminals.Terminals, by terminals.Grant) error {
	q, err := t.FollowQuestions(s.ctx, by)
	if err != nil {
		return err
	}
	if err := s.write(s.ctx, encode(begun{}), false); err != nil {
		q.Close()
		return err
	}
	var reading sync.WaitGroup
	defer reading.Wait()
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	defer q.Close()
	reading.Go(func() {
		var err error
		for err == nil {
			var in terminals.FromFollower
			var b []byte
			if b, _, err = s.read(ctx); err == nil {
				if err = json.Unmarshal(b, &in); err == nil {
					err = q.Send(ctx, in)
				}
			}
		}
		cancel(err)
	})
	for {
		news, err := q.Receive(ctx)
		if err == nil {
			err = s.write(s.ctx, append([]byte{item}, encode(news)...), false)
		}
		if err != nil {
			return err
		}
	}
}

// attach serves a person's terminal whose frames another host passes on.
func (s *served) attach(t terminals.Terminals, by terminals.Grant, in attaching) error {
	ctx, cancel := context.WithCancel(s.end.ctx) // the last frames still cross while the link is being closed
	defer cancel()
	if !by.Guest {
		by.From.Kind = term.SenderAttach
	}
	first := socketwire.Frame{Kind: socketwire.Kind(in.Frame), Content: in.Content}
	return attachedterm.Serve(s.ctx, &frames{s, ctx, cancel}, first, attachedterm.Options{Terminals: t, By: by, Session: in.Session, Untrusted: in.Untrusted, Prefix: in.Prefix})
}

// frames are the connection to a client that another host passes on: each message is the type of a
// frame and its content.
type frames struct {
	*served
	open  context.Context // ends with the connection
	close context.CancelFunc
}

// Read implements [attachedterm.Conn].
func (c *frames) Read() (socketwire.Frame, error) {
	b, last, err := c.read(c.open)
	if err == nil && (last || len(b) == 0) {
		err = ErrEnded
	}
	if err != nil {
		return socketwire.Frame{}, fault.Wrap(fault.Internal, err, "read")
	}
	return socketwire.Frame{Kind: socketwire.Kind(b[0]), Content: b[1:]}, nil
}

// Write implements [attachedterm.Conn].
func (c *frames) Write(k socketwire.Kind, content []byte) error {
	if context.Cause(c.ctx) == errWithdrawn {
		return errWithdrawn
	}
	return c.write(c.open, socketwire.Frame{Kind: k, Content: content}.Message(), false)
}

// Close implements [attachedterm.Conn].
func (c *frames) Close() error {
	c.close()
	return nil
}
