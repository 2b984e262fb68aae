package member_test

import (
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/hubconn"
	"ui-mcp/internal/fleet/hubserver"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/fleet/member"
	"ui-mcp/internal/fleet/presence"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/remote"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/nats-io/nats-server/v2/server.init.1"))
}

// A fleet is a hub with members.
type fleet struct {
	t    *testing.T
	hub  *hubserver.Hub
	list *keys.List
	log  testkit.Log // of the hub and its members
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	list, err := keys.OpenList(filepath.Join(t.TempDir(), "members.json"))
	if err != nil {
		t.Fatal(err)
	}
	f := &fleet{t: t, list: list}
	f.start("127.0.0.1:0")
	t.Cleanup(func() { f.hub.Close() })
	return f
}

func (f *fleet) start(address string) {
	f.t.Helper()
	var err error
	if f.hub, err = hubserver.Start(hubserver.Options{Listen: address, List: f.list, Log: f.logger()}); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fleet) logger() *slog.Logger { return slog.New(slog.NewTextHandler(&f.log, nil)) }

func (f *fleet) address() string { return "nats://" + f.hub.Address() }

// A place is a host with what it has learned.
type place struct {
	*member.Member
	t     *testing.T
	key   *keys.Own
	local *terminals.Local
}

// The roles of a hub.
var (
	none   = keys.Entry{}
	worker = keys.Entry{Role: keys.Worker}
	desk   = keys.Entry{Role: keys.Desk}
	mutual = keys.Entry{Role: keys.Desk, Mutual: true}
)

// join joins with a new key, which the hub accepts in a role, if it is one.
func (f *fleet) join(name string, as keys.Entry) *place {
	f.t.Helper()
	key, err := keys.Open(filepath.Join(f.t.TempDir(), "host.key"))
	if err != nil {
		f.t.Fatal(err)
	}
	if as != none {
		as.Key, as.Name = key.ID(), name
		if err := f.hub.Accept(as); err != nil {
			f.t.Fatal(err)
		}
	}
	return f.joinAs(key, name)
}

func (f *fleet) joinAs(key *keys.Own, name string) *place {
	f.t.Helper()
	p := &place{t: f.t, key: key, local: opcases.New(f.t, opcases.Case{})}
	var err error
	p.Member, err = member.Join(member.Options{
		Membership: hubconn.Membership{Address: f.address(), Key: key, Name: name},
		Changed:    func(*member.Member, []string) {},
		Server:     remote.NewServer(remote.Hello{ID: key.ID(), Name: name}, p.local, slog.New(slog.DiscardHandler)), Log: f.logger(),
	})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(p.Close)
	return p
}

// knows waits until a host knows another one as it should be.
func (p *place) knows(other *place, what string, as func(h presence.Host) bool) {
	p.t.Helper()
	wait.Until(p.t, what, func() bool {
		h, ok := p.Host(other.key.ID())
		return ok && as(h)
	})
}

// Desks get to know the workers, and that one leaves. Workers know nobody.
func TestHosts(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	a, b, c, w := f.join("a", mutual), f.join("b", mutual), f.join("c", desk), f.join("w", worker)
	for _, p := range []*place{a, b, c} {
		p.knows(w, "w is known", func(h presence.Host) bool {
			return h.Name == "w" && h.Class == "worker" && !h.Away && h.Protocol == terminals.Protocol
		})
	}
	a.knows(b, "b is known", func(h presence.Host) bool { return h.Name == "b" && h.Class == "mutual" })
	w.Close()
	wait.Until(t, "w is gone", func() bool { _, ok := c.Host(w.key.ID()); return !ok })
	for p, n := range map[*place]int{c: 0, w: 0} {
		if ids := p.IDs(); len(ids) != n {
			t.Errorf("%s knows %v", p.key.ID(), ids)
		}
	}
}

// A host that the hub has not accepted asks until it is, and the owner learns why nothing happens.
func TestNotAccepted(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	p := f.join("p", none)
	wait.Until(t, "the reason is known", func() bool { return errors.Is(p.State().Reason, hubconn.ErrNotAccepted) })
	if s := p.State(); s.Connected {
		t.Errorf("%+v", s)
	}
	wait.Until(t, "it asks", func() bool { return len(f.hub.Status().Asking) == 1 })
	if err := f.hub.Accept(keys.Entry{Key: p.key.ID(), Role: keys.Worker}); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "it is connected", func() bool { s := p.State(); return s.Connected && s.Reason == nil })
	if err := f.hub.Withdraw(p.key.ID()); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "it is refused again", func() bool { s := p.State(); return !s.Connected && errors.Is(s.Reason, hubconn.ErrNotAccepted) })
}

