package remote_test

import (
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/natslink"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/nats-io/nats-server/v2/server.init.1"))
}

// hub starts a server of NATS without a port, and returns a function that connects a host to it.
func hub(t *testing.T) func(host string) remote.Conn {
	t.Helper()
	s, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return func(host string) remote.Conn {
		t.Helper()
		c, err := natslink.Connect("", host, nats.InProcessServer(s))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
}

// newLink returns a link of a host. To other hosts, it gives ts.
func newLink(t *testing.T, c remote.Conn, ts terminals.Terminals) *remote.Link {
	t.Helper()
	l, err := remote.NewLink(remote.Options{Conn: c, Terminals: ts, Allow: func(host string) (terminals.Grant, bool) {
		return terminals.Everything, host == "here"
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// TestCases has another host pass the cases that every interface to terminals must pass.
func TestCases(t *testing.T) {
	connect := hub(t)
	link := newLink(t, connect("here"), nil)
	for _, c := range opcases.All {
		t.Run(c.Op+" "+c.In, func(t *testing.T) {
			by := terminals.Everything
			if c.By != nil {
				by = *c.By
			}
			newLink(t, connect("there"), opcases.New(t, c))
			host := link.Host("there", "there")
			if c.Op == terminals.CreateToken.Name && by.Token != "" { // it would outlive its issuer
				c.Err = &opcases.Err{Kind: fault.Precondition, Detail: terminals.NotAllowed}
			}
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
