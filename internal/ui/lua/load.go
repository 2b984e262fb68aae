package lua

import (
	"errors"
	"path/filepath"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/lua/chunk"
)

// compile compiles a chunk into a function, and returns the fields that the chunk sets. It can be
// stopped like running code.
func (vm *VM) compile(name, src string) (fn *lua.LFunction, fields map[string]bool, err error) {
	c, err := chunk.Compile(vm.guard, name, src)
	if err != nil {
		return nil, nil, fault.Wrap(fault.Script, &ScriptError{Msg: err.Error()}, "Lua error")
	}
	fn = vm.state.NewFunctionFromProto(c.Proto)
	if c.Joins {
		v, err := vm.call1(fn, vm.concatenate)
		if err != nil {
			return nil, nil, err
		}
		fn, _ = v.(*lua.LFunction)
	}
	return fn, c.Fields, nil
}

// concat is the operator .. of any number of operands.
func (vm *VM) concat(l *lua.LState) int {
	n := l.GetTop()
	total := 0
	for i := 1; i <= n; i++ {
		switch v := l.Get(i).(type) {
		case lua.LString:
			total += len(v)
		case lua.LNumber:
		default:
			return vm.concatOther(l)
		}
	}
	vm.allocate(l, total)
	var b strings.Builder
	b.Grow(total)
	for i := 1; i <= n; i++ {
		b.WriteString(l.Get(i).String())
	}
	return Returns(l, lua.LString(b.String()))
}

// concatOther joins operands that are not all strings or numbers, from the right.
func (vm *VM) concatOther(l *lua.LState) int {
	defer vm.block(l)()
	result := l.Get(l.GetTop())
	for i := l.GetTop() - 1; i > 0; i-- {
		left := l.Get(i)
		if lua.LVCanConvToString(left) && lua.LVCanConvToString(result) {
			a, b := left.String(), result.String()
			vm.allocate(l, len(a)+len(b))
			result = lua.LString(a + b)
			continue
		}
		op := l.GetMetaField(left, "__concat")
		if op == lua.LNil {
			op = l.GetMetaField(result, "__concat")
		}
		if op == lua.LNil {
			l.RaiseError("cannot perform concat operation between %s and %s", left.Type(), result.Type())
		}
		result = invoke(l, op, left, result)
	}
	return Returns(l, result)
}

// openLoad replaces the functions that compile code; the library's have no bounds.
func (vm *VM) openLoad() {
	l := vm.state
	vm.concatenate = l.NewFunction(vm.concat)
	load := func(l *lua.LState, name, src string) int {
		fn, _, err := vm.compile(name, src)
		if err != nil {
			return fails(l, Message(err))
		}
		return Returns(l, fn)
	}
	l.SetGlobal("load", l.NewFunction(func(l *lua.LState) int {
		if src, ok := l.Get(1).(lua.LString); ok {
			return load(l, l.OptString(2, "<string>"), string(src))
		}
		fn, name := l.CheckFunction(1), l.OptString(2, "?")
		defer vm.block(l)()
		var b strings.Builder
		for b.Len() <= chunk.MaxSource {
			piece := invoke(l, fn)
			if piece == lua.LNil || piece == lua.LValue(lua.LString("")) {
				break
			}
			if !lua.LVCanConvToString(piece) {
				return fails(l, "reader function must return a string")
			}
			b.WriteString(piece.String())
		}
		return load(l, name, b.String())
	}))
	l.SetGlobal("loadstring", l.GetGlobal("load"))
	file := func(l *lua.LState) (*lua.LFunction, error) {
		name := l.CheckString(1)
		if name == "" {
			return nil, errNoInput
		}
		if file, err := filepath.Abs(name); err == nil {
			vm.Want(name, file)
		}
		src, err := readSource(name)
		if err != nil {
			return nil, err
		}
		fn, _, err := vm.compile(name, src)
		return fn, err
	}
	l.SetGlobal("loadfile", l.NewFunction(func(l *lua.LState) int {
		fn, err := file(l)
		if err != nil {
			return fails(l, Message(err))
		}
		return Returns(l, fn)
	}))
	l.SetGlobal("dofile", l.NewFunction(func(l *lua.LState) int {
		fn, err := file(l)
		if err != nil {
			l.RaiseError("%s", Message(err))
		}
		l.SetTop(0)
		l.Push(fn)
		l.Call(0, lua.MultRet)
		return l.GetTop()
	}))
}

// errNoInput is the error of reading standard input, which belongs to the protocol.
var errNoInput = errors.New("there is no standard input: name a file")

// Returns pushes the results of a function and returns how many they are.
func Returns(l *lua.LState, results ...lua.LValue) int {
	for _, v := range results {
		l.Push(v)
	}
	return len(results)
}

// invoke calls a function of the script's and returns its first result. Errors go to the caller.
func invoke(l *lua.LState, fn lua.LValue, args ...lua.LValue) lua.LValue {
	l.Push(fn)
	Returns(l, args...)
	l.Call(len(args), 1)
	v := l.Get(-1)
	l.Pop(1)
	return v
}

// fails pushes the results of a function that reports an error to its caller: nil and a message.
func fails(l *lua.LState, msg string) int {
	return Returns(l, lua.LNil, lua.LString(msg))
}
