//go:build hub

package member_test

import (
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/fleet/member"
	"ui-mcp/internal/fleet/natslink"
	"ui-mcp/internal/fleet/presence"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/hostlink"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/nats-io/nats-server/v2/server.init.1"))
}

// A fleet is a hub with members.
type fleet struct {
	t    *testing.T
	hub  *hub.Hub
	list *keys.List
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
	if f.hub, err = hub.Start(hub.Options{Listen: address, List: f.list, Log: slog.New(slog.DiscardHandler)}); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fleet) address() string { return "nats://" + f.hub.Address() }

// A place is a host with what it has learned.
type place struct {
	*member.Member
	t        *testing.T
	key      *keys.Own
	accepted *keys.List
	local    *terminals.Local

	mu    sync.Mutex
	hosts map[string]presence.Host
}

func (p *place) Appeared(h presence.Host) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hosts[h.ID] = h
}

func (p *place) Vanished(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.hosts, id)
}

func (p *place) Changed() {}

func (p *place) get(id string) (presence.Host, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h, ok := p.hosts[id]
	return h, ok
}

// join joins with a new key, which the hub accepts if level is not "".
func (f *fleet) join(name string, level, trust keys.Level) *place {
	f.t.Helper()
	dir := f.t.TempDir()
	key, err := keys.Open(filepath.Join(dir, "host.key"))
	if err != nil {
		f.t.Fatal(err)
	}
	if level != "" {
		if err := f.hub.Accept(keys.Entry{Key: key.ID(), Name: name, Allow: level}); err != nil {
			f.t.Fatal(err)
		}
	}
	return f.joinAs(key, name, trust)
}

func (f *fleet) joinAs(key *keys.Own, name string, trust keys.Level) *place {
	f.t.Helper()
	accepted, err := keys.OpenList(filepath.Join(f.t.TempDir(), "accepted.json"))
	if err != nil {
		f.t.Fatal(err)
	}
	p := &place{t: f.t, key: key, accepted: accepted, local: opcases.New(f.t, opcases.Case{}), hosts: map[string]presence.Host{}}
	p.Member, err = member.Join(member.Options{
		Address: f.address(), Key: key, Name: name, Accepted: accepted, Trust: trust,
		Terminals: p.local, Server: hostlink.NewServer(hostlink.Hello{ID: key.ID(), Name: name}, p.local, slog.New(slog.DiscardHandler)), Hosts: p, Log: slog.New(slog.DiscardHandler),
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
		h, ok := p.get(other.key.ID())
		return ok && as(h)
	})
}

// Hosts get to know each other, with what changes, and that one leaves.
func TestHosts(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	a, b, c := f.join("a", keys.Manage, keys.None), f.join("b", keys.Look, keys.None), f.join("b", keys.None, keys.None)
	for _, p := range []*place{b, c} {
		p.knows(a, "a is known", func(h presence.Host) bool {
			return h.Name == "a" && h.Level == "manage" && !h.Away && h.Sessions == 2 && h.Running == 1 && h.Protocol == terminals.Protocol
		})
	}
	a.knows(b, "b has a name of its own", func(h presence.Host) bool { return h.Name != "b" && h.Name[:2] == "b~" })
	b.knows(c, "c has a name of its own", func(h presence.Host) bool { return h.Level == "none" && h.Name[:2] == "b~" })
	begun := time.Now()
	if _, err := terminals.RemoveSession.Do(t.Context(), a.local, terminals.Everything, terminals.Target{Session: "over"}); err != nil {
		t.Fatal(err)
	}
	b.knows(a, "the change is known", func(h presence.Host) bool { return h.Sessions == 1 })
	t.Logf("a change is known after %v", time.Since(begun))
	c.Close()
	wait.Until(t, "c is gone", func() bool { _, ok := a.get(c.key.ID()); return !ok })
	a.knows(b, "b has its name again", func(h presence.Host) bool { return h.Name == "b" })
}

