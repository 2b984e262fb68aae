package lua

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Protected calls. The library creates a full stack trace for every error it catches, with a line
// for each tail call ever made: after a long loop of tail calls, that is gigabytes. It creates none
// if the error has a trace already, which the state's Panic can set; but PCall replaces Panic, so
// we must set it again inside the call. From Lua, a shield does so. From Go, where calls must be
// fast, the guard does so before the first instruction.

const (
	maxTraceLines  = 20
	maxTraceLevels = 100
	noTrace        = "-" // not empty, or the library creates a trace
)

// shields keep errors and coroutines within bounds.
type shields struct {
	plain   *lua.LFunction      // a function that calls its first argument with the others; errors have no trace
	depth   int                 // of coroutines that have resumed each other
	blocked map[*lua.LState]int // for each coroutine that cannot yield, how many Go calls prevent it
}

// maxResumes bounds how deep coroutines resume each other: each level takes some of the Go stack.
const maxResumes = 190

func (vm *VM) openProtect() {
	l := vm.state
	s := &vm.shields
	s.blocked = map[*lua.LState]int{}
	shield := func(raise func(*lua.LState)) *lua.LFunction {
		return l.NewFunction(func(l *lua.LState) int {
			l.Panic = raise // the library's protected call resets it
			l.Call(l.GetTop()-1, lua.MultRet)
			return l.GetTop()
		})
	}
	s.plain = shield(func(l *lua.LState) { vm.raise(l, noTrace) })
	l.SetGlobal("pcall", l.NewFunction(func(l *lua.LState) int {
		l.CheckAny(1)
		return vm.protected(l, s.plain)
	}))
	l.SetGlobal("xpcall", l.NewFunction(func(l *lua.LState) int {
		l.CheckAny(1)
		handler := l.CheckFunction(2)
		l.Remove(2)
		// The handler is called where the error is raised, so that it can see the stack.
		return vm.protected(l, shield(func(l *lua.LState) {
			obj := l.Get(-1)
			l.Push(s.plain)
			l.Push(handler)
			l.Push(obj)
			if err := l.PCall(2, 1, nil); err != nil {
				obj = errorObject(err)
			} else {
				obj = l.Get(-1)
				l.Pop(1)
			}
			panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: obj, StackTrace: noTrace})
		}))
	}))
	if debug, ok := l.GetGlobal("debug").(*lua.LTable); ok {
		debug.RawSetString("traceback", l.NewFunction(func(l *lua.LState) int {
			msg, at := l.Get(1), l
			if th, ok := msg.(*lua.LState); ok {
				msg, at = l.Get(2), th
			}
			text := "stack traceback:\n\t" + vm.trace(at)
			switch msg.(type) {
			case lua.LString, lua.LNumber:
				text = msg.String() + "\n" + text
			case *lua.LNilType:
			default:
				return Returns(l, msg)
			}
			return Returns(l, lua.LString(text))
		}))
	}
}

// pcall calls the function that is on the stack below its n arguments.
//
// It panics if the VM is not armed, since the code would have no deadline. In this package, only
// pcall, and functions that Lua has called, may run Lua code.
func (vm *VM) pcall(n, results int) error {
	g := vm.guard
	if !g.armed {
		panic("lua: code was entered without a deadline: see VM.Arm")
	}
	g.entering, g.resume, g.left = true, g.left, 1
	vm.parent.of = nil
	vm.depth++
	err := vm.state.PCall(n, results, nil)
	vm.depth--
	if g.entering { // no instruction was run
		g.enter()
	}
	return err
}

// raise raises what is on top of the stack, as a Panic of the library's has to.
func (vm *VM) raise(l *lua.LState, trace string) {
	obj := l.Get(-1)
	if msg, ok := obj.(lua.LString); ok {
		obj = lua.LString(vm.named(l, string(msg)))
	}
	panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: obj, StackTrace: trace})
}

// protected calls what is on the stack through a shield, and leaves what pcall returns.
func (vm *VM) protected(l *lua.LState, shield *lua.LFunction) int {
	defer vm.block(l)()
	l.Insert(shield, 1)
	vm.depth++
	err := l.PCall(l.GetTop()-1, lua.MultRet, nil)
	vm.depth--
	if err != nil {
		return Returns(l, lua.LFalse, errorObject(err))
	}
	l.Insert(lua.LTrue, 1)
	return l.GetTop()
}

// block records, until the returned function is called, that a Go function stands between a thread
// and its resume. The library cannot suspend such a function.
func (vm *VM) block(l *lua.LState) (unblock func()) {
	if l == vm.state {
		return func() {}
	}
	vm.shields.blocked[l]++
	return func() {
		if vm.shields.blocked[l]--; vm.shields.blocked[l] == 0 {
			delete(vm.shields.blocked, l)
		}
	}
}

func errorObject(err error) lua.LValue {
	if api, ok := err.(*lua.ApiError); ok && api.Object != nil {
		return api.Object
	}
	return lua.LString(err.Error())
}

// trace returns the stack of a thread, one line per call, newest first.
func (vm *VM) trace(l *lua.LState) string {
	var lines []string
	last := ""
	for level := range maxTraceLevels {
		frame, ok := l.GetStack(level)
		if !ok {
			break
		}
		fn, err := l.GetInfo("fnSl", frame, lua.LNil)
		if err != nil || fn == lua.LValue(vm.shields.plain) {
			continue
		}
		where := "[Go]"
		if frame.Source != "" {
			where = fmt.Sprintf("%s:%d", frame.Source, frame.CurrentLine)
		}
		what := "function '" + frame.Name + "'"
		switch {
		case frame.Source != "" && frame.LineDefined == 0:
			what = "main chunk"
		// The interpreter calls whatever was called from outside a main chunk, such as a handler.
		case frame.Name == "" || strings.HasPrefix(frame.Name, "<") || frame.What == "main":
			what = fmt.Sprintf("function <%s:%d>", frame.Source, frame.LineDefined)
		}
		line := where + ": in " + what
		if line == last { // tail calls, recursion
			continue
		}
		last = line
		if len(lines) == maxTraceLines {
			lines = append(lines, "...")
			break
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n\t")
}
