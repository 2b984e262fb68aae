package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hubconn"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/fleet/member"
	"ui-mcp/internal/fleet/presence"
	"ui-mcp/internal/terminals"
)

// A hub is a host of the list that has no sessions itself: this server is one of its hosts, and the
// others are on the list while they are there. The member's goroutine applies what happens at the
// hub.
type hub struct {
	*host
	server string // nats://HOST:PORT
	ca     string
	user   string // of this machine, whose server it may be: see [hubconn.Membership.User]
	claim  string // what this server calls itself there; "": as here

	// The fields below are guarded by fleet.mu.
	pin     string         // the hub's key; "": it has not been reached with TLS
	unsaved bool           // pin is new
	member  *member.Member // nil before the first attempt to join
	hosts   map[string]*host
	full    sync.Once // that not all hosts have room
}

const hubPort = "4222"

// newHub returns the hub at an address, nats://HOST[:PORT] or tls://HOST[:PORT], and as a query ca
// and user, and the address as it is kept and displayed.
func newHub(address string) (b *hub, kept string, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.Fragment != "" {
		return nil, "", fault.New(fault.Invalid, "%.200q is no address of a hub: write nats://HOST:PORT or tls://HOST:PORT", address)
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, "", fault.Wrap(fault.Invalid, err, "the address of the hub")
	}
	b = &hub{
		server: u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), cmp.Or(u.Port(), hubPort)), hosts: map[string]*host{},
		ca: query.Get("ca"), user: query.Get("user"),
	}
	if query.Has("ca") && !filepath.IsAbs(b.ca) {
		return nil, "", fault.New(fault.Invalid, "%.200q is no absolute path of a file with certificates", b.ca)
	}
	if kept = b.server; len(query) > 0 {
		kept += "?" + strings.ReplaceAll(query.Encode(), "%2F", "/")
	}
	query.Del("ca")
	query.Del("user")
	for key := range query {
		return nil, "", fault.New(fault.Invalid, "an address of a hub can have ca and user, and no %.60q", key)
	}
	return b, kept, nil
}

// trust returns an error if the hub has another key than at first.
func (b *hub) trust(key string) error {
	b.fleet.mu.Lock()
	defer b.fleet.mu.Unlock()
	if b.pin == "" {
		b.pin, b.unsaved = key, true
	}
	if b.pin != key {
		return fault.Wrap(fault.Precondition, hubconn.ErrOtherKey, "it has %s, and had %s", key, b.pin)
	}
	return nil
}

// run is one of the hub's hosts until the hub is forgotten.
func (b *hub) run() {
	defer close(b.over)
	select {
	case <-b.fleet.served:
	case <-b.ctx.Done():
		return
	}
	m, err := b.join()
	for err != nil {
		b.become(terminals.Rejected, nil, err)
		select {
		case <-b.poked:
		case <-time.After(longestPause):
		case <-b.ctx.Done():
			return
		}
		m, err = b.join()
	}
	defer m.Close()
	<-b.ctx.Done()
	b.fleet.mu.Lock()
	defer b.fleet.mu.Unlock()
	for _, h := range b.hosts {
		b.drop(h)
	}
}

// join becomes one of the hub's hosts.
func (b *hub) join() (*member.Member, error) {
	f := b.fleet
	key, err := f.openKey()
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	b.key = key.ID()
	f.mu.Unlock()
	return member.Join(member.Options{
		Membership: hubconn.Membership{Address: b.server, CA: b.ca, User: b.user, Trust: b.trust, Key: key, Name: keys.Name(cmp.Or(b.claim, f.opts.Name))},
		Confirm:    f.opts.Confirm, Server: f.server, Changed: b.apply, Log: f.opts.Log,
	})
}

// openKey reads the key of this server, which is made when it joins the first hub.
func (f *Fleet) openKey() (*keys.Own, error) {
	f.opening.Lock()
	defer f.opening.Unlock()
	file := f.opts.KeyFile
	if file == "" {
		return nil, fault.New(fault.Precondition, "a server joins a hub with a key that it keeps, and there is no home directory to keep it in")
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "keep the key of this server")
	}
	return keys.Open(file)
}

// apply applies what is new at the hub, with the keys of hosts of which something may be.
func (b *hub) apply(m *member.Member, news []string) {
	b.fleet.mu.Lock()
	health, reason := b.state(m.State())
	same, unsaved := health == b.health && displayed(reason) == b.reason, b.unsaved && b.added
	b.member, b.unsaved = m, false
	b.fleet.mu.Unlock()
	if !same {
		b.become(health, nil, reason)
	}
	if unsaved {
		if err := b.fleet.save(); err != nil {
			b.fleet.opts.Log.Warn("the key of a hub was not kept", "hub", b.server, "error", err)
		}
	}
	b.fleet.mu.Lock()
	defer b.fleet.mu.Unlock()
	if health == terminals.Healthy {
		b.seen = time.Now()
	}
	for _, id := range news {
		b.applyHost(m, id)
	}
}

