package lua

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
)

// A Func is a Go function for Lua. Arguments are values of this package; results may be
// anything that [VM.Import] takes. An error is raised in Lua.
type Func func(args []Value) ([]any, error)

// function makes a Lua function of f. self, if not nil, is left out of the arguments when it
// comes first: both t.f(x) and t:f(x) are taken for f(x).
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

// Define sets fields of a global table, which is made when it is not there, and returns it.
func (vm *VM) Define(table string, fields map[string]any) Value {
	tb, ok := vm.state.GetGlobal(table).(*lua.LTable)
	if !ok {
		tb = vm.state.NewTable()
		vm.state.SetGlobal(table, tb)
	}
	for name, v := range fields {
		if f, ok := v.(Func); ok {
			tb.RawSetString(name, vm.function(f, tb))
			continue
		}
		tb.RawSetString(name, vm.lua(v))
	}
	return tb
}

// Global returns a global variable.
func (vm *VM) Global(name string) Value { return out(vm.state.GetGlobal(name)) }

// Run runs code as a chunk of the given name and returns its first result.
func (vm *VM) Run(name, code string) (Value, error) {
	clear(vm.stopped)
	fn, err := vm.state.Load(strings.NewReader(code), name)
	if err != nil {
		return nil, vm.scriptError(err)
	}
	v, err := vm.call1(fn)
	return out(v), errors.Join(err, errors.Join(vm.migrate()...))
}

// Rel is the path by which messages name a file: relative to the base directory, with slashes.
func (vm *VM) Rel(file string) string {
	if rel, err := filepath.Rel(vm.opts.Dir, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(file)
}

// Load runs a file and remembers that it is part of the session. With reloading,
// session.reloading is true while it runs.
func (vm *VM) Load(file string, reloading bool) (Value, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, fault.Wrap(fault.NotFound, err, "cannot read %s", vm.Rel(file))
	}
	clear(vm.stopped)
	rel := vm.Rel(file)
	fn, err := vm.state.Load(strings.NewReader(strings.TrimPrefix(string(src), "\ufeff")), rel)
	if err != nil {
		return nil, vm.scriptError(err)
	}
	if reloading {
		vm.session.RawSetString("reloading", lua.LTrue)
		defer vm.session.RawSetString("reloading", lua.LFalse)
	}
	vm.loaded[rel] = true
	v, err := vm.call1(fn)
	if err != nil && !reloading {
		delete(vm.loaded, rel)
	}
	return out(v), errors.Join(err, errors.Join(vm.migrate()...))
}

// Loaded reports whether a file is part of the session.
func (vm *VM) Loaded(file string) bool { return vm.loaded[vm.Rel(file)] }

// openRequire replaces Lua's search for modules: require("a.b") finds
// lua/a/b.lua, a/b.lua or apps/a/b.lua below the base directory.
func (vm *VM) openRequire() {
	l := vm.state
	pkg, ok := l.GetGlobal("package").(*lua.LTable)
	if !ok {
		panic("lua: no package library")
	}
	modules, ok := pkg.RawGetString("loaded").(*lua.LTable)
	if !ok {
		panic("lua: no package.loaded")
	}
	l.SetGlobal("require", l.NewFunction(func(l *lua.LState) int {
		name := l.CheckString(1)
		if v := modules.RawGetString(name); v != lua.LNil {
			l.Push(v)
			return 1
		}
		file, err := vm.findModule(name)
		if err != nil {
			l.RaiseError("%s", err)
		}
		modules.RawSetString(name, lua.LTrue) // modules may require each other
		v, err := vm.Load(file, false)
		if err != nil {
			modules.RawSetString(name, lua.LNil)
			l.RaiseError("%s", Message(err))
		}
		if v != nil {
			modules.RawSetString(name, in(v))
		}
		l.Push(modules.RawGetString(name))
		return 1
	}))
}

func (vm *VM) findModule(name string) (string, error) {
	rel := filepath.FromSlash(strings.ReplaceAll(name, ".", "/")) + ".lua"
	if !filepath.IsLocal(rel) {
		return "", fmt.Errorf("module %q: the name of a module is a path below the base directory, with dots", name)
	}
	var tried []string
	for _, dir := range []string{"lua", "", "apps"} {
		file := filepath.Join(vm.opts.Dir, dir, rel)
		if st, err := os.Stat(file); err == nil && st.Mode().IsRegular() {
			return file, nil
		}
		tried = append(tried, vm.Rel(file))
	}
	return "", fmt.Errorf("module %q not found: there is no %s", name, strings.Join(tried, ", no "))
}
