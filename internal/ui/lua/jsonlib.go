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
		return Returns(l, lua.LString("null"))
	}))
	vm.json.null.Metatable = mt
	vm.json.object = l.NewTable()
	ui.RawSetString("json_null", vm.json.null)
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
			null = vm.json.null
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
