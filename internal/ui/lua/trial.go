package lua

import (
	"maps"
	"os"
	"slices"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/regular"
)

// A trial runs an app to find out whether it works, and keeps it from having effects: see
// [Options.Trial].
type trial struct {
	wrote   bool // something was written or deleted, as far as the script knows
	tainted bool
}

// Tainted reports whether the script may have taken a way that it takes in trials only, since it
// did not get the result of a program, a terminal, or a file that it believes it has written. What
// fails from then on says nothing about the app.
func (vm *VM) Tainted() bool { return vm.trial.tainted }

// Taint makes [VM.Tainted] true.
func (vm *VM) Taint() { vm.trial.tainted = true }

// Halted reports whether code has ever been stopped, since it took too long or held too much.
func (vm *VM) Halted() bool { return vm.guard.halted }

func (vm *VM) openRegular(name string, flag int) (*os.File, error) {
	if !vm.opts.Trial || flag == os.O_RDONLY {
		vm.trial.tainted = vm.trial.tainted || vm.trial.wrote
		return regular.Open(name, flag, 0o644)
	}
	vm.trial.wrote = true
	vm.trial.tainted = vm.trial.tainted || flag&os.O_RDWR != 0
	return os.OpenFile(os.DevNull, flag&(os.O_WRONLY|os.O_RDWR), 0)
}

// openTrial replaces what changes the file system.
func (vm *VM) openTrial() {
	if !vm.opts.Trial {
		return
	}
	// The environment belongs to the whole process.
	for name, result := range map[string]lua.LValue{"remove": lua.LTrue, "rename": lua.LTrue, "setenv": lua.LTrue, "tmpname": lua.LString("lua_trial")} {
		vm.library("os").RawSetString(name, vm.state.NewFunction(func(l *lua.LState) int {
			vm.trial.wrote = vm.trial.wrote || name == "remove" || name == "rename"
			return Returns(l, result)
		}))
	}
}

// Types lists the names of all types that have been declared.
func (vm *VM) Types() []string { return slices.Sorted(maps.Keys(vm.prototypes)) }

// Sources is the code of each file that is in force, by key.
func (vm *VM) Sources() map[string]string {
	sources := map[string]string{}
	for key, c := range vm.inForce {
		sources[key] = c.src
	}
	return sources
}

// Bare returns an object of a type that has nothing but what the type declares, or nil. No code is
// run, and nothing else knows the object.
func (vm *VM) Bare(typ string) Value {
	p := vm.prototypes[typ]
	if p == nil {
		return nil
	}
	tb := vm.state.NewTable()
	tb.Metatable = p.table
	return tb
}
