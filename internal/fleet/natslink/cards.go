package natslink

import (
	"strings"

	"github.com/nats-io/nats.go"

	"ui-mcp/internal/fleet/keys"
)

// The subjects of a hub, whose permissions fix NAME and FROM:
//
//	wsh2.card.CLASS.NAME.FROM         a host says that it is there
//	wsh2.ask.FROM                     a desk has come
//	wsh2.up.CLASS.TO.NAME.FROM.N      tunnel N: what its opener sends
//	wsh2.down.TO.FROM.N               and the other end
const (
	cards = "wsh2.card"
	asks  = "wsh2.ask"
)

// A Class is what hosts are to those that use them. A host receives its own cards, in whatever
// class, and so learns its role and name.
type Class string

const (
	Workers Class = "worker" // which desks use
	Mutual  Class = "mutual" // desks, which others of this class use
	Desks   Class = "desk"   // which nobody uses
)

// Classes are all classes.
var Classes = []Class{Workers, Mutual, Desks}

// ClassOf returns the class of a host.
func ClassOf(e keys.Entry) Class {
	switch {
	case e.Mutual:
		return Mutual
	case e.Role == keys.Desk:
		return Desks
	}
	return Workers
}

// Permissions returns the subjects on which a host may publish, and those to which it may
// subscribe.
func Permissions(e keys.Entry) (publish, subscribe []string) {
	class := ClassOf(e)
	publish = []string{cards + "." + string(class) + "." + e.Name + "." + e.Key}
	subscribe = []string{cards + ".*.*." + e.Key}
	if class != Desks { // it is used
		publish = append(publish, tunnelDown+".*."+e.Key+".*")
		subscribe = append(subscribe, asks+".*", tunnelUp+"."+string(class)+"."+e.Key+".*.*.*")
	}
	for _, used := range class.uses() {
		publish = append(publish, tunnelUp+"."+string(used)+".*."+e.Name+"."+e.Key+".*")
		subscribe = append(subscribe, cards+"."+string(used)+".*.*")
	}
	if class != Workers {
		publish = append(publish, asks+"."+e.Key)
		subscribe = append(subscribe, tunnelDown+"."+e.Key+".*.*")
	}
	return publish, subscribe
}

// uses returns the classes that hosts of a class use.
func (c Class) uses() []Class {
	switch c {
	case Mutual:
		return []Class{Workers, Mutual}
	case Desks:
		return []Class{Workers}
	}
	return nil
}

// SendCard says that this host is there, in its class and with its name.
func (c *Conn) SendCard(class Class, name string, card []byte) error {
	return c.publish(cards+"."+string(class)+"."+name+"."+c.self, card)
}

// Probe finds out the class in which this host may be, under a name: it sends a card in each. Those
// that are not permitted are lost, and the other one comes back.
func (c *Conn) Probe(name string, card []byte) error {
	for _, class := range Classes {
		if err := c.SendCard(class, name, card); err != nil {
			return err
		}
	}
	return nil
}

// Ask has the hosts that this one uses say that they are there. They get a text.
func (c *Conn) Ask(text []byte) error { return c.publish(asks+"."+c.self, text) }

func (c *Conn) publish(subject string, data []byte) error {
	if err := c.nc.Publish(subject, data); err != nil {
		return c.away(err)
	}
	return nil
}

// ReceiveOwn has f called with each card of this host.
func (c *Conn) ReceiveOwn(f func(Class, []byte)) (stop func(), err error) {
	return c.subscribe(func(parts []string, m *nats.Msg) { f(Class(parts[2]), m.Data) }, cards+".*.*."+c.self)
}

// ReceiveCards has f called with each card of the hosts that those of a class use, and asked with
// the text of each desk that comes to one that is used. They must not wait, and calls may run at
// once. stop ends that; some may be running when it returns.
func (c *Conn) ReceiveCards(class Class, f func(from, name string, class Class, card []byte), asked func([]byte)) (stop func(), err error) {
	var subjects []string
	for _, used := range class.uses() {
		subjects = append(subjects, cards+"."+string(used)+".*.*")
	}
	if class != Desks {
		subjects = append(subjects, asks+".*")
	}
	return c.subscribe(func(parts []string, m *nats.Msg) {
		if len(parts) == 5 {
			f(parts[4], parts[3], Class(parts[2]), m.Data)
		} else {
			asked(m.Data)
		}
	}, subjects...)
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
