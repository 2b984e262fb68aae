// Package turns shares the processors between sessions whose programs write without end. It knows
// nothing of them but how much each has taken.
package turns

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"time"
)

// These bound how much a session may take before others run, and how long it keeps its slot without
// output. After a chunk of less than turnChunk bytes it keeps it for none of the others: what
// prints a line now and then would hold up all of a thousand such sessions.
const (
	turnBytes    = 64 << 10
	turnPatience = time.Millisecond
	turnChunk    = 1 << 10
)

// A Scheduler lets as many sessions take output at a time as there are processors, each for a
// while. Meanwhile the programs of the others block in write and need no processor, so a hundred
// programs that write without end leave the machine usable, and get equal shares. The session that
// has taken the least is next: one that writes little waits only for turns in progress, not for all
// floods.
type Scheduler struct {
	mu      sync.Mutex // guards what follows, and the turns
	free    int        // slots
	holders []*Turn    // those with a slot
	queue   []*Turn    // those that wait for one
	floor   uint64     // the sum of the last one let in, before its turn
	timer   *time.Timer
}

// A Turn is a session's slot at a scheduler, or its wait for one. One goroutine may enter and
// leave.
type Turn struct {
	scheduler *Scheduler
	held      bool
	busy      bool          // between Enter and Leave
	open      bool          // it needs no slot
	over      bool          // it needs its slot no more
	left      time.Time     // when it was last left
	used      int           // bytes since it was let in
	sum       uint64        // bytes ever; bytes that it could have taken long ago, and did not, count as taken
	in        chan struct{} // closed when it is let in
}

// New returns a scheduler with a slot for each processor.
func New() *Scheduler { return &Scheduler{free: runtime.GOMAXPROCS(0)} }

// Turn returns the turn of a session, which has no slot.
func (g *Scheduler) Turn() *Turn { return &Turn{scheduler: g} }

// Enter waits until the session may take output.
func (t *Turn) Enter() {
	g := t.scheduler
	g.mu.Lock()
	t.busy = true
	if t.held || t.open {
		g.mu.Unlock()
		return
	}
	t.in = make(chan struct{})
	t.sum = max(t.sum, g.floor)
	g.queue = append(g.queue, t)
	g.dispatch()
	g.mu.Unlock()
	<-t.in
}

// Leave records that n bytes were taken; 0: they will be. The slot stays until others want it.
func (t *Turn) Leave(n int) {
	g := t.scheduler
	g.mu.Lock()
	defer g.mu.Unlock()
	t.busy, t.left, t.over = false, time.Now(), n > 0 && n < turnChunk
	t.used += n
	t.sum += uint64(n)
	if len(g.queue) > 0 {
		g.dispatch()
	}
}

// Skip lets the session take output at any time: it is about to end. Any goroutine may call it.
func (t *Turn) Skip() {
	g := t.scheduler
	g.mu.Lock()
	defer g.mu.Unlock()
	t.open = true
	if i := slices.Index(g.queue, t); i >= 0 {
		g.queue = slices.Delete(g.queue, i, i+1)
		close(t.in)
	}
}

// End gives the slot back, if the session has one.
func (t *Turn) End() {
	g := t.scheduler
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.held {
		g.expel(slices.Index(g.holders, t))
		g.dispatch()
	}
}

// dispatch gives free slots to waiting turns. The caller holds mu.
func (g *Scheduler) dispatch() {
	for len(g.queue) > 0 && (g.free > 0 || g.vacate()) {
		t := slices.MinFunc(g.queue, func(a, b *Turn) int { return cmp.Compare(a.sum, b.sum) })
		next := slices.Index(g.queue, t)
		g.queue = slices.Delete(g.queue, next, next+1)
		g.free--
		g.holders = append(g.holders, t)
		g.floor = t.sum
		t.held, t.used = true, 0
		close(t.in)
	}
}

// vacate frees the slot of a holder whose turn is over, and reports whether there was one. If not,
// it has the holders that only wait for output checked again later.
func (g *Scheduler) vacate() bool {
	now := time.Now()
	wait := time.Duration(-1)
	for i, t := range g.holders {
		if t.busy {
			continue
		}
		rest := turnPatience - now.Sub(t.left)
		if t.over || t.used >= turnBytes || rest <= 0 {
			g.expel(i)
			return true
		}
		if wait < 0 || rest < wait {
			wait = rest
		}
	}
	if wait >= 0 && g.timer == nil {
		g.timer = time.AfterFunc(wait, func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.timer = nil
			g.dispatch()
		})
	}
	return false
}

func (g *Scheduler) expel(i int) {
	g.holders[i].held = false
	g.holders = slices.Delete(g.holders, i, i+1)
	g.free++
}
