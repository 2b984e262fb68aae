// Package async has what scripts start and get later: timers, requests, programs, terminals. A
// [Library] adds it to a VM. It starts no goroutine and opens no connection: the functions in
// [Options] do that, and what they bring comes back on the VM's goroutine.
//
//   - An awaited is a timer or a job, with the function to call.
//   - A terminal is the VM's side of a terminal's object. Its calls stand in lanes, which carry
//     them out in order without holding up the session.
//   - A stream waits for something again and again, for handlers and for the list of terminals.
//
// Whatever a script starts here goes the same way:
//
//	script → Did (how to undo it) → Background or After → apply, on the VM's goroutine → Callback
//
// Nothing but apply touches the VM or an object, and whatever is started can be undone, until the
// file that has started it has been loaded.
package async

import (
	"context"
	"time"

	lua "github.com/yuin/gopher-lua"
	engine "ui-mcp/internal/ui/lua"
)

// Options say what scripts may start.
type Options struct {
	// After calls f after d on the VM's goroutine, armed, as a transaction of its own, unless
	// cancel was called before. cancel may be called at any time, and from f, on the VM's
	// goroutine.
	After func(d time.Duration, f func()) (cancel func())
	// Background runs work on another goroutine and then, in the same way as After, what it
	// returned. The context ends with the session.
	Background func(work func(context.Context) (apply func()))
	Effects
}

// Effects are what scripts can do to the world outside the session. Functions that are nil are
// missing: scripts that need them get an error that says so.
type Effects struct {
	// HTTP makes a request, outside the VM's goroutine, and gives up when ctx ends.
	HTTP func(ctx context.Context, req Request) (Response, error)
	// Exec is [engine.Options.Exec]; session:exec calls it outside the VM's goroutine.
	Exec func(ctx context.Context, cmd engine.Command) (engine.Result, error)
	// Terminals returns the terminals of scripts. It may be called from any goroutine, and has some
	// from a certain time on. Without them, NoTerminals says why, and how to get them. A nil
	// function never has any.
	Terminals   func() Terminals
	NoTerminals string
	// Project is the directory in which terminals start by default.
	Project string
}

// A Library is what the scripts of one VM have started. It belongs to the VM's goroutine.
type Library struct {
	vm    *engine.VM
	opts  Options
	state *lua.LState

	handles   int              // counts timers and jobs
	timers    map[int]*awaited // by their handles
	jobs      map[int]*awaited // requests, processes, and waits for terminals
	terminals terminals
}

// Open adds the functions to a VM that has run no script yet. The VM's Close ends what they have
// started, except terminals, which belong to the process.
func Open(vm *engine.VM, opts Options) *Library {
	lib := &Library{vm: vm, opts: opts, timers: map[int]*awaited{}, jobs: map[int]*awaited{}}
	vm.Extend(lib, func(l *lua.LState, session *lua.LTable) {
		lib.state = l
		lib.openTimers(session)
		session.RawSetString("http", l.NewFunction(lib.sessionHTTP))
		session.RawSetString("exec", l.NewFunction(lib.sessionExec))
		lib.openTerminals()
	})
	return lib
}

// Close implements [engine.Library].
func (lib *Library) Close() {
	for _, set := range []map[int]*awaited{lib.timers, lib.jobs} {
		for id, p := range set {
			delete(set, id)
			p.cancel()
		}
	}
}

// Values implements [engine.Library].
func (lib *Library) Values(yield func(lua.LValue)) {
	yield(lib.terminals.class)
	yield(lib.terminals.parts)
	for _, set := range []map[int]*awaited{lib.timers, lib.jobs} {
		for _, p := range set {
			if p.fn != nil {
				yield(p.fn)
			}
		}
	}
	for _, t := range lib.terminals.of {
		yield(t.obj)
		for _, h := range t.handlers {
			yield(h.fn)
		}
	}
}

// value converts what [engine.VM.Import] accepts, other than nil.
func (lib *Library) value(v any) lua.LValue { return lib.vm.Import(v).(lua.LValue) }
