package lua

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"time"

	"ui-mcp/internal/fault"

	lua "github.com/yuin/gopher-lua"
)

const (
	// lookTimeout is how long a script may be held up that looks at a screen. A terminal is busy
	// for as long as it takes to draw what a program has written.
	lookTimeout = 250 * time.Millisecond
	// defaultWait is how long wait and run last at most by default.
	defaultWait = 5 * time.Minute
	// waitMargin is what an operation may take beyond the time that it waits.
	waitMargin = 10 * time.Second
	// maxLines bounds the lines that lines returns.
	maxLines = 10_000
)

// A method of terminals carries out an operation. Its input is given by position: arguments, of
// which the last ones may be left out, then a callback.
type method struct {
	operation string
	arguments []argument
	// member is what the callback gets of the answer; "" means all.
	member string
	// asks says that the method is called for its answer only: the callback cannot be left out.
	asks bool
}

// An argument becomes the member of that name of an operation's input.
type argument struct {
	name string // "": read returns members of the input
	// read returns the argument at a position, and raises an error if it is unsuitable.
	read     func(vm *VM, l *lua.LState, method string, at int) any
	optional bool // it may be nil, and the callback in its place
}

// terminalMethods are the methods that are one operation each.
var terminalMethods = map[string]method{
	"send":         {operation: "input.send", arguments: []argument{{name: "data", read: readData}, typing}},
	"keys":         {operation: "input.keys", arguments: []argument{{name: "keys", read: readNames}, typing}},
	"paste":        {operation: "input.paste", arguments: []argument{{name: "text", read: readText}, typing}},
	"signal":       {operation: "session.signal", arguments: []argument{{name: "signal", read: readText}}},
	"resize":       {operation: "session.resize", arguments: []argument{{name: "rows", read: readNumber}, {name: "cols", read: readNumber}}},
	"kill":         {operation: "session.remove"},
	"rename":       {operation: "session.rename", arguments: []argument{{name: "to", read: readText}}},
	"tag":          {operation: "session.tag", arguments: []argument{{name: "add", read: readTexts}}},
	"untag":        {operation: "session.tag", arguments: []argument{{name: "remove", read: readTexts}}},
	"takeKeyboard": {operation: "keyboard.take", arguments: []argument{{name: "by", read: readText, optional: true}}},
	"giveKeyboard": {operation: "keyboard.give"},
	"typed":        {operation: "session.typed", arguments: []argument{{name: "last", read: readNumber, optional: true}}, asks: true},
	"wait":         {operation: "wait.state", arguments: []argument{{name: "states", read: readNames, optional: true}}, member: "state", asks: true},
}

// elementMethods are the methods of overlays and panels: the operations of these names.
var elementMethods = map[string][]argument{
	"update":  {{read: readForm}},
	"replace": {{read: readForm}},
	"write":   {{name: "writes", read: readList}},
	"remove":  nil,
}

// typing are the options of methods that type.
var typing = argument{read: readTyping, optional: true}

func readText(_ *VM, l *lua.LState, _ string, at int) any   { return l.CheckString(at) }
func readData(_ *VM, l *lua.LState, _ string, at int) any   { return []byte(l.CheckString(at)) }
func readNumber(_ *VM, l *lua.LState, _ string, at int) any { return l.CheckInt(at) }

func readTexts(vm *VM, l *lua.LState, method string, at int) any {
	return vm.strings(l, method, l.CheckTable(at))
}

// readNames takes a list of names, or one string with blanks between them.
func readNames(vm *VM, l *lua.LState, method string, at int) any {
	if s, ok := l.Get(at).(lua.LString); ok {
		return strings.Fields(string(s))
	}
	return readTexts(vm, l, method, at)
}

func readTyping(_ *VM, l *lua.LState, method string, at int) any {
	opts := checkOptions(l, method, at, "secret")
	return map[string]any{"secret": lua.LVAsBool(opts.RawGetString("secret"))}
}

// readForm takes a table with names.
func readForm(vm *VM, l *lua.LState, method string, at int) any {
	form := map[string]any{}
	l.CheckTable(at).ForEach(func(k, v lua.LValue) {
		name, ok := k.(lua.LString)
		if !ok {
			l.RaiseError("%s: the input must be a table with names", method)
		}
		form[string(name)] = vm.encoded(l, method, v)
	})
	return form
}

