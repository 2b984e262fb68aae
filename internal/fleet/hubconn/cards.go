package hubconn

import (
	"strings"

	"github.com/nats-io/nats.go"

	"ui-mcp/internal/fleet/hub"
)

// SendCard says that this host is there, in its class and with its name.
func (c *Conn) SendCard(class hub.Class, name string, card []byte) error {
	return c.publish(hub.Cards+"."+string(class)+"."+name+"."+c.self, card)
}

// Probe finds out the class in which this host may be, under a name: it sends a card in each. Those
// that are not permitted are lost, and the other one comes back.
func (c *Conn) Probe(name string, card []byte) error {
	for _, class := range hub.Classes {
		if err := c.SendCard(class, name, card); err != nil {
			return err
		}
	}
	return nil
}

// Ask asks the hosts that this one uses to send their cards.
func (c *Conn) Ask() error { return c.publish(hub.Asks+"."+c.self, nil) }

func (c *Conn) publish(subject string, data []byte) error {
	if err := c.nc.Publish(subject, data); err != nil {
		return c.away(err)
	}
	return nil
}

// ReceiveOwn calls f with each card of this host, until the connection is closed.
func (c *Conn) ReceiveOwn(f func(hub.Class, []byte)) error {
	_, err := c.subscribe(func(parts []string, m *nats.Msg) { f(hub.Class(parts[2]), m.Data) }, hub.OwnCards(c.self))
	return err
}

// ReceiveCards calls f with each card that hosts of a class receive, and asked whenever a desk asks
// for the cards of the hosts that it uses. They must not wait, and calls may run at once. Some may
// still run when stop returns, but no more begin.
func (c *Conn) ReceiveCards(class hub.Class, f func(from, name string, class hub.Class, card []byte), asked func()) (stop func(), err error) {
	return c.subscribe(func(parts []string, m *nats.Msg) {
		if len(parts) == 5 {
			f(parts[4], parts[3], hub.Class(parts[2]), m.Data)
		} else {
			asked()
		}
	}, class.Cards()...)
}

// subscribe has f called with each message on some subjects, and with the parts of its own.
func (c *Conn) subscribe(f func(subject []string, m *nats.Msg), subjects ...string) (stop func(), err error) {
	var subs []*nats.Subscription
	stop = func() {
		for _, sub := range subs {
			_ = sub.Unsubscribe() // the connection may have ended before
		}
	}
	for _, subject := range subjects {
		sub, err := c.nc.Subscribe(subject, func(m *nats.Msg) { f(strings.Split(m.Subject, "."), m) })
		if err != nil {
			stop()
			return nil, c.away(err)
		}
		subs = append(subs, sub)
	}
	if err := c.nc.Flush(); err != nil { // from now on, messages arrive
		stop()
		return nil, c.away(err)
	}
	return stop, nil
}
