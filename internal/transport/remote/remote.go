// Package remote has the connections between hosts: the terminals of one are used by another over
// any stream of bytes, such as the pipe of ssh or a tunnel of a hub.
//
// Both ends introduce themselves with a line ([Hello]). Then package mux makes connections of the
// stream, and the client of our HTTP API uses those as others. Each request says on whose behalf it
// is made, and the other end, package gate, gives that no more than it gives the host.
//
// Nothing that another host says is believed: answers are bounded, and their texts harmless
// ([Decode]); errors say who reports them, and nothing about this server; attached terminals get
// what a server here could send.
package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/client"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/mux"
	"ui-mcp/internal/transport/socketwire"
)

// Limits of a connection to another host.
const (
	maxConns        = 512 // from another host
	maxDialled      = 256 // to it
	maxUnread       = 128 << 20
	maxUnreadGuests = 32 << 20
	// idleTime is how long a tunnel is kept that nothing uses.
	idleTime = 2 * time.Minute
	// attachTime is how long a host may take to say whether it attaches a terminal.
	attachTime = 30 * time.Second
	// writeTime is how long a host may take no frame of an attached terminal.
	writeTime = 15 * time.Second
)

// A Terminals is the terminals of another host. Its sessions have the names that they have there.
// Beside what the operations report, errors can have the details [terminals.HostAway],
// [terminals.HostSilent] and [terminals.HostLacks].
type Terminals struct {
	*client.Client
	name     string
	patience time.Duration // attachTime, but in tests

	mu    sync.Mutex // guards the field below
	ended error      // why the connection has ended, or nil
}

var _ terminals.Terminals = (*Terminals)(nil)

// New returns the terminals of a host, whose name is for errors. It gets a claim with each request,
// and is trusted to apply it.
func New(name string, o client.Options) *Terminals {
	l := &Terminals{name: name, patience: attachTime}
	o.Limit, o.Broken = Limit, l.broken
	o.Failed = func(o *terminals.Operation, err error) error { return reported(name, o, err) }
	if o.Decode == nil {
		o.Decode = Decode
	}
	allowed, complete := o.Allow, o.Prepare
	o.Prepare = func(r *http.Request, by terminals.Grant) error {
		name, value, err := gate.Claim(by)
		if r.Header.Set(name, value); err == nil && complete != nil {
			err = complete(r, by)
		}
		return err
	}
	o.Allow = func(by terminals.Grant, o *terminals.Operation) error {
		if err := l.Err(); err != nil {
			return err
		}
		if o == &terminals.CreateToken.Operation && by.Token != "" {
			// It would stay valid when the caller's own token is withdrawn.
			return fault.With(terminals.NotAllowed, fault.New(fault.Precondition, "a token issues tokens of its own server only, not of %s", name))
		}
		if allowed == nil {
			return nil
		}
		return allowed(by, o)
	}
	l.Client = client.New(o)
	return l
}

// Open introduces this host to the one at the other end of a stream of bytes, and returns its
// terminals, within the time of ctx. From then on the stream belongs to the connection, even if
// there is an error, and the connection ends with it. An error has the detail [terminals.HostLacks]
// if the other host has another version, is of kind Exists if it is this one, and of kind Invalid
// if it is no host.
func Open(ctx context.Context, rw io.ReadWriteCloser, self Hello) (*Terminals, error) {
	peer, rest, err := greet(ctx, rw, self)
	if err != nil {
		return nil, err
	}
	var session *mux.Session
	l := New(peer.Name, client.Options{Dial: func(ctx context.Context) (net.Conn, error) {
		return dial(ctx, session, peer.Name)
	}})
	session = mux.Client(l.Context(), rest, mux.Limits{Conns: maxDialled, Unread: maxUnread})
	go func() {
		<-session.Done()
		l.End(fault.With(terminals.HostAway, fault.Wrap(fault.Unreachable, session.Err(), "the connection to host %s has ended", peer.Name)))
	}()
	return l, nil
}

// OpenLater returns the terminals of a host to which open opens a stream of bytes: when it is used,
// and again when that has ended. The operations return the errors of open.
func OpenLater(name string, self Hello, open func(context.Context) (io.ReadWriteCloser, error)) *Terminals {
	var opening singleflight.Group
	var session *mux.Session // owned by opening
	var l *Terminals
	current := func() (any, error) {
		if session != nil && session.Err() == nil {
			return session, nil
		}
		ctx, cancel := context.WithTimeout(l.Context(), greetTime)
		defer cancel()
		rw, err := open(ctx)
		if err != nil {
			return nil, err
		}
		_, rest, err := greet(ctx, rw, self)
		if err != nil {
			return nil, err
		}
		session = mux.Client(l.Context(), rest, mux.Limits{Conns: maxDialled, Unread: maxUnreadGuests, Idle: idleTime})
		return session, nil
	}
	l = New(name, client.Options{Dial: func(ctx context.Context) (net.Conn, error) {
		s, err, _ := opening.Do("", current)
		if err != nil {
			return nil, err
		}
		return dial(ctx, s.(*mux.Session), name)
	}})
	return l
}

