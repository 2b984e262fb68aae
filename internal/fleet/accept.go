package fleet

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/fleet/member"
	"ui-mcp/internal/terminals"
)

// misleads reports whether a name that a host has given itself looks like the key of a host: a
// person who accepts a key must not accept what is called like it.
func misleads(name string) bool { return keys.Valid(strings.ToUpper(name)) }

// byKey returns the host of a hub with a key, or the host with a name that is not a key, or nil.
// The caller holds f.mu.
func (f *Fleet) byKey(name string) *host {
	if keys.Valid(name) {
		if i := slices.IndexFunc(f.hosts, func(h *host) bool { return h.via != nil && h.key == name }); i >= 0 {
			return f.hosts[i]
		}
		return nil
	}
	return f.find(name)
}

// openKey returns the key of this server, which is made when it joins the first hub.
func (f *Fleet) openKey() (*keys.Own, error) {
	if err := f.prepare(f.opts.KeyFile); err != nil {
		return nil, err
	}
	return keys.Open(f.opts.KeyFile)
}

// openAccepted returns the hosts of hubs that this server has accepted.
func (f *Fleet) openAccepted() (*keys.List, error) {
	if err := f.prepare(f.opts.AcceptedFile); err != nil {
		return nil, err
	}
	return keys.OpenList(f.opts.AcceptedFile)
}

// readAccepted reads the file of accepted hosts if there is one that was not read yet.
func (f *Fleet) readAccepted() error {
	if _, opened := f.accepted.opened(); opened || f.opts.AcceptedFile == "" {
		return nil
	}
	if _, err := os.Lstat(f.opts.AcceptedFile); err != nil {
		return nil // none was ever accepted
	}
	_, err := f.accepted.get()
	return err
}

// acceptedHosts returns the accepted hosts, as far as the file was read.
func (f *Fleet) acceptedHosts() []keys.Entry {
	if list, ok := f.accepted.opened(); ok {
		return list.All()
	}
	return nil
}

// A lazily opened value is opened when it is first needed, and again after an error: what is wrong
// may be corrected meanwhile. It is safe for concurrent use.
type lazily[T any] struct {
	open func() (T, error)

	mu    sync.Mutex // guards the fields below; held while the value is opened
	value T
	done  bool
}

// get returns the value.
func (l *lazily[T]) get() (T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done {
		return l.value, nil
	}
	value, err := l.open()
	if err == nil {
		l.value, l.done = value, true
	}
	return value, err
}

// opened returns the value if it was opened.
func (l *lazily[T]) opened() (T, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.value, l.done
}

// prepare makes the folder of a file that is only this user's.
func (f *Fleet) prepare(file string) error {
	if file == "" {
		return fault.New(fault.Precondition, "a server joins a hub with a key that it keeps, and there is no home directory to keep it in")
	}
	return fault.Wrap(fault.Precondition, os.MkdirAll(filepath.Dir(file), 0o700), "keep the key of this server")
}

// Accept implements [terminals.Servers].
func (f *Fleet) Accept(_ context.Context, in terminals.Acceptance) (out terminals.AcceptedHost, err error) {
	list, err := f.accepted.get()
	if err != nil {
		return out, err
	}
	name := strings.TrimPrefix(in.Hostname, absentScheme)
	e := keys.Entry{Key: name, Allow: keys.Level(cmp.Or(in.Allow, string(keys.Look))), Since: time.Now().UTC().Truncate(time.Second)}
	f.mu.Lock()
	h := f.byKey(name)
	if h != nil {
		e.Key, e.Name = h.key, h.name
	}
	e.Hub = f.hubOf(h)
	f.mu.Unlock()
	switch {
	case h != nil && h.via == nil:
		return out, fault.New(fault.Invalid, "%s is no host of a hub, and does nothing here that would have to be accepted", name)
	case h == nil && !keys.Valid(name):
		return out, terminals.UnknownServer(name)
	case e.Hub == "" && e.Allow != keys.None && e.Check() == nil:
		return out, fault.New(fault.Precondition, "a key is accepted at one hub, and this server is at none, or at several: accept it when its host is listed")
	}
	if err := list.Accept(e); err != nil {
		return out, err
	}
	f.opts.Log.Info("a host of a hub is accepted", "key", e.Key, "name", e.Name, "allow", string(e.Allow))
	f.recheck(e.Key)
	return terminals.AcceptedHost{Hostname: e.Name, Key: e.Key, Allow: string(e.Allow)}, nil
}

// hubOf returns the hub at which a host is, or if that is nil, the only hub; "" if there is no such
// one. The caller holds f.mu.
func (f *Fleet) hubOf(h *host) string {
	if h != nil && h.via != nil {
		return h.via.server
	}
	var server string
	for _, other := range f.hosts {
		if other.hub != nil {
			if server != "" {
				return ""
			}
			server = other.hub.server
		}
	}
	return server
}

// Withdraw implements [terminals.Servers].
func (f *Fleet) Withdraw(_ context.Context, name string) error {
	list, err := f.accepted.get()
	if err != nil {
		return err
	}
	key := strings.TrimPrefix(name, absentScheme)
	f.mu.Lock()
	if h := f.byKey(key); h != nil && h.via != nil {
		key = h.key
	}
	f.mu.Unlock()
	if !keys.Valid(key) { // the name that it had
		f.mu.Lock()
		owner, _ := f.owners().owner(name)
		f.mu.Unlock()
		if key = owner; key == "" {
			return terminals.UnknownServer(name)
		}
	}
	err = list.Withdraw(key) // first: what it may do ends, whatever cannot be kept
	f.mu.Lock()
	released := f.names.release(key)
	f.mu.Unlock()
	if fault.KindOf(err) == fault.NotFound {
		if !released {
			return fault.With(terminals.ServerNotFound, err)
		}
		err = nil
	}
	f.opts.Log.Info("a host of a hub is withdrawn", "key", key)
	f.recheck(key)
	if released {
		err = cmp.Or(err, f.save())
	}
	return err
}

// recheck applies a change of what a host may do: it ends what that has under way here, at all
// hubs, and lists it if it had no room.
func (f *Fleet) recheck(key string) {
	f.mu.Lock()
	f.renameHosts()
	f.reattend(key)
	var members []*member.Member
	for _, h := range f.hosts {
		if h.hub != nil && h.hub.member != nil {
			members = append(members, h.hub.member)
		}
	}
	f.mu.Unlock()
	for _, m := range members {
		m.Recheck(key)
	}
}

// absentScheme precedes the key of a host that is at no hub, as its address.
const absentScheme = "nats:"

// absent returns the hosts that are accepted and not on the list: what they may do, their owner
// must be able to see. The caller holds f.mu.
func (f *Fleet) absent() (list []terminals.KnownServer) {
	for _, e := range f.acceptedHosts() {
		if f.find(e.Key) == nil {
			list = append(list, terminals.KnownServer{
				Address: absentScheme + e.Key, Health: terminals.Unavailable, Key: e.Key, Allowed: string(e.Allow),
				Reason: "accepted as \"" + e.Name + "\", and at no hub now",
			})
		}
	}
	return list
}
