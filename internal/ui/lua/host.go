package lua

import (
	"cmp"
	"fmt"
	"strconv"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/spell"
	"ui-mcp/internal/ui/wire"
)

// A variable tree reads and changes the VM's objects through the methods in this file.

// maxIndexLoop bounds chains of __index, as Lua does.
const maxIndexLoop = 100

func out(v lua.LValue) Value {
	if v == lua.LNil || v == nil {
		return nil
	}
	return v
}

func in(v Value) lua.LValue {
	if l, ok := v.(lua.LValue); ok {
		return l
	}
	return lua.LNil
}

// Field reads a field, following __index.
func (vm *VM) Field(obj Value, name string) (Value, error) {
	if tb, ok := obj.(*lua.LTable); ok {
		if v, known := vm.memberOf(tb, name); known {
			return out(v), nil
		}
	}
	get := vm.state.NewFunction(func(l *lua.LState) int {
		return Returns(l, l.GetField(l.Get(1), name))
	})
	v, err := vm.call1(get, in(obj))
	return out(v), err
}

// Len returns the number of elements of a table: the length of its array part.
func (vm *VM) Len(v Value) int {
	if tb, ok := v.(*lua.LTable); ok {
		return tb.Len()
	}
	return 0
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
		return nil, fault.New(fault.Script, "%s has no method %s%s", vm.kindOf(in(obj)), method, spell.Offer(vm.similarMember(in(obj), method)))
	}
	values := []lua.LValue{in(obj)}
	for _, a := range args {
		values = append(values, in(a))
	}
	v, err := vm.call1(in(f), values...)
	return out(v), err
}

// Reading arms the VM for a pass over the tree, until disarm is called. Code that runs during the
// pass gets half of the timeout. If it is stopped, [VM.Resume] gives the rest half of that, and so
// on, so that a pass never takes longer than the timeout.
func (vm *VM) Reading() (disarm func()) {
	vm.guard.arm()
	vm.guard.allowed /= 2
	vm.reading = true
	return func() {
		vm.reading = false
		vm.parent.of = nil
		vm.guard.disarm()
	}
}

// Stopped returns why no code runs until the VM is armed again, or nil.
func (vm *VM) Stopped() error { return vm.guard.err }

// Work counts as an instruction of the code that was entered last. It returns what Stopped does.
func (vm *VM) Work() error {
	vm.guard.Done()
	return vm.guard.err
}

// Resume allows code to run again in this pass, for half of the time that the stopped code had. It
// returns false if that would be too little, or if the VM was interrupted.
func (vm *VM) Resume() bool {
	return vm.reading && !vm.guard.interrupted.Load() && vm.guard.resumeHalf()
}

// kindOf names a value in a message, by its type if it has one.
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

// Type returns the type of an object: its metatable's field type, else its own.
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

// Truthy reports whether v is true in a condition.
func (vm *VM) Truthy(v Value) bool { return v != nil && v != Value(lua.LFalse) }

// MaxText bounds the JSON of one value on pages, in bytes.
const MaxText = 16 << 20

// AppendJSON appends v in the form that pages display: scalars as they are, an array of scalars as
// an array, and a text for anything else. It fails if that is longer than [MaxText] or if the app's
// own __tostring is stopped; then it has appended null.
func (vm *VM) AppendJSON(dst []byte, v Value) ([]byte, error) {
	if s, ok := v.(lua.LString); !ok || len(s) <= MaxText {
		if scalar := appendScalar(dst, in(v)); scalar != nil {
			return scalar, nil
		}
	}
	e := encoder{vm: vm, flat: true, buf: dst, limit: len(dst) + MaxText, deepest: maxNesting, seen: map[*lua.LTable]int{}}
	e.value(in(v))
	err := cmp.Or(e.err, vm.guard.err)
	if err == errTooLarge || err == nil && len(e.buf) > e.limit {
		err = fmt.Errorf("the value is too long to be shown: more than %d MiB", MaxText>>20)
	}
	if err != nil {
		return append(dst, "null"...), fault.Wrap(fault.Script, &ScriptError{Msg: err.Error()}, "Lua error")
	}
	return e.buf, nil
}

// appendScalar appends a scalar or nil, and returns nil for any other value.
func appendScalar(dst []byte, v lua.LValue) []byte {
	switch v := v.(type) {
	case *lua.LNilType:
		return append(dst, "null"...)
	case lua.LString:
		return wire.AppendString(dst, string(v))
	case lua.LBool:
		return strconv.AppendBool(dst, bool(v))
	case lua.LNumber:
		return wire.AppendNumber(dst, float64(v))
	}
	return nil
}

// describe returns a text for any value: the result of __tostring, or the type.
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

// Import converts nil, a bool, a number, a string, or a []any, []string or map[string]any of those
// into a Lua value. A value of this package stays as it is.
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
	case []string:
		tb := vm.state.CreateTable(len(v), 0)
		for i, e := range v {
			tb.RawSetInt(i+1, lua.LString(e))
		}
		return tb
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

// String returns v if it is a string.
func String(v Value) (string, bool) {
	s, ok := v.(lua.LString)
	return string(s), ok
}

// Bool converts a Value as Lua's conditions do.
func Bool(v Value) bool { return lua.LVAsBool(in(v)) }
