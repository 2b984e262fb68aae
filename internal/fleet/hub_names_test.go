//go:build hub

package fleet_test

import (
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/wait"
)

// startAt starts a server that keeps its files in a folder and is at a hub, with one session.
func startAt(t *testing.T, h *hub.Hub, at, name, dir string) (f *fleet.Fleet, key string) {
	t.Helper()
	f = fleet.New(joining(name, dir))
	t.Cleanup(f.Close)
	f.Over(newEmpty(t, "of-"+name))
	if _, err := f.Get(terminals.Everything, at); err == nil { // it was there before
		return f, await(t, f, at, terminals.Healthy).Key
	}
	return f, join(t, h, f, at+"?allow=look")
}

// A name that was used or accepted reaches the host with that key, and no other: not when that is
// away, not after a restart, not if another one claims it. A host that was installed again gets its
// name when its owner has given up the old key.
func TestHubNameIsBound(t *testing.T) {
	h, at := newHub(t)
	for how, rely := range map[string]func(t *testing.T, f *fleet.Fleet, r *fleet.Router) error{
		"used": func(t *testing.T, _ *fleet.Fleet, r *fleet.Router) (err error) {
			wait.Until(t, "b knows what the hub says of a", func() bool {
				_, err = terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "b/of-b"})
				return fault.DetailOf(err) != terminals.NotAllowed
			})
			return err
		},
		"accepted": func(t *testing.T, f *fleet.Fleet, _ *fleet.Router) error {
			_, err := f.Accept(t.Context(), terminals.Acceptance{Hostname: "b"})
			return err
		},
	} {
		t.Run(how, func(t *testing.T) {
			dir := t.TempDir()
			a, _ := startAt(t, h, at, "a", dir)
			b, keyOfB := startAt(t, h, at, "b", t.TempDir())
			listed(t, a, "b")
			if err := rely(t, a, a.Over(nil)); err != nil {
				t.Fatal(err)
			}
			b.Close()
			listed(t, a, "")
			a.Close() // what was seen is forgotten, what is relied on is not
			other, keyOfOther := startAt(t, h, at, "b", t.TempDir())
			a, _ = startAt(t, h, at, "a", dir)
			r := a.Over(newEmpty(t))
			name := withSuffix("b", keyOfOther)
			listed(t, a, name)
			if s, err := a.Get(terminals.Everything, name); err != nil || !strings.Contains(s.Reason, `"wsh servers withdraw `+keyOfB+`"`) {
				t.Errorf("a host that calls itself like another one: %+v, %v", s, err)
			}
			if _, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "b/of-b"}); fault.DetailOf(err) != terminals.ServerNotFound {
				t.Errorf("a session of a host that has left: %v", err)
			}
			if err := a.Withdraw(t.Context(), "b"); err != nil {
				t.Errorf("the old key: %v", err)
			}
			listed(t, a, "b")
			if s, err := a.Get(terminals.Everything, "b"); err != nil || s.Key != keyOfOther || s.Reason != "" {
				t.Errorf("b: %+v, %v", s, err)
			}
			if err := a.Withdraw(t.Context(), keyOfB); fault.DetailOf(err) != terminals.ServerNotFound {
				t.Errorf("withdrawn twice: %v", err)
			}
			other.Close()
			a.Close()
		})
	}
}

// If two hosts claim a name that nobody relies on, neither has it, also when the other is gone.
func TestHubNameOfNone(t *testing.T) {
	h, at := newHub(t)
	b, keyOfB := startAt(t, h, at, "x", t.TempDir())
	c, keyOfC := startAt(t, h, at, "x", t.TempDir())
	a, _ := startAt(t, h, at, "a", t.TempDir())
	both := []string{withSuffix("x", keyOfB), withSuffix("x", keyOfC)}
	slices.Sort(both)
	listed(t, a, strings.Join(both, " "))
	if _, err := a.Accept(t.Context(), terminals.Acceptance{Hostname: withSuffix("x", keyOfC)}); err != nil {
		t.Fatal(err)
	}
	b.Close()
	listed(t, a, withSuffix("x", keyOfC))
	c.Close()
	listed(t, a, "")
}

// A server that is reached by an address of its own and at a hub is listed in both ways. Each name
// leads one way, also while that does not work.
func TestHubTwoWays(t *testing.T) {
	h, at := newHub(t)
	n := newNetwork()
	there := newEmpty(t, "s")
	b := fleet.New(joining("b", t.TempDir()))
	t.Cleanup(b.Close)
	b.Over(there)
	keyOfB := join(t, h, b, at+"?allow=look")
	atHub := withSuffix("b", keyOfB)
	m := n.start(t, "b", there)
	o := joining("a", t.TempDir())
	o.Dialer = n
	a := fleet.New(o)
	t.Cleanup(a.Close)
	r := a.Over(newEmpty(t, "l"))
	join(t, h, a, at)
	listed(t, a, "b")
	if _, err := a.Add(t.Context(), terminals.NewServer{Address: "mem://b"}); err != nil {
		t.Fatal(err)
	}
	await(t, a, "mem://b", terminals.Healthy)
	listed(t, a, "b "+atHub)
	if got := sessions(t, r, terminals.Everything); got != "l b/s "+atHub+"/s" {
		t.Errorf("in both ways: %s", got)
	}
	n.cut(m)
	await(t, a, "mem://b", terminals.Unavailable)
	if s, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "b/s"}); fault.DetailOf(err) != terminals.HostAway {
		t.Errorf("by the address, which does not work: %+v, %v", s, err)
	}
	if s, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: atHub + "/s"}); err != nil || s.Server != atHub {
		t.Errorf("by the hub: %+v, %v", s, err)
	}
}

