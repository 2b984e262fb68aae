package async

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/spell"

	lua "github.com/yuin/gopher-lua"
	engine "ui-mcp/internal/ui/lua"
)

const (
	// lookTimeout is how long a script may be held up that looks at a screen. A terminal is busy
	// for as long as it takes to draw what a program has written: some milliseconds, unless the
	// whole machine is busy, which is no reason for a script to fail.
	lookTimeout = time.Second
	// defaultWait is how long wait and run last at most by default.
	defaultWait = 5 * time.Minute
	// waitMargin is what an operation may take beyond the time that it waits.
	waitMargin = 10 * time.Second
	// maxLines bounds the lines that lines returns.
	maxLines = 10_000
)

// A method of terminals carries out an operation. It is called like the operation, in camel case,
// and gets its input as a table, and a callback. Shorter names get members of the input by
// position, then more of them in a table, and then the callback. What is nil or left out is not in
// the input: the operation knows what it needs.
type method struct {
	operation string
	members   []string
	options   []string // names in the table
	form      bool     // the table is the input itself
	keys      []string // what the input has as keys, whatever the script gives
	element   bool     // the input has an id, too, which may not be known yet
	// result is the member of the answer that the callback gets; "" means all of it.
	result string
	// asks says that the method is called for its answer only: the callback cannot be left out.
	asks  bool
	whole bool // the members must be given
}

var typing = []string{"secret"}

var shortMethods = map[string]method{
	"send":         {operation: "input.send", members: []string{"data"}, options: typing},
	"keys":         {operation: "input.keys", members: []string{"keys"}, options: typing},
	"paste":        {operation: "input.paste", members: []string{"text"}, options: typing},
	"submit":       {operation: "input.paste", members: []string{"text"}, options: typing, keys: []string{"Enter"}},
	"signal":       {operation: "session.signal", members: []string{"signal"}},
	"resize":       {operation: "session.resize", members: []string{"rows", "cols"}},
	"kill":         {operation: "session.remove"},
	"rename":       {operation: "session.update", members: []string{"name"}, whole: true},
	"tag":          {operation: "session.update", members: []string{"add_tags"}},
	"untag":        {operation: "session.update", members: []string{"remove_tags"}},
	"takeKeyboard": {operation: "keyboard.take", members: []string{"by"}},
	"giveKeyboard": {operation: "keyboard.give"},
	"typed":        {operation: "session.typed", members: []string{"last"}, asks: true},
	"wait":         {operation: "wait.state", members: []string{"states"}, result: "state", asks: true},
}

// elementMethods are the methods of overlays and panels: the operations of these names.
var elementMethods = map[string]method{
	"update":  {element: true, form: true},
	"replace": {element: true, form: true},
	"write":   {element: true, members: []string{"writes"}},
	"remove":  {element: true},
}

// numbers are the members of inputs that are given by position and are numbers. Elsewhere a number
// is text, as for Lua's own functions.
var numbers = []string{"rows", "cols", "last"}

// renamed are the options whose members of the input have other names, with their types, and what
// numbers are at least.
var renamed = map[string]struct {
	member string
	typ    lua.LValueType
	least  float64
}{
	"askToType": {"ask_to_type", lua.LTBool, 0}, "maxOutput": {"max_output", lua.LTNumber, 0}, "timeout": {"max_wait_ms", lua.LTNumber, 1},
}

// input reads the arguments of a method from a position on, as the input of its operation. size is
// its length in bytes. waits reports whether the operation waits for something.
func (lib *Library) input(l *lua.LState, name string, m method, at int) (in map[string]any, size int, waits bool, callback *lua.LFunction) {
	in = map[string]any{}
	if m.element {
		in["id"] = ""
	}
	given := func() bool { // goes to the next argument, unless that is the callback
		if l.Get(at).Type() == lua.LTFunction {
			return false
		}
		at++
		return l.Get(at-1) != lua.LNil
	}
	for _, member := range m.members {
		if given() {
			in[member] = lib.argument(l, name, member, l.Get(at-1))
		} else if m.whole {
			l.RaiseError("%s: %s is missing", name, member)
		}
	}
	if (m.form || m.options != nil) && given() {
		l.CheckTable(at - 1).ForEach(func(k, v lua.LValue) {
			key, ok := k.(lua.LString)
			switch {
			case m.form && !ok:
				l.RaiseError("%s: the input must be a table with names", name)
			case m.form:
				in[string(key)] = lib.encoded(l, name, v)
			default:
				lib.option(l, in, name, m.options, k, v)
			}
		})
	}
	if callback = l.OptFunction(at, nil); m.asks {
		callback = l.CheckFunction(at)
	}
	if m.keys != nil {
		in["keys"] = m.keys
	}
	data := marshal(in)
	waits, err := lib.theTerminals().Check(m.operation, data)
	if err != nil {
		l.RaiseError("%s: %s", name, engine.Message(err))
	}
	return in, len(data), waits, callback
}

