package lua

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
)

// Wrap creates the wrapper object of the named type around v: it calls the type's new with an
// object that represents the variable. That has the functions getValue, which returns the current
// value, getWrapper and getProperty, and the field _id. The variable has no properties, and no
// number that a script could use.
func (vm *VM) Wrap(typ string, v Value) (Value, error) {
	l := vm.state
	src := l.NewTable()
	var wrapper lua.LValue = lua.LNil // until new has returned
	current := func() lua.LValue {
		if tb, ok := wrapper.(*lua.LTable); ok {
			return tb.RawGetString("value")
		}
		return in(v)
	}
	for name, get := range map[string]func() lua.LValue{
		"getValue":    current,
		"getWrapper":  func() lua.LValue { return wrapper },
		"getProperty": func() lua.LValue { return lua.LNil },
	} {
		src.RawSetString(name, l.NewFunction(func(l *lua.LState) int {
			return Returns(l, get())
		}))
	}
	src.RawSetString("_id", lua.LNumber(0))
	src.RawSetString("value", in(v))
	w, err := vm.construct(typ, src)
	if tb, ok := w.(*lua.LTable); ok {
		tb.RawSetString("value", in(v))
		wrapper = tb
	}
	return w, err
}

// Rewrap sets the wrapper's value and calls its sync, if it has one.
func (vm *VM) Rewrap(wrapper, v Value) error {
	tb, ok := wrapper.(*lua.LTable)
	if !ok {
		return nil
	}
	tb.RawSetString("value", in(v))
	f, err := vm.Field(tb, "sync")
	if err != nil || f == nil {
		return err
	}
	return vm.call(in(f), 0, tb)
}

// WrapItem creates the object of the named type for one item of a list. source is the table that
// was passed to its new, for [VM.MoveItem].
func (vm *VM) WrapItem(typ string, item Value, index int) (wrapper, source Value, err error) {
	src := vm.state.NewTable()
	src.RawSetString("item", in(item))
	src.RawSetString("baseItem", in(item))
	src.RawSetString("index", lua.LNumber(index))
	wrapper, err = vm.construct(typ, src)
	return wrapper, src, err
}

// MoveItem sets the index of an item whose row has moved.
func (vm *VM) MoveItem(source Value, index int) {
	if tb, ok := source.(*lua.LTable); ok {
		tb.RawSetString("index", lua.LNumber(index))
	}
}

// construct calls the new of a type: a prototype, a global of that name (which may contain dots),
// or a type registered with ui.registerWrapper or ui.registerPresenter.
func (vm *VM) construct(typ string, arg lua.LValue) (Value, error) {
	class, err := vm.class(typ)
	if err != nil {
		return nil, err
	}
	return vm.Call(class, "new", out(arg))
}

func (vm *VM) class(typ string) (Value, error) {
	if p := vm.prototypes[typ]; p != nil {
		return p.table, nil
	}
	var class Value = vm.state.G.Global
	for part := range strings.SplitSeq(typ, ".") {
		if class, _ = vm.Field(class, part); class == nil {
			break
		}
	}
	if class != nil {
		return class, nil
	}
	if c := vm.wrappers[typ]; c != nil {
		return out(c), nil
	}
	return nil, fault.New(fault.Script, "there is no type %s", typ)
}
