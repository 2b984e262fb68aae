package client

import (
	"cmp"
	"context"
	"net"
	"net/url"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/internal/transport/ws"
)

// maxTyped is the length of the input in one frame, in bytes. Servers take messages of 1 MiB.
const maxTyped = 256 << 10

// An Attached is a person's terminal, attached to a session over a WebSocket. One goroutine may
// read and one may write.
type Attached struct {
	c    *Client
	conn *ws.Dialed
	ctx  context.Context // ends with Close, and with the client
	end  func(error)
}

// Attach asks the server at the other end of a connection to attach a terminal to a session, or,
// where that is "", to create one. first is the first frame, which says how; the first frame that
// is read is the answer. conn belongs to the result, and is closed if there is an error.
func Attach(ctx context.Context, conn net.Conn, session string, first socketwire.Frame) (*Attached, error) {
	c := New(Options{Dial: func(context.Context) (net.Conn, error) { return conn, nil }}) // there is one request
	a, err := c.Attach(ctx, terminals.Everything, first, terminals.AttachQuery{Target: terminals.Target{Session: session}})
	if err != nil {
		c.Close(err)
		_ = conn.Close() // it may be closed
	}
	return a, err
}

// Attach is the function Attach over a connection of the client, for a caller.
func (c *Client) Attach(ctx context.Context, by terminals.Grant, first socketwire.Frame, in terminals.AttachQuery) (*Attached, error) {
	if err := c.o.Allow(by, &terminals.Attach.Operation); err != nil {
		return nil, err
	}
	query := url.Values{}
	if in.Prefix != "" {
		query.Set("prefix", in.Prefix)
	}
	if in.Untrusted {
		query.Set("untrusted", "true")
	}
	if first.Kind == socketwire.AttachSession {
		query.Set("in", string(first.Content))
	}
	ctx, end := c.watch(ctx, by)
	defer end(nil)
	conn, err := c.dial(ctx, &terminals.Attach.Operation, in.Session, "/ws/attach", query)
	if err != nil {
		return nil, err
	}
	a := &Attached{c: c, conn: conn}
	a.ctx, a.end = c.watch(context.Background(), by)
	context.AfterFunc(a.ctx, func() { _ = conn.Close() })
	if first.Kind != socketwire.AttachSession || conn.Header.Get(httpio.WireHeader) == "" {
		if err := a.Write(ctx, first); err != nil {
			_ = a.Close()
			return nil, c.broken(ctx, err)
		}
	}
	return a, nil
}

// Read returns the next frame. A server that ends in order says so with a last frame.
func (a *Attached) Read(ctx context.Context) (socketwire.Frame, error) {
	m, err := a.conn.Read(ctx)
	switch code, _ := ws.Reason(err); code {
	case ws.GoingAway:
		return socketwire.Frame{Kind: socketwire.Detach, Content: []byte(`{"reason":"` + socketwire.Stopping + `"}`)}, nil
	case ws.PolicyViolation:
		return socketwire.Frame{}, a.c.ended(a.ctx, &terminals.Attach.Operation, err)
	}
	if err != nil {
		return socketwire.Frame{}, cmp.Or(context.Cause(a.ctx), err)
	}
	return socketwire.Parse(m.Data)
}

// Write writes a frame. Much input is divided.
func (a *Attached) Write(ctx context.Context, f socketwire.Frame) error {
	for f.Kind == socketwire.StdinInput && len(f.Content) > maxTyped {
		if err := a.conn.SendBytes(ctx, socketwire.Frame{Kind: f.Kind, Content: f.Content[:maxTyped]}.Message()); err != nil {
			return err
		}
		f.Content = f.Content[maxTyped:]
	}
	return a.conn.SendBytes(ctx, f.Message())
}

// Close ends the connection without waiting for the server: reading and writing fail.
func (a *Attached) Close() error {
	a.end(errClosed)
	return a.conn.Close()
}
