//go:build hub

package fleet_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/wait"
)

// newHub starts a hub, and returns it with its address.
func newHub(t *testing.T) (*hub.Hub, string) {
	t.Helper()
	list, err := keys.OpenList(filepath.Join(t.TempDir(), "hub.json"))
	if err != nil {
		t.Fatal(err)
	}
	h, err := hub.Start(hub.Options{Listen: "127.0.0.1:0", List: list, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h, "nats://" + h.Address()
}

// join has a server join a hub, which accepts it, and returns its key.
func join(t *testing.T, h *hub.Hub, f *fleet.Fleet, address string) string {
	t.Helper()
	if _, err := f.Add(t.Context(), terminals.NewServer{Address: address}); err != nil {
		t.Fatal(err)
	}
	server, _, _ := strings.Cut(address, "?")
	key := await(t, f, server, terminals.Rejected).Key
	if err := h.Accept(keys.Entry{Key: key, Allow: keys.Manage}); err != nil {
		t.Fatal(err)
	}
	await(t, f, server, terminals.Healthy)
	return key
}

// listed waits until the names of the hosts that a server knows are as they should be.
func listed(t *testing.T, f *fleet.Fleet, names string) {
	t.Helper()
	last := "none"
	wait.Until(t, "the hosts are "+names, func() bool {
		var list []string
		for _, s := range f.List(terminals.Everything) {
			if s.Hostname != "" {
				list = append(list, s.Hostname)
			}
		}
		if now := strings.Join(list, " "); now != last {
			t.Logf("the hosts are %q", now)
			last = now
		}
		return last == names
	})
}

// withSuffix returns the name of a host that claims a name of another one.
func withSuffix(name, key string) string { return name + "~" + strings.ToLower(key[len(key)-12:]) }

// labelled is a machine with the label "box".
type labelled struct{ terminals.Terminals }

// Do implements [terminals.Doer].
func (l labelled) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	err := l.Terminals.Do(ctx, by, o, in, out)
	if info, ok := out.(*terminals.ServerInfo); ok {
		info.Labels = append(info.Labels, "box")
	}
	return err
}

// A full list has room for hosts that somebody has chosen, instead of those that have come to a hub
// by themselves.
func TestHubHostsThatNobodyChose(t *testing.T) {
	h, at := newHub(t)
	o := joining("a", t.TempDir())
	for i := range fleet.MaxHosts - 2 { // and the hub, and one of its hosts
		o.Configured = append(o.Configured, terminals.NewServer{Address: fmt.Sprint("mem://h", i)})
	}
	a := fleet.New(o)
	t.Cleanup(a.Close)
	a.Over(newEmpty(t))
	join(t, h, a, at)
	startAt(t, h, at, "b", t.TempDir())
	listed(t, a, "b")
	_, key := startAt(t, h, at, "c", t.TempDir())
	if _, err := a.Accept(t.Context(), terminals.Acceptance{Hostname: key}); err != nil {
		t.Fatal(err)
	}
	listed(t, a, "c")
	more := terminals.NewServer{Address: "mem://more"}
	if _, err := a.Add(t.Context(), more); fault.KindOf(err) != fault.Exhausted {
		t.Errorf("all are chosen: %v", err)
	}
	if err := a.Withdraw(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Add(t.Context(), more); err != nil {
		t.Errorf("one is not chosen any more: %v", err)
	}
	listed(t, a, "")
}

// Hosts of a hub come and go, have a name that no other server has, and are on the list once. What
// they do here needs the same permission as what is done here.
func TestHubHosts(t *testing.T) {
	first, at := newHub(t)
	second, again := newHub(t)
	n := newNetwork()
	n.start(t, "b", newEmpty(t, "x"))
	o := joining("a", t.TempDir())
	o.Dialer, o.Configured = n, []terminals.NewServer{{Address: "mem://b"}}
	a := fleet.New(o)
	t.Cleanup(a.Close)
	await(t, a, "b", terminals.Healthy)
	r := a.Over(newEmpty(t))
	o = joining("b", t.TempDir())
	o.Confirm = regexp.MustCompile("^sudo")
	b := fleet.New(o)
	t.Cleanup(b.Close)
	there := newEmpty(t, "s")
	b.Over(labelled{there})

	keyOfA, keyOfB := join(t, first, a, at), join(t, first, b, at+"?allow=type")
	name := withSuffix("b", keyOfB)
	listed(t, a, "b "+name)
	wait.Until(t, "the sessions of all are listed", func() bool { return sessions(t, r, terminals.Everything) == "b/x "+name+"/s" })
	s := await(t, a, keyOfB, terminals.Healthy)
	if s.Hostname != name || s.Allowed != "none" || s.Address != at+"/"+keyOfB || s.LatencyMS == nil {
		t.Errorf("b: %+v", s)
	}
	if s := await(t, b, "a", terminals.Healthy); s.Key != keyOfA || s.Allowed != "type" {
		t.Errorf("a, as b knows it, which trusts the hub: %+v", s)
	}
	if err := a.Remove(t.Context(), name); fault.KindOf(err) != fault.Precondition {
		t.Errorf("removing a host of a hub: %v", err)
	}
	on := terminals.Target{Session: name + "/s"}
	_, err := terminals.SendInput.Do(t.Context(), r, terminals.Everything, terminals.Input{Target: on, Data: []byte("sudo x\n")})
	if fault.DetailOf(err) != terminals.NotAllowed && fault.KindOf(err) != fault.Precondition {
		t.Errorf("a line that needs permission: %v", err)
	}
	forged := terminals.Everything
	forged.From.Kind = term.SenderAttach // persons here are not asked about their own lines
	if _, err := terminals.SendInput.Do(t.Context(), r, forged, terminals.Input{Target: on, Data: []byte("sudo x\n")}); err == nil {
		t.Error("a host that claims to be a person at a terminal types a line that needs permission")
	}
	if s, err := terminals.CreateSession.Do(t.Context(), r, terminals.Everything, terminals.NewSession{On: []string{}}); err != nil || strings.Contains(s.Name, name) {
		t.Errorf("a session is placed on a host that may do nothing here: %q, %v", s.Name, err)
	}

	// It is if it is accepted here, if only as one that may do nothing.
	place := func(why, want string) {
		t.Helper()
		s, err := terminals.CreateSession.Do(t.Context(), r, terminals.Everything, terminals.NewSession{On: []string{"box"}})
		switch known, _ := a.Get(terminals.Everything, name); {
		case want == "" && (err == nil || fault.DetailOf(err) != terminals.NoHost || known.Chosen):
			t.Errorf("%s: %q, %v", why, s.Name, err)
		case want != "" && (err != nil || !strings.HasPrefix(s.Name, want) || !known.Chosen):
			t.Errorf("%s: %q, %v", why, s.Name, err)
		case want == "" && !strings.Contains(err.Error(), `"wsh servers accept `+name+` --allow none"`):
			t.Errorf("%s: the error does not say what to do: %v", why, err)
		}
		if err == nil {
			if _, err := terminals.RemoveSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: s.Name}); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := b.Accept(t.Context(), terminals.Acceptance{Hostname: keyOfA, Allow: "manage"}); err != nil {
		t.Fatal(err)
	}
	place("a host that nobody here has chosen", "")
	if _, err := a.Accept(t.Context(), terminals.Acceptance{Hostname: keyOfB, Allow: "none"}); err != nil {
		t.Fatal(err)
	}
	place("a host that is accepted with none", name+"/")
	if err := a.Withdraw(t.Context(), keyOfB); err != nil {
		t.Fatal(err)
	}
	place("a host that is withdrawn", "")
	if err := b.Withdraw(t.Context(), keyOfA); err != nil {
		t.Fatal(err)
	}

	// A host that calls itself by another one's key is not listed: who accepts that key would
	// accept the wrong host.
	other, err := keys.Open(filepath.Join(t.TempDir(), "key"))
	if err != nil {
		t.Fatal(err)
	}
	liar := fleet.New(joining(other.ID(), t.TempDir()))
	t.Cleanup(liar.Close)
	liar.Over(newEmpty(t))
	keyOfLiar := join(t, first, liar, at)
	if out, err := b.Accept(t.Context(), terminals.Acceptance{Hostname: other.ID(), Allow: "look"}); err != nil || out.Key != other.ID() {
		t.Errorf("accepted: %+v, %v", out, err)
	}
	if err := b.Withdraw(t.Context(), other.ID()); err != nil {
		t.Error(err)
	}
	if list := b.List(terminals.Everything); slices.ContainsFunc(list, func(s terminals.KnownServer) bool { return s.Key == keyOfLiar }) {
		t.Errorf("listed: %+v", list)
	}
	liar.Close()

	if s, err := b.Get(terminals.Everything, "a"); err != nil || !s.Chosen {
		t.Errorf("a host that a trusted hub lets in: %+v, %v", s, err)
	}
	if _, err := b.Accept(t.Context(), terminals.Acceptance{Hostname: "a", Allow: "none"}); err != nil {
		t.Error(err)
	}
	if s, err := b.Get(terminals.Everything, "a"); err != nil || s.Chosen {
		t.Errorf("a host that is shut out: %+v, %v", s, err)
	}
	if _, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, on); fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("a host whose owner says none: %v", err)
	}
	sessions(t, r, terminals.Everything)
	if s, err := a.Get(terminals.Everything, name); err != nil || s.Health != terminals.Rejected || !strings.Contains(s.Reason, "has not accepted this server") {
		t.Errorf("a host whose owner says none: %+v, %v", s, err)
	}
	if err := b.Withdraw(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	if _, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, on); err != nil {
		t.Errorf("as far as the hub is trusted: %v", err)
	}

	// What happens there is followed from here.
	events, err := r.Follow(t.Context(), terminals.Everything)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(events.Close)
	happens := func(session string) {
		t.Helper()
		wait.Until(t, session+" is created", func() bool {
			ctx, cancel := context.WithTimeout(t.Context(), wait.Patience)
			defer cancel()
			list, missed, err := events.Next(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(list, func(e wire.Lifecycle) bool { return e.Params.Name == session }) {
				return true
			}
			if missed == 0 {
				return false
			}
			_, err = terminals.GetSession.Do(ctx, r, terminals.Everything, terminals.Target{Session: session})
			return err == nil // a follower that has missed events looks
		})
	}
	if _, missed, err := events.Next(t.Context()); err != nil || missed == 0 {
		t.Errorf("once b is followed: %d missed, %v", missed, err)
	}
	create(t, there, terminals.NewSession{Name: "new"})
	happens(name + "/new")

	// If another host claims a name that nobody relies on, neither has it from then on.
	c := fleet.New(joining("a", t.TempDir()))
	t.Cleanup(c.Close)
	c.Over(newEmpty(t))
	keyOfC := join(t, first, c, at)
	both := []string{withSuffix("a", keyOfA), withSuffix("a", keyOfC)}
	slices.Sort(both)
	listed(t, b, strings.Join(both, " "))
	c.Close()
	listed(t, b, withSuffix("a", keyOfA))

	// Both are at another hub, too.
	for _, f := range []*fleet.Fleet{a, b} {
		if _, err := f.Add(t.Context(), terminals.NewServer{Address: again}); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{keyOfA, keyOfB} {
		if err := second.Accept(keys.Entry{Key: key, Allow: keys.Manage}); err != nil {
			t.Fatal(err)
		}
	}
	await(t, a, again, terminals.Healthy)
	await(t, b, again, terminals.Healthy)
	listed(t, b, withSuffix("a", keyOfA))
	if err := a.Remove(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "b is known by the other hub", func() bool {
		s, err := a.Get(terminals.Everything, keyOfB)
		return err == nil && s.Address == again+"/"+keyOfB
	})
	listed(t, a, "b "+name)
	if err := a.Remove(t.Context(), "mem://b"); err != nil {
		t.Fatal(err)
	}
	b.Close()
	listed(t, a, "")
}
