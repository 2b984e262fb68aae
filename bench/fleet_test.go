//go:build linux

package bench

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/hubconn"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/remote"
	"ui-mcp/internal/transport/socketwire"
)

// A counted counts what crosses a connection.
type counted struct {
	net.Conn
	writes, bytes *atomic.Int64
}

func (c counted) Write(b []byte) (int, error) {
	c.writes.Add(1)
	c.bytes.Add(int64(len(b)))
	return c.Conn.Write(b)
}

// tcpPair returns the two ends of a TCP connection.
func tcpPair(b *testing.B) (here, there net.Conn) {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	if here, err = net.Dial("tcp", l.Addr().String()); err != nil {
		b.Fatal(err)
	}
	if there, err = l.Accept(); err != nil {
		b.Fatal(err)
	}
	return here, there
}

// overPipe connects two hosts by one connection, and returns what counts each direction.
func overPipe(b *testing.B) (up, down counted) {
	b.Helper()
	x, y := tcpPair(b)
	return counted{x, new(atomic.Int64), new(atomic.Int64)}, counted{y, new(atomic.Int64), new(atomic.Int64)}
}

// overNATS connects two hosts by a server of NATS.
func overNATS(b *testing.B) (here, there io.ReadWriteCloser) {
	b.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		b.Fatal(err)
	}
	s.Start()
	b.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		b.Fatal("the server of NATS is not ready")
	}
	accepted := make(chan *hubconn.Tunnel, 1)
	connect := func(host string) *hubconn.Tunnels {
		c, err := hubconn.Connect(s.ClientURL(), host)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(c.Close)
		tunnels, err := c.Tunnels(hub.Mutual, host, func(t *hubconn.Tunnel) { accepted <- t })
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(tunnels.Close)
		return tunnels
	}
	connect("there")
	if here, err = connect("here").Dial(b.Context(), hub.Mutual, "there"); err != nil {
		b.Fatal(err)
	}
	return here, <-accepted
}

// linked returns a host, as another one sees it that may do everything there.
func linked(b *testing.B, here, there io.ReadWriteCloser, ts terminals.Terminals) *remote.Terminals {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error)
	go func() {
		server := remote.NewServer(remote.Hello{ID: "there", Name: "there"}, ts, slog.New(slog.DiscardHandler))
		served <- server.Serve(ctx, there, func() (terminals.Grant, bool) { return terminals.Everything, true })
	}()
	l, err := remote.Open(b.Context(), here, remote.Hello{ID: "here", Name: "here"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		l.Close()
		cancel()
		<-served
	})
	return l
}

// BenchmarkFleetCall measures operations of this host, and in turn with each the same on another
// host, over either carrier.
func BenchmarkFleetCall(b *testing.B) {
	r := termRegistry(b)
	s := termCreate(b, r, "seq 1 1000; exec sleep 1000")
	if _, err := s.WaitFor(b.Context(), `1000`, 0); err != nil {
		b.Fatal(err)
	}
	local := terminals.NewLocal(r, terminals.Host{Name: "host"})
	up, down := overPipe(b)
	overThePipe := linked(b, up, down, local)
	here, there := overNATS(b)
	overTheHub := linked(b, here, there, local)
	target := terminals.Target{Session: s.Name()}
	for name, do := range map[string]func(t terminals.Terminals) error{
		"session": func(t terminals.Terminals) error {
			_, err := terminals.GetSession.Do(b.Context(), t, terminals.Everything, target)
			return err
		},
		"screen": func(t terminals.Terminals) error {
			_, err := terminals.GetScreen.Do(b.Context(), t, terminals.Everything, terminals.ScreenQuery{Target: target})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			ways := []struct {
				name string
				terminals.Terminals
				took stopwatch
			}{
				{name: "local", Terminals: local},
				{name: "pipe", Terminals: overThePipe},
				{name: "nats", Terminals: overTheHub},
			}
			for b.Loop() {
				for i := range ways {
					start := time.Now()
					if err := do(ways[i].Terminals); err != nil {
						b.Fatal(err)
					}
					ways[i].took = append(ways[i].took, time.Since(start))
				}
			}
			for i, w := range ways {
				w.took.report(b, w.name+"-")
				if i > 0 {
					b.ReportMetric(w.took.ms(0.5)-ways[0].took.ms(0.5), w.name+"-more-ms")
				}
			}
		})
	}
}

// A typist is at a terminal that is attached.
type typist struct {
	keys chan socketwire.Frame
	got  chan socketwire.Frame
}

