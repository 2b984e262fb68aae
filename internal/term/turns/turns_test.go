package turns

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func newTestScheduler(slots int) (*Scheduler, func() *Turn) {
	g := &Scheduler{free: slots}
	return g, g.Turn
}

// Floods get equal shares, and only as many run at a time as there are slots.
func TestGateShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const floods, slots = 20, 3
		_, newTurn := newTestScheduler(slots)
		var running, most atomic.Int32
		counts := make([]int, floods)
		stop := time.Now().Add(time.Second)
		var wg sync.WaitGroup
		for i := range floods {
			turn := newTurn()
			wg.Go(func() {
				defer turn.End()
				for time.Now().Before(stop) {
					turn.Enter()
					n := running.Add(1)
					for {
						m := most.Load()
						if n <= m || most.CompareAndSwap(m, n) {
							break
						}
					}
					time.Sleep(10 * time.Microsecond)
					running.Add(-1)
					counts[i]++
					turn.Leave(4096)
				}
			})
		}
		wg.Wait()
		if n := most.Load(); n != slots {
			t.Errorf("up to %d ran at once, want %d", n, slots)
		}
		least, greatest := slices.Min(counts), slices.Max(counts)
		if least == 0 || greatest > least+2*turnBytes/4096 {
			t.Errorf("shares from %d to %d", least, greatest)
		}
	})
}

// A thousand sessions that print a line are not held up by the slots of each other.
func TestGateManyLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, newTurn := newTestScheduler(2)
		start := time.Now()
		var all sync.WaitGroup
		for range 1_000 {
			turn := newTurn()
			all.Go(func() {
				turn.Enter()
				turn.Leave(0)
				turn.Enter()
				time.Sleep(10 * time.Microsecond) // parsing
				turn.Leave(30)
			})
		}
		all.Wait()
		if d := time.Since(start); d > 20*time.Millisecond {
			t.Errorf("it took %v", d)
		}
	})
}

// A session that keeps a slot without output loses it to one with output, and gets another slot
// when it has output again.
func TestGateIdleHolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, newTurn := newTestScheduler(1)
		first, second := newTurn(), newTurn()
		first.Enter()
		first.Leave(4096)
		start := time.Now()
		second.Enter() // while nobody else does anything
		if d := time.Since(start); d != turnPatience {
			t.Errorf("waited %v for an idle place, want %v", d, turnPatience)
		}
		let := make(chan struct{})
		go func() {
			first.Enter()
			close(let)
		}()
		synctest.Wait()
		select {
		case <-let:
			t.Fatal("two have one place")
		default:
		}
		second.Leave(turnBytes) // its turn is over, so nobody needs patience
		start = time.Now()
		<-let
		if d := time.Since(start); d != 0 {
			t.Errorf("waited %v for a turn that was over", d)
		}
	})
}

// The session that has taken the least is next. One that was away for long does not get ahead of
// all others for as long.
func TestGateOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, newTurn := newTestScheduler(1)
		holder, little, much := newTurn(), newTurn(), newTurn()
		little.sum, much.sum = 100, 200
		holder.Enter()
		order := make(chan string, 2)
		wait := func(name string, turn *Turn) {
			go func() {
				turn.Enter()
				order <- name
				turn.Leave(turnBytes)
			}()
			synctest.Wait()
		}
		wait("much", much)
		wait("little", little)
		holder.Leave(turnBytes)
		if a, b := <-order, <-order; a != "little" || b != "much" {
			t.Errorf("order %s, %s", a, b)
		}
		late := newTurn()
		wait("late", late)
		<-order
		if late.sum < much.sum-turnBytes || g.floor < 200 {
			t.Errorf("who came late counts %d bytes, others %d", late.sum, much.sum)
		}
	})
}

// A session that is about to end does not wait for a slot.
func TestGateSkip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, newTurn := newTestScheduler(1)
		holder, ending := newTurn(), newTurn()
		holder.Enter()
		let := make(chan struct{})
		go func() {
			ending.Enter()
			ending.Leave(5)
			ending.Enter() // and again
			ending.Leave(5)
			ending.End()
			close(let)
		}()
		synctest.Wait()
		ending.Skip()
		<-let
		holder.End()
		if g.free != 1 || len(g.holders) != 0 || len(g.queue) != 0 {
			t.Errorf("in the end %d places, %d holders, %d waiting", g.free, len(g.holders), len(g.queue))
		}
	})
}