// A server that says that it is the process of another host takes neither that one's place in lists
// nor what is meant for it, and that one gets nothing that is meant for the server.
func TestHubHostIsClaimed(t *testing.T) {
	h, at := newHub(t)
	n := newNetwork()
	b, keyOfB := startAt(t, h, at, "b", t.TempDir())
	o := joining("a", t.TempDir())
	o.Dialer = n
	a := fleet.New(o)
	t.Cleanup(a.Close)
	r := a.Over(newEmpty(t))
	join(t, h, a, at)
	listed(t, a, "b")
	if _, err := a.Accept(t.Context(), terminals.Acceptance{Hostname: "b"}); err != nil {
		t.Fatal(err)
	}
	m := n.start(t, "sandbox", newEmpty(t, "of-b", "fake"))
	itself, err := terminals.GetServer.Do(t.Context(), linkOf(t, a, "b"), terminals.Everything, terminals.None{})
	if err != nil {
		t.Fatal(err)
	}
	n.change(func() { m.info.ID = itself.ID })
	if _, err := a.Add(t.Context(), terminals.NewServer{Address: "mem://sandbox"}); err != nil {
		t.Fatal(err)
	}
	await(t, a, "sandbox", terminals.Healthy)
	onB := func() {
		t.Helper()
		listed(t, a, "b sandbox")
		if s, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "b/of-b"}); err != nil || s.Server != "b" {
			t.Errorf("b/of-b: %+v, %v", s, err)
		}
		if _, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "b/fake"}); fault.KindOf(err) != fault.NotFound {
			t.Errorf("a session of the sandbox, asked of b: %v", err)
		}
		if s, err := a.Get(terminals.Everything, keyOfB); err != nil || s.Hostname != "b" || s.Allowed != "look" {
			t.Errorf("by its key: %+v, %v", s, err)
		}
		if s, err := a.Get(terminals.Everything, "sandbox"); err != nil || s.Key != "" || s.Allowed != "" {
			t.Errorf("the sandbox: %+v, %v", s, err)
		}
	}
	onB()
	n.cut(m)
	onB()
	limited := terminals.Grant{Rights: terminals.AllRights, Sessions: []string{"sandbox/of-b"}}
	if s, err := terminals.GetSession.Do(t.Context(), r, limited, terminals.Target{Session: "sandbox/of-b"}); fault.DetailOf(err) != terminals.HostAway {
		t.Errorf("what is meant for the sandbox reaches %q, %v", s.Server, err)
	}
	b.Close()
}

// A server cannot take over the name by which a host of a hub was used, unless the person says so.
func TestHubNameIsNotTakenOver(t *testing.T) {
	h, at := newHub(t)
	n := newNetwork()
	for _, address := range []string{"evil", "b"} {
		m := n.start(t, address, newEmpty(t, "fake"))
		n.change(func() { m.info.Hostname, m.info.ID = "b", "id-"+address })
	}
	b, keyOfB := startAt(t, h, at, "b", t.TempDir())
	o := joining("a", t.TempDir())
	o.Dialer = n
	a := fleet.New(o)
	t.Cleanup(a.Close)
	r := a.Over(newEmpty(t))
	join(t, h, a, at)
	listed(t, a, "b")
	if _, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "b/of-b"}); err != nil {
		t.Fatal(err)
	}
	add := func(in terminals.NewServer) {
		t.Helper()
		if _, err := a.Add(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	add(terminals.NewServer{Address: "mem://evil"})
	if s := await(t, a, "mem://evil", terminals.Rejected); !strings.Contains(s.Reason, `it calls itself "b"`) {
		t.Errorf("one that calls itself so: %+v", s)
	}
	if got := sessions(t, r, terminals.Everything); got != "b/of-b" {
		t.Errorf("sessions: %s", got)
	}
	if err := a.Remove(t.Context(), "mem://evil"); err != nil {
		t.Fatal(err)
	}
	add(terminals.NewServer{Address: "mem://b"})
	await(t, a, "mem://b", terminals.Healthy)
	listed(t, a, "b "+withSuffix("b", keyOfB))
	if got := sessions(t, r, terminals.Everything); got != "b/fake "+withSuffix("b", keyOfB)+"/of-b" {
		t.Errorf("sessions: %s", got)
	}
	if err := a.Remove(t.Context(), "mem://b"); err != nil {
		t.Fatal(err)
	}
	listed(t, a, "b")
	add(terminals.NewServer{Address: "mem://evil", Hostname: "b"})
	listed(t, a, "b "+withSuffix("b", keyOfB))
	b.Close()
}