// dial opens a connection of a session.
func dial(ctx context.Context, s *mux.Session, host string) (net.Conn, error) {
	conn, err := s.Dial(ctx)
	if why := s.Err(); err != nil && why != nil {
		return nil, Away("host %s is not connected now: %v", host, why)
	}
	return conn, err
}

// Away returns the error that a host cannot be reached.
func Away(format string, args ...any) error {
	return fault.With(terminals.HostAway, fault.New(fault.Unreachable, format, args...))
}

// Close ends the connection, and what goes on over it.
func (l *Terminals) Close() { l.End(Away("the connection to host %s was closed", l.name)) }

// End is Close for a reason, which is the error of what is asked for afterwards: it was not done.
func (l *Terminals) End(reason error) {
	l.mu.Lock()
	if l.ended == nil {
		l.ended = reason
	}
	l.mu.Unlock()
	l.Client.Close(l.broken(reason))
}

// Err returns why the connection has ended, or nil. Done has a channel that is closed then.
func (l *Terminals) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended
}

// broken returns the error about a connection that has ended.
func (l *Terminals) broken(err error) error {
	return fault.With(terminals.HostSilent, fault.Wrap(fault.Unreachable, err, "the connection to host %s has broken: %s", l.name, maybe))
}

// Silent returns the error that a host has not answered, for a reason.
func Silent(host string, reason error) error {
	return fault.With(terminals.HostSilent, fault.Wrap(fault.Unreachable, reason, "host %s: %s", host, maybe))
}

// Open implements [terminals.Terminals].
func (l *Terminals) Open(ctx context.Context, by terminals.Grant, o *terminals.Operation, in any) (terminals.Stream, error) {
	query, ok := in.(*terminals.AttachQuery)
	if !ok {
		return l.Client.Open(ctx, by, o, in)
	}
	first := socketwire.Frame{Kind: socketwire.AttachSession, Content: formOf(query)}
	if query.Create {
		first.Kind = socketwire.CreateSession
	}
	there := *query
	if query.Create {
		there.Session = "" // the request has its name
	}
	a, err := l.Attach(ctx, by, first, there)
	if err != nil {
		return nil, err
	}
	r := &relayed{of: l, there: a, host: cmp.Or(query.Host, l.name)}
	// Nobody reads the client meanwhile.
	within, cancel := context.WithTimeoutCause(ctx, l.patience, Silent(l.name, fault.New(fault.Timeout, "it has not answered for %v", l.patience)))
	defer cancel()
	if r.first, err = r.read(within); err != nil {
		_ = a.Close()
		return nil, cmp.Or(context.Cause(within), err)
	}
	r.shown = newShown(r.host, first)
	return r, nil
}

// formOf returns a request to attach a client that has another host draw its questions, also on a
// page, which displays those of its own server, but for those that this server follows.
func formOf(query *terminals.AttachQuery) []byte {
	var form map[string]json.RawMessage
	if json.Unmarshal(query.Request, &form) != nil {
		return query.Request // the host says what is wrong
	}
	for key, value := range form {
		var client map[string]json.RawMessage
		if strings.EqualFold(key, "client") && json.Unmarshal(value, &client) == nil {
			maps.DeleteFunc(client, func(key string, _ json.RawMessage) bool { return strings.EqualFold(key, "questions") })
			if query.Followed {
				client["followed"] = json.RawMessage("true")
			}
			form[key] = fault.Must(json.Marshal(client)) // it was decoded
		}
	}
	return fault.Must(json.Marshal(form))
}

// A relayed is a client's terminal that is attached on another host.
type relayed struct {
	of    *Terminals
	there *client.Attached
	host  string // what the host is called here
	shown *shown
	first socketwire.Frame // the answer, until it is received
}

// read returns the next frame of the host. At the end in order, the error is io.EOF.
func (r *relayed) read(ctx context.Context) (socketwire.Frame, error) {
	f, err := r.there.Read(ctx)
	if _, known := errors.AsType[*fault.Error](err); err != nil && err != io.EOF && !known {
		err = r.of.broken(err)
	}
	return f, err
}

// Receive implements [terminals.Stream].
func (r *relayed) Receive(ctx context.Context, out any) (err error) {
	for {
		f := r.first
		if r.first = (socketwire.Frame{}); f.Kind == 0 {
			if f, err = r.read(ctx); err != nil {
				return err
			}
		}
		f, ok, err := r.shown.frame(f)
		if ok {
			*out.(*socketwire.Frame) = f
		}
		if ok || err != nil {
			return err
		}
	}
}

// Send implements [terminals.Stream]. A host that takes nothing for a while has ended the
// connection.
func (r *relayed) Send(_ context.Context, in any) error {
	f := *in.(*socketwire.Frame)
	if f.Kind == socketwire.Question {
		return nil // the host has asked none: its questions are followed
	}
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	return r.there.Write(ctx, f)
}

// Name and SessionID implement [terminals.Stream]: frames have them.
func (*relayed) Name() string      { return "" }
func (*relayed) SessionID() string { return "" }

// Close implements [terminals.Stream].
func (r *relayed) Close() { _ = r.there.Close() }
