package lua

import (
	"math"
	"time"

	lua "github.com/yuin/gopher-lua"
)

const (
	// maxTimers bounds the timers of a session.
	maxTimers = 10_000
	// minInterval prevents an interval from monopolising the session.
	minInterval = time.Millisecond
)

func (vm *VM) openTimers() {
	add := func(name string, withTime, repeat bool) {
		vm.session.RawSetString(name, vm.state.NewFunction(func(l *lua.LState) int {
			fn := l.CheckFunction(2)
			var d time.Duration
			if withTime {
				d = milliseconds(float64(l.CheckNumber(3)))
			}
			t := &awaited{fn: fn}
			if repeat {
				d = max(d, minInterval)
				t.every = d
			}
			t.after = d
			switch {
			case vm.opts.After == nil:
				l.RaiseError("session:%s: there are no timers here", name)
			case len(vm.timers) >= maxTimers:
				l.RaiseError("session:%s: there are %d timers already", name, maxTimers)
			}
			id := vm.await(vm.timers, t)
			vm.schedule(id, t, d)
			return returns(l, lua.LNumber(id))
		}))
	}
	add("setImmediate", false, false)
	add("setTimeout", true, false)
	add("setInterval", true, true)
	for _, name := range []string{"clearImmediate", "clearTimeout", "clearInterval"} {
		vm.session.RawSetString(name, vm.state.NewFunction(func(l *lua.LState) int {
			if n, ok := l.Get(2).(lua.LNumber); ok && float64(n) == math.Trunc(float64(n)) {
				vm.drop(vm.timers, int(n))
			}
			return 0
		}))
	}
}

// milliseconds returns the duration in a script's argument; an invalid one is zero.
func milliseconds(ms float64) time.Duration {
	switch d := ms * float64(time.Millisecond); {
	case !(d > 0):
		return 0
	case d >= math.MaxInt64:
		return math.MaxInt64
	default:
		return time.Duration(d)
	}
}

func (vm *VM) schedule(id int, t *awaited, d time.Duration) {
	t.cancel = vm.opts.After(d, func() {
		// It may have been cleared after it became due.
		if vm.timers[id] != t {
			return
		}
		if t.every == 0 {
			delete(vm.timers, id)
		}
		err := vm.callback("timer", t.fn)
		if t.every == 0 || vm.timers[id] != t {
			return
		}
		if err != nil && vm.guard.err != nil {
			// It would only block the session again.
			delete(vm.timers, id)
			vm.fail("timer", "this interval has been ended, since its function was stopped")
			return
		}
		vm.schedule(id, t, t.every)
	})
}
