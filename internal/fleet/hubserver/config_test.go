package hubserver

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/keys"
)

func newID(t *testing.T) string {
	t.Helper()
	k, err := keys.Open(filepath.Join(t.TempDir(), "host.key"))
	if err != nil {
		t.Fatal(err)
	}
	return k.ID()
}

// The settings that are printed let another server of NATS do what a hub does: it lets in the same
// keys, with the same permissions, and has the same limits.
func TestConfig(t *testing.T) {
	t.Parallel()
	hosts := []keys.Entry{
		{Key: newID(t), Name: "a", Role: keys.Worker}, {Key: newID(t), Name: "b", Role: keys.Desk}, {Key: newID(t), Name: "c", Role: keys.Desk, Mutual: true},
	}
	text, err := hub.Config(hosts)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "hub.conf")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(path)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(o.Nkeys) != len(hosts) || len(o.Users) > 0 {
		t.Fatalf("%d keys and %d users are let in", len(o.Nkeys), len(o.Users))
	}
	for i, h := range hosts {
		publish, subscribe := hub.Permissions(h)
		u := o.Nkeys[i]
		if u.Nkey != h.Key || !slices.Equal(u.Permissions.Publish.Allow, publish) || !slices.Equal(u.Permissions.Subscribe.Allow, subscribe) {
			t.Errorf("%s: %+v", h.Name, u)
		}
	}
	bounds := func(o *server.Options) []any {
		return []any{
			o.MaxConn, o.MaxSubs, o.MaxPayload, o.MaxPending, o.AuthTimeout, o.WriteDeadline, o.PingInterval, o.MaxPingsOut, o.NoFastProducerStall,
		}
	}
	if d := cmp.Diff(bounds(limits(0)), bounds(o)); d != "" || o.Host != "127.0.0.1" {
		t.Errorf("on %s, -hub +printed: %s", o.Host, d)
	}
}

// Settings that would let in everyone, or that have something else in the place of a key or name,
// are not printed.
func TestConfigRefuses(t *testing.T) {
	t.Parallel()
	a, b := newID(t), newID(t)
	for _, hosts := range [][]keys.Entry{
		nil, {{Key: "*", Name: "a", Role: keys.Desk}}, {{Key: a, Name: "a", Role: "x\"] } }"}}, {{Key: a, Name: "a\nport: 1", Role: keys.Desk}},
		{{Key: a, Name: "a", Role: keys.Desk}, {Key: b, Name: "A", Role: keys.Desk}},
	} {
		if text, err := hub.Config(hosts); fault.KindOf(err) != fault.Invalid && fault.KindOf(err) != fault.Exists || text != "" {
			t.Errorf("%v: %q, %v", hosts, text, err)
		}
	}
}
