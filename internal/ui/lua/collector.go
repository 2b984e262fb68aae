package lua

import (
	"runtime"
	"runtime/metrics"

	lua "github.com/yuin/gopher-lua"
)

// openCollector implements the options of collectgarbage. The library's collects whatever the
// option.
func (vm *VM) openCollector() {
	vm.state.SetGlobal("collectgarbage", vm.state.NewFunction(func(l *lua.LState) int {
		result := 0.0
		switch option := l.OptString(1, "collect"); option {
		case "collect":
			runtime.GC()
		case "count": // of the process: no Lua state has a heap of its own
			heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
			metrics.Read(heap)
			result = float64(heap[0].Value.Uint64()) / 1024
		case "step", "stop", "restart", "setpause", "setstepmul": // Go's collector looks after itself
		default:
			l.ArgError(1, "invalid option '"+option+"'")
		}
		return Returns(l, lua.LNumber(result))
	}))
}
