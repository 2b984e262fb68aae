package lua

import lua "github.com/yuin/gopher-lua"

// JSON for scripts: ui.json_encode and ui.json_decode. They preserve all data, unlike the JSON of a
// session's state.
//
// null becomes nil, so that a member that is null is absent and an array that has one has a hole.
// With true as the second argument of json_decode it becomes ui.json_null instead, which
// json_encode writes as null. An empty table is written as [], except one that was decoded from {}.

func (vm *VM) openJSON(ui *lua.LTable) {
	l := vm.state
	vm.marks.Null = l.NewUserData()
	mt := l.NewTable()
	mt.RawSetString("__tostring", l.NewFunction(func(l *lua.LState) int {
		return Returns(l, lua.LString("null"))
	}))
	vm.marks.Null.Metatable = mt
	vm.marks.Object = l.NewTable()
	ui.RawSetString("json_null", vm.marks.Null)
	ui.RawSetString("json_encode", l.NewFunction(func(l *lua.LState) int {
		b, err := vm.Encode(l.CheckAny(1))
		if err != nil {
			return fails(l, err.Error())
		}
		return Returns(l, lua.LString(b))
	}))
	ui.RawSetString("json_decode", l.NewFunction(func(l *lua.LState) int {
		var null lua.LValue = lua.LNil
		if l.ToBool(2) {
			null = vm.marks.Null
		}
		v, err := vm.decode(l, l.CheckString(1), null)
		if err != nil {
			return fails(l, err.Error())
		}
		return Returns(l, v)
	}))
}

// Decode returns the value of a JSON text, in which null is nil.
func (vm *VM) Decode(l *lua.LState, src string) (lua.LValue, error) {
	return vm.decode(l, src, lua.LNil)
}
