package hubconn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/mux"
)

// faulty returns one of two hosts between which messages are lost, repeated and swapped, with some
// probability each. The other one, "b", accepts tunnels.
func faulty(t *testing.T, random *rand.Rand, lost, repeated, swapped float64, accept func(*Tunnel)) *Tunnels {
	var a, b *Tunnels
	type sent struct {
		to      address
		message []byte
	}
	var wg sync.WaitGroup
	ended := make(chan struct{})
	carry := func(to **Tunnels, random *rand.Rand) *Tunnels {
		ch := make(chan sent, 1<<16)
		wg.Go(func() {
			var held []sent
			for {
				var s sent
				select {
				case s = <-ch:
				case <-ended:
					return
				}
				held = append(held, s)
				if random.Float64() < swapped && len(held) < 3 {
					continue
				}
				for _, s := range slices.Backward(held) {
					for n := 0; n == 0 || n < 3 && random.Float64() < repeated; n++ {
						if random.Float64() >= lost {
							(*to).arrived(s.to, "", s.message)
						}
					}
				}
				held = nil
			}
		})
		name := map[bool]string{true: "a", false: "b"}[to == &b]
		return newTunnels(func(to address, _ hub.Class, m []byte) error {
			ch <- sent{address{name, to.n, !to.opened}, bytes.Clone(m)}
			return nil
		}, accept)
	}
	a = carry(&b, rand.New(rand.NewPCG(random.Uint64(), 1)))
	b = carry(&a, rand.New(rand.NewPCG(random.Uint64(), 2)))
	t.Cleanup(func() {
		a.Close()
		b.Close()
		close(ended)
		wg.Wait()
	})
	return a
}

// Whatever becomes of its messages, a tunnel yields what was written, or ends.
func TestTunnelFaults(t *testing.T) {
	var whole, broken atomic.Int32
	for seed := range uint64(load.Count(100, 300)) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			p := func() float64 { return float64(random.IntN(3)) * 0.01 * float64(min(seed, 1)) * float64(seed%4) }
			lost, repeated, swapped := p(), p(), p()
			accepted := make(chan *Tunnel, 100)
			a := faulty(t, random, lost, repeated, swapped, func(tunnel *Tunnel) { accepted <- tunnel })
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			var wg sync.WaitGroup
			content := func(from byte) []byte {
				c := make([]byte, 300_000)
				rand.NewChaCha8([32]byte{from, byte(seed)}).Read(c)
				return c
			}
			use := func(tunnel *Tunnel, from, to byte, random *rand.Rand) {
				stop := context.AfterFunc(ctx, func() { tunnel.Close() })
				written := make(chan struct{})
				wg.Go(func() {
					defer close(written)
					for rest := content(from); len(rest) > 0; {
						n, err := tunnel.Write(rest[:min(len(rest), 1+random.IntN(70_000))])
						if rest = rest[n:]; err != nil {
							return
						}
					}
				})
				wg.Go(func() {
					defer stop()
					defer tunnel.Close()
					want := content(to)
					got, err := io.ReadAll(io.LimitReader(tunnel, int64(len(want))))
					switch {
					case !bytes.HasPrefix(want, got):
						t.Errorf("seed %d: wrong bytes", seed)
					case len(got) == len(want):
						whole.Add(1)
						<-written
					case lost+repeated+swapped == 0:
						t.Errorf("seed %d: %d bytes, %v, though no message is lost", seed, len(got), err)
					default:
						broken.Add(1)
					}
				})
			}
			wg.Go(func() {
				for {
					select {
					case tunnel := <-accepted:
						use(tunnel, 'b', 'a', rand.New(rand.NewPCG(seed, 3)))
					case <-ctx.Done():
						return
					}
				}
			})
			tunnel, err := a.Dial(ctx, hub.Workers, "b")
			if err == nil {
				use(tunnel, 'a', 'b', rand.New(rand.NewPCG(seed, 4)))
			} else if lost+repeated+swapped == 0 {
				t.Error(err)
			}
			wg.Wait()
		})
	}
	t.Logf("%d streams were whole, and %d ended early", whole.Load(), broken.Load())
	if whole.Load() == 0 || broken.Load() == 0 {
		t.Error("not both kinds of ends")
	}
}

// A slowConn takes at most 1,000 bytes in 50 ms while it is slow.
type slowConn struct {
	net.Conn
	slow *atomic.Bool
}

func (c slowConn) Read(p []byte) (int, error) {
	if c.slow.Load() {
		time.Sleep(50 * time.Millisecond) // it is what the test is about
		p = p[:min(len(p), 1000)]
	}
	return c.Conn.Read(p)
}

type slowDialer struct{ slow *atomic.Bool }

func (d slowDialer) Dial(network, address string) (net.Conn, error) {
	c, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	return slowConn{c, d.slow}, c.(*net.TCPConn).SetReadBuffer(16 << 10)
}

// connect returns the tunnels of a host at a server, and those that it accepts.
func connect(t *testing.T, s *server.Server, self string, more ...nats.Option) (*Conn, *Tunnels, <-chan *Tunnel) {
	t.Helper()
	c, err := Connect(s.ClientURL(), self, more...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	accepted := make(chan *Tunnel, 100)
	ts, err := c.Tunnels(hub.Mutual, self, func(tunnel *Tunnel) { accepted <- tunnel })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ts.Close)
	return c, ts, accepted
}

func startServer(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, MaxPending: 16 << 20, NoFastProducerStall: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(wait.Patience) {
		t.Fatal("the hub is not ready")
	}
	return s
}