// argument returns an argument as the member of that name: bytes, and lists of words, are strings.
func (lib *Library) argument(l *lua.LState, method, member string, v lua.LValue) any {
	if n, ok := v.(lua.LNumber); ok && !slices.Contains(numbers, member) {
		v = lua.LString(n.String())
	}
	if s, ok := v.(lua.LString); ok {
		switch member {
		case "data":
			return []byte(s)
		case "keys", "states":
			return strings.Fields(string(s))
		}
	}
	return lib.encoded(l, method, v)
}

func (lib *Library) option(l *lua.LState, in map[string]any, method string, options []string, k, v lua.LValue) {
	name := k.String()
	as := renamed[name]
	switch {
	case k.Type() != lua.LTString || !slices.Contains(options, name):
		l.RaiseError("%s has no option %s%s", method, name, spell.Offer(spell.Nearest(name, options)))
	case as.member != "" && v.Type() != as.typ:
		l.RaiseError("%s: %s must be a %s, not a %s", method, name, as.typ, v.Type())
	case as.typ == lua.LTNumber:
		n := math.Ceil(float64(lua.LVAsNumber(v)))
		if !(n >= as.least) { // it may be NaN
			l.RaiseError("%s: %s must be at least %v", method, name, as.least)
		}
		in[as.member] = int64(min(n, 1<<53)) // more is as good as that
	case v.Type() == lua.LTFunction:
		l.RaiseError("%s: %s cannot be a function", method, name)
	case name == "env":
		in[name] = texts(l, name, v)
	default:
		in[cmp.Or(as.member, name)] = lib.encoded(l, method, v)
	}
}

func (lib *Library) encoded(l *lua.LState, method string, v lua.LValue) json.RawMessage {
	data, err := lib.vm.Encode(v)
	if err != nil {
		l.RaiseError("%s: %s", method, err)
	}
	return data
}

func (lib *Library) openTerminalMethods() {
	l, class := lib.state, lib.terminals.class
	define := func(name string, f func(l *lua.LState, t *terminal) int) {
		class.RawSetString(name, l.NewFunction(func(l *lua.LState) int { return f(l, lib.self(l, name)) }))
	}
	for name, m := range shortMethods {
		define(name, func(l *lua.LState, t *terminal) int { return t.invoke(l, name, m, 2, nil) })
	}
	for _, operation := range lib.theTerminals().Operations() {
		name, m := camel(operation), method{operation: operation, form: true}
		define(name, func(l *lua.LState, t *terminal) int { return t.invoke(l, name, m, 2, nil) })
	}
	// t:call(operation, [input,] callback)
	define("call", func(l *lua.LState, t *terminal) int {
		operation := l.CheckString(2)
		return t.invoke(l, "call "+operation, method{operation: operation, form: true}, 3, nil)
	})
	define("run", lib.terminalRun)
	define("screen", lib.terminalScreen)
	define("lines", lib.terminalLines)
	define("on", lib.terminalOn)
	for _, kind := range []string{"overlay", "panel"} {
		define(kind, func(l *lua.LState, t *terminal) int { return lib.createElement(l, t, kind) })
	}
}

