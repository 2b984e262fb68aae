package lua

import lua "github.com/yuin/gopher-lua"

// Variables creates and destroys variables on behalf of scripts: roots, or children of other
// variables. The tree reads them like those of view definitions. Its methods are called on the VM's
// goroutine.
type Variables interface {
	// Create creates a variable for obj, under the variable with the id parent; 0 means no parent.
	// The new id is negative.
	Create(parent int64, obj Value, props map[string]string) (id int64, err error)
	// Find returns the id of the variable that Create has created for obj, or 0.
	Find(obj Value) int64
	// Destroy ends a variable created by Create and those under it. It reports whether there was
	// one.
	Destroy(id int64) bool
}

// appVariable is the id of the displayed object's variable.
const appVariable = 1

func (vm *VM) openVariables() {
	l := vm.state
	vm.app = lua.LNil
	for name, f := range map[string]lua.LGFunction{
		"createAppVariable": func(l *lua.LState) int {
			vm.createApp(l.CheckTable(2))
			l.Push(lua.LNumber(appVariable))
			return 1
		},
		"getApp": func(l *lua.LState) int {
			l.Push(vm.appObject())
			return 1
		},
		"createVariable": func(l *lua.LState) int {
			vm.needVariables(l, "createVariable")
			parent := vm.variableID(l, l.Get(2))
			if parent == 0 && l.Get(2) != lua.LNil && l.Get(2) != lua.LNumber(0) {
				l.RaiseError("session:createVariable: the parent is neither a variable nor an object that has one")
			}
			props := map[string]string{}
			if tb := l.OptTable(4, nil); tb != nil {
				tb.ForEach(func(k, v lua.LValue) { props[k.String()] = v.String() })
			}
			id, err := vm.opts.Variables.Create(parent, out(l.CheckTable(3)), props)
			if err != nil {
				l.RaiseError("session:createVariable: %s", err)
			}
			l.Push(lua.LNumber(id))
			return 1
		},
		"destroyVariable": func(l *lua.LState) int {
			vm.needVariables(l, "destroyVariable")
			id := vm.variableID(l, l.Get(2))
			l.Push(lua.LBool(id < 0 && vm.opts.Variables.Destroy(id)))
			return 1
		},
	} {
		vm.session.RawSetString(name, l.NewFunction(f))
	}
}

func (vm *VM) needVariables(l *lua.LState, name string) {
	if vm.opts.Variables == nil {
		l.RaiseError("session:%s: there is no tree of variables here", name)
	}
}

// variableID returns the id that an argument denotes: a number, or an object that has a variable. 0
// means none.
func (vm *VM) variableID(l *lua.LState, v lua.LValue) int64 {
	switch v := v.(type) {
	case lua.LNumber:
		return int64(v)
	case *lua.LTable, *lua.LUserData:
		if v == vm.appObject() || v == lua.LValue(vm.mcpTable()) {
			return appVariable
		}
		return vm.opts.Variables.Find(out(v))
	}
	return 0
}

// createApp implements session:createAppVariable(obj): pages show obj from then on.
func (vm *VM) createApp(obj *lua.LTable) {
	vm.app = obj
	if app := appOf(vm.file); app != "" {
		vm.apps[app] = obj
	}
	if mcp := vm.mcpTable(); mcp != nil && mcp != obj {
		mcp.RawSetString("value", obj)
	}
}

// mcpTable is the global mcp, or nil.
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
	if app := appOf(vm.file); app != "" && vm.session.RawGetString("reloading") != lua.LTrue {
		if obj := vm.apps[app]; obj != nil {
			return obj
		}
		return lua.LNil
	}
	if mcp := vm.mcpTable(); mcp != nil {
		if v := mcp.RawGetString("value"); v != lua.LNil {
			return v
		}
	}
	return vm.app
}
