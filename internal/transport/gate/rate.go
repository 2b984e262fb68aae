package gate

import (
	"net/netip"
	"sync"
	"time"
)

// A limiter allows each address a number of requests a second, with a burst of as many. Its memory
// is bounded, and a request costs one look-up or two, however many addresses there are. A nil
// limiter allows everything. It is safe for concurrent use.
//
// Each address has a time at which its burst will be whole again (the generic cell rate algorithm).
// That is never more than a second from now, so an address that has been silent for a second may be
// forgotten. Hence two generations, of which the older is dropped every second.
type limiter struct {
	interval time.Duration // between requests at the full rate
	burst    time.Duration // in which a spent burst becomes whole again, a second at most

	mu       sync.Mutex // guards the fields below
	now, old map[netip.Prefix]time.Time
	rotated  time.Time
}

// generation is how long an address is remembered at least. Bursts are whole again by then.
const generation = time.Second

// maxAddresses bounds a generation. Beyond it the older one is dropped early: then some addresses
// get a new burst, in return for which a hundred thousand strangers cannot fill the memory.
const maxAddresses = 1 << 16

func newLimiter(perSecond int) *limiter {
	perSecond = min(perSecond, int(time.Second)) // one in a nanosecond
	interval := max(time.Second/time.Duration(perSecond), 1)
	return &limiter{interval: interval, burst: interval * time.Duration(perSecond), now: map[netip.Prefix]time.Time{}}
}

// allow counts a request from a remote address, "host:port". If it is one too many, allow reports
// false and the seconds after which another one is allowed. Requests without an IP address, which
// come over a Unix socket, are always allowed.
func (l *limiter) allow(remote string, now time.Time) (retryAfter int, ok bool) {
	if l == nil {
		return 0, true
	}
	key, ok := network(remote)
	if !ok {
		return 0, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.rotated) >= generation || len(l.now) >= maxAddresses {
		l.old, l.now, l.rotated = l.now, map[netip.Prefix]time.Time{}, now
	}
	whole, found := l.now[key]
	if !found {
		whole = l.old[key]
	}
	if whole.Before(now) {
		whole = now
	}
	whole = whole.Add(l.interval)
	if over := whole.Sub(now) - l.burst; over > 0 {
		return int((over + time.Second - 1) / time.Second), false
	}
	l.now[key] = whole
	return 0, true
}

// network returns the network that counts as one peer: an IPv4 address, or the 64 bits of an IPv6
// address that one customer usually has.
func network(remote string) (netip.Prefix, bool) {
	ap, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{}, false
	}
	a := ap.Addr().Unmap().WithZone("")
	bits := 32
	if a.Is6() {
		bits = 64
	}
	p, err := a.Prefix(bits)
	return p, err == nil
}
