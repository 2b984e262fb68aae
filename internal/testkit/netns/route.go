//go:build linux

package netns

import (
	"context"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ui-mcp/internal/wake"
)

const (
	// pieceSize is how much of a stream gets lost together, in bytes: about what is under way
	// between two hosts far apart.
	pieceSize = 16 << 10
	// maxPieces is how many pieces are under way in one direction of a connection.
	maxPieces = 64
	// again is how long a lost piece takes until it is sent again, beside the way itself.
	again = 200 * time.Millisecond
)

// A Route is the only way from one host to a port of another: a port of the first one's loopback.
// What crosses it arrives late by the delay. A piece that is lost arrives later still, and holds up
// what comes after it, as TCP has it. Methods may be called from anywhere.
type Route struct {
	// Port is where the other host's port is on the first host's loopback.
	Port int

	to     *Host
	toPort int

	there, back atomic.Int64 // how many bytes have entered, by their direction

	mu     sync.Mutex // guards the fields below
	delay  time.Duration
	loss   float64
	chance *rand.Rand
	cut    chan struct{} // closed when the route is whole again; nil: it is whole
}

// Connect makes a route, which ends with the test. Losses follow from the seed.
func Connect(t testing.TB, from, to *Host, port int, seed uint64) *Route {
	t.Helper()
	listener, err := from.Listen(0)
	if err != nil {
		t.Fatalf("host %s: %v", from.Name, err)
	}
	l := &Route{
		Port: listener.Addr().(*net.TCPAddr).Port, to: to, toPort: port, chance: rand.New(rand.NewPCG(seed, 0)),
	}
	ctx, end := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { l.serve(ctx, near) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		end()
		running.Wait()
	})
	return l
}

// Set says how late everything is in each direction, and which share of pieces is lost, from now
// on.
func (l *Route) Set(delay time.Duration, loss float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.delay, l.loss = delay, loss
}

// Cut lets nothing through any more, and tells nobody. Connections stay.
func (l *Route) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut == nil {
		l.cut = make(chan struct{})
	}
}

// Join ends [Route.Cut]: what was sent meanwhile arrives.
func (l *Route) Join() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut != nil {
		close(l.cut)
		l.cut = nil
	}
}

// Crossed returns how many bytes have entered the route on their way there, and back.
func (l *Route) Crossed() (there, back int64) { return l.there.Load(), l.back.Load() }

// serve carries a connection of the near host to the far one, and back, until ctx is done.
func (l *Route) serve(ctx context.Context, near net.Conn) {
	defer near.Close()
	if !l.whole(ctx) {
		return
	}
	far, err := l.to.Dial(l.toPort)
	if err != nil {
		return
	}
	defer far.Close()
	defer context.AfterFunc(ctx, func() {
		_ = near.Close()
		_ = far.Close()
	})()
	var both sync.WaitGroup
	both.Go(func() { l.carry(ctx, near, far, &l.there) })
	both.Go(func() { l.carry(ctx, far, near, &l.back) })
	both.Wait()
}

// whole waits until the route is not cut, and reports false if ctx is done.
func (l *Route) whole(ctx context.Context) bool {
	for {
		l.mu.Lock()
		cut := l.cut
		l.mu.Unlock()
		if cut == nil {
			return ctx.Err() == nil
		}
		select {
		case <-cut:
		case <-ctx.Done():
			return false
		}
	}
}

// A piece is what arrives together.
type piece struct {
	data []byte
	at   time.Time
}

// carry passes on and counts one direction of a connection, until either end closes it.
func (l *Route) carry(ctx context.Context, from, to net.Conn, count *atomic.Int64) {
	pieces := make(chan piece, maxPieces)
	var writing sync.WaitGroup
	writing.Go(func() {
		ok := true
		for p := range pieces {
			ok = ok && wake.After(ctx, time.Until(p.at)) == nil && l.whole(ctx)
			if ok {
				_, err := to.Write(p.data)
				ok = err == nil
			}
		}
		_ = to.(*net.TCPConn).CloseWrite() // it may have ended
		if !ok {
			_ = from.Close()
		}
	})
	for {
		data := make([]byte, pieceSize)
		n, err := from.Read(data)
		if n > 0 {
			count.Add(int64(n))
			pieces <- piece{data[:n], time.Now().Add(l.way())}
		}
		if err != nil {
			break
		}
	}
	close(pieces)
	writing.Wait()
}

// way returns how long the next piece takes.
func (l *Route) way() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.loss > 0 && l.chance.Float64() < l.loss {
		return l.delay + again
	}
	return l.delay
}
