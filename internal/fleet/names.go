package fleet

import (
	"net/url"
	"slices"
	"strings"

	"ui-mcp/internal/fleet/presence"
)

// maxUsed is how many names are kept because they were used. The oldest are forgotten.
const maxUsed = 4096

// A bound name belongs to the host of a hub with a key, also while that host is away: a person or
// program that relies on the name must not reach another host by it.
type bound struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

// A namebook says which names belong to which hosts of hubs. What the list of accepted hosts says
// comes first, then names by which hosts were used, then names under which they were listed since
// this process started. It is guarded by Fleet.mu.
type namebook struct {
	used []bound           // kept in the file, in the order in which they were first used
	seen map[string]string // keys by folded names; "" if several hosts claimed a name at once
	of   map[string]string // folded names in seen, by keys
}

func newNamebook(used []bound) namebook {
	return namebook{used: used, seen: map[string]string{}, of: map[string]string{}}
}

// see binds a name to a key, or, if key is "", to none.
func (n *namebook) see(name, key string) {
	folded := strings.ToLower(name)
	if key != "" {
		n.forget(key)
		n.of[key] = folded
	} else if len(n.seen) >= MaxHosts {
		return // as long as there are several, none has the name anyway
	}
	n.seen[folded] = key
}

// use binds a name to a key for the time after this process, too. It reports whether that is new.
func (n *namebook) use(name, key string) bool {
	if slices.Contains(n.used, bound{name, key}) {
		return false
	}
	n.used = append(n.used, bound{name, key})
	if more := len(n.used) - maxUsed; more > 0 {
		n.used = slices.Delete(n.used, 0, more)
	}
	return true
}

// release gives up the names of a key. It reports whether some of them were kept in the file.
func (n *namebook) release(key string) bool {
	before := len(n.used)
	n.used = slices.DeleteFunc(n.used, func(b bound) bool { return b.Key == key })
	n.forget(key)
	delete(n.of, key)
	return len(n.used) < before
}

// forget takes back that a name was seen with a key. That several claim it stays.
func (n *namebook) forget(key string) {
	if n.seen[n.of[key]] == key {
		delete(n.seen, n.of[key])
	}
}

// owners are the keys to which names belong.
type owners struct {
	keys  map[string]string // by folded names; "" if a name belongs to none
	names map[string]string // that were accepted or used, by keys
}

// owner returns the key to which a name belongs: "" and true if several claim it, and so
// none has it.
func (o owners) owner(name string) (key string, ok bool) {
	key, ok = o.keys[strings.ToLower(name)]
	return key, ok
}

// owners returns what belongs to whom. The caller holds f.mu.
func (f *Fleet) owners() owners {
	o := owners{map[string]string{}, map[string]string{}}
	for name, key := range f.names.seen {
		o.keys[name] = key
	}
	bind := func(b bound) {
		o.keys[strings.ToLower(b.Name)], o.names[b.Key] = b.Key, b.Name
	}
	for _, b := range f.names.used {
		bind(b)
	}
	accepted := map[string]bool{}
	for _, e := range f.acceptedHosts() {
		if e.Name == "" {
			continue
		}
		folded := strings.ToLower(e.Name)
		if bind(bound{e.Name, e.Key}); accepted[folded] { // by a version that did not bind names
			o.keys[folded] = ""
		}
		accepted[folded] = true
	}
	return o
}

// nameFor returns the name that a host of a hub has here, or "" if there is none for it. self is
// the host if it is on the list already, or nil. The caller holds f.mu.
func (f *Fleet) nameFor(p presence.Host, self *host, o owners) string {
	claimed, _, _ := strings.Cut(p.Name, suffixMark)
	name := claimed
	if own, ok := o.names[p.ID]; ok {
		name = own
	}
	owner, known := o.owner(name)
	_, relied := o.names[owner]
	switch {
	case known && relied && owner == p.ID && !f.isTaken(name, self):
	case known && (relied || owner == ""), f.isTaken(name, self):
		name = suffixed(claimed, p.ID)
	case p.Name != claimed: // several hosts of the hub claim it
		f.names.see(claimed, "")
		o.keys[strings.ToLower(claimed)] = ""
		name = p.Name
	case known && owner != p.ID:
		name = suffixed(claimed, p.ID)
	case !known:
		f.names.see(claimed, p.ID)
		o.keys[strings.ToLower(claimed)] = p.ID
	}
	if f.isTaken(name, self) {
		return ""
	}
	return name
}

// suffixMark separates a name that a host shares with others from a part of its key.
const suffixMark = "~"

// suffixed returns the name of a host with a key that claims a name of another host, as
// [presence.Directory] has it.
func suffixed(claimed, key string) string {
	return claimed + suffixMark + strings.ToLower(key[max(len(key)-12, 0):])
}

// isTaken reports whether this server, or a host on the list besides self, has a name. The caller
// holds f.mu.
func (f *Fleet) isTaken(name string, self *host) bool {
	return strings.EqualFold(name, f.opts.Name) || slices.ContainsFunc(f.hosts, func(h *host) bool {
		return h != self && strings.EqualFold(h.name, name)
	})
}

// takes has a host that is not of a hub take its name from one of a hub, which gets another one. It
// reports false if nobody has given the name to h: a host must not take over a name by calling
// itself like that. The caller holds f.mu.
func (h *host) takes(name string, from *host) bool {
	if from.via == nil || !strings.EqualFold(h.alias, name) && !h.isAt(name) {
		return false
	}
	from.via.drop(from)
	from.via.Changed()
	return true
}

// isAt reports whether the address of a host has a name, so that the person has chosen it.
func (h *host) isAt(name string) bool {
	u, err := url.Parse(h.address)
	if err != nil {
		return false
	}
	first, _, _ := strings.Cut(u.Hostname(), ".")
	return strings.EqualFold(u.Hostname(), name) || strings.EqualFold(first, name)
}

// renameHosts has all hubs give their hosts the names that they have now. The caller holds f.mu.
func (f *Fleet) renameHosts() {
	for _, h := range f.hosts {
		if h.hub != nil {
			h.hub.Changed()
		}
	}
}
