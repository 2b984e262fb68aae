package fleet_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/terminals"
)

// joining returns the options of a server that can join hubs, and keeps everything in a folder.
func joining(name, dir string) fleet.Options {
	file := func(kind string) string { return filepath.Join(dir, kind) }
	return fleet.Options{
		Name: name, ID: "id-" + name, Dialer: newNetwork(), Log: slog.New(slog.DiscardHandler),
		File: file("servers.json"), KeyFile: file("key.json"), AcceptedFile: file("accepted.json"),
	}
}

// closedPort returns an address at which nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Addr().String()
}

// Addresses of hubs are kept in one form, and a hub is joined once.
func TestHubAddresses(t *testing.T) {
	f := fleet.New(joining("here", t.TempDir())) // without Over, no hub is joined
	t.Cleanup(f.Close)
	for _, tt := range []struct{ given, want string }{
		{"nats://Hub1", "nats://hub1:4222"},
		{"nats://hub2:4333/", "nats://hub2:4333"},
		{"tls://[::1]:4222?allow=look", "tls://[::1]:4222?allow=look"},
		{"nats://localhost?user=nats", "nats://localhost:4222?user=nats"},
		{"nats://hub3?ca=/etc/hub.pem&allow=type", "nats://hub3:4222?allow=type&ca=/etc/hub.pem"},
		{"nats://hub4?allow=none", "nats://hub4:4222"},
		{"nats://hub1:4222?allow=look", ""}, // known already
		{"nats://", ""},
		{"nats://me:secret@hub5", ""},
		{"nats://hub5/path", ""},
		{"nats://hub5?ca=hub.pem", ""},
		{"nats://hub5?allow=everything", ""},
		{"nats://hub5?token=x", ""},
	} {
		s, err := f.Add(t.Context(), terminals.NewServer{Address: tt.given})
		kind := fault.KindOf(err)
		if tt.want == "" && kind != fault.Invalid && kind != fault.Exists || tt.want != "" && (err != nil || s.Address != tt.want || s.Health != terminals.Connecting) {
			t.Errorf("%q: %+v, %v", tt.given, s, err)
		}
	}
	for _, in := range []terminals.NewServer{{Address: "nats://hub5", Hostname: "x"}, {Address: "nats://hub5", Token: "x"}} {
		if _, err := f.Add(t.Context(), in); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%+v: %v", in, err)
		}
	}
}

// A hub that cannot be reached is kept and tried again; a server without a place for its key joins
// none.
func TestHubUnavailable(t *testing.T) {
	dir, address := t.TempDir(), "nats://"+closedPort(t)
	f := fleet.New(joining("here", dir))
	r := f.Over(newEmpty(t, "l"))
	if _, err := f.Add(t.Context(), terminals.NewServer{Address: address + "?allow=type"}); err != nil {
		t.Fatal(err)
	}
	await(t, f, address, terminals.Unavailable)
	if _, err := f.Add(t.Context(), terminals.NewServer{Address: address + "?allow=look"}); err != nil {
		t.Fatalf("a hub that is added again: %v", err)
	}
	first := await(t, f, address, terminals.Unavailable)
	if first.Reason != "no hub answers at this address" || first.Key == "" || first.Hostname != "" {
		t.Errorf("%+v", first)
	}
	if got := sessions(t, r, terminals.Everything); got != "l" {
		t.Errorf("sessions: %s", got)
	}
	f.Close()
	f = fleet.New(joining("here", dir))
	f.Over(newEmpty(t))
	if again := await(t, f, strings.TrimPrefix(address, "nats://"), terminals.Unavailable); again.Key != first.Key || again.Address != address+"?allow=look" {
		t.Errorf("after a restart: %+v, before %+v", again, first)
	}
	if err := f.Remove(t.Context(), address); err != nil {
		t.Error(err)
	}
	f.Close()

	o := joining("here", dir)
	o.KeyFile = ""
	f = fleet.New(o)
	t.Cleanup(f.Close)
	f.Over(newEmpty(t))
	if _, err := f.Add(t.Context(), terminals.NewServer{Address: address}); err != nil {
		t.Fatal(err)
	}
	if s := await(t, f, address, terminals.Rejected); !strings.Contains(s.Reason, "home directory") {
		t.Errorf("without a home directory: %+v", s)
	}
}

// A key alone is accepted at the only hub, since it counts nowhere else.
func TestAcceptAtWhichHub(t *testing.T) {
	own, err := keys.Open(filepath.Join(t.TempDir(), "key.json"))
	if err != nil {
		t.Fatal(err)
	}
	o := joining("here", t.TempDir())
	for range 3 { // at no, one and two hubs, which are away
		f := fleet.New(o)
		_, err := f.Accept(t.Context(), terminals.Acceptance{Hostname: own.ID()})
		if one := len(o.Configured) == 1; one && err != nil || !one && fault.KindOf(err) != fault.Precondition {
			t.Errorf("at %d hubs: %v", len(o.Configured), err)
		}
		f.Close()
		o.Configured = append(o.Configured, terminals.NewServer{Address: fmt.Sprintf("nats://127.0.0.1:%d", len(o.Configured)+1)})
	}
	list, err := keys.OpenList(o.AcceptedFile)
	if err != nil {
		t.Fatal(err)
	}
	if e, _ := list.Get(own.ID()); e.Hub != "nats://127.0.0.1:1" {
		t.Errorf("%+v", e)
	}
}

