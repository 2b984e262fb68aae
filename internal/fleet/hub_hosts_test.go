package fleet_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/tls"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/hubserver"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
)

// newHub starts a hub, and returns it with its address.
func newHub(t *testing.T) (*hubserver.Hub, string) {
	t.Helper()
	list, err := keys.OpenList(filepath.Join(t.TempDir(), "hub.json"))
	if err != nil {
		t.Fatal(err)
	}
	h, err := hubserver.Start(hubserver.Options{Listen: "127.0.0.1:0", List: list, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h, "nats://" + h.Address()
}

// The roles of a hub.
var (
	worker = keys.Entry{Role: keys.Worker}
	desk   = keys.Entry{Role: keys.Desk}
	mutual = keys.Entry{Role: keys.Desk, Mutual: true}
)

// join has a server join a hub, which accepts it in a role, and returns its key.
func join(t *testing.T, h *hubserver.Hub, f *fleet.Fleet, address string, as keys.Entry) string {
	t.Helper()
	if _, err := f.Add(t.Context(), terminals.NewServer{Address: address}); err != nil {
		t.Fatal(err)
	}
	as.Key = await(t, f, address, terminals.Waiting).Key
	wait.Until(t, "the hub lists it", func() bool {
		return slices.ContainsFunc(h.Status().Asking, func(a hub.Asker) bool { return a.Key == as.Key })
	})
	if err := h.Accept(as); err != nil {
		t.Fatal(err)
	}
	await(t, f, address, terminals.Healthy)
	return as.Key
}

// newJoined returns a server that has joined a hub, and its key.
func newJoined(t *testing.T, h *hubserver.Hub, at, name string, as keys.Entry, local terminals.Terminals) (f *fleet.Fleet, key string) {
	t.Helper()
	f = fleet.New(joining(name, t.TempDir()))
	t.Cleanup(f.Close)
	f.Over(local)
	return f, join(t, h, f, at, as)
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

// A desk uses the workers, mutual desks also each other, and a worker nobody. A desk does there
// what programs may do. A role that is taken away ends at once.
func TestHubRoles(t *testing.T) {
	t.Parallel()
	h, at := newHub(t)
	there := newEmpty(t, "s")
	o := joining("work", t.TempDir())
	o.Confirm = regexp.MustCompile("^sudo")
	w := fleet.New(o)
	t.Cleanup(w.Close)
	w.Over(labelled{there})
	keyOfW := join(t, h, w, at, worker)
	ofD, ofM := newEmpty(t, "own"), newEmpty(t, "m")
	d, keyOfD := newJoined(t, h, at, "d", desk, ofD)
	m, _ := newJoined(t, h, at, "m", mutual, ofM)
	n, _ := newJoined(t, h, at, "n", mutual, newEmpty(t, "n"))
	newJoined(t, h, at, "v", worker, newEmpty(t))
	listed(t, d, "v work")
	listed(t, m, "n v work")
	listed(t, n, "m v work")
	listed(t, w, "")
	for f, role := range map[*fleet.Fleet]string{w: "worker", d: "desk", m: "mutual"} {
		if s, err := f.Get(terminals.Everything, at); err != nil || s.Role != role {
			t.Errorf("a %s: %+v, %v", role, s, err)
		}
	}
	r := d.Over(ofD)
	wait.Until(t, "the sessions of all are listed", func() bool { return sessions(t, r, terminals.Everything) == "own work/s" })
	if s, err := d.Get(terminals.Everything, keyOfW); err != nil || s.Hostname != "work" || s.Address != at+"/"+keyOfW {
		t.Errorf("the worker: %+v, %v", s, err)
	}
	if err := d.Remove(t.Context(), "v"); fault.KindOf(err) != fault.Precondition {
		t.Errorf("removing a host of a hub: %v", err)
	}
	on := terminals.Target{Session: "work/s"}
	for _, kind := range []core.SenderKind{"", core.SenderAttach} { // persons here are not asked about their own lines
		by := terminals.Everything
		by.From.Kind = kind
		if _, err := terminals.SendInput.Do(t.Context(), r, by, terminals.Input{Target: on, Data: []byte("sudo x\n")}); err == nil {
			t.Errorf("as %q, it types a line that needs permission", kind)
		}
	}
	s, err := terminals.CreateSession.Do(t.Context(), r, terminals.Everything, terminals.NewSession{On: []string{"box"}})
	if err != nil || !strings.HasPrefix(s.Name, "work/") {
		t.Fatalf("a session by a label: %q, %v", s.Name, err)
	}
	if _, err := terminals.RemoveSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: s.Name}); err != nil {
		t.Error(err)
	}
	if got := sessions(t, m.Over(ofM), terminals.Everything); !strings.Contains(got, "n/n") {
		t.Errorf("a mutual desk sees %s", got)
	}

	if err := h.Withdraw(keyOfD); err != nil {
		t.Fatal(err)
	}
	await(t, d, at, terminals.Waiting)
	if _, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, on); fault.KindOf(err) != fault.Unreachable {
		t.Errorf("a desk that is withdrawn: %v", err)
	}
}

