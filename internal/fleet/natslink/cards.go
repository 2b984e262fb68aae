package natslink

import (
	"strings"

	"github.com/nats-io/nats.go"
)

const (
	// cards begins the subjects of what hosts say about themselves: cards.TO.LEVEL.FROM.
	cards = "wshcard1"
	// everyone is TO for a card for all hosts.
	everyone = "all"
)

// CardPermissions returns the subjects of cards on which the user of a host may publish, and those
// to which it may subscribe. Since the user can name no other level, receivers know by the subject
// how much the server's owner lets the host do.
func CardPermissions(host, level string) (publish, subscribe []string) {
	return []string{cards + ".*." + level + "." + host}, []string{cards + "." + everyone + ".*.*", cards + "." + host + ".*.*"}
}

// SendCard sends what this host says about itself to another host, or to all if to is "". level is
// the one that [Conn.AskLevel] has found.
func (c *Conn) SendCard(to, level string, card []byte) error {
	if to == "" {
		to = everyone
	}
	if err := c.nc.Publish(cards+"."+to+"."+level+"."+c.self, card); err != nil {
		return c.away(err)
	}
	return nil
}

// ReceiveCards has f called with each card that arrives, of this host, too, and with all answers to
// what is sent afterwards. f must not wait, and two calls may run at once. stop ends that; f may be
// running when it returns.
func (c *Conn) ReceiveCards(f func(from, level string, card []byte)) (stop func(), err error) {
	var subs []*nats.Subscription
	stop = func() {
		for _, sub := range subs {
			_ = sub.Unsubscribe() // the connection may have ended before
		}
	}
	_, subjects := CardPermissions(c.self, "")
	for _, subject := range subjects {
		sub, err := c.nc.Subscribe(subject, func(m *nats.Msg) {
			if parts := strings.Split(m.Subject, "."); len(parts) == 4 {
				f(parts[3], parts[2], m.Data)
			}
		})
		if err != nil {
			stop()
			return nil, c.away(err)
		}
		subs = append(subs, sub)
	}
	return stop, nil
}

// AskLevel finds out which of some levels the server lets this host name: it sends itself a card on
// each. Those that are not permitted are lost, and the other one arrives as any card does.
func (c *Conn) AskLevel(levels []string, card []byte) error {
	for _, level := range levels {
		if err := c.SendCard(c.self, level, card); err != nil {
			return err
		}
	}
	return nil
}
