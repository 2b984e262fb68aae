// Package lua is the Lua side of a session: one virtual machine with its prototypes, modules and
// redirected output. Outside its folder nobody imports the Lua library: it hands out opaque values,
// and takes functions and plain Go values.
//
//   - A [VM] runs the code of one session. Its goroutine owns it. It starts no other one and opens
//     no connection; the functions in [Options] do slow work.
//   - A guard is the context of all its threads. It counts instructions, and ends what takes too
//     long or holds too much.
//   - A [Library] is functions of another package for scripts, such as async. What any function
//     registers for a script, it reports to [VM.Did].
//
// An event of a page, a timer and ui_run all go the same way:
//
//	Arm → Call, Load, Run or Callback → pcall → code → migration of objects → disarm
//
// No code runs unarmed, and a file that fails changes nothing: what declarations change is in a
// snapshot, what is registered elsewhere in the journal. Packages below know values only: chunk
// compiles, pattern matches, kept follows objects.
//
// Some functions of the library cannot be stopped at the deadline: sorting a large table without a
// function, and plain searches in long strings. The memory limit bounds them.
package lua

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/lua/kept"
	"ui-mcp/internal/ui/lua/pattern"
)

// A Value is a Lua value, opaque outside this package; nil is Lua's nil. Two values are == if they
// are rawequal in Lua.
type Value = any

// Options configure a VM. Dir, Timeout and Log are required. If a function is nil, scripts that
// need it get an error that says so.
type Options struct {
	// Dir is the base directory: modules are found below it, and errors name files relative to it.
	Dir string
	// Timeout is how long one entry into Lua may run.
	Timeout time.Duration
	// MemoryLimit is how many bytes of tables, strings and functions the session may hold,
	// approximately: 0 means DefaultMemoryLimit.
	MemoryLimit int64
	// Log learns that output is lost.
	Log *slog.Logger

	// Exec runs a command and waits for it, and kills it when ctx ends. os.execute and io.popen
	// call it on the VM's goroutine.
	Exec func(ctx context.Context, cmd Command) (Result, error)
	// Failed takes an error that has no caller; kind is "timer" or "callback".
	Failed func(kind string, err error)
	// Trial keeps scripts from having effects outside the VM: what they write and delete is
	// dropped, and they learn that it was done. Files can be read. See [VM.Tainted].
	Trial bool
	// Diag takes the arguments of the function diag. If it is nil, they are dropped.
	Diag func(level int, msg string)
}

// A VM runs the code of one session.
type VM struct {
	Base
	opts    Options
	state   *lua.LState
	session *lua.LTable
	own     map[*lua.LTable]bool // tables of the libraries, of this package, and of Define

	guard    *guard
	life     context.Context // ends with Interrupt
	end      context.CancelFunc
	shields  shields
	patterns map[string]*pattern.Pattern

	undoable
	declared int // changes whenever prototypes or outdated may have changed

	modules modules
	file    string // the key of the file that is being loaded, or ""
	loading int    // chunks being run: one may require others
	depth   int    // calls under way that catch errors
	journal journal
	out     *logFile // print, io.stdout
	err     *logFile // io.stderr

	concatenate *lua.LFunction // the operator ..
	fileType    *lua.LTable    // the metatable of files
	files       atomic.Int64   // open files; another goroutine decrements it when one is garbage collected

	libraries    []Library
	lastCallback *lua.LFunction // that [VM.Callback] called, or nil

	marks kept.Marks

	reading bool // the tree is being read: see [VM.Reading]
	// parent is where __index of the metatable that was read last leads: rows of a list share it.
	// It holds while the tree is read, until code runs, which could change that.
	parent struct{ of, is *lua.LTable }
	trial  trial
}

// maxArray bounds a table's array part. The library fills the gap before a new index: with its
// default bound, t[60000000] = 1 takes a gigabyte. Larger indexes are ordinary keys, which # and
// ipairs ignore.
const maxArray = 1 << 22

var setMaxArray = sync.OnceFunc(func() { lua.MaxArrayIndex = maxArray })

