package lua

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// DefaultMemoryLimit is how many bytes of tables, strings and functions a session may hold by
// default.
const DefaultMemoryLimit = 512 << 20

const (
	// stride is how many instructions run between two readings of the clock.
	stride = 32
	// slow is how long a stride may take before each instruction is checked: a single one that
	// joins long strings can double a session's memory.
	slow = 100 * time.Microsecond
	// memoryEvery is how often the size of the heap is checked.
	memoryEvery = time.Millisecond
	// smallAlloc is the size up to which allocations need no check.
	smallAlloc = 64 << 10
)

// A guard stops code that takes too long or holds too much. It is the context of every Lua thread
// of its VM: the library consults it before each instruction, which is the one place where a
// script's work can be counted. It starts no goroutine and no timer, and is used by the VM's
// goroutine only.
//
// The library does not account for memory. So the guard checks the size of the process's heap,
// which is cheap: while that is below the limit, no session can exceed it. Above the limit, it
// counts what its own session holds (see census), again each time the process has allocated as much
// as the session lacked to its limit at the last count. It favours the script: it raises the error
// only if the heap is still too large after a garbage collection.
type guard struct {
	vm      *VM
	timeout time.Duration
	limit   uint64 // bytes

	interrupted atomic.Bool // set from any goroutine: nothing runs any more

	armed   bool
	caller  context.Context // who waits for the entry: it ends with this
	err     error           // why nothing runs until the guard is armed again, or nil
	halted  bool            // err was set at some time
	start   time.Time       // when it was armed
	allowed time.Duration   // how long code may run from then
	left    int             // instructions until the next check
	last    time.Duration
	heap    time.Duration // the last check of memory

	entering bool // the next instruction is the first of a call from Go
	resume   int  // what left was before that

	samples []metrics.Sample
	held    uint64 // what the session held at the last count
	allocs  uint64 // what the process had allocated by then
}

var errLeft = errors.New("stopped, because the call was cancelled; what it had done before stays")

var errEnded = errors.New("stopped: the session has ended")

// stopped is the channel that a guard returns to stop the code.
var stopped = func() <-chan struct{} { c := make(chan struct{}); close(c); return c }()

func newGuard(vm *VM, timeout time.Duration, limit int64) *guard {
	return &guard{vm: vm, timeout: timeout, limit: uint64(cmp.Or(limit, DefaultMemoryLimit)), left: math.MaxInt, caller: context.Background(),
		samples: []metrics.Sample{
			{Name: "/memory/classes/heap/objects:bytes"},
			{Name: "/gc/heap/allocs:bytes"},
		}}
}

func (g *guard) arm() {
	g.armed, g.err, g.caller = true, nil, context.Background()
	g.start, g.last, g.heap = time.Now(), 0, 0
	g.allowed, g.left = g.timeout, stride
}

// minShare is the shortest time that a part of a pass gets.
const minShare = time.Millisecond

// resumeHalf arms the guard again, for half of the previous time.
func (g *guard) resumeHalf() bool {
	half, caller := g.allowed/2, g.caller
	if half < minShare {
		return false
	}
	g.arm()
	g.allowed, g.caller = half, caller
	return true
}

func (g *guard) disarm() {
	g.armed, g.err, g.caller = false, nil, context.Background()
	g.left = math.MaxInt
}

// Done, Err, Deadline and Value make the guard a [context.Context] for the Lua library. Done
// counts: it is called once for each instruction, and for each step of Go code that works for Lua.
// A nil channel means that the code may continue.
func (g *guard) Done() <-chan struct{} {
	if g.left--; g.left > 0 {
		return nil
	}
	return g.look()
}

func (g *guard) Err() error                  { return g.err }
func (g *guard) Deadline() (time.Time, bool) { return time.Time{}, false }
func (g *guard) Value(any) any               { return nil }

// enter ends the check that a call from Go requested for its first instruction.
func (g *guard) enter() { g.entering, g.left = false, g.resume }

func (g *guard) look() <-chan struct{} {
	if g.entering {
		g.enter()
		g.vm.state.Panic = func(l *lua.LState) { g.vm.raise(l, g.vm.trace(l)) }
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
	case !g.armed: // only Go code of this package runs, which calls no Lua: see pcall
		g.left = math.MaxInt
		return nil
	}
	if g.caller.Err() != nil {
		return g.stop(errLeft)
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
	if now-g.heap >= memoryEvery {
		g.heap = now
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
	g.halted = true
	return stopped
}

// memory returns an error if the session holds too much, or would with extra more bytes.
func (g *guard) memory(extra uint64) error {
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
	// Counting allocates, too. If that were attributed to the script, it would cause another count
	// at once.
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
	return fmt.Errorf("out of memory: more than %d MiB of Lua data in this session; let go of what is not needed", g.limit>>20)
}

// Memory implements [chunk.Budget].
func (g *guard) Memory() uint64 { return g.limit }

// Charge must be called before a Go function allocates n bytes at once for Lua.
func (g *guard) Charge(n int) error {
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

// collectgarbage leaves the work to Go's collector, which is the whole process's. The library's
// runs it at each call, whatever the option, and returns nothing.
func (g *guard) collectgarbage(l *lua.LState) int {
	if l.OptString(1, "collect") != "count" {
		return Returns(l, lua.LNumber(0))
	}
	metrics.Read(g.samples)
	return Returns(l, lua.LNumber(g.samples[0].Value.Uint64())/1024)
}
