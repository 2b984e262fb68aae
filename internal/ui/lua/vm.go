// Package lua is the Lua side of a session: one virtual machine with its
// prototypes, modules and redirected output. It is the only importer of the Lua library; what
// leaves it are opaque values, and what comes in are functions and plain Go values.
//
// A VM is not safe for concurrent use: a session's goroutine owns it.
package lua

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// A Value is a Lua value that only this package looks into; nil is Lua's nil. Two
// values are == when Lua's rawequal says so.
type Value = any

// Options configure a VM.
type Options struct {
	// Dir is the base directory: modules are found below it, and errors name files relative to it.
	Dir string
	// Timeout is how long one entry into Lua may run.
	Timeout time.Duration
	// Log receives what cannot be told to anybody else. It is required.
	Log *slog.Logger
}

// A VM runs the code of one session.
type VM struct {
	opts    Options
	state   *lua.LState
	session *lua.LTable
	app     lua.LValue // what session:createAppVariable was given, or nil

	prototypes map[string]*prototype
	pending    []*prototype // whose instances must follow a change of the prototype
	empty      *lua.LTable  // the EMPTY marker

	loaded map[string]bool // files that have been run, by their path relative to Dir
	out    *logFile        // print, io.stdout
	err    *logFile        // io.stderr

	// Functions that ran out of time while the tree was read. They are not
	// called again before new code has been loaded: each pass would take as long.
	stopped map[*lua.LFunction]error
	reading bool
	cancel  context.CancelFunc // of the time that is running
}

// New returns a VM with the standard libraries and the session table.
func New(opts Options) *VM {
	l := lua.NewState(lua.Options{
		// The library's defaults fail at a table.concat of 5,000 elements. A grow
		// step smaller than this one makes large ones quadratic.
		RegistrySize:        4 << 10,
		RegistryMaxSize:     1 << 20,
		RegistryGrowStep:    1 << 16,
		CallStackSize:       1 << 13,
		MinimizeStackMemory: true,
		IncludeGoStackTrace: false,
	})
	vm := &VM{
		opts: opts, state: l,
		prototypes: map[string]*prototype{},
		loaded:     map[string]bool{},
		stopped:    map[*lua.LFunction]error{},
		out:        &logFile{path: filepath.Join(opts.Dir, "log", "lua.log"), log: opts.Log},
		err:        &logFile{path: filepath.Join(opts.Dir, "log", "lua-err.log"), log: opts.Log},
	}
	vm.redirect()
	vm.openRequire()
	vm.openSession()
	return vm
}

// Close frees the VM.
func (vm *VM) Close() { vm.state.Close() }

// rearm starts the time anew.
func (vm *VM) rearm() { vm.disarm(); vm.arm() }

func (vm *VM) arm() {
	ctx, cancel := context.WithTimeout(context.Background(), vm.opts.Timeout)
	vm.state.SetContext(ctx)
	vm.cancel = cancel
}

func (vm *VM) disarm() {
	vm.state.RemoveContext()
	vm.cancel()
}

// Arm gives whatever runs from now on the VM's timeout, until disarm is called.
// Every way into Lua must be armed. Calls do not nest.
func (vm *VM) Arm() (disarm func()) {
	vm.arm()
	return vm.disarm
}

// ErrorLog appends a line to the log of errors, log/lua-err.log.
func (vm *VM) ErrorLog(line string) { vm.err.write(line + "\n") }

// call calls fn with the arguments that are on the stack above it, protected.
func (vm *VM) call(fn lua.LValue, nret int, args ...lua.LValue) error {
	l := vm.state
	top := l.GetTop()
	l.Push(fn)
	for _, a := range args {
		l.Push(a)
	}
	if err := l.PCall(len(args), nret, nil); err != nil {
		l.SetTop(top)
		return vm.scriptError(err)
	}
	return nil
}

// call1 calls fn and returns its first result.
func (vm *VM) call1(fn lua.LValue, args ...lua.LValue) (lua.LValue, error) {
	if err := vm.call(fn, 1, args...); err != nil {
		return lua.LNil, err
	}
	v := vm.state.Get(-1)
	vm.state.Pop(1)
	return v, nil
}