// A host that the hub has not accepted asks until it is, and the owner learns why nothing happens.
func TestNotAccepted(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	p := f.join("p", "", keys.None)
	wait.Until(t, "the reason is known", func() bool { return errors.Is(p.State().Reason, natslink.ErrNotAccepted) })
	if s := p.State(); s.Connected {
		t.Errorf("%+v", s)
	}
	wait.Until(t, "it asks", func() bool { return len(f.hub.Status().Asking) == 1 })
	if err := f.hub.Accept(keys.Entry{Key: p.key.ID(), Allow: keys.Look}); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "it is connected", func() bool { s := p.State(); return s.Connected && s.Reason == nil })
	if err := f.hub.Withdraw(p.key.ID()); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "it is refused again", func() bool { s := p.State(); return !s.Connected && errors.Is(s.Reason, natslink.ErrNotAccepted) })
}

// When the hub is away, hosts keep what they know and come back by themselves.
func TestHubIsAway(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	a, b := f.join("a", keys.Look, keys.None), f.join("b", keys.Look, keys.None)
	a.knows(b, "b is known", func(h presence.Host) bool { return h.Sessions == 2 })
	link, err := a.Link(b.key.ID())
	if err != nil || link.Err() != nil {
		t.Fatalf("%v, %v", link, err)
	}
	address := f.hub.Address()
	f.hub.Close()
	wait.Until(t, "a knows that the hub is away", func() bool { s := a.State(); return !s.Connected && s.Reason != nil })
	h, ok := a.get(b.key.ID())
	if !ok || h.Away {
		t.Errorf("%+v, %t", h, ok)
	}
	wait.For(t, "the end of the link", link.Done())
	if another, again := a.Link(b.key.ID()); another != nil || fault.DetailOf(again) != terminals.HubAway || fault.DetailOf(link.Err()) != terminals.HubAway {
		t.Errorf("%v, %v", link.Err(), again)
	}
	_, err = terminals.ListSessions.Do(t.Context(), link, terminals.Everything, terminals.SessionFilter{})
	if fault.DetailOf(err) != terminals.HubAway {
		t.Errorf("a call: %v (%q)", err, fault.DetailOf(err))
	}
	if _, err := terminals.RemoveSession.Do(t.Context(), b.local, terminals.Everything, terminals.Target{Session: "over"}); err != nil {
		t.Fatal(err)
	}
	f.start(address)
	a.knows(b, "what has happened meanwhile is known", func(h presence.Host) bool { return h.Sessions == 1 })
	if link, err = a.Link(b.key.ID()); err != nil || link.Err() != nil {
		t.Fatalf("%v, %v", link, err)
	}
	b.Close()
	wait.For(t, "the end of the link to a host that leaves", link.Done())
	if _, again := a.Link(b.key.ID()); fault.DetailOf(link.Err()) != terminals.HostAway || fault.DetailOf(again) != terminals.HostAway {
		t.Errorf("%v, %v", link.Err(), again)
	}
}

// Rights hold for what crosses, and end what is open when they end.
func TestCalls(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	caller, callee := f.join("caller", keys.Manage, keys.None), f.join("callee", keys.Manage, keys.None)
	callee.knows(caller, "the caller is known", func(presence.Host) bool { return true })
	caller.knows(callee, "the callee is known", func(presence.Host) bool { return true })
	link, err := caller.Link(callee.key.ID())
	if err != nil {
		t.Fatal(err)
	}
	look := func() error {
		_, err := terminals.ListSessions.Do(t.Context(), link, terminals.Everything, terminals.SessionFilter{})
		return err
	}
	remove := func() error {
		_, err := terminals.RemoveSession.Do(t.Context(), link, terminals.Everything, terminals.Target{Session: "over"})
		return err
	}
	for _, do := range []func() error{look, remove} {
		if err := do(); fault.DetailOf(err) != terminals.NotAllowed {
			t.Errorf("a host that is not accepted: %v", err)
		}
	}
	accept := func(level keys.Level) {
		t.Helper()
		if err := callee.accepted.Accept(keys.Entry{Key: caller.key.ID(), Allow: level, Hub: f.address()}); err != nil {
			t.Fatal(err)
		}
		callee.Recheck(caller.key.ID())
	}
	accept(keys.Type)
	if err := look(); err != nil {
		t.Error(err)
	}
	if err := remove(); fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("a host that may type removes a session: %v", err)
	}
	accept(keys.Manage)
	if err := remove(); err != nil {
		t.Error(err)
	}
	if _, err := terminals.StopServer.Do(t.Context(), link, terminals.Everything, terminals.None{}); fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("a host stops another one: %v", err)
	}
	events, err := link.Follow(t.Context(), terminals.Everything)
	if err != nil {
		t.Fatal(err)
	}
	defer events.Close()
	if err := callee.accepted.Withdraw(caller.key.ID()); err != nil {
		t.Fatal(err)
	}
	callee.Recheck(caller.key.ID())
	for err = nil; err == nil; { // what has happened before may still arrive
		_, _, err = events.Next(t.Context())
	}
	if fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("a stream that was open: %v", err)
	}
	if err := look(); fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("after it was withdrawn: %v", err)
	}
}

