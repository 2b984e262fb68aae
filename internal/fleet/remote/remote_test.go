package remote_test

import (
	"context"
	"net"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/natslink"
	"ui-mcp/internal/fleet/pipelink"
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

// pipe returns a function that connects two hosts, which has each of them once.
func pipe(t *testing.T) func(host string) remote.Conn {
	t.Helper()
	a, b := net.Pipe()
	ends := map[string]chan remote.Conn{}
	for host, rw := range map[string]net.Conn{"here": a, "there": b} {
		end := make(chan remote.Conn, 1)
		ends[host] = end
		go func() {
			c, err := pipelink.New(context.Background(), rw, pipelink.Hello{ID: host, Name: host})
			if err != nil {
				t.Error(err)
			}
			end <- c
			t.Cleanup(c.Close)
		}()
	}
	return func(host string) remote.Conn { return <-ends[host] }
}

// carriers are ways between hosts.
var carriers = map[string]func(*testing.T) func(host string) remote.Conn{"nats": hub, "pipe": pipe}

// newLink returns a link of a host. To the host "here", it gives ts.
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

// serve lets another host use ts over a carrier, and returns it.
func serve(t *testing.T, carrier string, ts terminals.Terminals) *remote.Host {
	t.Helper()
	connect := carriers[carrier](t)
	newLink(t, connect("there"), ts)
	return newLink(t, connect("here"), nil).Host("there", "there")
}

// TestCases has another host pass the cases that every interface to terminals must pass.
func TestCases(t *testing.T) {
	t.Parallel()
	for carrier := range carriers {
		for _, c := range opcases.All {
			t.Run(carrier+" "+c.Op+" "+c.In, func(t *testing.T) {
				t.Parallel()
				by := terminals.Everything
				if c.By != nil {
					by = *c.By
				}
				if c.Op == terminals.CreateToken.Name && by.Token != "" { // it would outlive its issuer
					c.Err = &opcases.Err{Kind: fault.Precondition, Detail: terminals.NotAllowed}
				}
				got, err := opcases.Do(t.Context(), serve(t, carrier, opcases.New(t, c)), by, c.Op, c.In)
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
}

// TestStreamCases has the streams of another host pass the cases of every interface.
func TestStreamCases(t *testing.T) {
	t.Parallel()
	for carrier := range carriers {
		t.Run(carrier, func(t *testing.T) {
			t.Parallel()
			opcases.Streams(t, func(t *testing.T, l *terminals.Local) terminals.Terminals { return serve(t, carrier, l) })
		})
	}
}
