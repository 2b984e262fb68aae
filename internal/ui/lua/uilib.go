package lua

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// openUI creates the table ui and the function diag.
func (vm *VM) openUI() {
	l := vm.state
	ui := l.NewTable()
	l.SetGlobal("ui", ui)
	vm.openJSON(ui)

	// ui.log([level,] message)
	ui.RawSetString("log", l.NewFunction(func(l *lua.LState) int {
		level, msg := lua.LValue(lua.LNil), l.Get(1)
		if l.GetTop() > 1 {
			level, msg = l.Get(1), l.Get(2)
		}
		line := l.ToStringMeta(msg).String() + "\n"
		if level != lua.LNil {
			line = "[" + strings.ReplaceAll(level.String(), "\n", " ") + "] " + line
		}
		vm.out.write(line)
		return 0
	}))
	register := l.NewFunction(func(l *lua.LState) int {
		vm.wrappers[l.CheckString(1)] = l.CheckTable(2)
		return 0
	})
	ui.RawSetString("registerWrapper", register)
	ui.RawSetString("registerPresenter", register)

	// diag(level, message)
	l.SetGlobal("diag", l.NewFunction(func(l *lua.LState) int {
		if vm.opts.Diag != nil {
			vm.opts.Diag(l.OptInt(1, 1), l.ToStringMeta(l.Get(2)).String())
		}
		return 0
	}))
}
