package attachedterm

import (
	"context"
	"io"
	"strings"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/socketwire"
)

// Serve answers a connection's first frame, which asks to create a session or to attach to one, and
// returns when the client has left. It returns an error for the client if the request fails.
func Serve(ctx context.Context, conn Conn, first socketwire.Frame, o Options) error {
	if first.Kind != socketwire.CreateSession && first.Kind != socketwire.AttachSession {
		return fault.New(fault.Invalid, "frames of type %02x are not served", byte(first.Kind))
	}
	var in opening
	if err := first.Decode(&in); err != nil {
		return err
	}
	if o.Session == "" || isID(in.Name) {
		o.Session = in.Name
	}
	o.Session = strings.TrimPrefix(o.Session, o.Prefix)
	on, err := terminals.OnServer(o.Terminals, wire.HostOf(o.Session))
	host, name, ok := strings.Cut(o.Session, "/")
	switch {
	case ok && err != nil:
		return err
	case ok:
		o.Session, o.Prefix = name, o.Prefix+host+"/"
	case err != nil:
		on = o.Terminals // it is one server's alone
	}
	if local, ok := on.(*terminals.Local); ok {
		c := &client{Conn: conn, Options: o, local: local, drawn: make(chan bool, maxUndrawn)}
		if first.Kind == socketwire.CreateSession {
			return c.create(ctx, in)
		}
		return c.attach(ctx, in)
	}
	if f := in.Client; f == nil || o.Untrusted || f.ReadOnly || !f.Asks || o.By.Rights&terminals.Type == 0 || o.By.Check(&terminals.FollowQuestions.Operation) != nil {
		o.Join = nil
	}
	query := terminals.AttachQuery{
		Target: terminals.Target{Session: o.Session}, Create: first.Kind == socketwire.CreateSession, Request: first.Content,
		Prefix: o.Prefix, Untrusted: o.Untrusted, Followed: o.Join != nil,
	}
	there, err := terminals.Attach.Open(ctx, on, o.By, query)
	if err != nil {
		return err
	}
	pass(ctx, conn, there, o.Join)
	return nil
}

// A Guest is a page that displays what others ask without a terminal of this host.
type Guest interface {
	// Receive handles a message of the page. The reply, which may be nil, is for the page.
	Receive(msg []byte) (reply []byte, err error)
	// Leave disconnects the page.
	Leave()
}

// isID reports whether a name is the ID of a session, which may be of another host.
func isID(name string) bool {
	return strings.HasPrefix(name[strings.LastIndexByte(name, '/')+1:], "@")
}

// pass passes frames between a client and terminals elsewhere, until the client has left or those
// have ended the connection. Messages about questions stay at this server.
func pass(ctx context.Context, conn Conn, there terminals.Stream, join func(func([]byte)) Guest) {
	begin, guest := func() {}, Guest(nil)
	if join != nil {
		begun := make(chan struct{}) // closed when the client is attached
		begin = sync.OnceFunc(func() { close(begun) })
		guest = join(func(msg []byte) {
			<-begun
			_ = conn.Write(socketwire.Question, msg) // reading notices if it has failed
		})
		defer guest.Leave()
		defer begin()
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		asks := newTypist(ctx, nil, nil) // for nothing that is typed
		defer asks.finish()
		for {
			f, err := conn.Read()
			if err != nil {
				Fail(conn, UnlessNetwork(err))
				_ = there.Send(ctx, &socketwire.Frame{Kind: socketwire.Detach}) // if it fails, the other host knows
				return
			}
			if f.Kind == socketwire.Question && guest != nil {
				asks.then(ctx, len(f.Content), func() {
					reply, err := guest.Receive(f.Content)
					Fail(conn, err)
					if reply != nil {
						_ = conn.Write(socketwire.Question, reply) // likewise
					}
				})
				continue
			}
			if there.Send(ctx, &f) != nil {
				return
			}
		}
	}()
	var err error
	for err == nil {
		var f socketwire.Frame
		if err = there.Receive(ctx, &f); err == nil {
			err = conn.Write(f.Kind, f.Content)
			begin()
		}
	}
	switch {
	case ctx.Err() != nil:
		_ = WriteJSON(conn, socketwire.Detach, socketwire.End{Reason: socketwire.Stopping}) // it may have left
	case err != io.EOF:
		Fail(conn, err)
	}
	there.Close()    // the reason is known
	_ = conn.Close() // ends reading
	<-read
}
