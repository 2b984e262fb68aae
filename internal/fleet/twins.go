package fleet

import (
	"context"
	"slices"
	"strings"

	"ui-mcp/internal/fleet/presence"
	"ui-mcp/internal/terminals"
)

// Twins are a server that is on the list twice: by an address of its own, and as a host of a hub.
// Each is used by its own name and in its own way only, so that no other host can take the place of
// one of them. In lists, the one with the address stands for both while both can be reached.
//
// That they are one server, each has said over its own connection: the one with the address by
// which key hubs know it, and both which process they are. One of them alone can only claim that.

// pair makes the host, which has an address of its own, and one of a hub twins if they are one
// server. It takes listTime at most.
func (h *host) pair() {
	f := h.fleet
	f.mu.Lock()
	i := -1
	if h.own != "" && h.twin == nil {
		i = slices.IndexFunc(f.hosts, func(o *host) bool { return o.via != nil && o.key == h.own && o.link != nil && o.twin == nil })
	}
	if i < 0 {
		f.mu.Unlock()
		return
	}
	other := f.hosts[i]
	there := other.link
	f.mu.Unlock()
	ctx, cancel := context.WithTimeout(h.ctx, listTime)
	defer cancel()
	info, err := terminals.GetServer.Do(ctx, there, terminals.Everything, terminals.None{})
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil && info.ID == h.id && other.key == h.own && h.link != nil && other.link == there && other.twin == nil {
		h.twin, other.twin = other, h
		h.tellTwins(other)
	}
}

// unpair says that the host can be reached in one way only, or that it is not known any more
// whether it can in two. The caller holds fleet.mu.
func (h *host) unpair() {
	if other := h.twin; other != nil {
		h.twin, other.twin = nil, nil
		h.tellTwins(other)
	}
}

// tellTwins tells those who wait, and followers, that lists differ. The caller holds fleet.mu.
func (h *host) tellTwins(other *host) {
	h.signal()
	other.signal()
	for follower := range h.fleet.followers {
		follower.add(nil, 1)
	}
}

// isDouble reports whether the host's twin stands for it in what a caller lists. The caller holds
// fleet.mu.
func (h *host) isDouble(by terminals.Grant) bool {
	if h.via == nil || h.twin == nil {
		return false
	}
	_, ok := by.On(h.twin.name)
	return ok
}

// views returns the hosts that a caller may list, each once. The caller holds f.mu.
func (f *Fleet) views(by terminals.Grant) []view {
	list := make([]view, 0, len(f.hosts))
	for _, h := range f.hosts {
		if _, ok := by.On(h.name); ok && !h.isDouble(by) {
			list = append(list, view{h, h.name})
		}
	}
	return list
}

// pokeTwin has the host find out that may be the same server as one of a hub. The caller holds
// f.mu.
func (f *Fleet) pokeTwin(p presence.Host, name string) {
	for _, h := range f.hosts {
		if h.via == nil && h.hub == nil && h.link != nil && (h.own == p.ID || h.own == "" && p.Name != name && strings.HasPrefix(p.Name, h.name)) {
			h.poke() // without a key, it may know its own now
		}
	}
}
