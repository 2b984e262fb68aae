package lua

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// DefaultMemoryLimit is how many bytes of tables, strings and functions a session may hold by
// default.
const DefaultMemoryLimit = 512 << 20

const (
	// stride is how many instructions run between two looks at the clock.
	stride = 32
	// slow is how long so few instructions may take before each of them is looked at: one that
	// joins long strings can double a session's memory.
	slow = 100 * time.Microsecond
	// memoryEvery is how often the size of the heap is asked for, in time and, where the clock
	// stands still, in looks at the clock.
	memoryEvery      = time.Millisecond
	memoryEveryLooks = 1 << 10
	// smallAlloc is a size that needs no question before it is made.
	smallAlloc = 64 << 10
)

// A guard stops code that takes too long or holds too much. It is the context of every Lua thread
// of its VM: the library asks it before each instruction whether to go on, which is the one place
// where a script can be counted. It starts no goroutine and no timer, and is used by the VM's
// goroutine only.
//
// The library accounts for no memory. So the guard asks how large the heap of the process is, which
// is cheap, and as long as that is below the limit, no session of it can be above. Beyond, it
// counts what its own session holds (see census), whenever the process has allocated as much as was
// missing the last time. It errs on the side of the script: the error is raised only if the heap is
// still too large after a garbage collection.
type guard struct {
	vm      *VM
	timeout time.Duration
	limit   uint64 // bytes; math.MaxUint64 means no limit

	interrupted atomic.Bool // set from any goroutine: nothing runs any more

	armed   bool
	err     error         // why nothing runs any more until the guard is armed again, or nil
	start   time.Time     // when it was armed
	allowed time.Duration // how long it may take from then
	left    int           // instructions until the next look
	last    time.Duration
	heap    time.Duration // the last look at memory
	looks   int           // at the clock, since then

	entering bool // the next instruction is the first of a call from Go
	resume   int  // what left was before that

	samples []metrics.Sample
	held    uint64 // what the session held when it was counted last
	allocs  uint64 // what the process had allocated until then
}

var errEnded = errors.New("stopped: the session has ended")

// stopped is the channel of a guard that says no.
var stopped = func() <-chan struct{} { c := make(chan struct{}); close(c); return c }()

func newGuard(vm *VM, timeout time.Duration, limit int64) *guard {
	g := &guard{vm: vm, timeout: timeout, limit: uint64(limit), left: math.MaxInt,
		samples: []metrics.Sample{
			{Name: "/memory/classes/heap/objects:bytes"},
			{Name: "/gc/heap/allocs:bytes"},
		}}
	switch {
	case limit == 0:
		g.limit = DefaultMemoryLimit
	case limit < 0:
		g.limit = math.MaxUint64
	}
	return g
}

func (g *guard) arm() {
	g.armed, g.err = true, nil
	g.start, g.last, g.heap, g.looks = time.Now(), 0, 0, 0
	g.allowed, g.left = g.timeout, stride
}

// minShare is the least time that a part of a pass gets.
const minShare = time.Millisecond

// resumeHalf arms the guard for half of the time it had.
func (g *guard) resumeHalf() bool {
	half := g.allowed / 2
	if half < minShare {
		return false
	}
	g.arm()
	g.allowed = half
	return true
}

func (g *guard) disarm() {
	g.armed, g.err = false, nil
	g.left = math.MaxInt
}

// remaining is what is left of the entry's time.
func (g *guard) remaining() time.Duration {
	if !g.armed {
		return g.timeout
	}
	return g.allowed - time.Since(g.start)
}

// Done, Err, Deadline and Value make the guard a [context.Context] for the Lua library. Done
// counts: it is called once for each instruction. A nil channel means: go on.
func (g *guard) Done() <-chan struct{} {
	if g.left--; g.left > 0 {
		return nil
	}
	return g.look()
}

// expired reports whether Go code that works for Lua has to stop. It counts as an instruction.
func (g *guard) expired() bool { return g.Done() != nil }

func (g *guard) Err() error                  { return g.err }
func (g *guard) Deadline() (time.Time, bool) { return time.Time{}, false }
func (g *guard) Value(any) any               { return nil }

// enter ends the look that a call from Go has asked for, at its first instruction.
func (g *guard) enter() { g.entering, g.left = false, g.resume }

func (g *guard) look() <-chan struct{} {
	if g.entering {
		g.enter()
		g.vm.state.Panic = g.vm.raise
		if g.left > 0 {
			return nil
		}
	}
	switch {
	case g.err != nil:
		g.left = 0
		return stopped
	case g.interrupted.Load():
		return g.stop(errEnded)
	case !g.armed: // only Go code of this package, which calls no Lua: see pcall
		g.left = math.MaxInt
		return nil
	}
	now := time.Since(g.start)
	if now >= g.allowed {
		again := ""
		if g.vm.reading {
			again = "; it is not called again until new code is loaded"
		}
		return g.stop(fmt.Errorf("stopped after %s: this code takes too long%s", g.allowed, again))
	}
	g.left = stride
	if now-g.last > slow {
		g.left = 1
	}
	g.last = now
	if g.looks++; now-g.heap >= memoryEvery || g.looks >= memoryEveryLooks {
		g.heap, g.looks = now, 0
		if err := g.memory(0); err != nil {
			return g.stop(err)
		}
		// Counting takes time; it must not look like slow instructions.
		g.last = time.Since(g.start)
	}
	return nil
}

// stop prevents any code from running until the guard is armed again: a script that catches the
// error gets it again.
func (g *guard) stop(err error) <-chan struct{} {
	g.err, g.left = err, 0
	return stopped
}

// memory returns an error when the session holds too much, or would with extra bytes more.
func (g *guard) memory(extra uint64) error {
	if g.limit == math.MaxUint64 {
		return nil
	}
	metrics.Read(g.samples)
	heap, allocs := g.samples[0].Value.Uint64(), g.samples[1].Value.Uint64()
	if heap+extra < g.limit {
		return nil
	}
	room := g.limit - min(g.held, g.limit)
	if allocs-g.allocs+extra < max(room, g.limit/8) {
		return nil
	}
	g.held = g.vm.census(g.limit)
	// Counting allocates, too: taken for the script's, that would call for counting again at once.
	metrics.Read(g.samples)
	g.allocs = g.samples[1].Value.Uint64()
	if g.held+extra < g.limit {
		return nil
	}
	if extra < g.limit {
		runtime.GC()
		metrics.Read(g.samples)
		if g.samples[0].Value.Uint64()+extra < g.limit {
			return nil
		}
	}
	return fmt.Errorf("out of memory: more than %s of Lua data in this session; let go of what is not needed", size(g.limit))
}

// charge must be asked before a Go function makes n bytes at once for Lua.
func (g *guard) charge(n int) error {
	if n < smallAlloc || !g.armed {
		return nil
	}
	if n > math.MaxInt/2 {
		return errors.New("out of memory: the result is too long")
	}
	if err := g.memory(uint64(n)); err != nil {
		g.stop(err)
		return err
	}
	return nil
}

func size(n uint64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}
