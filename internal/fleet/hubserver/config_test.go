package hubserver_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/hubconn"
	"ui-mcp/internal/fleet/keys"
)

// The settings that are printed let another server of NATS do what a hub does.
func TestConfig(t *testing.T) {
	t.Parallel()
	a, b, unknown := newKey(t), newKey(t), newKey(t)
	path := filepath.Join(t.TempDir(), "hub.conf")
	text, err := hub.Config([]keys.Entry{{Key: a.ID(), Name: "a", Role: keys.Worker}, {Key: b.ID(), Name: "b", Role: keys.Desk}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(path)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if o.Host != "127.0.0.1" || o.MaxConn != hub.MaxConnections || o.MaxPayload == 0 || o.MaxPending == 0 || o.MaxSubs == 0 || !o.NoFastProducerStall || o.AuthTimeout != 2 || o.WriteDeadline != 10*time.Second || o.MaxPingsOut != 2 {
		t.Errorf("%+v", o)
	}
	o.Port, o.NoSigs, o.NoLog = server.RANDOM_PORT, true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("it does not start")
	}
	up := make(chan struct{}, 10)
	conn, err := hubconn.Join(hubconn.Membership{Address: s.ClientURL(), Key: a, Up: func() { up <- struct{}{} }, Down: func(error) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	<-up
	if class := classOf(t, conn, "a"); class != hub.Workers {
		t.Errorf("%q", class)
	}
	if nc, err := nats.Connect(s.ClientURL(), nats.Nkey(unknown.ID(), unknown.Sign), nats.NoReconnect()); err == nil {
		nc.Close()
		t.Error("an unknown key is let in")
	}
	nc, err := nats.Connect(s.ClientURL(), nats.Nkey(b.ID(), b.Sign), nats.NoReconnect(), quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	for subject, want := range map[string]bool{
		"wsh2.up.worker." + a.ID() + ".b." + b.ID() + ".1": true,
		"wsh2.up.worker." + a.ID() + ".a." + b.ID() + ".1": false,
		"wsh2.up.worker." + b.ID() + ".a." + a.ID() + ".1": false,
		"wsh2.card.desk.b." + b.ID():                       true,
		"wsh2.card.worker.b." + b.ID():                     false,
		"$SYS.REQ.SERVER.PING":                             false,
		"_INBOX.x":                                         false,
	} {
		before := nc.LastError()
		if err := nc.Publish(subject, []byte("x")); err != nil {
			t.Fatal(err)
		}
		after := flushed(t, nc)
		if got := after == before || !errors.Is(after, nats.ErrPermissionViolation); got != want {
			t.Errorf("publish %s: %t (%v)", subject, got, after)
		}
	}
}

// Settings that would let in everyone, or that have something else in the place of a key or name,
// are not printed.
func TestConfigRefuses(t *testing.T) {
	t.Parallel()
	a, b := newKey(t).ID(), newKey(t).ID()
	for _, hosts := range [][]keys.Entry{
		nil, {{Key: "*", Name: "a", Role: keys.Desk}}, {{Key: a, Name: "a", Role: "x\"] } }"}}, {{Key: a, Name: "a\nport: 1", Role: keys.Desk}},
		{{Key: a, Name: "a", Role: keys.Desk}, {Key: b, Name: "A", Role: keys.Desk}},
	} {
		if text, err := hub.Config(hosts); fault.KindOf(err) != fault.Invalid && fault.KindOf(err) != fault.Exists || text != "" {
			t.Errorf("%v: %q, %v", hosts, text, err)
		}
	}
}
