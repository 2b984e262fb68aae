package lua

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
)

// A Library is functions for scripts that another package adds to a VM. It is called on the VM's
// goroutine. Whatever its functions register for a script they report to [VM.Did].
type Library interface {
	// Values calls yield with what the library holds: scripts can reach it, so it counts as the
	// session's memory. At the beginning, these are the library's own tables, which are no data.
	Values(yield func(lua.LValue))
	// Ran is called when a file has run, with what [VM.Loading] has returned meanwhile.
	Ran(file string, loading int)
	// Close ends what scripts have started.
	Close()
}

// Extend adds a library to a VM that has run no script yet. open defines its functions, some of
// them in the table session.
func (vm *VM) Extend(lib Library, open func(l *lua.LState, session *lua.LTable)) {
	open(vm.state, vm.session)
	vm.libraries = append(vm.libraries, lib)
	vm.own = vm.ownTables()
}

// Callback calls a function that has no caller to report to: its error goes to [Options.Failed],
// with the given kind, and is returned, too. Arguments may be anything that [VM.Import] accepts. A
// value that is not a function is an error, too.
func (vm *VM) Callback(kind string, fn Value, args ...any) error {
	f, ok := fn.(*lua.LFunction)
	if !ok {
		err := fault.New(fault.Script, "a function is needed, not a %s", in(fn).Type())
		vm.Fail(kind, err)
		return err
	}
	values := make([]lua.LValue, len(args))
	for i, a := range args {
		values[i] = vm.lua(a)
	}
	vm.lastCallback = f
	err := vm.call(f, 0, values...)
	if err != nil {
		vm.Fail(kind, err)
	}
	if err := vm.migrate(false, false); err != nil {
		vm.Fail(kind, err)
	}
	return err
}

// LastCallback returns where the last function is defined that [VM.Callback] called, as FILE:LINE,
// or "".
func (vm *VM) LastCallback() string {
	if vm.lastCallback == nil || vm.lastCallback.IsG {
		return ""
	}
	p := vm.lastCallback.Proto
	return fmt.Sprintf("%s:%d", p.SourceName, p.LineDefined)
}

// Fail reports an error that has no caller, of a kind as [Options.Failed] has them.
func (vm *VM) Fail(kind string, err error) {
	if vm.opts.Failed != nil {
		vm.opts.Failed(kind, err)
	}
}
