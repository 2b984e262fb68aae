package lua

import lua "github.com/yuin/gopher-lua"

// JSON for scripts: ui.json_encode and ui.json_decode. They preserve all data, unlike the JSON of a
// session's state.
//
// null becomes nil, so that a member that is null is absent and an array that has one has a hole.
// With true as the second argument of json_decode it becomes ui.json_null instead, which
// json_encode writes as null. An empty table is written as [], except one that was decoded from {}.

// jsonMarks are values that preserve what Lua tables cannot express.
type jsonMarks struct {
	null   *lua.LUserData
	object *lua.LTable // the metatable of tables decoded from {}
}

func (vm *VM) openJSON(ui *lua.LTable) {
	l := vm.state
	vm.json.null = l.NewUserData()
	mt := l.NewTable()
	mt.RawSetString("__tostring", l.NewFunction(func(l *lua.LState) int {
		return returns(l, lua.LString("null"))
	}))
	vm.json.null.Metatable = mt
	vm.json.object = l.NewTable()
	ui.RawSetString("json_null", vm.json.null)
	ui.RawSetString("json_encode", l.NewFunction(func(l *lua.LState) int {
		b, err := vm.encode(l.CheckAny(1))
		if err != nil {
			return fails(l, err.Error())
		}
		return returns(l, lua.LString(b))
	}))
	ui.RawSetString("json_decode", l.NewFunction(func(l *lua.LState) int {
		return vm.pushDecoded(l, l.CheckString(1), l.ToBool(2))
	}))
}

// pushDecoded pushes the value, or nil and a message.
func (vm *VM) pushDecoded(l *lua.LState, src string, keepNull bool) int {
	var null lua.LValue = lua.LNil
	if keepNull {
		null = vm.json.null
	}
	v, err := vm.decode(l, src, null)
	if err != nil {
		return fails(l, err.Error())
	}
	return returns(l, v)
}