func (p typist) Read() (socketwire.Frame, error) {
	f, ok := <-p.keys
	if !ok {
		return f, fault.New(fault.Internal, "it has left")
	}
	return f, nil
}

func (p typist) Write(k socketwire.Kind, b []byte) error {
	p.got <- socketwire.Frame{Kind: k, Content: b}
	return nil
}

func (p typist) Close() error { return nil }

// BenchmarkFleetKey measures a key and its echo at a terminal that is attached to a session of
// another host, and what crosses for both: bytes, and writes to the connection. It is not paced, so
// that nothing but the key and its echo crosses.
func BenchmarkFleetKey(b *testing.B) {
	r := termRegistry(b)
	s := termCreate(b, r, "stty raw -echo; printf ready; exec cat")
	if _, err := s.WaitFor(b.Context(), `ready`, 0); err != nil {
		b.Fatal(err)
	}
	local := terminals.NewLocal(r, terminals.Host{Name: "host"})
	up, down := overPipe(b)
	host := linked(b, up, down, local)
	p := typist{make(chan socketwire.Frame), make(chan socketwire.Frame, 1000)}
	left := make(chan error)
	go func() {
		request := `{"name":"` + s.Name() + `","rows":50,"cols":200,"client":{"escape":"passes"}}`
		left <- attachedterm.Serve(context.Background(), p, socketwire.Frame{Kind: socketwire.AttachSession, Content: []byte(request)}, attachedterm.Options{Terminals: host, By: terminals.Everything})
	}()
	await := func(text string) {
		for f := range p.got {
			if f.Kind == socketwire.PtyOutput && strings.Contains(string(f.Content), text) {
				return
			}
		}
	}
	await("ready")
	var took stopwatch
	key := 0
	start := []int64{up.bytes.Load(), up.writes.Load(), down.bytes.Load(), down.writes.Load()}
	for b.Loop() {
		wait.Pause(2 * time.Millisecond) // the last picture is displayed
		c := string('a' + rune(key%26))
		key++
		begun := time.Now()
		p.keys <- socketwire.Frame{Kind: socketwire.StdinInput, Content: []byte(c)}
		await(c)
		took = append(took, time.Since(begun))
	}
	n := float64(b.N)
	took.report(b)
	b.ReportMetric(float64(up.bytes.Load()-start[0])/n, "bytes-there/key")
	b.ReportMetric(float64(up.writes.Load()-start[1])/n, "writes-there/key")
	b.ReportMetric(float64(down.bytes.Load()-start[2])/n, "bytes-back/key")
	b.ReportMetric(float64(down.writes.Load()-start[3])/n, "writes-back/key")
	close(p.keys)
	<-left
}

// farHosts are other hosts, by address. They are reached over a pipe each.
type farHosts map[string]*remote.Terminals

// Clean implements [fleet.Dialer].
func (h farHosts) Clean(address string) (string, error) { return address, nil }

// Dial implements [fleet.Dialer].
func (h farHosts) Dial(_ context.Context, address, _ string, _ bool) (fleet.Remote, error) {
	return h[address], nil
}

// BenchmarkFleetList lists 1,000 sessions, which run on 20 hosts. All of them are in this process,
// so their work is in the figures, too.
func BenchmarkFleetList(b *testing.B) {
	const machines, each = 20, 50
	reached, o := farHosts{}, fleet.Options{Name: "here", ID: "here", Log: slog.New(slog.DiscardHandler)}
	for i := range machines {
		r := termRegistry(b)
		for range each {
			termCreate(b, r, "exec sleep 1000")
		}
		name := "host" + strconv.Itoa(i)
		up, down := overPipe(b)
		reached[name] = linked(b, up, down, terminals.NewLocal(r, terminals.Host{Name: name, ID: name}))
		o.Configured = append(o.Configured, terminals.NewServer{Address: name})
	}
	o.Dialer = reached
	f := fleet.New(o)
	b.Cleanup(f.Close)
	for i := range machines {
		wait.Until(b, fmt.Sprintf("host%d is reached", i), func() bool {
			s, err := f.Get(terminals.Everything, "host"+strconv.Itoa(i))
			return err == nil && s.Health == terminals.Healthy
		})
	}
	all := f.Over(terminals.NewLocal(termRegistry(b), terminals.Host{Name: "here", ID: "here"}))
	timed(b, func(int) func() {
		list, err := terminals.ListSessions.Do(b.Context(), all, terminals.Everything, terminals.SessionFilter{})
		if err != nil || len(list) != machines*each {
			b.Fatalf("%d sessions, %v", len(list), err)
		}
		return nil
	}).report(b)
}