// What is said of hosts of hubs is kept, and who is accepted is listed, also without being there.
func TestAcceptAbsent(t *testing.T) {
	own, err := keys.Open(filepath.Join(t.TempDir(), "key.json"))
	if err != nil {
		t.Fatal(err)
	}
	key := own.ID()
	n := newNetwork()
	n.start(t, "b", newEmpty(t))
	dir := t.TempDir()
	o := joining("here", dir)
	o.Dialer, o.Configured = n, []terminals.NewServer{{Address: "mem://b"}, {Address: "nats://127.0.0.1:1"}} // the hub is away
	f := fleet.New(o)
	await(t, f, "b", terminals.Healthy)
	accepted := func(f *fleet.Fleet) string {
		var list []string
		for _, s := range f.List(terminals.Everything) {
			if s.Allowed != "" {
				list = append(list, s.Key+" "+s.Allowed)
			}
		}
		return strings.Join(list, ", ")
	}
	if out, err := f.Accept(t.Context(), terminals.Acceptance{Hostname: key}); err != nil || out != (terminals.AcceptedHost{Key: key, Allow: "look"}) {
		t.Errorf("%+v, %v", out, err)
	}
	if got := accepted(f); got != key+" look" {
		t.Errorf("accepted: %s", got)
	}
	if list := f.List(terminals.Grant{Rights: terminals.AllRights, Sessions: []string{"b/x"}}); slices.ContainsFunc(list, func(s terminals.KnownServer) bool { return s.Allowed != "" }) {
		t.Errorf("a caller with rights to some sessions knows %+v", list)
	}
	for name, kind := range map[string]fault.Kind{"b": fault.Invalid, "none": fault.NotFound} {
		if _, err := f.Accept(t.Context(), terminals.Acceptance{Hostname: name}); fault.KindOf(err) != kind {
			t.Errorf("accept %s: %v", name, err)
		}
		if err := f.Withdraw(t.Context(), name); fault.DetailOf(err) != terminals.ServerNotFound {
			t.Errorf("withdraw %s: %v", name, err)
		}
	}
	if _, err := f.Accept(t.Context(), terminals.Acceptance{Hostname: key, Allow: "everything"}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a level that does not exist: %v", err)
	}
	f.Close()
	f = fleet.New(o)
	t.Cleanup(f.Close)
	if err := f.Withdraw(t.Context(), key); err != nil {
		t.Errorf("withdraw after a restart: %v", err)
	}
	if got := accepted(f); got != "" {
		t.Errorf("accepted: %s", got)
	}
	if err := f.Withdraw(t.Context(), key); fault.DetailOf(err) != terminals.ServerNotFound {
		t.Errorf("withdraw twice: %v", err)
	}
}

// A host that is withdrawn may do nothing any more, whatever cannot be written.
func TestWithdrawWithoutADisk(t *testing.T) {
	own, err := keys.Open(filepath.Join(t.TempDir(), "key.json"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	list, err := keys.OpenList(filepath.Join(dir, "accepted.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := list.Accept(keys.Entry{Key: own.ID(), Name: "b", Allow: keys.Manage, Hub: "nats://127.0.0.1:1"}); err != nil {
		t.Fatal(err)
	}
	names := fmt.Sprintf(`{"format":1,"servers":[],"names":[{"name":"b","key":%q}]}`, own.ID())
	if err := os.WriteFile(filepath.Join(dir, "servers.json"), []byte(names), 0o600); err != nil {
		t.Fatal(err)
	}
	f := fleet.New(joining("a", dir))
	t.Cleanup(f.Close)
	if list := f.List(terminals.Everything); len(list) != 1 || list[0].Allowed != "manage" {
		t.Fatalf("accepted: %+v", list)
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "servers.json")), os.Mkdir(filepath.Join(dir, "servers.json"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := f.Withdraw(t.Context(), own.ID()); fault.KindOf(err) != fault.Precondition {
		t.Errorf("names that cannot be kept: %v", err)
	}
	if list := f.List(terminals.Everything); len(list) != 0 {
		t.Errorf("still accepted: %+v", list)
	}
}

// What is wrong with the files of keys can be corrected while the server runs, and who is accepted
// is listed after a restart, without a hub.
func TestKeysAreReadAgain(t *testing.T) {
	dir := t.TempDir()
	own, err := keys.Open(filepath.Join(t.TempDir(), "key.json"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := keys.OpenList(filepath.Join(dir, "accepted.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := list.Accept(keys.Entry{Key: own.ID(), Allow: keys.Look, Hub: "nats://hub:4222"}); err != nil {
		t.Fatal(err)
	}
	accepted, err := os.ReadFile(filepath.Join(dir, "accepted.json"))
	if err != nil {
		t.Fatal(err)
	}
	f := fleet.New(joining("a", dir))
	t.Cleanup(f.Close)
	if list := f.List(terminals.Everything); len(list) != 1 || list[0].Key != own.ID() || list[0].Allowed != "look" {
		t.Errorf("after a restart: %+v", list)
	}
	f.Close()

	broken := func(content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "accepted.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	broken("{")
	f = fleet.New(joining("a", dir))
	t.Cleanup(f.Close)
	if list := f.List(terminals.Everything); len(list) != 0 {
		t.Errorf("a file that cannot be read: %+v", list)
	}
	if err := f.Withdraw(t.Context(), own.ID()); fault.KindOf(err) != fault.Precondition {
		t.Errorf("withdraw from a file that cannot be read: %v", err)
	}
	broken(string(accepted))
	if err := f.Withdraw(t.Context(), own.ID()); err != nil {
		t.Errorf("once the file is repaired: %v", err)
	}
}