// Twelve busy hosts wait for one that reads slowly, and the hub does not cut that off.
func TestTunnelSlowHost(t *testing.T) {
	s := startServer(t)
	slow := &atomic.Bool{}
	here, reader, _ := connect(t, s, "here", nats.SetCustomDialer(slowDialer{slow}))
	const peers, window = 12, 256 << 10
	limits := mux.Limits{Conns: 1, Unread: 4 << 20}
	content := make([]byte, 2<<20)
	rand.NewChaCha8([32]byte{}).Read(content)
	var writing, reading sync.WaitGroup
	var accepted []*Tunnel
	var opened []net.Conn
	for i := range peers {
		_, _, tunnels := connect(t, s, fmt.Sprint("peer", i))
		tunnel, err := reader.Dial(t.Context(), hub.Mutual, fmt.Sprint("peer", i))
		if err != nil {
			t.Fatal(err)
		}
		accepted = append(accepted, <-tunnels)
		near, far := mux.Client(t.Context(), tunnel, limits), mux.Server(accepted[i], limits)
		defer near.Close()
		defer far.Close()
		conn, err := near.Dial(t.Context())
		if err == nil {
			_, err = conn.Write([]byte("x"))
		}
		if err != nil {
			t.Fatal(err)
		}
		there, err := far.Listener().Accept()
		if err != nil {
			t.Fatal(err)
		}
		opened = append(opened, conn)
		writing.Go(func() {
			if _, err := io.ReadFull(there, make([]byte, 2)); err != nil {
				t.Error(err)
			}
			if n, err := there.Write(content); err != nil {
				t.Errorf("after %d bytes: %v", n, err)
			}
		})
	}
	slow.Store(true)
	for _, conn := range opened {
		if _, err := conn.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	wait.Until(t, "all to wait for the reader", func() bool {
		return !slices.ContainsFunc(accepted, func(other *Tunnel) bool {
			other.all.mu.Lock()
			defer other.all.mu.Unlock()
			return other.sent < window
		})
	})
	slow.Store(false)
	for _, conn := range opened {
		reading.Go(func() {
			got := make([]byte, len(content))
			if n, err := io.ReadFull(conn, got); err != nil || !bytes.Equal(got, content) {
				t.Errorf("%d bytes arrive, and %v", n, err)
			}
		})
	}
	writing.Wait()
	reading.Wait()
	if n := s.NumSlowConsumers(); n > 0 || !here.nc.IsConnected() {
		t.Errorf("the hub has cut off %d hosts", n)
	}
}

// What nobody reads is bounded: a host that sends too much loses its tunnel.
func TestTunnelFlood(t *testing.T) {
	s := startServer(t)
	_, a, _ := connect(t, s, "a")
	_, _, accepted := connect(t, s, "b")
	tunnel, err := a.Dial(t.Context(), hub.Mutual, "b")
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = tunnel.Write(make([]byte, maxChunk))
	}
	if n, err := io.Copy(io.Discard, <-accepted); n > maxUnread || err != errLost {
		t.Errorf("%d bytes can be read, and %v", n, err)
	}
}

// Tunnels leave nothing behind: neither those that either end closes, nor those that end with the
// connection.
func TestTunnelEnds(t *testing.T) {
	s := startServer(t)
	_, a, _ := connect(t, s, "a")
	_, b, accepted := connect(t, s, "b")
	pair := func() (x, y *Tunnel) {
		t.Helper()
		x, err := a.Dial(t.Context(), hub.Mutual, "b")
		if err != nil {
			t.Fatal(err)
		}
		y = <-accepted
		if key, name := y.Peer(); key != "a" || name != "a" {
			t.Fatalf("it comes from %q, called %q", key, name)
		}
		return x, y
	}
	empty := func() bool {
		for _, ts := range []*Tunnels{a, b} {
			ts.mu.Lock()
			n := len(ts.tunnels)
			ts.mu.Unlock()
			if n > 0 {
				return false
			}
		}
		return true
	}
	for i := range 200 {
		x, y := pair()
		if i%2 == 0 {
			x, y = y, x
		}
		if _, err := x.Write([]byte(strings.Repeat("x", 100_000)[:1+i*300])); err != nil {
			t.Fatal(err)
		}
		if i%3 == 0 {
			y.Close()
			if _, err := x.Read(make([]byte, 1)); err != io.EOF {
				t.Fatal(err)
			}
			if _, err := x.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
				t.Fatal(err)
			}
			continue
		}
		x.Close()
		if got, err := io.ReadAll(y); err != nil || len(got) != 1+i*300 {
			t.Fatalf("%d of %d bytes, %v", len(got), 1+i*300, err)
		}
	}
	wait.Until(t, "all tunnels to be gone", empty)

	if _, err := a.Dial(t.Context(), hub.Mutual, "nobody"); fault.DetailOf(err) != terminals.HostAway {
		t.Errorf("a host that is not there: %v", err)
	}
	for range maxOfPeer {
		pair()
	}
	if _, err := a.Dial(t.Context(), hub.Mutual, "b"); err == nil {
		t.Error("one host has too many tunnels")
	}
	ended := make(chan error, 2*maxOfPeer)
	for _, ts := range []*Tunnels{a, b} {
		ts.mu.Lock()
		for _, tunnel := range ts.tunnels {
			go func() {
				_, err := tunnel.Read(make([]byte, 1))
				ended <- err
			}()
		}
		ts.mu.Unlock()
	}
	s.Shutdown()
	for range cap(ended) {
		if err := wait.For(t, "the end of a tunnel", ended); fault.DetailOf(err) != terminals.HubAway {
			t.Errorf("without a hub: %v", err)
		}
	}
	if !empty() {
		t.Error("tunnels are left")
	}
	if _, err := a.Dial(t.Context(), hub.Mutual, "b"); fault.DetailOf(err) != terminals.HubAway {
		t.Errorf("without a hub: %v", err)
	}
}
