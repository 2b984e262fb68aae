package async

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
	engine "ui-mcp/internal/ui/lua"
)

const (
	// maxTimers bounds the timers of a session.
	maxTimers = 10_000
	// minInterval prevents an interval from monopolising the session.
	minInterval = time.Millisecond
)

func (lib *Library) openTimers(session *lua.LTable) {
	add := func(name string, withTime, repeat bool) {
		session.RawSetString(name, lib.state.NewFunction(func(l *lua.LState) int {
			fn := l.CheckFunction(2)
			var d time.Duration
			if withTime {
				d = milliseconds(float64(l.CheckNumber(3)))
			}
			if repeat {
				d = max(d, minInterval)
			}
			if len(lib.timers) >= maxTimers {
				l.RaiseError("session:%s: there are %d timers already", name, maxTimers)
			}
			t := &awaited{fn: fn, repeat: repeat, after: d}
			id := lib.await(lib.timers, t)
			lib.schedule(id, t)
			return engine.Returns(l, lua.LNumber(id))
		}))
	}
	add("setImmediate", false, false)
	add("setTimeout", true, false)
	add("setInterval", true, true)
	for _, name := range []string{"clearImmediate", "clearTimeout", "clearInterval"} {
		session.RawSetString(name, lib.state.NewFunction(func(l *lua.LState) int {
			if n, ok := l.Get(2).(lua.LNumber); ok && float64(n) == math.Trunc(float64(n)) {
				lib.drop(lib.timers, int(n))
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

func (lib *Library) schedule(id int, t *awaited) {
	t.cancel = lib.opts.After(t.after, func() {
		// It may have been cleared after it became due.
		if lib.timers[id] != t {
			return
		}
		if !t.repeat {
			delete(lib.timers, id)
		}
		err := lib.vm.Callback("timer", t.fn)
		if lib.timers[id] != t {
			return
		}
		if err != nil && lib.vm.Stopped() != nil {
			// It would only block the session again.
			delete(lib.timers, id)
			lib.vm.Fail("timer", fault.New(fault.Script, "this interval has been ended, since its function was stopped"))
			return
		}
		lib.schedule(id, t)
	})
}

// A Pending is a function that an app has asked for to be called later.
type Pending struct {
	ID   int
	File string // where the function is
	Line int
}

// Timers lists the timers that have been set, in the order in which they become due.
func (lib *Library) Timers() []Pending { return waiting(lib.timers) }

// Jobs lists the calls for which the results of requests and programs are missing.
func (lib *Library) Jobs() []Pending { return waiting(lib.jobs) }

func waiting(set map[int]*awaited) (list []Pending) {
	ids := slices.Sorted(maps.Keys(set))
	slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(set[a].after, set[b].after) })
	for _, id := range ids {
		if fn := set[id].fn; fn != nil && fn.Proto != nil {
			list = append(list, Pending{id, fn.Proto.SourceName, fn.Proto.LineDefined})
		}
	}
	return list
}

// Due calls the function of a timer, if it is still set, as if its time had come.
func (lib *Library) Due(id int) error {
	t := lib.timers[id]
	if t == nil {
		return nil
	}
	if !t.repeat {
		delete(lib.timers, id)
		t.cancel()
	}
	return lib.vm.Callback("timer", t.fn)
}
