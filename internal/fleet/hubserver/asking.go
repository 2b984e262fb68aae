package hubserver

import (
	"net/netip"
	"slices"
	"time"

	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/keys"
)

const (
	// maxAsking is how many hosts are listed that ask, and maxByAddress how many of one address, or
	// of one network of IPv6.
	maxAsking, maxByAddress = 64, 4
	// askedFor is how long a host is listed that asks no more.
	askedFor = 10 * time.Minute
)

// An asking list has the hosts that ask to be accepted. Neither many keys nor many attempts let it
// grow, and one address cannot fill it.
type asking struct {
	list []hub.Asker
}

// add takes an attempt, and reports whether the host is new on the list.
func (a *asking) add(key, name, address string, now time.Time) bool {
	a.expire(now)
	name = keys.Name(name)
	if i := slices.IndexFunc(a.list, func(k hub.Asker) bool { return k.Key == key }); i >= 0 {
		a.list[i].Name, a.list[i].Address, a.list[i].Last = name, address, now
		return false
	}
	same := 0
	for _, k := range a.list {
		if network(k.Address) == network(address) {
			same++
		}
	}
	if same >= maxByAddress || len(a.list) >= maxAsking {
		return false
	}
	a.list = append(a.list, hub.Asker{Key: key, Name: name, Address: address, First: now, Last: now})
	return true
}

// network returns what of an address counts as one peer: the 64 bits of IPv6 that one customer
// usually has, and all of another one.
func network(address string) string {
	a, err := netip.ParseAddr(address)
	switch a = a.Unmap().WithZone(""); {
	case err != nil:
		return address
	case a.Is4():
		return a.String()
	}
	return netip.PrefixFrom(a, 64).Masked().String()
}

// name returns the name that a host claims, or "".
func (a *asking) name(key string) string {
	for _, k := range a.list {
		if k.Key == key {
			return k.Name
		}
	}
	return ""
}

func (a *asking) remove(key string) {
	a.list = slices.DeleteFunc(a.list, func(k hub.Asker) bool { return k.Key == key })
}

func (a *asking) expire(now time.Time) {
	a.list = slices.DeleteFunc(a.list, func(k hub.Asker) bool { return now.Sub(k.Last) >= askedFor })
}
