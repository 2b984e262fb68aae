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
		"used": func(t *testing.T, _ *fleet.Fleet, r *fleet.Router) error {
			_, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "b/of-b"})
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

// A server that is reached by an address of its own and at a hub is one server: in lists of servers
// and sessions, for events and for placing. The hub is the way while the address does not work.
func TestHubTwoWays(t *testing.T) {
	h, at := newHub(t)
	n := newNetwork()
	there := newEmpty(t, "s")
	o := joining("b", t.TempDir())
	b := fleet.New(o)
	t.Cleanup(b.Close)
	b.Over(there)
	keyOfB := join(t, h, b, at+"?allow=look")
	m := n.start(t, "b", there)
	n.change(func() { m.info.HubKey = keyOfB })

	o = joining("a", t.TempDir())
	o.Dialer = n
	a := fleet.New(o)
	t.Cleanup(a.Close)
	r := a.Over(newEmpty(t, "l"))
	join(t, h, a, at)
	listed(t, a, "b")
	if got := sessions(t, r, terminals.Everything); got != "l b/s" {
		t.Errorf("by the hub: %s", got)
	}
	if _, err := a.Add(t.Context(), terminals.NewServer{Address: "mem://b"}); err != nil {
		t.Fatal(err)
	}
	one := func(way string, health terminals.Health, list string) (s terminals.KnownServer) {
		t.Helper()
		wait.Until(t, "b is known once, "+way, func() bool {
			var found []terminals.KnownServer
			for _, known := range a.List(terminals.Everything) {
				if known.Key == keyOfB || known.Hostname != "" {
					found = append(found, known)
				}
			}
			if len(found) == 1 {
				s = found[0]
			}
			return len(found) == 1 && s.Hostname == "b" && s.Address == "mem://b" && s.Key == keyOfB && s.Health == health && s.Allowed == "none" && (s.Reason != "") == (way == "by the hub")
		})
		if got := sessions(t, r, terminals.Everything); got != list {
			t.Errorf("sessions %s: %s", way, got)
		}
		if got, err := a.Get(terminals.Everything, keyOfB); err != nil || got.Hostname != "b" || got.Address != "mem://b" {
			t.Errorf("by its key, %s: %+v, %v", way, got, err)
		}
		return s
	}
	one("by its address", terminals.Healthy, "l b/s")
	if _, err := a.Accept(t.Context(), terminals.Acceptance{Hostname: "b"}); fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), keyOfB) {
		t.Errorf("accepting it by its name: %v", err)
	}

	n.cut(m)
	wait.Until(t, "it was tried again", func() bool {
		s, err := a.Get(terminals.Everything, "b")
		return err == nil && strings.Contains(s.Reason, "nothing answers")
	})
	s := one("by the hub", terminals.Healthy, "l b/s")
	if !strings.Contains(s.Reason, "through the hub "+at) || !strings.Contains(s.Reason, "nothing answers") {
		t.Errorf("the reason: %s", s.Reason)
	}
	if got, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "b/s"}); err != nil || got.Name != "b/s" || got.Server != "b" {
		t.Errorf("a call by the hub: %+v, %v", got, err)
	}
	n.change(func() { m.Terminals = there })
	one("by its address again", terminals.Healthy, "l b/s")

	// Events are reported once.
	events, err := r.Follow(t.Context(), terminals.Everything)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(events.Close)
	if _, missed, err := events.Next(t.Context()); err != nil || missed == 0 {
		t.Errorf("once b is followed: %d missed, %v", missed, err)
	}
	create(t, there, terminals.NewSession{Name: "new"})
	create(t, r, terminals.NewSession{Name: "last"})
	reported := map[string]int{}
	wait.Until(t, "both sessions are reported", func() bool {
		list, _, err := events.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if e.Event == "session_created" {
				reported[e.Params.Name]++
			}
		}
		return reported["b/new"] > 0 && reported["last"] > 0
	})
	if reported["b/new"] != 1 || len(reported) != 2 {
		t.Errorf("reported: %v", reported)
	}

	// Without the address, it is a host of the hub as others are.
	if err := a.Remove(t.Context(), "mem://b"); err != nil {
		t.Fatal(err)
	}
	listed(t, a, "b")
	if s, err := a.Get(terminals.Everything, "b"); err != nil || s.Address != at+"/"+keyOfB {
		t.Errorf("b: %+v, %v", s, err)
	}
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
	n.change(func() { n.hosts["mem://evil"].info.HubKey = keyOfB })
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
	n.change(func() { n.hosts["mem://evil"].info.HubKey = "" })
	add(terminals.NewServer{Address: "mem://evil", Hostname: "b"})
	listed(t, a, "b "+withSuffix("b", keyOfB))
	b.Close()
}
