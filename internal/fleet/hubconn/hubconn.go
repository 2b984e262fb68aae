// Package hubconn has the connection of this host to a hub: tunnels to other hosts, and what hosts
// say about themselves. It is the only package that knows the client of NATS; who may publish what
// is for the server of NATS to enforce: see [Permissions].
//
// Each host has an ID: the public key with which it has proved to the server who it is. A host may
// publish only subjects with its own ID as FROM, and subscribe to those with its own ID as TO, so
// receivers know the sender by the subject.
package hubconn

import (
	"time"

	"github.com/nats-io/nats.go"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// A Conn is a connection to a server of NATS.
type Conn struct {
	nc   *nats.Conn
	self string
	done chan struct{} // closed when nc was closed
}

// Connect connects the host with an ID to a server of NATS, and connects again whenever the
// connection is lost. More options say how, such as with which key. The caller must Close the
// connection.
func Connect(address, self string, more ...nats.Option) (*Conn, error) {
	c := &Conn{self: self, done: make(chan struct{})}
	own := []nats.Option{
		nats.MaxReconnects(-1),
		nats.ReconnectBufSize(-1), // what cannot be sent now must not be sent later
		nats.ClosedHandler(func(*nats.Conn) { close(c.done) }),
	}
	nc, err := nats.Connect(address, append(own, more...)...)
	if err != nil {
		return nil, fault.With(terminals.HubAway, fault.Wrap(fault.Unreachable, err, "connect to the hub"))
	}
	c.nc = nc
	return c, nil
}

// partTime is how long the end of a connection waits for the hub.
const partTime = time.Second

// Close ends the connection. What was sent before has arrived at the hub: a connection that is
// closed while something waits to be read may lose what it has sent last.
func (c *Conn) Close() {
	if c.nc.IsConnected() {
		_ = c.nc.FlushTimeout(partTime) // else the hub does not answer
	}
	c.nc.Close()
	<-c.done
}

func (c *Conn) away(err error) error {
	if err == nil {
		err = nats.ErrConnectionClosed
	}
	return fault.With(terminals.HubAway, fault.Wrap(fault.Unreachable, err, "this host is not connected to the hub now"))
}
