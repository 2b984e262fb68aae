// Package fleet makes the sessions of other hosts usable as if they were here: a session that is
// NAME on the host HOST is HOST/NAME in every operation and stream, in inputs and answers.
//
// A [Fleet] knows the other hosts, keeps a connection to each, and remembers what they last said
// about their sessions. [Fleet.Over] routes operations to the sessions here or there. How hosts
// are reached is for a [Dialer] to know. Without other hosts, a Fleet has no goroutine.
//
//	Router ── terminals.Local            NAME
//	       ── view ── host ── Remote     HOST/NAME, reached by a Dialer
//	       ── view ── hub  ── member     HOST/NAME, reached through a hub
//
// A host has one goroutine, which dials, asks for its health and dials again; a hub puts its hosts
// on the list while they are there. A view checks the caller's right here, and asks the other host
// with a claim that only narrows what this host may do there: neither end relies on the other's
// check. Names are changed on the way in and out and nowhere else.
package fleet

import (
	"cmp"
	"context"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/transport/remote"
)

// MaxHosts is how many other hosts there may be.
const MaxHosts = 1024

// A Dialer reaches other hosts. Its methods may be called from anywhere.
type Dialer interface {
	// Clean returns an address as it is kept and displayed. It returns an error of kind Invalid for
	// one that Dial can never reach.
	Clean(address string) (string, error)
	// Dial connects to the host at an address that Clean has returned. The token, if it is not "",
	// is for that host only. start says that a server may be started there even if its user has
	// stopped it. An error says what to do, in a sentence without the token.
	Dial(ctx context.Context, address, token string, start bool) (Remote, error)
}

// A Remote is a connection to another host: its terminals, whose sessions have the names that they
// have there.
type Remote interface {
	terminals.Terminals
	// Done returns a channel that is closed when the connection has ended. Err says why.
	Done() <-chan struct{}
	Err() error
	// Close ends the connection and everything that goes on over it.
	Close()
}

// Options configure a Fleet.
type Options struct {
	Name    string // of this host
	ID      string // of this process: see [terminals.Host.ID]
	Version string // of the program
	Dialer  Dialer
	// Configured are hosts that are there from the start, and that no file of ours keeps.
	Configured []terminals.NewServer
	// File keeps the hosts that are added, with their tokens; "" keeps them as long as the process
	// runs.
	File string
	// KeyFile keeps the key by which hubs know this server. Without it, no hub can be joined.
	KeyFile string
	// Person gets the questions of other hosts; nil: they are not shown.
	Person *questions.Person
	// Confirm matches lines that hosts of hubs enter here only with a person's permission; nil:
	// none.
	Confirm *regexp.Regexp
	Log     *slog.Logger
}

// A Fleet is what a process knows of other hosts. It implements [terminals.Servers].
type Fleet struct {
	opts   Options
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	store  store

	opening sync.Mutex // held while the key of this server is read or made
	serve   sync.Once
	served  chan struct{}  // closed when server is known, which hubs wait for
	server  *remote.Server // of the terminals of this host alone, for other hosts

	following sync.WaitGroup // questions; Add only with mu held and the fleet open, or by a goroutine of the group

	mu        sync.Mutex // guards the fields below, and those of hosts
	hosts     []*host
	followers map[*follower]struct{}
	placed    []placed // within loadTime
}

// New returns the hosts that are configured and those that were added before, and connects to them.
// A host that cannot be used is in the log. The caller must Close the Fleet.
func New(o Options) *Fleet {
	f := &Fleet{opts: o, store: store{path: o.File}, followers: map[*follower]struct{}{}, served: make(chan struct{})}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	added, err := f.store.load()
	if err != nil {
		o.Log.Error("servers that were added before are not used", "file", o.File, "error", err)
	}
	known := make([]kept, 0, len(o.Configured)+len(added.Servers))
	for _, s := range o.Configured {
		known = append(known, kept{NewServer: s})
	}
	for i, s := range append(known, added.Servers...) {
		h, err := f.newHost(s)
		if err == nil {
			h.added = i >= len(known)
			err = f.enter(h)
		}
		if err != nil {
			o.Log.Error("a server is not used", "address", s.Address, "error", err)
		}
	}
	return f
}

// Close ends all connections to other hosts, and what goes on over them.
func (f *Fleet) Close() {
	f.cancel()
	f.mu.Lock()
	hosts := f.hosts
	f.mu.Unlock()
	for _, h := range hosts { // which may still keep the list
		h.close()
	}
	f.mu.Lock()
	f.hosts = nil
	f.mu.Unlock()
	f.following.Wait()
}