// state returns how things are with the hub. The caller holds fleet.mu.
func (b *hub) state(s member.State) (terminals.Health, error) {
	own := ""
	if b.pin != "" {
		own = "; the hub's own key is " + b.pin
	}
	switch {
	case s.Connected:
		return terminals.Healthy, nil
	case errors.Is(s.Reason, hubconn.ErrOtherKey):
		return terminals.Rejected, fault.Wrap(fault.Precondition, s.Reason, "ask its owner, and trust the new key with \"wsh servers add '%s'\"", b.address)
	case errors.Is(s.Reason, hubconn.ErrNotAccepted):
		return terminals.Waiting, fault.New(fault.Precondition, `the hub's owner has to accept this server there: "wsh hub accept %s --as worker", or "--as desk" if it is to use the workers%s`, b.key, own)
	case errors.Is(s.Reason, member.ErrConnecting):
		return terminals.Connecting, nil
	}
	return terminals.Unavailable, s.Reason
}

// applyHost has a host on the list as it is now, if it is there. The caller holds fleet.mu.
func (b *hub) applyHost(m *member.Member, id string) {
	p, known := m.Host(id)
	h := b.hosts[id]
	if h != nil && (!known || b.fleet.nameFor(p, h) != h.name) { // streams have the old name
		b.drop(h)
		h = nil
	}
	if h == nil && known {
		h = b.newHost(p)
	}
	if h == nil {
		return
	}
	health, reason := terminals.Healthy, ""
	l, err := m.Remote(id)
	switch {
	case p.Protocol != terminals.Protocol:
		health, reason = terminals.Rejected, "its program speaks another protocol: use the same version on both hosts"
	case p.Away:
		health, reason = terminals.Unavailable, "nothing was heard from it lately"
	case fault.DetailOf(err) == terminals.HubAway:
		health, reason = terminals.Unavailable, "this server is not connected to the hub"
	case err != nil:
		health, reason = terminals.Unavailable, "it is not connected to the hub"
	case h.name == "":
		health, reason = terminals.Rejected, fmt.Sprintf(`another server is called %q here already: "wsh servers remove" that one, and add it with --name`, p.Name)
	}
	var remote Remote // not one that holds a nil pointer
	if health == terminals.Healthy {
		remote, h.seen = l, time.Now()
	}
	if health != h.health || remote != h.remote || reason != h.reason {
		h.health, h.remote, h.reason, h.detail = health, remote, reason, fault.DetailOf(err)
		h.signal()
	}
}

// nameFor returns the name that a host has here: what the hub says that it is called, or "" if this
// server, or another one on the list besides self, has that. The caller holds f.mu.
func (f *Fleet) nameFor(p presence.Host, self *host) string {
	if strings.EqualFold(p.Name, f.opts.Name) || slices.ContainsFunc(f.hosts, func(h *host) bool {
		return h != self && strings.EqualFold(h.name, p.Name)
	}) {
		return ""
	}
	return p.Name
}

// newHost puts a host on the list, or returns nil if it has no place there. The caller holds
// fleet.mu.
func (b *hub) newHost(p presence.Host) *host {
	f := b.fleet
	if slices.ContainsFunc(f.hosts, func(h *host) bool { return h.via != nil && h.key == p.ID }) {
		return nil // another hub has it, too
	}
	if f.ctx.Err() != nil || b.ctx.Err() != nil {
		return nil
	}
	if len(f.hosts) >= MaxHosts {
		b.full.Do(func() {
			f.opts.Log.Warn("the hub has more hosts than there is room for", "hub", b.server, "most", MaxHosts)
		})
		return nil
	}
	h := &host{
		fleet: f, via: b, key: p.ID, name: f.nameFor(p, nil), address: b.server + "/" + p.ID,
		poked: make(chan struct{}, 1), changed: make(chan struct{}), over: make(chan struct{}),
	}
	close(h.over) // it has no goroutine
	h.ctx, h.cancel = context.WithCancel(b.ctx)
	b.hosts[p.ID] = h
	f.include(h)
	return h
}

// drop takes a host off the list. The caller holds fleet.mu.
func (b *hub) drop(h *host) {
	delete(b.hosts, h.key)
	b.fleet.exclude(h)
	h.cancel()
	h.health, h.remote = terminals.Unavailable, nil
	h.signal()
}
