// Package natslink carries messages between hosts over NATS. It is the only one that knows the
// client of NATS; who may publish what is for the server of NATS to enforce: see [Permissions].
//
// Each host has an ID: the public key with which it has proved to the server who it is. A message
// is published on the subject VERSION.TO.KIND.FROM.STREAM. A host may publish only subjects with
// its own ID as FROM, and subscribe to those with its own ID as TO, so receivers know the sender by
// the subject.
package natslink

import (
	"context"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/terminals"
)

// version begins all subjects. Hosts of different versions do not hear each other.
var version = "wsh" + strconv.Itoa(remote.Protocol)

// Permissions returns the subjects on which the user of a host may publish, and those to which it
// may subscribe.
func Permissions(host string) (publish, subscribe []string) {
	return []string{version + ".*.*." + host + ".>"}, []string{version + "." + host + ".>"}
}

// A Conn is a connection to a server of NATS. It implements [remote.Conn].
type Conn struct {
	nc   *nats.Conn
	self string
	done chan struct{} // closed when nc was closed
}

var _ remote.Conn = (*Conn)(nil)

// Connect connects the host with an ID to a server of NATS, and connects again whenever the
// connection is lost. More options say how, such as with which key. The caller must Close the
// connection.
func Connect(address, self string, more ...nats.Option) (*Conn, error) {
	c := &Conn{self: self, done: make(chan struct{})}
	own := []nats.Option{
		nats.MaxReconnects(-1),
		nats.ReconnectBufSize(-1), // what cannot be sent now must not be sent later: see remote.Conn
		nats.ClosedHandler(func(*nats.Conn) { close(c.done) }),
	}
	nc, err := nats.Connect(address, append(own, more...)...)
	if err != nil {
		return nil, fault.With(terminals.HubAway, fault.Wrap(fault.Unreachable, err, "connect to the hub"))
	}
	c.nc = nc
	return c, nil
}

// Close ends the connection.
func (c *Conn) Close() {
	c.nc.Close()
	<-c.done
}

// Connected reports whether the connection is up now.
func (c *Conn) Connected() bool { return c.nc.IsConnected() }

// Self implements [remote.Conn].
func (c *Conn) Self() string { return c.self }

// Done implements [remote.Conn].
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err implements [remote.Conn].
func (c *Conn) Err() error { return c.away(c.nc.LastError()) }

func (c *Conn) away(err error) error {
	if err == nil {
		err = nats.ErrConnectionClosed
	}
	return fault.With(terminals.HubAway, fault.Wrap(fault.Unreachable, err, "this host is not connected to the hub now"))
}

// Send implements [remote.Conn]. It waits for nothing but the network.
func (c *Conn) Send(_ context.Context, m remote.Message) error {
	to := subject(m.Peer, m.Kind, c.self, m.Stream)
	var err error
	if m.Kind == remote.Open { // the server replies if nobody listens
		err = c.nc.PublishRequest(to, subject(c.self, remote.Absent, m.Peer, m.Stream), m.Data)
	} else {
		err = c.nc.Publish(to, m.Data)
	}
	if err != nil {
		return c.away(err)
	}
	return nil
}

// Receive implements [remote.Conn].
func (c *Conn) Receive(f func(remote.Message)) (stop func(), err error) {
	sub, err := c.nc.Subscribe(version+"."+c.self+".>", func(m *nats.Msg) {
		parts := strings.Split(m.Subject, ".")
		if len(parts) == 5 && len(parts[2]) == 1 {
			f(remote.Message{Peer: parts[3], Kind: remote.Kind(parts[2][0]), Stream: parts[4], Data: m.Data})
		}
	})
	if err == nil {
		err = c.nc.Flush() // from now on, messages arrive
	}
	if err != nil {
		return nil, c.away(err)
	}
	return func() { _ = sub.Unsubscribe() }, nil // the connection may have ended before
}

func subject(to string, k remote.Kind, from, stream string) string {
	return version + "." + to + "." + string(rune(k)) + "." + from + "." + stream
}