// newHost returns a host that nobody knows yet.
func (f *Fleet) newHost(s kept) (*host, error) {
	var b *hub
	var address string
	var err error
	if scheme, _, _ := strings.Cut(s.Address, "://"); scheme == "nats" || scheme == "tls" {
		if s.Token != "" {
			return nil, fault.New(fault.Invalid, "a hub takes no token: it knows this server by its key")
		}
		if b, address, err = newHub(s.Address); err == nil {
			b.claim, s.Hostname, s.Name = s.Hostname, "", ""
			b.pin = s.HubKey
		}
	} else {
		address, err = f.opts.Dialer.Clean(s.Address)
	}
	if err != nil {
		return nil, err
	}
	h := &host{
		fleet: f, hub: b, address: address, token: s.Token, alias: s.Hostname, name: cmp.Or(s.Hostname, s.Name), health: terminals.Connecting,
		poked: make(chan struct{}, 1), changed: make(chan struct{}), over: make(chan struct{}),
	}
	if h.alias != "" {
		if err := label.CheckWord("name of a server", h.alias); err != nil {
			return nil, err
		}
	}
	if strings.EqualFold(h.name, f.opts.Name) && h.alias != "" {
		return nil, fault.With(terminals.ServerRegistered, fault.New(fault.Exists, "%q is this server itself: give the other one another name", h.name))
	}
	h.ctx, h.cancel = context.WithCancel(f.ctx)
	if b != nil {
		b.host = h
	}
	return h, nil
}

// enter makes a host known and connects to it. What was added with the same address before, and
// cannot be used now, it replaces.
func (f *Fleet) enter(h *host) error {
	f.mu.Lock()
	replaced, err := f.replaces(h)
	if err == nil {
		if replaced != nil {
			f.exclude(replaced)
		}
		f.include(h)
	}
	f.mu.Unlock()
	if err != nil {
		return err
	}
	if replaced != nil {
		replaced.close()
	}
	if h.hub != nil {
		go h.hub.run()
	} else {
		go h.run()
	}
	return nil
}

// replaces returns the host that another one replaces, or nil. An error says why that one has no
// place on the list. The caller holds f.mu.
func (f *Fleet) replaces(h *host) (replaced *host, err error) {
	if f.ctx.Err() != nil {
		return nil, fault.With(registry.Stopping, fault.New(fault.Gone, "the server is stopping"))
	}
	for _, other := range f.hosts {
		switch {
		case other.address == h.address, h.hub != nil && other.hub != nil && h.hub.server == other.hub.server:
			untried := other.health == terminals.Connecting && other.reason == ""
			if !other.added || other.health == terminals.Healthy || untried {
				return nil, fault.With(terminals.ServerRegistered, fault.New(fault.Exists, "the server at %s is known already%s", h.address, as(other.name)))
			}
			replaced = other
		case !strings.EqualFold(other.name, h.name):
		case h.name != "" && h.alias != "":
			return nil, fault.With(terminals.ServerRegistered, fault.New(fault.Exists, "the server at %s is called %q already: give this one another name", other.address, h.name))
		default:
			h.name = "" // of a file that was edited: it tells its name again
		}
	}
	if replaced == nil && len(f.hosts) >= MaxHosts {
		return nil, fault.New(fault.Exhausted, "there are %d servers already: remove some", MaxHosts)
	}
	return replaced, nil
}

// include puts a host on the list. The caller holds f.mu.
func (f *Fleet) include(h *host) {
	f.hosts = append(f.hosts, h)
	f.attend(h)
	for follower := range f.followers {
		follower.follow(h)
	}
}

// exclude takes a host off the list, and reports whether it was there. The caller holds f.mu.
func (f *Fleet) exclude(h *host) bool {
	i := slices.Index(f.hosts, h)
	if i >= 0 {
		f.hosts = slices.Delete(slices.Clone(f.hosts), i, i+1)
	}
	return i >= 0
}

func as(name string) string {
	if name == "" {
		return ""
	}
	return ", as " + name
}

// List implements [terminals.Servers].
func (f *Fleet) List(by terminals.Grant) []terminals.KnownServer {
	var list []terminals.KnownServer
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, v := range f.views(by) {
		list = append(list, v.describe())
	}
	slices.SortStableFunc(list, func(a, b terminals.KnownServer) int {
		return cmp.Or(cmp.Compare(a.Hostname, b.Hostname), cmp.Compare(a.Address, b.Address))
	})
	return list
}

