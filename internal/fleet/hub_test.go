package fleet_test

import (
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/terminals"
)

// joining returns the options of a server that can join hubs, and keeps everything in a folder.
func joining(name, dir string) fleet.Options {
	file := func(kind string) string { return filepath.Join(dir, kind) }
	return fleet.Options{
		Name: name, ID: "id-" + name, Dialer: newNetwork(), Log: slog.New(slog.DiscardHandler),
		File: file("servers.json"), KeyFile: file("key.json"),
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
		{"tls://[::1]:4222", "tls://[::1]:4222"},
		{"nats://localhost?user=nats", "nats://localhost:4222?user=nats"},
		{"nats://hub3?ca=/etc/hub.pem&user=u", "nats://hub3:4222?ca=/etc/hub.pem&user=u"},
		{"nats://hub1:4222?user=u", ""}, // known already
		{"nats://", ""},
		{"nats://me:secret@hub5", ""},
		{"nats://hub5/path", ""},
		{"nats://hub5?ca=hub.pem", ""},
		{"nats://hub5?token=x", ""},
		{"nats://hub5?allow=look", ""},
	} {
		s, err := f.Add(t.Context(), terminals.NewServer{Address: tt.given})
		kind := fault.KindOf(err)
		if tt.want == "" && kind != fault.Invalid && kind != fault.Exists || tt.want != "" && (err != nil || s.Address != tt.want || s.Health != terminals.Connecting) {
			t.Errorf("%q: %+v, %v", tt.given, s, err)
		}
	}
	if _, err := f.Add(t.Context(), terminals.NewServer{Address: "nats://hub5", Token: "x"}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a token: %v", err)
	}
}

// A hub that cannot be reached is kept and tried again; a server without a place for its key joins
// none.
func TestHubUnavailable(t *testing.T) {
	dir, address := t.TempDir(), "nats://"+closedPort(t)
	f := fleet.New(joining("here", dir))
	r := f.Over(newEmpty(t, "l"))
	if _, err := f.Add(t.Context(), terminals.NewServer{Address: address, Hostname: "x"}); err != nil {
		t.Fatal(err)
	}
	await(t, f, address, terminals.Unavailable)
	if _, err := f.Add(t.Context(), terminals.NewServer{Address: address, Hostname: "y"}); err != nil {
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
	if again := await(t, f, strings.TrimPrefix(address, "nats://"), terminals.Unavailable); again.Key != first.Key || again.Address != address {
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