func readList(vm *VM, l *lua.LState, method string, at int) any {
	return vm.encoded(l, method, l.CheckTable(at))
}

// encoded returns a value of an operation's input as JSON.
func (vm *VM) encoded(l *lua.LState, method string, v lua.LValue) json.RawMessage {
	data, err := vm.encode(l, v)
	if err != nil {
		l.RaiseError("%s: %s", method, err)
	}
	return data
}

// input reads the arguments of a method from a position on, and the callback after them. typed is
// the length of the texts.
func (vm *VM) input(l *lua.LState, name string, m method, at int) (in map[string]any, typed int, callback *lua.LFunction) {
	in = map[string]any{}
	for _, a := range m.arguments {
		switch v := l.Get(at); {
		case a.optional && v.Type() == lua.LTFunction:
			continue
		case a.optional && v == lua.LNil:
		default:
			if s, ok := v.(lua.LString); ok {
				typed += len(s)
			}
			value := a.read(vm, l, name, at)
			if members, ok := value.(map[string]any); ok {
				maps.Copy(in, members)
			} else {
				in[a.name] = value
			}
		}
		at++
	}
	if m.asks {
		return in, typed, l.CheckFunction(at)
	}
	return in, typed, optFunction(l, at)
}

// openTerminalMethods gives terminals their methods.
func (vm *VM) openTerminalMethods() {
	l, class := vm.state, vm.terminals.class
	define := func(name string, f func(l *lua.LState, t *terminal) int) {
		class.RawSetString(name, l.NewFunction(func(l *lua.LState) int { return f(l, vm.self(l, name)) }))
	}
	for name, m := range terminalMethods {
		define(name, func(l *lua.LState, t *terminal) int { return t.invoke(l, name, m, 2, t.address) })
	}
	// t:call(operation, [input,] callback), for every operation without a method of its own.
	define("call", func(l *lua.LState, t *terminal) int {
		operation := l.CheckString(2)
		return t.invoke(l, "call "+operation, method{operation: operation, arguments: []argument{{read: readForm, optional: true}}}, 3, t.address)
	})
	define("submit", vm.terminalSubmit)
	define("run", vm.terminalRun)
	define("screen", vm.terminalScreen)
	define("lines", vm.terminalLines)
	define("on", vm.terminalOn)
	for _, kind := range []string{"overlay", "panel"} {
		define(kind, func(l *lua.LState, t *terminal) int { return vm.createElement(l, t, kind) })
	}
}

// address completes the input of an operation on the terminal.
func (t *terminal) address(in map[string]any) error {
	in["session"] = t.ref()
	return nil
}

// invoke carries out an operation whose arguments start at a position. address completes the input,
// outside the VM's goroutine. An operation that waits does so beside the others, and the script
// gets a handle; others are done in the order of the calls, and the script gets the object on which
// the method was called.
func (t *terminal) invoke(l *lua.LState, name string, m method, at int, address func(in map[string]any) error) int {
	vm := t.vm
	in, typed, callback := vm.input(l, name, m, at)
	do := func(ctx context.Context, do operate) (answer []byte, err error) {
		if err := address(in); err != nil {
			return nil, err
		}
		return do(ctx, m.operation, in)
	}
	if !isWait(m.operation) {
		t.queue(l, name, typed, callback, do, vm.decoded)
		l.Push(l.Get(1))
		return 1
	}
	if in["max_wait_ms"] == nil {
		in["max_wait_ms"] = defaultWait.Milliseconds()
	}
	script := vm.script(l)
	l.Push(vm.start(l, name, defaultWait+waitMargin, callback, func(ctx context.Context) (func() (lua.LValue, error), error) {
		if err := t.created(ctx); err != nil {
			return nil, err
		}
		answer, err := do(ctx, vm.operator(script))
		return func() (lua.LValue, error) {
			v, err := vm.decoded(answer)
			if tb, ok := v.(*lua.LTable); ok && m.member != "" {
				v = tb.RawGetString(m.member)
			}
			return v, err
		}, err
	}))
	return 1
}

// isWait reports whether an operation waits for something.
func isWait(operation string) bool {
	return strings.HasPrefix(operation, "wait.") || operation == "command.run" || operation == "screen.next" || operation == "recording.next"
}