// A host of a hub has the name with which that was accepted, here and at other desks. One that
// another server here has already does not take it over, and is listed by its key.
func TestHubNames(t *testing.T) {
	t.Parallel()
	h, at := newHub(t)
	n := newNetwork()
	n.start(t, "b", newEmpty(t, "x"))
	n.start(t, "c", newEmpty(t))
	o := joining("a", t.TempDir())
	o.Dialer, o.Configured = n, []terminals.NewServer{{Address: "mem://b"}}
	a := fleet.New(o)
	t.Cleanup(a.Close)
	await(t, a, "b", terminals.Healthy)
	r := a.Over(newEmpty(t))
	join(t, h, a, at, desk)
	_, keyOfB := newJoined(t, h, at, "b", worker, newEmpty(t, "s"))
	_, _ = newJoined(t, h, at, "c", worker, newEmpty(t))
	listed(t, a, "b c")
	byKey := await(t, a, keyOfB, terminals.Rejected)
	if byKey.Hostname != "" || !strings.Contains(byKey.Reason, `"b"`) {
		t.Errorf("the worker that is called like another server: %+v", byKey)
	}
	if got := sessions(t, r, terminals.Everything); got != "b/x" {
		t.Errorf("sessions: %s", got)
	}
	if _, err := a.Add(t.Context(), terminals.NewServer{Address: "mem://c"}); err != nil {
		t.Fatal(err)
	}
	if s := await(t, a, "mem://c", terminals.Rejected); !strings.Contains(s.Reason, "name of your own") {
		t.Errorf("a server that is called like a worker: %+v", s)
	}
	if _, err := a.Add(t.Context(), terminals.NewServer{Address: "mem://d", Hostname: "C"}); fault.DetailOf(err) != terminals.ServerRegistered {
		t.Errorf("a server with a worker's name: %v", err)
	}
	if err := a.Remove(t.Context(), "mem://b"); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the worker has the name", func() bool { return sessions(t, r, terminals.Everything) == "b/s" })

	// Another name is claimed, and kept.
	dir := t.TempDir()
	e := fleet.New(joining("b", dir))
	e.Over(newEmpty(t))
	if _, err := e.Add(t.Context(), terminals.NewServer{Address: at, Hostname: "other"}); err != nil {
		t.Fatal(err)
	}
	keyOfE := await(t, e, at, terminals.Waiting).Key
	wait.Until(t, "the hub lists it", func() bool {
		return slices.ContainsFunc(h.Status().Asking, func(k hub.Asker) bool { return k.Key == keyOfE && k.Name == "other" })
	})
	if err := h.Accept(keys.Entry{Key: keyOfE, Role: keys.Worker}); err != nil {
		t.Fatal(err)
	}
	listed(t, a, "b c other")
	e.Close()
	listed(t, a, "b c")
	e = fleet.New(joining("b", dir))
	t.Cleanup(e.Close)
	e.Over(newEmpty(t))
	listed(t, a, "b c other")
}

// A host that is at two hubs is on the list once, and stays when it leaves one.
func TestTwoHubs(t *testing.T) {
	t.Parallel()
	first, at := newHub(t)
	second, again := newHub(t)
	a, _ := newJoined(t, first, at, "a", desk, newEmpty(t))
	b, keyOfB := newJoined(t, first, at, "b", worker, newEmpty(t))
	listed(t, a, "b")
	join(t, second, a, again, desk)
	join(t, second, b, again, worker)
	listed(t, a, "b")
	if err := a.Remove(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "b is known by the other hub", func() bool {
		s, err := a.Get(terminals.Everything, keyOfB)
		return err == nil && s.Address == again+"/"+keyOfB && s.Hostname == "b"
	})
	b.Close()
	listed(t, a, "")
}

// A hub is held to the key that it had when it was added, over restarts, even if an authority
// vouches for another one. A renewed certificate is no other key, and adding it again trusts the
// new one.
func TestHubKeyIsPinned(t *testing.T) {
	t.Parallel()
	first, one, _ := testkit.Certificate(t, nil)
	renewed, two, _ := testkit.Certificate(t, first.PrivateKey.(*ecdsa.PrivateKey))
	other, three, _ := testkit.Certificate(t, nil)
	dir := t.TempDir()
	ca := filepath.Join(dir, "ca.pem")
	if err := os.WriteFile(ca, slices.Concat(one, two, three), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := keys.OpenList(filepath.Join(dir, "hub.json"))
	if err != nil {
		t.Fatal(err)
	}
	at := closedPort(t)
	address := "tls://" + at + "?ca=" + ca
	for _, tt := range []struct {
		cert   tls.Certificate
		add    bool
		health terminals.Health
		says   string
	}{
		{first, true, terminals.Waiting, hub.KeyOf(first.Leaf)},
		{renewed, false, terminals.Waiting, hub.KeyOf(first.Leaf)},
		{other, false, terminals.Rejected, `had ` + hub.KeyOf(first.Leaf)},
		{other, true, terminals.Waiting, hub.KeyOf(other.Leaf)},
		{first, false, terminals.Rejected, `trust the new key with "wsh servers add '` + address},
	} {
		h, err := hubserver.Start(hubserver.Options{Listen: at, List: list, Log: slog.New(slog.DiscardHandler), TLS: &tls.Config{Certificates: []tls.Certificate{tt.cert}}})
		if err != nil {
			t.Fatal(err)
		}
		f := fleet.New(joining("here", dir))
		f.Over(newEmpty(t))
		if tt.add && tt.health == terminals.Waiting {
			if len(f.List(terminals.Everything)) > 0 {
				await(t, f, at, terminals.Rejected)
			}
			if _, err := f.Add(t.Context(), terminals.NewServer{Address: address}); err != nil {
				t.Fatal(err)
			}
		}
		if s := await(t, f, at, tt.health); !strings.Contains(s.Reason, tt.says) {
			t.Errorf("%s: %s, want %s", tt.health, s.Reason, tt.says)
		}
		f.Close()
		h.Close()
	}
}
