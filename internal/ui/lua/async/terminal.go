package async

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	lua "github.com/yuin/gopher-lua"
	engine "ui-mcp/internal/ui/lua"

	"ui-mcp/internal/wake"
)

// Terminals are the terminals of this process, for scripts. All methods may be called from any
// goroutine.
type Terminals interface {
	// List describes all terminals, sorted by name. It never waits.
	List() []Terminal
	// Operations returns the names of the operations on one terminal.
	Operations() []string
	// Check reports whether an operation waits for something, and what is wrong with its input,
	// whose member session need not be there yet.
	Check(operation string, in []byte) (waits bool, err error)
	// Do carries out an operation on terminals for a script, which is named for persons. in and
	// answer are JSON. It gives up when ctx ends. command.run calls begun when the command has
	// begun, so that what is typed then reaches it: at most once, from any goroutine, and not after
	// Do has returned. Other operations ignore begun, which may be nil.
	Do(ctx context.Context, script, operation string, in []byte, begun func()) (answer []byte, err error)
	// Watch watches the terminal of that ID, or, if it is "", the list of all, from now on until
	// ctx ends. next waits for events; changes of the list have none. A slow caller loses the
	// oldest. It fails when there will be no more, and is for one goroutine at a time.
	Watch(ctx context.Context, id string) (next func() ([]TerminalEvent, error), err error)
}

// A Terminal describes a terminal.
type Terminal struct {
	ID            string // goes wherever the name does, and never changes
	Name, Command string
	State, Title  string // State is prompt, running, line, secret, fullscreen or ended
	Reports       uint64 // how many events of new states there were
	Rows, Cols    int
	Tags          []string
	Keyboard      string           // who has it, so that programs may not type, or ""
	Leader        string           // name of the client whose terminal decides the size, or ""
	Last          *TerminalCommand // nil before the first one, and where the shell marks none
	Exit          *TerminalExit    // nil while the program runs
}

// A TerminalCommand is a command of a shell.
type TerminalCommand struct {
	Number   uint64 // in its terminal, from 1
	Line     string
	Ended    bool
	Status   *int          // exit status, if it is known
	Duration time.Duration // once it has ended
}

// A TerminalExit is how a program has ended.
type TerminalExit struct {
	Status int
	Signal string // or ""
}

// A TerminalEvent is a new state, a command that has ended, or a bell.
type TerminalEvent struct {
	State   string
	Reports uint64 // how many states there were, this one included: see Terminal
	Command *TerminalCommand
	Bell    bool
}

// terminalType is the type of a terminal's object, by which its view definition is found.
const terminalType = "lua.Terminal"

// TerminalsWithheld is why a trial has no terminals, where its app has some otherwise.
const TerminalsWithheld = "there are no terminals while an app is being checked"

// States that a terminal's object has in addition to the states of a [Terminal].
const (
	terminalStarting = "starting" // it is being created
	terminalFailed   = "failed"   // it could not be created
	terminalRemoved  = "removed"
)

// terminals is the table terminal of a session, and its objects.
type terminals struct {
	class   *lua.LTable // the metatable of the objects, with their methods
	parts   *lua.LTable // the metatable of overlays and panels
	byID    map[string]*terminal
	made    []*terminal // being created, in order
	creates lane        // so that those that are created together are created in their order
	failed  time.Time   // when creating one has failed last; touched only by calls in creates
	of      map[*lua.LTable]*terminal
	stream  *stream  // of changes; nil before it is needed
	news    []func() // calls of handlers with what they have yet to learn, in order
}

// A terminal is the VM's side of a terminal's object.
type terminal struct {
	lib      *Library
	obj      *lua.LTable
	id       atomic.Pointer[string] // nil until it has been created
	ready    chan struct{}          // closed when it has been created here, or could not be; else nil
	now      Terminal               // as the object shows it; the name, if any, while it is created
	state    string                 // as the object shows it
	reports  uint64                 // see isNews
	ours     bool                   // it was created here
	commands uint64                 // the number of the last command that handlers know

	inputs, runs lane
	handlers     []*handler
	watch        *stream // nil before it is watched, which it is once
	refreshing   bool    // see [terminal.refreshSoon]
}

// theTerminals returns the terminals that there are now, or nil.
func (lib *Library) theTerminals() Terminals {
	if lib.opts.Terminals == nil {
		return nil
	}
	return lib.opts.Terminals()
}

