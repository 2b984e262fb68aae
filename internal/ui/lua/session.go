package lua

import lua "github.com/yuin/gopher-lua"

// openSession creates the session table and its functions.
func (vm *VM) openSession() {
	l := vm.state
	vm.marks.Empty = l.NewTable()
	l.SetGlobal("EMPTY", vm.marks.Empty)
	vm.session = l.NewTable()
	vm.session.RawSetString("reloading", lua.LFalse)
	l.SetGlobal("session", vm.session)
	vm.app = lua.LNil
	l.SetFuncs(vm.session, map[string]lua.LGFunction{
		"prototype": func(l *lua.LState) int {
			tb, err := vm.declare(l.CheckString(2), l.OptTable(3, nil), l.OptTable(4, nil))
			if err != nil {
				l.RaiseError("%s", err)
			}
			return Returns(l, tb)
		},
		"create": func(l *lua.LState) int {
			return Returns(l, vm.create(l.CheckTable(2), l.OptTable(3, nil)))
		},
		"removePrototype": func(l *lua.LState) int {
			vm.removePrototype(l.CheckString(2), l.ToBool(3))
			return 0
		},
		"createAppVariable": func(l *lua.LState) int {
			vm.createApp(l.CheckTable(2))
			return Returns(l, lua.LNumber(appVariable))
		},
		"getApp": func(l *lua.LState) int {
			return Returns(l, vm.appObject())
		},
	})
}