// What a host may do here is what this host's owner says, and else what the hub says, as far as
// this host trusts it.
func TestAllow(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	manages, looks, seen := f.join("manages", keys.Manage, keys.None), f.join("looks", keys.Look, keys.None), f.join("seen", keys.None, keys.None)
	for trust, want := range map[keys.Level][3]keys.Level{
		keys.None:   {keys.None, keys.None, keys.None},
		keys.Look:   {keys.Look, keys.Look, keys.None},
		keys.Type:   {keys.Type, keys.Look, keys.None},
		keys.Manage: {keys.Manage, keys.Look, keys.None},
	} {
		p := f.join("p-"+string(trust), keys.Look, trust)
		for i, caller := range []*place{manages, looks, seen} {
			p.knows(caller, "the caller is known", func(presence.Host) bool { return true })
			// What is known is reported after it has come into force.
			if g, ok := p.Allow(caller.key.ID()); g.Rights != want[i].Rights() || ok != (want[i] != keys.None) {
				t.Errorf("with trust to %s, the host that the hub lets %s may %s (%t)", trust, caller.key.ID()[:5], g.Rights, ok)
			}
			for _, level := range keys.Levels {
				if err := p.accepted.Accept(keys.Entry{Key: caller.key.ID(), Allow: level, Hub: f.address()}); err != nil {
					t.Fatal(err)
				}
				p.Recheck(caller.key.ID())
				if g, ok := p.Allow(caller.key.ID()); g.Rights != level.Rights() || ok != (level != keys.None) {
					t.Errorf("accepted to %s, it may %s (%t)", level, g.Rights, ok)
				}
			}
			for _, other := range []string{"", "nats://other.example:4222"} { // "" is of a version that kept no hub
				for _, level := range keys.Levels {
					if err := p.accepted.Accept(keys.Entry{Key: caller.key.ID(), Allow: level, Hub: other}); err != nil {
						t.Fatal(err)
					}
					rights := want[i].Rights()
					if level == keys.None {
						rights = 0
					}
					if g, ok := p.Allow(caller.key.ID()); g.Rights != rights || ok != (rights != 0) {
						t.Errorf("accepted to %s at the hub %q, it may %s here (%t), want %s", level, other, g.Rights, ok, rights)
					}
				}
			}
			if err := p.accepted.Withdraw(caller.key.ID()); err != nil {
				t.Fatal(err)
			}
		}
		if g, ok := p.Allow("unknown"); ok || g.Rights != 0 {
			t.Errorf("a host that is not known may %s", g.Rights)
		}
	}
	// The hub changes its mind.
	p := f.join("p", keys.Look, keys.Manage)
	may := func(want keys.Level) {
		t.Helper()
		wait.Until(t, "the host may "+string(want), func() bool {
			g, _ := p.Allow(manages.key.ID())
			return g.Rights == want.Rights()
		})
	}
	may(keys.Manage)
	if err := f.hub.Accept(keys.Entry{Key: manages.key.ID(), Allow: keys.Look}); err != nil {
		t.Fatal(err)
	}
	may(keys.Look)
}

// Of two programs with one key, neither gets along, and both learn why.
func TestSameKey(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	a := f.join("a", keys.Look, keys.None)
	b := f.joinAs(a.key, "b", keys.None)
	wait.Until(t, "the hub knows", func() bool { m := f.hub.Status().Members; return len(m) == 1 && m[0].Twice })
	b.Close()
	wait.Until(t, "the other one is connected", func() bool { return a.State().Connected })
}