func (lib *Library) openTerminals() {
	l := lib.state
	t := &lib.terminals
	t.byID, t.of = map[string]*terminal{}, map[*lua.LTable]*terminal{}
	class := func(typ string) *lua.LTable {
		tb := l.NewTable()
		tb.RawSetString("type", lua.LString(typ))
		tb.RawSetString("__index", tb)
		return tb
	}
	t.class, t.parts = class(terminalType), class("lua.TerminalElement")
	tb, meta := l.NewTable(), l.NewTable()
	l.SetGlobal("terminal", tb)
	l.SetMetatable(tb, meta)
	meta.RawSetString("__index", l.NewFunction(func(l *lua.LState) int {
		there := lib.theTerminals() != nil
		switch key := l.Get(2); {
		case key == lua.LString("available"):
			return engine.Returns(l, lua.LBool(there))
		case key == lua.LString("problem") && !there:
			return engine.Returns(l, lua.LString(lib.opts.NoTerminals))
		}
		return 0
	}))
	for name, f := range map[string]lua.LGFunction{"create": lib.terminalCreate, "list": lib.terminalList, "get": lib.terminalGet} {
		tb.RawSetString(name, l.NewFunction(func(l *lua.LState) int {
			if l.Get(1) == lua.LValue(tb) {
				l.Remove(1) // terminal.list() and terminal:list() are the same
			}
			if lib.theTerminals() == nil {
				if lib.opts.NoTerminals == TerminalsWithheld {
					lib.vm.Taint()
				}
				l.RaiseError("terminal.%s: %s", name, lib.opts.NoTerminals)
			}
			return f(l)
		}))
	}
}

// terminalList implements terminal.list([tag]).
func (lib *Library) terminalList(l *lua.LState) int {
	tag, list := l.OptString(1, ""), l.NewTable()
	for _, t := range lib.followTerminals() {
		if tag == "" || slices.Contains(t.now.Tags, tag) {
			list.Append(t.obj)
		}
	}
	return engine.Returns(l, list)
}

// terminalGet implements terminal.get(name).
func (lib *Library) terminalGet(l *lua.LState) int {
	name := l.CheckString(1)
	for _, t := range append(lib.followTerminals(), lib.terminals.made...) {
		if t.now.Name == name {
			return engine.Returns(l, t.obj)
		}
	}
	return engine.Returns(l, lua.LNil)
}

var createOptions = []string{"ask_to_type", "askToType", "cols", "command", "cwd", "env", "name", "record", "rows", "scrollback", "tags"}

// terminalCreate implements terminal.create(options[, callback]). The object is there at once, in
// the state "starting"; what is called on it waits for the program.
func (lib *Library) terminalCreate(l *lua.LState) int {
	script := lib.script(l)
	in, _, _, callback := lib.input(l, "terminal.create", method{operation: "session.create", options: createOptions}, 1)
	var wanted string
	if name, ok := in["name"].(json.RawMessage); ok {
		_ = json.Unmarshal(name, &wanted) // the operation reports what is wrong with it
	}
	if in["cwd"] == nil && !strings.Contains(wanted, "/") { // another host, as in HOST/NAME, has no such directory
		in["cwd"] = lib.opts.Project
	}
	lib.terminals.creates.room(l, "terminal.create", 0)
	lib.followTerminals() // so that those that are there already have objects
	t := lib.newTerminal()
	t.ours, t.ready = true, make(chan struct{})
	if t.now.Name = wanted; wanted != "" {
		t.obj.RawSetString("name", lua.LString(t.now.Name))
	}
	t.setState(terminalStarting)
	t.obj.RawSetString("running", lua.LTrue)
	lib.terminals.made = append(lib.terminals.made, t)
	lib.queue(l, &lib.terminals.creates, "terminal.create", 0, callback, func(ctx context.Context) (func() (lua.LValue, error), error) {
		defer close(t.ready)
		var made struct{ Name, ID string }
		// A method that a binding displays may create a missing terminal: a failure changes the
		// object, so the method is called again.
		err := wake.After(ctx, createPause-time.Since(lib.terminals.failed))
		if err == nil {
			err = lib.ask(ctx, script, "session.create", in, &made)
		}
		if err == nil {
			t.id.Store(&made.ID)
		} else {
			lib.terminals.failed = time.Now()
		}
		return func() (lua.LValue, error) {
			lib.terminals.made = slices.DeleteFunc(lib.terminals.made, func(other *terminal) bool { return other == t })
			if err != nil {
				t.fail(engine.Message(err))
				return nil, err
			}
			t.adopt(made.ID, made.Name)
			lib.refreshTerminals()
			return t.obj, nil
		}, nil
	})
	return engine.Returns(l, t.obj)
}

