package terminals

import (
	"context"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
)

// A Stream is what an operation delivers. One goroutine may receive, and any may send.
type Stream interface {
	// Receive waits for the next part, and stores it in what out points to, a value of the
	// operation's type. The error is of kind Gone when the program has ended and everything has
	// been delivered, NotFound when the caller's grant does not cover the session any more, which
	// has another name or other tags, and Unreachable if its host cannot be reached.
	Receive(ctx context.Context, out any) error
	// Send says something to operations that listen. An error says that it did not arrive.
	Send(ctx context.Context, in any) error
	// Name returns the present name of the session, or "" when the caller's grant does not cover
	// the session any more, or it was removed: another session may have the name then.
	Name() string
	// SessionID returns the ID of the session, by which operations reach it and no other; "" for
	// streams of the whole server.
	SessionID() string
	// Close ends the stream: Receive fails.
	Close()
}

// A StreamOp is an operation that delivers parts of a type, with the type of its input.
type StreamOp[In, Part any] struct{ Operation }

// Open starts the operation for a caller with the given rights. The caller must close the result.
func (o *StreamOp[In, Part]) Open(ctx context.Context, t Terminals, by Grant, in In) (*Parts[Part], error) {
	s, err := t.Open(ctx, by, &o.Operation, &in)
	if err != nil {
		return nil, err
	}
	return &Parts[Part]{s}, nil
}

// Parts is a [Stream] with the type of what it delivers.
type Parts[Part any] struct{ Stream }

// Next is [Stream.Receive].
func (p *Parts[Part]) Next(ctx context.Context) (Part, error) {
	var part, none Part
	if err := p.Receive(ctx, &part); err != nil {
		return none, err
	}
	return part, nil
}

func stream[In, Part any](o Operation, open func(ctx context.Context, l *Local, by Grant, in In) (*delivery[Part], error)) *StreamOp[In, Part] {
	o.Kind, o.shapes = Streaming, shapesOf[In, Part]()
	if open != nil {
		o.open = func(ctx context.Context, l *Local, by Grant, in any) (Stream, error) {
			d, err := open(ctx, l, by, *in.(*In))
			if err != nil {
				return nil, err
			}
			return d.begin(), nil
		}
	}
	return &StreamOp[In, Part]{o}
}

// sessionStream defines a stream of one session, which its input names.
func sessionStream[In interface{ target() string }, Part any](o Operation, open func(ctx context.Context, s *term.Session, by Grant, in In) (*delivery[Part], error)) *StreamOp[In, Part] {
	return stream(o, func(ctx context.Context, l *Local, by Grant, in In) (*delivery[Part], error) {
		s, err := l.session(ctx, by, in.target())
		if err != nil {
			return nil, err
		}
		d, err := open(ctx, s, by, in)
		if err != nil {
			return nil, err
		}
		d.l, d.session, d.by = l, s, by
		return d, nil
	})
}

// Open implements [Terminals].
func (l *Local) Open(ctx context.Context, by Grant, o *Operation, in any) (Stream, error) {
	if err := admits(by, o, in); err != nil {
		return nil, err
	}
	if o.open == nil {
		return nil, fault.New(fault.Internal, "%s is no stream of this server", o.Name)
	}
	return o.open(ctx, l, by, in)
}

// A delivery is a Stream of this process. What differs between operations are functions.
type delivery[Part any] struct {
	next  func(context.Context) (Part, error)
	send  func(ctx context.Context, in any) error // nil: the operation does not listen
	close func()

	// The fields below are of streams of one session.
	l       *Local
	session *term.Session // or nil
	by      Grant

	keepsName bool // also when the session was removed

	// Where the session may leave the caller's grant, a goroutine looks whether it has.
	covered context.Context // ends when it has, and with Close; nil: it cannot
	cancel  context.CancelCauseFunc
	looking sync.WaitGroup
}

func (d *delivery[Part]) begin() *delivery[Part] {
	if d.session == nil || d.by.Sessions == nil && d.by.Tags == nil {
		return d
	}
	d.covered, d.cancel = context.WithCancelCause(context.Background())
	d.looking.Go(func() { d.cancel(d.l.awaitLoss(d.covered, d.by, func() string { return d.by.nameOf(d.session) })) })
	return d
}

// Receive implements [Stream].
func (d *delivery[Part]) Receive(ctx context.Context, out any) error {
	if d.covered != nil {
		within, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(d.covered, cancel)()
		ctx = within
	}
	part, err := d.next(ctx)
	if d.covered != nil && d.by.nameOf(d.session) == "" {
		return ErrUncovered
	}
	if err != nil {
		return err
	}
	*out.(*Part) = part
	return nil
}

// Send implements [Stream].
func (d *delivery[Part]) Send(ctx context.Context, in any) error {
	if d.send == nil {
		return ErrDeaf
	}
	return d.send(ctx, in)
}

// ErrDeaf is the error of sending to an operation that does not listen.
var ErrDeaf = fault.New(fault.Invalid, "the operation takes nothing while it delivers")

// Name implements [Stream].
func (d *delivery[Part]) Name() string {
	if d.session == nil {
		return ""
	}
	if d.keepsName {
		return d.by.nameOf(d.session)
	}
	return d.l.nameOf(d.session, d.by)
}

// SessionID implements [Stream].
func (d *delivery[Part]) SessionID() string {
	if d.session == nil {
		return ""
	}
	return d.session.ID()
}

// Close implements [Stream].
func (d *delivery[Part]) Close() {
	if d.covered != nil {
		d.cancel(nil)
		d.looking.Wait()
	}
	d.close()
}