// A host that has another name at the hub is not told its role. It asks again, and says so once.
func TestRoleIsNotSaid(t *testing.T) {
	load.Long(t, "TestHosts has hosts that are told their roles; this one waits for ten seconds")
	t.Parallel()
	f := newFleet(t)
	key, err := keys.Open(filepath.Join(t.TempDir(), "host.key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.hub.Accept(keys.Entry{Key: key.ID(), Name: "other", Role: keys.Worker}); err != nil {
		t.Fatal(err)
	}
	f.joinAs(key, "p")
	const cards = 3 // each time that it asks, one for each role
	wait.Until(t, "it has asked three times", func() bool { return strings.Count(f.log.String(), "Publish Violation") > 2*cards })
	if n := strings.Count(f.log.String(), "does not let this host say"); n != 1 {
		t.Errorf("it says so %d times", n)
	}
}

// When the hub is away, hosts keep what they know and come back by themselves.
func TestHubIsAway(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	a, b := f.join("a", desk), f.join("b", worker)
	a.knows(b, "b is known", func(h presence.Host) bool { return h.Name == "b" })
	far, err := a.Remote(b.key.ID())
	if err != nil || far.Err() != nil {
		t.Fatalf("%v, %v", far, err)
	}
	address := f.hub.Address()
	f.hub.Close()
	wait.Until(t, "a knows that the hub is away", func() bool { s := a.State(); return !s.Connected && s.Reason != nil })
	h, ok := a.Host(b.key.ID())
	if !ok || h.Away {
		t.Errorf("%+v, %t", h, ok)
	}
	wait.For(t, "the end of the connection", far.Done())
	if another, again := a.Remote(b.key.ID()); another != nil || fault.DetailOf(again) != terminals.HubAway || fault.DetailOf(far.Err()) != terminals.HubAway {
		t.Errorf("%v, %v", far.Err(), again)
	}
	_, err = terminals.ListSessions.Do(t.Context(), far, terminals.Everything, terminals.SessionFilter{})
	if fault.DetailOf(err) != terminals.HubAway {
		t.Errorf("a call: %v (%q)", err, fault.DetailOf(err))
	}
	f.start(address)
	wait.Until(t, "the two can reach each other", func() bool {
		if far, err = a.Remote(b.key.ID()); err != nil {
			return false
		}
		_, err = terminals.ListSessions.Do(t.Context(), far, terminals.Everything, terminals.SessionFilter{})
		return err == nil
	})
	b.Close()
	wait.For(t, "the end of the connection to a host that leaves", far.Done())
	if _, again := a.Remote(b.key.ID()); fault.DetailOf(far.Err()) != terminals.HostAway || fault.DetailOf(again) != terminals.HostAway {
		t.Errorf("%v, %v", far.Err(), again)
	}
}

// What another host may do here is up to the roles of both, and ends with them.
func TestAllow(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	places := map[string]*place{"worker": f.join("worker", worker), "desk": f.join("desk", desk), "mutual": f.join("mutual", mutual), "mutual2": f.join("mutual2", mutual)}
	places["mutual"].knows(places["mutual2"], "mutual2 is known", func(presence.Host) bool { return true })
	wait.Until(t, "all know their roles", func() bool {
		return places["worker"].State().Role == hub.Workers && places["desk"].State().Role == hub.Desks
	})
	for _, tt := range []struct {
		here, from string
		may        bool
	}{
		{"worker", "desk", true}, {"worker", "mutual", true}, {"mutual", "mutual2", true},
		{"mutual", "desk", false}, {"mutual", "worker", false}, {"desk", "mutual", false}, {"desk", "worker", false},
	} {
		g, ok := places[tt.here].Allow(places[tt.from].key.ID(), "")
		if want := map[bool]terminals.Right{true: terminals.AllRights &^ terminals.Administer}[tt.may]; ok != tt.may || g.Rights != want || !g.Guest || g.Client != places[tt.from].key.ID() {
			t.Errorf("on a %s, a %s may %s (%t)", tt.here, tt.from, g.Rights, ok)
		}
	}
	w, d := places["worker"], places["desk"]
	d.knows(w, "the worker is known", func(presence.Host) bool { return true })
	far, err := d.Remote(w.key.ID())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := terminals.RemoveSession.Do(t.Context(), far, terminals.Everything, terminals.Target{Session: "over"}); err != nil {
		t.Error(err)
	}
	if _, err := terminals.StopServer.Do(t.Context(), far, terminals.Everything, terminals.None{}); fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("a desk stops a worker: %v", err)
	}
	if err := f.hub.Withdraw(d.key.ID()); err != nil {
		t.Fatal(err)
	}
	wait.For(t, "the end of the connection", far.Done())
	if _, err := terminals.ListSessions.Do(t.Context(), far, terminals.Everything, terminals.SessionFilter{}); fault.DetailOf(err) != terminals.HubAway {
		t.Errorf("a desk that is withdrawn: %v", err)
	}
	if err := f.hub.Accept(keys.Entry{Key: w.key.ID(), Role: keys.Desk}); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the worker is a desk", func() bool { return w.State().Role == hub.Desks })
	if g, ok := w.Allow(d.key.ID(), ""); ok || g.Rights != 0 {
		t.Errorf("nobody uses a desk: %s", g.Rights)
	}
}
