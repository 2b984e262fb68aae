package term

import "sync"

// ringSize is how much output waits to be parsed before the reader stops, which
// makes the program wait: nothing is lost, and nothing grows.
const ringSize = 32 << 10

// A ring carries output from the goroutine that reads it to the one that parses
// it, without a copy.
type ring struct {
	mu        sync.Mutex // guards what follows, but for the bytes between the places
	room      sync.Cond
	buf       []byte
	start, n  int // the bytes that wait: n of them from start, around the end
	scheduled bool
}

func newRing() *ring {
	r := &ring{buf: make([]byte, ringSize)}
	r.room.L = &r.mu
	return r
}

// space waits until there is room, and returns it. Only the reader calls it.
func (r *ring) space() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.n == len(r.buf) {
		r.room.Wait()
	}
	if r.n == 0 {
		r.start = 0 // for the longest piece
	}
	end := r.start + r.n
	if end >= len(r.buf) {
		return r.buf[end-len(r.buf) : r.start]
	}
	return r.buf[end:]
}

// put says that n bytes of the space have been filled. It reports whether somebody
// must be told to take them.
func (r *ring) put(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n += n
	tell := !r.scheduled
	r.scheduled = true
	return tell
}

// peek returns bytes that wait. They stay until they are dropped.
func (r *ring) peek() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf[r.start:min(r.start+r.n, len(r.buf))]
}

// drop says that n bytes have been parsed. It reports whether more wait.
func (r *ring) drop(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n == len(r.buf) {
		r.room.Signal()
	}
	r.n -= n
	r.start = (r.start + n) % len(r.buf)
	r.scheduled = r.n > 0
	return r.scheduled
}

// pending reports whether bytes wait.
func (r *ring) pending() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n > 0
}