// New returns a VM with the standard libraries and the session table. The caller must Close it.
func New(opts Options) *VM {
	setMaxArray()
	l := lua.NewState(lua.Options{
		// The library's defaults fail at a table.concat of 5,000 elements. A grow step smaller than
		// this one makes large ones quadratic.
		RegistrySize:        4 << 10,
		RegistryMaxSize:     1 << 20,
		RegistryGrowStep:    1 << 16,
		CallStackSize:       1 << 13,
		MinimizeStackMemory: true,
		IncludeGoStackTrace: false,
	})
	vm := &VM{
		Base: NewBase(opts.Dir), opts: opts, state: l,
		patterns: map[string]*pattern.Pattern{},
		undoable: undoable{
			prototypes: map[string]*prototype{}, outdated: map[weak.Pointer[lua.LTable]]kept.Outdated{},
			inForce: map[string]code{}, wrappers: map[string]lua.LValue{}, apps: map[string]*lua.LTable{},
		},
		out: &logFile{path: filepath.Join(opts.Dir, "log", "lua.log"), log: opts.Log, drop: opts.Trial},
		err: &logFile{path: filepath.Join(opts.Dir, "log", "lua-err.log"), log: opts.Log, drop: opts.Trial},
	}
	vm.life, vm.end = context.WithCancel(context.Background())
	vm.guard = newGuard(vm, opts.Timeout, opts.MemoryLimit)
	l.SetContext(vm.guard)
	vm.openProtect()
	vm.openCoroutines()
	vm.openStrings()
	l.G.Global.RawSetString("collectgarbage", l.NewFunction(vm.guard.collectgarbage))
	vm.redirect()
	vm.openLoad()
	vm.openProcesses()
	vm.openTrial()
	vm.openSession()
	vm.openModules()
	vm.openUI()
	vm.own = vm.ownTables()
	return vm
}

func (vm *VM) library(name string) *lua.LTable {
	tb, ok := vm.state.G.Global.RawGetString(name).(*lua.LTable)
	if !ok {
		panic("lua: no " + name + " library")
	}
	return tb
}

func original(lib *lua.LTable, name string) lua.LGFunction {
	f, ok := lib.RawGetString(name).(*lua.LFunction)
	if !ok {
		panic("lua: the library has no " + name)
	}
	return f.GFunction
}

// Close closes the libraries and frees the VM. It may be called twice.
func (vm *VM) Close() {
	vm.Interrupt()
	for _, lib := range vm.libraries {
		lib.Close()
	}
	if !vm.state.IsClosed() {
		vm.state.Close()
	}
}

// Interrupt stops the running code for good: every later entry into Lua fails, and commands that
// scripts are waiting for are killed. It may be called from any goroutine, several times.
func (vm *VM) Interrupt() {
	vm.guard.interrupted.Store(true)
	vm.end()
}

// Arm starts the VM's timeout, which lasts until disarm is called. Every entry into Lua must be
// armed. Calls do not nest.
func (vm *VM) Arm() (disarm func()) {
	vm.guard.arm()
	return vm.guard.disarm
}

// Until stops the entry that was armed when ctx ends, at its next instruction.
func (vm *VM) Until(ctx context.Context) { vm.guard.caller = ctx }

// During returns a context for something outside that the entry waits for.
func (vm *VM) During(timeout time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(vm.life, timeout)
	stop := context.AfterFunc(vm.guard.caller, cancel)
	return ctx, func() { stop(); cancel() }
}

// ErrorLog appends a line to the error log, log/lua-err.log.
func (vm *VM) ErrorLog(line string) { vm.err.write(line + "\n") }

func (vm *VM) call(fn lua.LValue, nret int, args ...lua.LValue) error {
	l := vm.state
	top := l.GetTop()
	l.Push(fn)
	Returns(l, args...)
	if err := vm.pcall(len(args), nret); err != nil {
		l.SetTop(top)
		return vm.scriptError(err)
	}
	return nil
}

func (vm *VM) call1(fn lua.LValue, args ...lua.LValue) (lua.LValue, error) {
	if err := vm.call(fn, 1, args...); err != nil {
		return lua.LNil, err
	}
	v := vm.state.Get(-1)
	vm.state.Pop(1)
	return v, nil
}
