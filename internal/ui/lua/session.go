package lua

import lua "github.com/yuin/gopher-lua"

// openSession creates the session table and its functions.
func (vm *VM) openSession() {
	l := vm.state
	vm.empty = l.NewTable()
	l.SetGlobal("EMPTY", vm.empty)
	vm.session = l.NewTable()
	vm.session.RawSetString("reloading", lua.LFalse)
	l.SetGlobal("session", vm.session)
	for name, f := range map[string]lua.LGFunction{
		"prototype": func(l *lua.LState) int {
			tb, err := vm.declare(l.CheckString(2), l.OptTable(3, nil), l.OptTable(4, nil))
			if err != nil {
				l.RaiseError("%s", err)
			}
			l.Push(tb)
			return 1
		},
		"create": func(l *lua.LState) int {
			l.Push(vm.create(l.CheckTable(2), l.OptTable(3, nil)))
			return 1
		},
		"removePrototype": func(l *lua.LState) int {
			vm.removePrototype(l.CheckString(2), l.ToBool(3))
			return 0
		},
		// The next three are the older way to migrate objects, from before mutate.
		"newVersion": func(l *lua.LState) int {
			vm.version++
			l.Push(lua.LNumber(vm.version))
			return 1
		},
		"getVersion": func(l *lua.LState) int {
			l.Push(lua.LNumber(vm.version))
			return 1
		},
		"needsMutation": func(l *lua.LState) int {
			l.Push(lua.LBool(vm.outdated(l.CheckTable(2))))
			return 1
		},
	} {
		vm.session.RawSetString(name, l.NewFunction(f))
	}
	vm.openVariables()
	vm.openTimers()
	vm.openAsync()
}

// versionField is the field with an object's version.
const versionField = "_version"

// outdated reports whether this is the first query for an object since the last session:newVersion.
func (vm *VM) outdated(obj *lua.LTable) bool {
	was, _ := obj.RawGetString(versionField).(lua.LNumber)
	if int(was) >= vm.version {
		return false
	}
	obj.RawSetString(versionField, lua.LNumber(vm.version))
	return true
}
