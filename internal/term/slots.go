package term

import (
	"cmp"
	"slices"
	"sync"
)

// Slots lets some readers parse floods at a time. Of those that wait, the one that has taken the
// least is next, so that a redraw waits for turns in progress, not for all floods: start-time fair
// queueing, by Goyal, Vin and Cheng, SIGCOMM 1996. Any goroutine may use it.
type Slots struct {
	mu    sync.Mutex
	free  int
	floor uint64    // the most that one had taken when it was let in
	queue []waiting // empty while a slot is free
}

type waiting struct {
	taken uint64
	in    chan struct{} // closed when it is let in
}

// NewSlots returns n free slots.
func NewSlots(n int) *Slots { return &Slots{free: n} }

// take waits for a slot. taken is how many bytes the reader has taken in all; the result is what
// counts as taken from now on: a reader that was idle saves up one turn, no more.
func (s *Slots) take(taken uint64) uint64 {
	s.mu.Lock()
	taken = max(taken, s.floor-min(s.floor, turnBytes))
	if s.free > 0 {
		s.free--
		s.floor = max(s.floor, taken)
		s.mu.Unlock()
		return taken
	}
	w := waiting{taken, make(chan struct{})}
	s.queue = append(s.queue, w)
	s.mu.Unlock()
	<-w.in
	return taken
}

// give returns a slot.
func (s *Slots) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		s.free++
		return
	}
	next := slices.MinFunc(s.queue, func(a, b waiting) int { return cmp.Compare(a.taken, b.taken) })
	s.queue = slices.DeleteFunc(s.queue, func(w waiting) bool { return w == next })
	s.floor = max(s.floor, next.taken)
	close(next.in)
}
