package lua

import lua "github.com/yuin/gopher-lua"

// coroutineRegistry is the initial size of a coroutine's stack, in values; it grows.
const coroutineRegistry = 256

// openCoroutines replaces the coroutine functions that concern the guard: a coroutine shares the
// deadline of the entry that resumes it. They also bound how deep coroutines resume each other, and
// report a coroutine that cannot yield.
//
// As in Lua 5.1, a coroutine cannot yield across a Go function that has called back into Lua:
// pcall, xpcall, string.gsub, table.sort, metamethods and iterators.
func (vm *VM) openCoroutines() {
	l := vm.state
	lib := vm.library("coroutine")
	create0, resume0, yield0 := original(lib, "create"), original(lib, "resume"), original(lib, "yield")

	create := func(l *lua.LState) int {
		size := l.Options.RegistrySize
		l.Options.RegistrySize = coroutineRegistry
		defer func() { l.Options.RegistrySize = size }()
		n := create0(l)
		th := l.CheckThread(-1)
		th.Options.RegistrySize = size
		th.SetContext(vm.guard)
		return n
	}
	resume := func(l *lua.LState) int {
		th := l.CheckThread(1)
		if vm.shields.depth >= maxResumes {
			return Returns(l, lua.LFalse, lua.LString("stack overflow: coroutines resume each other too deeply"))
		}
		vm.shields.depth++
		vm.depth++
		defer func() {
			vm.shields.depth--
			vm.depth--
			delete(vm.shields.blocked, th)
			vm.state.G.CurrentThread = l // the library leaves it where an error was raised
		}()
		return resume0(l)
	}
	lib.RawSetString("create", l.NewFunction(create))
	lib.RawSetString("resume", l.NewFunction(resume))
	lib.RawSetString("wrap", l.NewFunction(func(l *lua.LState) int {
		create(l)
		th := l.Get(-1)
		l.Push(l.NewFunction(func(l *lua.LState) int {
			l.Insert(th, 1)
			n := resume(l)
			if n > 0 && l.Get(-n) == lua.LTrue {
				return n - 1
			}
			l.Error(l.Get(-1), 0)
			return 0
		}))
		return 1
	}))
	lib.RawSetString("yield", l.NewFunction(func(l *lua.LState) int {
		if vm.shields.blocked[l] > 0 {
			l.RaiseError("attempt to yield across a pcall or another function that is not written in Lua")
		}
		return yield0(l)
	}))
}
