package remote_test

import (
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/nats-io/nats-server/v2/server.init.1"))
}

// hub starts a server of NATS without a port, and returns a function that connects to it.
func hub(t *testing.T) func() *nats.Conn {
	t.Helper()
	s, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return func() *nats.Conn {
		t.Helper()
		nc, err := nats.Connect("", nats.InProcessServer(s))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nc.Close)
		return nc
	}
}

// TestCases has another host pass the cases that every interface to terminals must pass.
func TestCases(t *testing.T) {
	connect := hub(t)
	here := connect()
	link, err := remote.NewLink(here, "here")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(link.Close)
	for _, c := range opcases.All {
		t.Run(c.Op+" "+c.In, func(t *testing.T) {
			by := terminals.Everything
			if c.By != nil {
				by = *c.By
			}
			there, err := remote.Serve(connect(), "there", opcases.New(t, c), func(host string) (terminals.Grant, bool) {
				return terminals.Everything, host == "here"
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(there.Close)
			host := link.Host("there", "there")
			got, err := opcases.Do(t.Context(), host, by, c.Op, c.In)
			if c.Err == nil {
				if err != nil {
					t.Fatal(err)
				}
				if d := opcases.Diff(c.Want, got); d != "" {
					t.Error(d)
				}
				return
			}
			if err == nil || fault.KindOf(err) != c.Err.Kind || fault.DetailOf(err) != c.Err.Detail {
				t.Fatalf("%v (%v, %q), want %v, %q", err, fault.KindOf(err), fault.DetailOf(err), c.Err.Kind, c.Err.Detail)
			}
		})
	}
}
