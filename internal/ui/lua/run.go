package lua

import (
	"errors"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
)

// A Func is a Go function for Lua. Arguments are values of this package; results may be anything
// that [VM.Import] accepts. An error is raised in Lua.
type Func func(args []Value) ([]any, error)

// function converts f to a Lua function. self, if not nil, is dropped from the arguments if it
// comes first: both t.f(x) and t:f(x) call f(x).
func (vm *VM) function(f Func, self *lua.LTable) *lua.LFunction {
	return vm.state.NewFunction(func(l *lua.LState) int {
		var args []Value
		for i := 1; i <= l.GetTop(); i++ {
			if v := l.Get(i); i > 1 || self == nil || v != lua.LValue(self) {
				args = append(args, out(v))
			}
		}
		results, err := f(args)
		if err != nil {
			l.RaiseError("%s", Message(err))
		}
		for _, r := range results {
			l.Push(vm.lua(r))
		}
		return len(results)
	})
}

// Define sets fields of a global table, which it creates if necessary, and returns the table.
func (vm *VM) Define(table string, fields map[string]any) Value {
	tb := vm.ownTable(vm.state.G.Global, table)
	for name, v := range fields {
		if f, ok := v.(Func); ok {
			tb.RawSetString(name, vm.function(f, tb))
			continue
		}
		tb.RawSetString(name, vm.lua(v))
	}
	return tb
}

// DefineIn sets members of the table in a field of a global table. Nil removes a member. Values
// that are not tables are replaced.
func (vm *VM) DefineIn(table, field string, members map[string]any) {
	inner := vm.ownTable(vm.ownTable(vm.state.G.Global, table), field)
	for name, v := range members {
		inner.RawSetString(name, vm.lua(v))
	}
}

// ownTable returns the table in a field of another one, which it creates if necessary.
func (vm *VM) ownTable(in *lua.LTable, field string) *lua.LTable {
	tb, ok := in.RawGetString(field).(*lua.LTable)
	if !ok {
		tb = vm.state.NewTable()
		in.RawSetString(field, tb)
		vm.own[tb] = true
	}
	return tb
}

// Inherit makes a global table look up in another what it lacks.
func (vm *VM) Inherit(table, from string) error {
	tb, ok := vm.state.G.Global.RawGetString(table).(*lua.LTable)
	parent, ok2 := vm.state.G.Global.RawGetString(from).(*lua.LTable)
	if !ok || !ok2 {
		return fault.New(fault.Internal, "%s and %s must be tables", table, from)
	}
	parent.RawSetString("__index", parent)
	tb.Metatable = parent
	return nil
}

// Global returns a global variable. It never runs the app's code, whatever metatable _G has.
func (vm *VM) Global(name string) Value { return out(vm.state.G.Global.RawGetString(name)) }

// Run runs code as a chunk of the given name and returns its first result.
func (vm *VM) Run(name, code string) (Value, error) {
	fn, _, err := vm.compile(name, code)
	if err != nil {
		return nil, err
	}
	vm.loading++
	defer func() { vm.loading-- }()
	v, err := vm.call1(fn)
	return out(v), errors.Join(err, vm.migrateAfter(true, false))
}
