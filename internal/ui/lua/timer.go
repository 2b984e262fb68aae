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

// A timer is a pending call of setTimeout and similar functions.
type timer struct {
	fn     *lua.LFunction
	every  time.Duration // of an interval; else 0
	cancel func()
}

func (vm *VM) openTimers() {
	add := func(name string, withTime, repeat bool) {
		vm.session.RawSetString(name, vm.state.NewFunction(func(l *lua.LState) int {
			fn := l.CheckFunction(2)
			var d time.Duration
			if withTime {
				d = milliseconds(float64(l.CheckNumber(3)))
			}
			t := &timer{fn: fn}
			if repeat {
				d = max(d, minInterval)
				t.every = d
			}
			switch {
			case vm.opts.After == nil:
				l.RaiseError("session:%s: there are no timers here", name)
			case len(vm.timers) >= maxTimers:
				l.RaiseError("session:%s: there are %d timers already", name, maxTimers)
			}
			vm.handles++
			id := vm.handles
			vm.timers[id] = t
			vm.schedule(id, t, d)
			vm.Did(func() { vm.clearTimer(id) }, nil)
			l.Push(lua.LNumber(id))
			return 1
		}))
	}
	add("setImmediate", false, false)
	add("setTimeout", true, false)
	add("setInterval", true, true)
	for _, name := range []string{"clearImmediate", "clearTimeout", "clearInterval"} {
		vm.session.RawSetString(name, vm.state.NewFunction(func(l *lua.LState) int {
			if n, ok := l.Get(2).(lua.LNumber); ok && float64(n) == math.Trunc(float64(n)) {
				id := int(n)
				if t := vm.timers[id]; t != nil {
					delete(vm.timers, id) // so it does nothing, even if it is due
					vm.Did(func() { vm.timers[id] = t }, func() { t.cancel() })
				}
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

// clearTimer removes the timer with this handle, if it exists.
func (vm *VM) clearTimer(id int) {
	if t := vm.timers[id]; t != nil {
		delete(vm.timers, id)
		t.cancel()
	}
}

func (vm *VM) schedule(id int, t *timer, d time.Duration) {
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
