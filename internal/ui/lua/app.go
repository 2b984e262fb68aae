package lua

import lua "github.com/yuin/gopher-lua"

// appVariable is the id of the displayed object's variable.
const appVariable = 1

// createApp implements session:createAppVariable(obj): pages show obj from then on.
func (vm *VM) createApp(obj *lua.LTable) {
	vm.app = obj
	if app := AppOf(vm.file); app != "" {
		vm.apps[app] = obj
	}
	if mcp := vm.mcpTable(); mcp != nil && mcp != obj {
		mcp.RawSetString("value", obj)
	}
}

func (vm *VM) mcpTable() *lua.LTable {
	tb, _ := vm.state.G.Global.RawGetString("mcp").(*lua.LTable)
	return tb
}

// App returns the object that session:createAppVariable was given last, or nil.
func (vm *VM) App() Value { return out(vm.app) }

// AppOf returns the object that the files of an app have given to session:createAppVariable, or
// nil. The app is named by its folder below apps.
func (vm *VM) AppOf(app string) Value {
	if obj := vm.apps[app]; obj != nil {
		return obj
	}
	return nil
}

// appObject returns the result of session:getApp. While a file of an app is loaded, that is the
// object that this app has declared, so that "if not session:getApp() then" makes each app once,
// whatever is displayed. Otherwise it is the displayed object, else the object declared last, else
// nil.
func (vm *VM) appObject() lua.LValue {
	if app := AppOf(vm.file); app != "" && vm.session.RawGetString("reloading") != lua.LTrue {
		return in(vm.AppOf(app))
	}
	if mcp := vm.mcpTable(); mcp != nil {
		if v := mcp.RawGetString("value"); v != lua.LNil {
			return v
		}
	}
	return vm.app
}