// decoded returns JSON as a Lua value. An empty answer is true.
func (vm *VM) decoded(answer []byte) (lua.LValue, error) {
	if string(answer) == "{}" {
		return lua.LTrue, nil
	}
	return vm.decode(vm.state, string(answer), lua.LNil)
}

// terminalSubmit implements t:submit(text, [options,] callback): it pastes the text and presses
// Enter, unless that has failed.
func (vm *VM) terminalSubmit(l *lua.LState, t *terminal) int {
	in, typed, callback := vm.input(l, "submit", terminalMethods["paste"], 2)
	t.queue(l, "submit", typed, callback, func(ctx context.Context, do operate) ([]byte, error) {
		in["session"] = t.ref()
		if in["text"] != "" {
			if answer, err := do(ctx, "input.paste", in); err != nil {
				return answer, err
			}
		}
		delete(in, "text")
		in["keys"] = []string{"Enter"}
		return do(ctx, "input.keys", in)
	}, vm.decoded)
	l.Push(t.obj)
	return 1
}

// look carries out an operation that answers at once, while the script waits.
func (t *terminal) look(l *lua.LState, method, operation string, in map[string]any, out any) {
	if t.state == terminalStarting {
		l.RaiseError("%s: this terminal is being created: call it in the callback of terminal.create, or later", method)
	}
	ctx, cancel := context.WithTimeout(t.vm.life, lookTimeout)
	defer cancel()
	if err := t.read(ctx, t.vm.script(l), operation, in, out); err != nil {
		l.RaiseError("%s: %s", method, Message(err))
	}
}

// terminalScreen implements t:screen().
func (vm *VM) terminalScreen(l *lua.LState, t *terminal) int {
	var screen struct {
		Epoch uint64   `json:"epoch"`
		Lines []string `json:"lines"`
	}
	t.look(l, "screen", "screen.get", map[string]any{}, &screen)
	t.refreshSoon(screen.Epoch)
	l.Push(lua.LString(screenText(screen.Lines)))
	return 1
}

func screenText(lines []string) string { return strings.TrimRight(strings.Join(lines, "\n"), "\n") }

// terminalLines implements t:lines(from, n).
func (vm *VM) terminalLines(l *lua.LState, t *terminal) int {
	from, most := l.OptInt(2, 0), min(max(l.OptInt(3, maxLines), 0), maxLines)
	in := map[string]any{"from": from, "limit": most}
	if from < 0 {
		most = min(most, -from)
		in = map[string]any{"tail": most + t.now.Rows} // the screen may end with empty rows
	}
	var p page
	t.look(l, "lines", "scrollback.get", in, &p)
	t.refreshSoon(p.Epoch)
	p.trim()
	if from < 0 && len(p.Lines) > most {
		p.First += uint64(len(p.Lines) - most)
		p.Lines = p.Lines[len(p.Lines)-most:]
	}
	l.Push(vm.lua(p.Lines))
	l.Push(lua.LNumber(p.First))
	l.Push(lua.LNumber(p.First + uint64(len(p.Lines))))
	return 3
}

// createElement implements t:overlay(form) and t:panel(form): it returns the handle of the element
// at once.
func (vm *VM) createElement(l *lua.LState, t *terminal, kind string) int {
	var id string // written by the first call of the lane, read by later ones
	element := l.NewTable()
	element.Metatable = vm.terminals.parts
	in, _, callback := vm.input(l, kind, method{arguments: elementMethods["update"]}, 2)
	t.queue(l, kind, 0, callback, func(ctx context.Context, do operate) ([]byte, error) {
		in["session"] = t.ref()
		var made struct {
			ID string `json:"id"`
		}
		err := do.read(ctx, kind+".create", in, &made)
		id = made.ID
		return nil, err
	}, func([]byte) (lua.LValue, error) {
		element.RawSetString("id", lua.LString(id))
		return element, nil
	})
	for name, arguments := range elementMethods {
		element.RawSetString(name, l.NewFunction(func(l *lua.LState) int {
			m := method{operation: kind + "." + name, arguments: arguments}
			return t.invoke(l, kind+" "+name, m, 2, func(in map[string]any) error {
				if id == "" {
					return fault.New(fault.Gone, "this %s could not be created", kind)
				}
				in["id"] = id
				return t.address(in)
			})
		}))
	}
	l.Push(element)
	return 1
}
