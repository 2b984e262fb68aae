package hub

import (
	"slices"

	"ui-mcp/internal/fleet/keys"
)

// The subjects of a hub, whose permissions fix NAME and FROM:
//
//	wsh2.card.CLASS.NAME.FROM         a host says that it is there
//	wsh2.ask.FROM                     a desk has come
//	wsh2.up.CLASS.TO.NAME.FROM.N      tunnel N: what its opener sends
//	wsh2.down.TO.FROM.N               and the other end
const (
	Cards      = "wsh2.card"
	Asks       = "wsh2.ask"
	TunnelUp   = "wsh2.up"
	TunnelDown = "wsh2.down"
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
	publish = []string{Cards + "." + string(class) + "." + e.Name + "." + e.Key}
	if class != Desks { // it is used
		publish = append(publish, TunnelDown+".*."+e.Key+".*")
	}
	for _, used := range class.uses() {
		publish = append(publish, TunnelUp+"."+string(used)+".*."+e.Name+"."+e.Key+".*")
	}
	if class != Workers {
		publish = append(publish, Asks+"."+e.Key)
	}
	return publish, slices.Concat([]string{OwnCards(e.Key)}, class.Cards(), class.Tunnels(e.Key))
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

// OwnCards returns the subjects of the cards of a host.
func OwnCards(self string) string { return Cards + ".*.*." + self }

// Cards returns the subjects of the cards that a host gets, and of desks that come to it.
func (c Class) Cards() (list []string) {
	for _, used := range c.uses() {
		list = append(list, Cards+"."+string(used)+".*.*")
	}
	if c != Desks {
		list = append(list, Asks+".*")
	}
	return list
}

// Tunnels returns the subjects of the messages of tunnels that a host gets.
func (c Class) Tunnels(self string) (list []string) {
	if c != Desks { // it is used
		list = append(list, TunnelUp+"."+string(c)+"."+self+".*.*.*")
	}
	if c != Workers {
		list = append(list, TunnelDown+"."+self+".*.*")
	}
	return list
}
