package lua

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/wire"
)

// The methods in this file let a variable tree read and change the VM's objects.

// maxIndexLoop bounds chains of __index, as Lua does.
const maxIndexLoop = 100

// out makes a value of ours of one of Lua's.
func out(v lua.LValue) Value {
	if v == lua.LNil || v == nil {
		return nil
	}
	return v
}

// in makes a value of Lua's of one of ours.
func in(v Value) lua.LValue {
	if l, ok := v.(lua.LValue); ok {
		return l
	}
	return lua.LNil
}

// Field reads a field, following __index.
func (vm *VM) Field(obj Value, name string) (Value, error) {
	tb, ok := obj.(*lua.LTable)
	for range maxIndexLoop {
		if !ok {
			return vm.indexOther(in(obj), name)
		}
		if v := tb.RawGetString(name); v != lua.LNil {
			return v, nil
		}
		mt, isTable := tb.Metatable.(*lua.LTable)
		if !isTable {
			return nil, nil
		}
		index := mt.RawGetString("__index")
		if index == lua.LNil {
			return nil, nil
		}
		if next, isTable := index.(*lua.LTable); isTable {
			tb = next
			continue
		}
		v, err := vm.call1(index, tb, lua.LString(name))
		return out(v), err
	}
	return nil, fault.New(fault.Script, "%s: __index leads nowhere", name)
}

// indexOther reads a field of what is no table, such as a string or userdata.
func (vm *VM) indexOther(v lua.LValue, name string) (Value, error) {
	get := vm.state.NewFunction(func(l *lua.LState) int {
		l.Push(l.GetField(l.Get(1), name))
		return 1
	})
	r, err := vm.call1(get, v)
	return out(r), err
}

// Element reads an element of a table, counted from 0.
func (vm *VM) Element(obj Value, i int) (Value, error) {
	tb, ok := obj.(*lua.LTable)
	if !ok {
		return nil, fault.New(fault.Script, "a %s has no elements", in(obj).Type())
	}
	return out(tb.RawGetInt(i + 1)), nil
}

// SetField writes a field, following __newindex.
func (vm *VM) SetField(obj Value, name string, v Value) error {
	set := vm.state.NewFunction(func(l *lua.LState) int {
		l.SetField(l.Get(1), name, l.Get(2))
		return 0
	})
	return vm.call(set, 0, in(obj), in(v))
}

// SetElement writes an element of a table, counted from 0.
func (vm *VM) SetElement(obj Value, i int, v Value) error {
	tb, ok := obj.(*lua.LTable)
	if !ok {
		return fault.New(fault.Script, "a %s has no elements", in(obj).Type())
	}
	tb.RawSetInt(i+1, in(v))
	return nil
}

// Call calls a method and returns its first result.
func (vm *VM) Call(obj Value, method string, args ...Value) (Value, error) {
	f, err := vm.Field(obj, method)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, fault.New(fault.Script, "%s has no method %s", vm.kindOf(in(obj)), method)
	}
	fn, isFunction := f.(*lua.LFunction)
	if vm.reading && isFunction {
		if err := vm.stopped[fn]; err != nil {
			return nil, err
		}
	}
	l := vm.state
	top := l.GetTop()
	l.Push(in(f))
	l.Push(in(obj))
	for _, a := range args {
		l.Push(in(a))
	}
	if err := vm.pcall(1+len(args), 1); err != nil {
		l.SetTop(top)
		err = vm.scriptError(err)
		if vm.reading && isFunction && vm.guard.err != nil {
			vm.stopped[fn] = fault.Wrap(fault.Script, &ScriptError{Msg: Message(err) + "; it is not called again before its code is loaded anew"}, "Lua error")
			// What is left of the pass deserves its own time.
			vm.guard.arm()
		}
		return nil, err
	}
	v := l.Get(-1)
	l.Pop(1)
	return out(v), nil
}

// Reading says whether the tree is being read, rather than the person's or agent's code run.
func (vm *VM) Reading(on bool) { vm.reading = on }