// Any reports whether there are other servers, or hubs.
func (f *Fleet) Any() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.hosts) > 0
}

// Get implements [terminals.Servers].
func (f *Fleet) Get(by terminals.Grant, name string) (terminals.KnownServer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if h := f.find(name); h != nil {
		if _, ok := by.On(h.name); ok {
			return h.describe(), nil
		}
	}
	return terminals.KnownServer{}, terminals.UnknownServer(name)
}

// find returns the host of a name or address, or nil. The caller holds f.mu.
func (f *Fleet) find(name string) *host {
	for _, is := range []func(h *host) bool{
		func(h *host) bool { return h.via != nil && h.key == name }, // which no name is
		func(h *host) bool { return strings.EqualFold(h.name, name) && name != "" },
		func(h *host) bool { return h.address == name || strings.HasSuffix(h.address, "://"+name) },
		func(h *host) bool {
			return h.hub != nil && (h.hub.server == name || strings.HasSuffix(h.hub.server, "://"+name))
		},
	} {
		if i := slices.IndexFunc(f.hosts, is); i >= 0 {
			return f.hosts[i]
		}
	}
	return nil
}

// Add implements [terminals.Servers].
func (f *Fleet) Add(_ context.Context, in terminals.NewServer) (terminals.KnownServer, error) {
	h, err := f.newHost(kept{NewServer: in})
	if err != nil {
		return terminals.KnownServer{}, err
	}
	h.added, h.starts = true, true
	s := h.describe() // as it is while the connection is being opened
	if err := f.enter(h); err != nil {
		h.cancel()
		return terminals.KnownServer{}, err
	}
	if err := f.save(); err != nil {
		f.forget(h)
		return terminals.KnownServer{}, err
	}
	f.opts.Log.Info("a server was added", "address", h.address)
	return s, nil
}

// Remove implements [terminals.Servers].
func (f *Fleet) Remove(_ context.Context, name string) error {
	f.mu.Lock()
	h := f.find(name)
	f.mu.Unlock()
	if h == nil {
		return terminals.UnknownServer(name)
	}
	if h.via != nil {
		return fault.New(fault.Precondition, "%s is listed while it is a host of the hub %s: \"wsh servers remove %[2]s\" leaves the hub", name, h.via.server)
	}
	if !f.forget(h) {
		return terminals.UnknownServer(name) // another call was quicker
	}
	f.opts.Log.Info("a server was removed", "address", h.address)
	if !h.added {
		return nil
	}
	return f.save()
}

// forget ends what goes on with a host and forgets it. It reports false if it is not known any
// more.
func (f *Fleet) forget(h *host) bool {
	f.mu.Lock()
	was := f.exclude(h)
	for _, other := range f.hosts {
		if other.hub != nil && other.hub.member != nil {
			other.hub.member.Refresh() // its hosts may have names now
		}
	}
	f.mu.Unlock()
	h.close()
	return was
}

// save keeps the hosts that were added.
func (f *Fleet) save() error {
	return f.store.save(func() document {
		f.mu.Lock()
		defer f.mu.Unlock()
		d := document{Servers: []kept{}}
		for _, h := range f.hosts {
			if h.added {
				name, pin := h.alias, ""
				if h.hub != nil {
					name, pin = h.hub.claim, h.hub.pin
				}
				d.Servers = append(d.Servers, kept{terminals.NewServer{Address: h.address, Token: h.token, Hostname: name}, h.name, pin})
			}
		}
		return d
	})
}

// named returns the hosts that have a name and that a caller may list, in the order of their names.
func (f *Fleet) named(by terminals.Grant) []hostTerminals {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := slices.DeleteFunc(f.views(by), func(v hostTerminals) bool { return v.on == "" })
	slices.SortFunc(list, func(a, b hostTerminals) int { return cmp.Compare(a.on, b.on) })
	return list
}

func (f *Fleet) on(name string) (hostTerminals, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.hosts, func(h *host) bool { return strings.EqualFold(h.name, name) && name != "" })
	if i < 0 {
		return hostTerminals{}, terminals.UnknownServer(name)
	}
	return hostTerminals{f.hosts[i], f.hosts[i].name}, nil
}

var _ terminals.Servers = (*Fleet)(nil)