// fail makes the object show that its terminal could not be created.
func (t *terminal) fail(problem string) {
	ts := &t.lib.terminals
	maps.DeleteFunc(ts.byID, func(_ string, of *terminal) bool { return of == t }) // it is another one's
	t.forget()
	t.obj.RawSetString("error", lua.LString(problem))
	t.obj.RawSetString("running", lua.LFalse)
	t.setState(terminalFailed)
}

// forget ends everything that belongs to an object that is no terminal's any more.
func (t *terminal) forget() {
	if t.watch != nil {
		t.watch.cancel()
	}
	end(t.take(func(h *handler) bool { return h.event != "exit" })) // which handlers may have yet to learn
	delete(t.lib.terminals.of, t.obj)
}

// createPause is the least time from a failure to create a terminal to the next attempt.
const createPause = time.Second

// adopt makes t the object of the terminal that was created for it. If the list was read meanwhile,
// it is that already, or, if the terminal has got its name only now, another object is.
func (t *terminal) adopt(id, name string) {
	ts := &t.lib.terminals
	other := ts.byID[id]
	if other == t {
		return
	}
	if other != nil {
		other.forget()
	}
	t.now = Terminal{ID: id, Name: name}
	ts.byID[id] = t
}

// script names the code that has called a function of this package: an app, a file, or ui_run.
func (lib *Library) script(l *lua.LState) string {
	file, _, _ := strings.Cut(l.Where(1), ":")
	if app := engine.AppOf(file); app != "" {
		return app
	}
	return cmp.Or(file, "a script")
}

func (lib *Library) newTerminal() *terminal {
	if lib.terminals.class.RawGetString("call") == lua.LNil {
		lib.openTerminalMethods() // there are many, and most sessions have no terminal
	}
	t := &terminal{lib: lib, obj: lib.state.NewTable()}
	t.inputs = lane{of: t, combine: true} // many keys are typed at once
	t.obj.Metatable = lib.terminals.class
	lib.terminals.of[t.obj] = t
	return t
}

func (t *terminal) setState(state string) {
	t.state = state
	t.obj.RawSetString("state", lua.LString(state))
	t.obj.RawSetString("waits", lua.LNil)
	if waits(state) {
		t.obj.RawSetString("waits", lua.LString(state))
	}
}

// isNews reports whether the state of a number was not known before. The list may have a state
// before the events of that one and of earlier ones come, which then are out of date.
func (t *terminal) isNews(reports uint64) bool {
	news := reports > t.reports
	t.reports = max(t.reports, reports)
	return news
}

func waits(state string) bool { return state == "line" || state == "secret" }

func (lib *Library) self(l *lua.LState, method string) *terminal {
	tb, _ := l.Get(1).(*lua.LTable)
	if t := lib.terminals.of[tb]; t != nil {
		return t
	}
	if tb != nil && tb.Metatable == lua.LValue(lib.terminals.class) {
		why := "was removed"
		if problem := tb.RawGetString("error"); problem != lua.LNil {
			why = "could not be created: " + problem.String()
		}
		l.RaiseError("%s: this terminal %s", method, why)
	}
	l.RaiseError("%s is a method of terminals: call it with a colon, as in dev:%[1]s(...)", method)
	return nil
}

// shownLines is how many lines of a screen an inspection has.
const shownLines = 5

// ReadTerminal returns the state of a terminal and the last lines of its screen that have text, or
// says why there is nothing to read. The terminal is given by its name or ID. It is called on the
// VM's goroutine.
func (lib *Library) ReadTerminal(ref string) (state string, last []string) {
	there := lib.theTerminals()
	if there == nil {
		return lib.opts.NoTerminals, nil
	}
	list := there.List()
	i := slices.IndexFunc(list, func(t Terminal) bool { return t.Name == ref || t.ID == ref })
	if i < 0 {
		return "there is no such terminal", nil
	}
	state = list[i].State
	if exit := list[i].Exit; exit != nil {
		state = fmt.Sprintf("%s with status %d", state, exit.Status)
	}
	if list[i].ID == ref {
		state = list[i].Name + ", " + state
	}
	ctx, cancel := lib.vm.During(lookTimeout)
	defer cancel()
	var screen struct {
		Lines []string `json:"lines"`
	}
	if err := lib.ask(ctx, "ui_inspect", "screen.get", map[string]any{"session": ref, "format": "plain"}, &screen); err != nil {
		return state, nil
	}
	for _, line := range slices.Backward(screen.Lines) {
		if line = strings.TrimRight(line, " "); line != "" && len(last) < shownLines {
			last = append(last, line)
		}
	}
	slices.Reverse(last)
	return state, last
}