// kindOf names a value for a message: its type where it has one.
func (vm *VM) kindOf(v lua.LValue) string {
	if t := vm.Type(v); t != "" {
		return t
	}
	return "a " + v.Type().String()
}

// IsObject reports whether v is a table or userdata.
func (vm *VM) IsObject(v Value) bool {
	switch v.(type) {
	case *lua.LTable, *lua.LUserData:
		return true
	}
	return false
}

// Elements appends the elements 1..n of a table to dst.
func (vm *VM) Elements(dst []Value, v Value) []Value {
	tb, ok := v.(*lua.LTable)
	if !ok {
		return dst
	}
	n := tb.Len()
	for i := 1; i <= n; i++ {
		dst = append(dst, out(tb.RawGetInt(i)))
	}
	return dst
}

// Type is the type of an object: its metatable's field type, else its own.
func (vm *VM) Type(v Value) string {
	tb, ok := v.(*lua.LTable)
	if !ok {
		return ""
	}
	if mt, ok := tb.Metatable.(*lua.LTable); ok {
		if s, ok := mt.RawGetString("type").(lua.LString); ok {
			return string(s)
		}
	}
	if s, ok := tb.RawGetString("type").(lua.LString); ok {
		return string(s)
	}
	return ""
}

// Truthy reports whether Lua takes v for true.
func (vm *VM) Truthy(v Value) bool { return v != nil && v != Value(lua.LFalse) }

// AppendJSON appends what a page shows for v: scalars as they are, an array of scalars as an array,
// and a text for anything else.
func (vm *VM) AppendJSON(dst []byte, v Value) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case lua.LBool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case lua.LNumber:
		return wire.AppendNumber(dst, float64(v))
	case lua.LString:
		return wire.AppendString(dst, string(v))
	case *lua.LTable:
		if vm.Type(v) != "" || !isArray(v) {
			return wire.AppendString(dst, vm.describe(v))
		}
		dst = append(dst, '[')
		for i := 1; i <= v.Len(); i++ {
			if i > 1 {
				dst = append(dst, ',')
			}
			if e := v.RawGetInt(i); vm.IsObject(e) {
				dst = wire.AppendString(dst, vm.describe(e))
			} else {
				dst = vm.AppendJSON(dst, out(e))
			}
		}
		return append(dst, ']')
	}
	return wire.AppendString(dst, vm.describe(in(v)))
}

// describe is a text for any value: what __tostring says, or the type.
func (vm *VM) describe(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case *lua.LTable, *lua.LUserData:
		if f := vm.state.GetMetaField(v, "__tostring"); f != lua.LNil {
			if s, err := vm.call1(f, v); err == nil {
				return s.String()
			}
		}
		if t := vm.Type(v); t != "" {
			return t
		}
		return v.Type().String()
	case *lua.LFunction, *lua.LState, lua.LChannel:
		return v.Type().String()
	}
	return v.String()
}

// Import makes a Lua value of nil, a bool, a number, a string, a []any or a map[string]any of
// those; a value of this package stays what it is.
func (vm *VM) Import(v any) Value { return out(vm.lua(v)) }

func (vm *VM) lua(v any) lua.LValue {
	switch v := v.(type) {
	case nil:
		return lua.LNil
	case lua.LValue:
		return v
	case bool:
		return lua.LBool(v)
	case int:
		return lua.LNumber(v)
	case float64:
		return lua.LNumber(v)
	case string:
		return lua.LString(v)
	case []any:
		tb := vm.state.CreateTable(len(v), 0)
		for i, e := range v {
			tb.RawSetInt(i+1, vm.lua(e))
		}
		return tb
	case map[string]any:
		tb := vm.state.CreateTable(0, len(v))
		for k, e := range v {
			tb.RawSetString(k, vm.lua(e))
		}
		return tb
	case Func:
		return vm.function(v, nil)
	}
	panic(fmt.Sprintf("lua: cannot import a %T", v)) // a mistake in this program
}

// String returns v when it is a string.
func String(v Value) (string, bool) {
	s, ok := v.(lua.LString)
	return string(s), ok
}
