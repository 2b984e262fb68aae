package gate

import (
	"fmt"
	"net/netip"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Each rate is exactly what an address gets: a burst of as many at once, and then that many a
// second.
func TestRate(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 100, 999, 15_001} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			l, now := newLimiter(n), time.Now()
			allowed := 0
			for range n + 10 {
				if _, ok := l.allow("192.0.2.1:1000", now); ok {
					allowed++
				}
			}
			if allowed != n {
				t.Fatalf("a burst of %d requests, want %d", allowed, n)
			}
			// A client that asks far too often gets n a second all the same.
			seconds := 5
			if n > 1000 {
				seconds = 1
			}
			allowed = 0
			step := min(time.Second/time.Duration(n*4), time.Millisecond)
			for range int(time.Duration(seconds) * time.Second / step) {
				now = now.Add(step)
				if _, ok := l.allow("192.0.2.1:2000", now); ok {
					allowed++
				}
			}
			if low, high := seconds*n-1, seconds*n+1+n/1000; allowed < low || allowed > high {
				t.Errorf("%d requests in %d seconds, want %d", allowed, seconds, seconds*n)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	l, now := newLimiter(2), time.Now()
	for range 2 {
		if _, ok := l.allow("192.0.2.1:1", now); !ok {
			t.Fatal("refused within the burst")
		}
	}
	wait, ok := l.allow("192.0.2.1:1", now)
	if ok || wait != 1 {
		t.Fatalf("allowed %t, wait %d s; want a wait of 1 s", ok, wait)
	}
	if _, ok := l.allow("192.0.2.1:1", now.Add(time.Duration(wait)*time.Second)); !ok {
		t.Error("refused after the wait that was asked for")
	}
}

// Which addresses count as one peer.
func TestPeers(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"192.0.2.1:1", "192.0.2.1:2", true},
		{"192.0.2.1:1", "192.0.2.2:1", false},
		{"192.0.2.1:1", "[::ffff:192.0.2.1]:1", true},
		{"[2001:db8::1]:1", "[2001:db8::ffff:1]:1", true},
		{"[2001:db8:0:1::1]:1", "[2001:db8:0:2::1]:1", false},
		{"[fe80::1%eth0]:1", "[fe80::1%eth1]:1", true},
	} {
		a, ok1 := network(tt.a)
		b, ok2 := network(tt.b)
		if !ok1 || !ok2 || (a == b) != tt.same {
			t.Errorf("%s is %v, %s is %v; same: want %t", tt.a, a, tt.b, b, tt.same)
		}
	}
	for _, remote := range []string{"", "@", "/run/x.sock", "localhost:80", "192.0.2.1"} {
		l := newLimiter(1)
		for range 3 {
			if _, ok := l.allow(remote, time.Now()); !ok {
				t.Errorf("%q is limited", remote)
			}
		}
	}
	if _, ok := (*limiter)(nil).allow("192.0.2.1:1", time.Now()); !ok {
		t.Error("no limiter limits")
	}
}

// A million addresses neither fill the memory nor take the rate of one that was there before, as
// long as they are no more than the limiter remembers.
func TestManyAddresses(t *testing.T) {
	l, now := newLimiter(1), time.Now()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for i := range 1_000_000 {
		a := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		if _, ok := l.allow(netip.AddrPortFrom(a, 1).String(), now); !ok {
			t.Fatalf("address %d is refused its first request", i)
		}
	}
	if n := len(l.now) + len(l.old); n > 2*maxAddresses {
		t.Errorf("%d addresses are remembered", n)
	}
	if used := int64(heap()) - int64(before); used > 32<<20 {
		t.Errorf("%d MiB are used", used>>20)
	}
	// The newest are still limited.
	if _, ok := l.allow("10.15.66.63:1", now); ok {
		t.Error("the last address has a new burst already")
	}
	runtime.KeepAlive(l)
}

// An address that is silent for two seconds is forgotten.
func TestForgetting(t *testing.T) {
	l, now := newLimiter(1000), time.Now()
	for i := range 1000 {
		l.allow(fmt.Sprintf("192.0.2.1:%d", i), now)
	}
	for range 3 {
		now = now.Add(time.Second)
		l.allow("192.0.2.2:1", now)
	}
	if len(l.now) != 1 || len(l.old) != 1 {
		t.Errorf("%d and %d addresses are remembered, want the one that came back", len(l.now), len(l.old))
	}
}

func FuzzNetwork(f *testing.F) {
	for _, s := range []string{"192.0.2.1:80", "[2001:db8::1]:80", "[fe80::1%eth0]:1", "[::ffff:192.0.2.1]:1", "@", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, remote string) {
		p, ok := network(remote)
		if !ok {
			return
		}
		ap, err := netip.ParseAddrPort(remote)
		a := ap.Addr().Unmap().WithZone("")
		if err != nil || !p.IsValid() || !p.Contains(a) || p.Bits() != 32 && p.Bits() != 64 || (p.Bits() == 32) != a.Is4() {
			t.Errorf("%q counts as %v", remote, p)
		}
	})
}

// An address gets no more than its burst, however many requests it sends at once.
func TestRateAtOnce(t *testing.T) {
	const n = 100
	l, now := newLimiter(n), time.Now()
	var allowed atomic.Int64
	var asking sync.WaitGroup
	for range 8 {
		asking.Go(func() {
			for i := range n {
				if _, ok := l.allow("192.0.2.1:1", now); ok {
					allowed.Add(1)
				}
				l.allow(fmt.Sprintf("198.51.100.%d:1", i), now)
			}
		})
	}
	asking.Wait()
	if got := allowed.Load(); got != n {
		t.Errorf("%d requests, want %d", got, n)
	}
}
