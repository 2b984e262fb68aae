package fleet

import (
	"cmp"
	"fmt"

	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/terminals"
)

// twins are hosts that are on the list twice, each with the other one: by an address of its own,
// and as a host of a hub. They are one for callers, with the name that goes with the address, and
// the hub is used while that does not work. The host has said over the way with the address, which
// cannot be claimed by others, by which key hubs know it. What a host of a hub says of itself makes
// it no twin.
type twins map[*host]*host

// twins returns the hosts that are on the list twice. The caller holds f.mu.
func (f *Fleet) twins() twins {
	var byKey map[string]*host
	for _, h := range f.hosts {
		if h.via == nil && h.hub == nil && h.own != "" {
			if byKey == nil {
				byKey = map[string]*host{}
			}
			byKey[h.own] = h
		}
	}
	if byKey == nil {
		return nil
	}
	t := twins{}
	for _, h := range f.hosts {
		if other := byKey[h.key]; h.via != nil && other != nil {
			t[h], t[other] = other, h
		}
	}
	return t
}

// view returns the way by which a host is used now. The caller holds f.mu.
func (t twins) view(h *host) view {
	other := t[h]
	if other != nil && h.via != nil {
		h, other = other, h
	}
	if other != nil && h.link == nil && other.link != nil {
		return view{other, h.name}
	}
	return view{h, h.name}
}

// views returns the ways by which all hosts are used now, each host once. The caller holds f.mu.
func (f *Fleet) views() []view {
	t := f.twins()
	list := make([]view, 0, len(f.hosts))
	for _, h := range f.hosts {
		if h.via == nil || t[h] == nil {
			list = append(list, t.view(h))
		}
	}
	return list
}

// describe returns what callers may know. The caller holds f.mu.
func (v view) describe() terminals.KnownServer {
	s := v.host.describe()
	other := v.fleet.twins()[v.host]
	switch {
	case other == nil:
	case v.via == nil:
		by, _ := other.via.member.Allow(other.key)
		s.Key, s.Allowed = other.key, string(keys.LevelOf(by.Rights))
	default: // its own address does not work
		s.Hostname, s.Address = other.name, other.address
		if s.Reason == "" {
			s.Reason = fmt.Sprintf("it is reached through the hub %s, since %s", v.via.server, cmp.Or(other.describe().Reason, beingConnected))
		}
	}
	return s
}