// camel returns the method of an operation: screenModeGet for screen_mode.get.
func camel(operation string) string {
	words := strings.FieldsFunc(operation, func(r rune) bool { return r == '.' || r == '_' })
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// invoke carries out an operation whose arguments start at a position, on the element that is given
// or on the terminal. An operation that waits does so beside the others, and the script gets a
// handle; others are done in the order of the calls, and the script gets the object on which the
// method was called.
func (t *terminal) invoke(l *lua.LState, name string, m method, at int, on *element) int {
	lib := t.lib
	script := lib.script(l)
	in, size, waits, callback := lib.input(l, name, m, at)
	work := func(ctx context.Context) (func() (lua.LValue, error), error) {
		if on != nil {
			if on.id == "" {
				return nil, fault.New(fault.Gone, "this %s could not be created", on.kind)
			}
			in["id"] = on.id
		}
		answer, err := t.do(ctx, script, m.operation, in, nil)
		return func() (lua.LValue, error) { return lib.decoded(answer, m.result) }, err
	}
	if !waits {
		lib.queue(l, &t.inputs, name, size, callback, work)
		return engine.Returns(l, l.Get(1))
	}
	if in["max_wait_ms"] == nil {
		in["max_wait_ms"] = defaultWait.Milliseconds()
	}
	return engine.Returns(l, lib.start(l, name, defaultWait+waitMargin, callback, work))
}

// decoded returns a member of an answer, or all of it, as a Lua value. An empty answer is true.
func (lib *Library) decoded(answer []byte, member string) (lua.LValue, error) {
	if string(answer) == "{}" {
		return lua.LTrue, nil
	}
	v, err := lib.vm.Decode(lib.state, string(answer))
	if tb, ok := v.(*lua.LTable); ok && member != "" {
		v = tb.RawGetString(member)
	}
	return v, err
}

// look carries out an operation that answers at once, while the script waits.
func (t *terminal) look(l *lua.LState, method, operation string, in map[string]any, out any) {
	if t.state == terminalStarting {
		l.RaiseError("%s: this terminal is being created: call it in the callback of terminal.create, or later", method)
	}
	ctx, cancel := t.lib.vm.During(lookTimeout)
	defer cancel()
	if err := t.read(ctx, t.lib.script(l), operation, in, out); err != nil {
		l.RaiseError("%s: %s", method, engine.Message(err))
	}
}

func (lib *Library) terminalScreen(l *lua.LState, t *terminal) int {
	var screen struct {
		Epoch uint64   `json:"epoch"`
		Lines []string `json:"lines"`
	}
	t.look(l, "screen", "screen.get", map[string]any{}, &screen)
	t.refreshSoon(screen.Epoch)
	return engine.Returns(l, lua.LString(screenText(screen.Lines)))
}

func screenText(lines []string) string { return strings.TrimRight(strings.Join(lines, "\n"), "\n") }

// terminalLines implements t:lines(from, n).
func (lib *Library) terminalLines(l *lua.LState, t *terminal) int {
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
	return engine.Returns(l, lib.value(p.Lines), lua.LNumber(p.First), lua.LNumber(p.First+uint64(len(p.Lines))))
}

type element struct{ kind, id string } // id is written by the first call of the lane, and read by later ones

// createElement implements t:overlay(form) and t:panel(form): it returns the handle of the element
// at once.
func (lib *Library) createElement(l *lua.LState, t *terminal, kind string) int {
	obj, e, script := l.NewTable(), &element{kind: kind}, lib.script(l)
	obj.Metatable = lib.terminals.parts
	in, size, _, callback := lib.input(l, kind, method{operation: kind + ".create", form: true}, 2)
	lib.queue(l, &t.inputs, kind, size, callback, func(ctx context.Context) (func() (lua.LValue, error), error) {
		var made struct{ ID string }
		answer, err := t.do(ctx, script, kind+".create", in, nil)
		if err == nil {
			err = json.Unmarshal(answer, &made)
		}
		e.id = made.ID
		return func() (lua.LValue, error) {
			obj.RawSetString("id", lua.LString(made.ID))
			return obj, nil
		}, err
	})
	for name, m := range elementMethods {
		m.operation = kind + "." + name
		obj.RawSetString(name, l.NewFunction(func(l *lua.LState) int { return t.invoke(l, kind+" "+name, m, 2, e) }))
	}
	return engine.Returns(l, obj)
}
