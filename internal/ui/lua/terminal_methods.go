package lua

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ui-mcp/internal/fault"

	lua "github.com/yuin/gopher-lua"
)

const (
	// lookTimeout is how long a script may be held up that looks at a screen. A terminal is busy
	// for as long as it takes to draw what a program has written.
	lookTimeout = 250 * time.Millisecond
	// defaultWaitMS is how long wait and run last at most by default, in milliseconds.
	defaultWaitMS = 5 * 60 * 1000
	// maxLines bounds the lines that lines returns.
	maxLines = 10_000
)

// change queues an operation in the order of inputs. in gets the terminal. A script without
// a callback learns of a failure as a problem of the session.
func (t *terminal) change(l *lua.LState, method, operation string, in map[string]any, typed int, callback *lua.LFunction) {
	var answer []byte
	t.inputs.add(t, l, &call{
		what: method, script: t.vm.script(l), size: typed,
		do: func(ctx context.Context, do operate) (err error) {
			in["session"] = t.ref()
			answer, err = do(ctx, operation, marshal(in))
			return err
		},
		done: func(err error) { t.vm.answer(t, method, callback, answer, err) },
	})
}

// answer passes the answer of an operation to a callback.
func (vm *VM) answer(t *terminal, method string, callback *lua.LFunction, answer []byte, err error) {
	var v lua.LValue = lua.LTrue
	if err == nil && len(answer) > 0 && callback != nil {
		v, err = vm.decoded(answer)
	}
	switch {
	case callback != nil:
		vm.answerTo(callback, v, err)
	case err != nil:
		vm.fail("callback", fmt.Sprintf("terminal %s: %s: %s", t.name(), method, Message(err)))
	}
}

// decoded returns JSON as a Lua value. An empty answer is true.
func (vm *VM) decoded(answer []byte) (lua.LValue, error) {
	d := decoder{vm: vm, l: vm.state, src: string(answer), null: lua.LNil}
	v, err := d.document()
	if tb, ok := v.(*lua.LTable); ok && tb.Len() == 0 {
		if k, _ := tb.Next(lua.LNil); k == lua.LNil && string(answer) == "{}" {
			return lua.LTrue, err
		}
	}
	return v, err
}

// look carries out an operation that answers at once, while the script waits.
func (t *terminal) look(l *lua.LState, method, operation string, in map[string]any, out any) {
	if t.state == terminalStarting {
		l.RaiseError("%s: this terminal is being created: call it in the callback of terminal.create, or later", method)
	}
	ctx, cancel := context.WithTimeout(t.vm.life, lookTimeout)
	defer cancel()
	in["session"] = t.ref()
	answer, err := t.vm.operator(t.vm.script(l))(ctx, operation, marshal(in))
	if err == nil {
		err = json.Unmarshal(answer, out)
	}
	if err != nil {
		l.RaiseError("%s: %s", method, Message(err))
	}
}

// wait carries out an operation that waits, and calls back. It returns the handle.
func (t *terminal) wait(l *lua.LState, method, operation string, in map[string]any, patience time.Duration, callback *lua.LFunction, result func(answer []byte) (lua.LValue, error)) *lua.LTable {
	script := t.vm.script(l)
	return t.vm.start(l, method, patience, callback, func(ctx context.Context) (func() lua.LValue, error) {
		if err := t.created(ctx); err != nil {
			return nil, err
		}
		in["session"] = t.ref()
		answer, err := t.vm.operator(script)(ctx, operation, marshal(in))
		if err != nil {
			return nil, fmt.Errorf("%s", Message(err))
		}
		return func() lua.LValue {
			v, err := result(answer)
			if err != nil {
				t.vm.fail("callback", method+": "+err.Error())
				return lua.LNil
			}
			return v
		}, nil
	})
}

// openTerminalMethods defines the methods of terminals and of their overlays and panels.
func (vm *VM) openTerminalMethods() {
	l, class := vm.state, vm.terminals.class
	method := func(name string, f func(l *lua.LState, t *terminal) int) {
		class.RawSetString(name, l.NewFunction(func(l *lua.LState) int { return f(l, vm.self(l, name)) }))
	}
	// Methods that type or change something return the terminal.
	change := func(name string, f func(l *lua.LState, t *terminal)) {
		method(name, func(l *lua.LState, t *terminal) int {
			f(l, t)
			l.Push(t.obj)
			return 1
		})
	}
	change("send", func(l *lua.LState, t *terminal) {
		text := l.CheckString(2)
		secret, callback := typing(l, "send")
		t.change(l, "send", "input.send", map[string]any{"data": []byte(text), "secret": secret}, len(text), callback)
	})
	change("keys", func(l *lua.LState, t *terminal) {
		keys := vm.keyNames(l, 2)
		secret, callback := typing(l, "keys")
		t.change(l, "keys", "input.keys", map[string]any{"keys": keys, "secret": secret}, 8*len(keys), callback)
	})
	change("paste", func(l *lua.LState, t *terminal) {
		text := l.CheckString(2)
		secret, callback := typing(l, "paste")
		t.change(l, "paste", "input.paste", map[string]any{"text": text, "secret": secret}, len(text), callback)
	})
	change("submit", func(l *lua.LState, t *terminal) {
		text := l.CheckString(2)
		secret, callback := typing(l, "submit")
		t.inputs.add(t, l, &call{
			what: "submit", script: vm.script(l), size: len(text),
			do: func(ctx context.Context, do operate) error {
				if text != "" {
					if _, err := do(ctx, "input.paste", marshal(map[string]any{"session": t.ref(), "text": text, "secret": secret})); err != nil {
						return err
					}
				}
				_, err := do(ctx, "input.keys", marshal(map[string]any{"session": t.ref(), "keys": []string{"Enter"}, "secret": secret}))
				return err
			},
			done: func(err error) { vm.answer(t, "submit", callback, nil, err) },
		})
	})
	change("signal", func(l *lua.LState, t *terminal) {
		t.change(l, "signal", "session.signal", map[string]any{"signal": l.CheckString(2)}, 0, optFunction(l, 3))
	})
	change("resize", func(l *lua.LState, t *terminal) {
		t.change(l, "resize", "session.resize", map[string]any{"rows": l.CheckInt(2), "cols": l.CheckInt(3)}, 0, optFunction(l, 4))
	})
	change("kill", func(l *lua.LState, t *terminal) {
		t.change(l, "kill", "session.remove", map[string]any{}, 0, optFunction(l, 2))
	})
	change("rename", func(l *lua.LState, t *terminal) {
		to, callback := l.CheckString(2), optFunction(l, 3)
		t.inputs.add(t, l, &call{
			what: "rename", script: vm.script(l),
			do: func(ctx context.Context, do operate) error {
				_, err := do(ctx, "session.rename", marshal(map[string]any{"session": t.ref(), "to": to}))
				return err
			},
			done: func(err error) { vm.answer(t, "rename", callback, nil, err) },
		})
	})
	change("tag", func(l *lua.LState, t *terminal) {
		t.change(l, "tag", "session.tag", map[string]any{"add": vm.strings(l, "tag", l.CheckTable(2))}, 0, optFunction(l, 3))
	})
	change("untag", func(l *lua.LState, t *terminal) {
		t.change(l, "untag", "session.tag", map[string]any{"remove": vm.strings(l, "untag", l.CheckTable(2))}, 0, optFunction(l, 3))
	})
	change("takeKeyboard", func(l *lua.LState, t *terminal) {
		t.change(l, "takeKeyboard", "keyboard.take", map[string]any{"by": l.OptString(2, "")}, 0, optFunction(l, 3))
	})
	change("giveKeyboard", func(l *lua.LState, t *terminal) {
		t.change(l, "giveKeyboard", "keyboard.give", map[string]any{}, 0, optFunction(l, 2))
	})
	change("typed", func(l *lua.LState, t *terminal) {
		in := map[string]any{}
		at := 2
		switch n := l.Get(2).(type) {
		case lua.LNumber:
			in["last"], at = int(n), 3
		case *lua.LNilType:
			at = 3
		}
		t.change(l, "typed", "session.typed", in, 0, l.CheckFunction(at))
	})
	method("call", vm.terminalCall)
	method("run", vm.terminalRun)
	method("wait", func(l *lua.LState, t *terminal) int {
		in := map[string]any{"format": "plain", "max_wait_ms": defaultWaitMS}
		switch v := l.Get(2).(type) {
		case lua.LString:
			in["states"] = []string{string(v)}
		case *lua.LTable:
			in["states"] = vm.strings(l, "wait", v)
		case *lua.LFunction:
			l.Insert(lua.LNil, 2)
		}
		l.Push(t.wait(l, "wait", "wait.state", in, (defaultWaitMS+10_000)*time.Millisecond, l.CheckFunction(3), func(answer []byte) (lua.LValue, error) {
			var got struct {
				State string `json:"state"`
			}
			err := json.Unmarshal(answer, &got)
			return lua.LString(got.State), err
		}))
		return 1
	})
	method("screen", func(l *lua.LState, t *terminal) int {
		var screen struct {
			Epoch uint64   `json:"epoch"`
			Lines []string `json:"lines"`
		}
		t.look(l, "screen", "screen.get", map[string]any{"format": "plain"}, &screen)
		t.refreshSoon(screen.Epoch)
		for len(screen.Lines) > 0 && screen.Lines[len(screen.Lines)-1] == "" {
			screen.Lines = screen.Lines[:len(screen.Lines)-1]
		}
		l.Push(lua.LString(strings.Join(screen.Lines, "\n")))
		return 1
	})
	method("lines", func(l *lua.LState, t *terminal) int {
		from, most := l.OptInt(2, 0), min(max(l.OptInt(3, maxLines), 0), maxLines)
		in := map[string]any{"format": "plain", "from": from, "limit": most}
		if from < 0 {
			delete(in, "from")
			most = min(most, -from)
			in["tail"], in["limit"] = most+t.now.Rows, most+t.now.Rows // the screen may end with empty rows
		}
		var p page
		t.look(l, "lines", "scrollback.get", in, &p)
		t.refreshSoon(p.Epoch)
		p.trim()
		if from < 0 && len(p.Lines) > most {
			p.First += uint64(len(p.Lines) - most)
			p.Lines = p.Lines[len(p.Lines)-most:]
		}
		list := l.CreateTable(len(p.Lines), 0)
		for _, line := range p.Lines {
			list.Append(lua.LString(line))
		}
		l.Push(list)
		l.Push(lua.LNumber(p.First))
		l.Push(lua.LNumber(p.First + uint64(len(p.Lines))))
		return 3
	})
	method("on", vm.terminalOn)
	for _, kind := range []string{"overlay", "panel"} {
		method(kind, func(l *lua.LState, t *terminal) int {
			l.Push(vm.createElement(l, t, kind))
			return 1
		})
	}
}

// options returns the options and the callback of a method, either of which may be left out. There
// are no options but those named.
func options(l *lua.LState, method string, arg int, names ...string) (opts *lua.LTable, callback *lua.LFunction) {
	opts, isTable := l.Get(arg).(*lua.LTable)
	if isTable || l.Get(arg) == lua.LNil {
		arg++
	}
	if !isTable {
		opts = l.NewTable()
	}
	opts.ForEach(func(k, _ lua.LValue) { checkOption(l, method, k, names) })
	return opts, optFunction(l, arg)
}

// typing returns the options and the callback of a method that types.
func typing(l *lua.LState, method string) (secret bool, callback *lua.LFunction) {
	opts, callback := options(l, method, 3, "secret")
	return lua.LVAsBool(opts.RawGetString("secret")), callback
}

// keyNames returns the names of keys: a list, or one string with blanks between them.
func (vm *VM) keyNames(l *lua.LState, arg int) []string {
	if tb, ok := l.Get(arg).(*lua.LTable); ok {
		return vm.strings(l, "keys", tb)
	}
	return strings.Fields(l.CheckString(arg))
}

// terminalCall implements t:call(operation, [input,] callback), for every operation without a
// method of its own.
func (vm *VM) terminalCall(l *lua.LState, t *terminal) int {
	operation := l.CheckString(2)
	at := 3
	in := map[string]any{}
	switch tb := l.Get(3).(type) {
	case *lua.LNilType:
		at = 4
	case *lua.LTable:
		at = 4
		data, err := vm.encode(l, tb)
		if err == nil && string(data) != "[]" {
			err = json.Unmarshal(data, &in)
		}
		if err != nil {
			l.RaiseError("call: the input must be a table with names: %s", err)
		}
	}
	callback := optFunction(l, at)
	if isWait(operation) {
		if in["max_wait_ms"] == nil {
			in["max_wait_ms"] = defaultWaitMS
		}
		l.Push(t.wait(l, "call "+operation, operation, in, (defaultWaitMS+10_000)*time.Millisecond, callback, vm.decoded))
		return 1
	}
	t.change(l, "call "+operation, operation, in, 0, callback)
	l.Push(t.obj)
	return 1
}

// isWait reports whether an operation waits for something.
func isWait(operation string) bool {
	return strings.HasPrefix(operation, "wait.") || operation == "command.run" || operation == "screen.next" || operation == "recording.next"
}

// createElement implements t:overlay(form) and t:panel(form): it returns the handle of the element
// at once.
func (vm *VM) createElement(l *lua.LState, t *terminal, kind string) *lua.LTable {
	form := func(l *lua.LState, arg int) json.RawMessage {
		data, err := vm.encode(l, l.CheckTable(arg))
		if err != nil {
			l.RaiseError("%s: %s", kind, err)
		}
		return data
	}
	var id string // written by the first call of the lane, read by later ones
	element := l.NewTable()
	element.Metatable = vm.terminals.parts
	change := func(l *lua.LState, method, operation string, in map[string]json.RawMessage, callback *lua.LFunction) {
		t.inputs.add(t, l, &call{
			what: method, script: vm.script(l),
			do: func(ctx context.Context, do operate) error {
				if id == "" {
					return fault.New(fault.Gone, "this %s could not be created", kind)
				}
				in["session"], in["id"] = quote(t.ref()), quote(id)
				data, err := json.Marshal(in)
				if err != nil {
					return err
				}
				_, err = do(ctx, operation, data)
				return err
			},
			done: func(err error) { vm.answer(t, kind+" "+method, callback, nil, err) },
		})
	}
	create := members(form(l, 2))
	callback := optFunction(l, 3)
	t.inputs.add(t, l, &call{
		what: kind, script: vm.script(l),
		do: func(ctx context.Context, do operate) error {
			create["session"] = quote(t.ref())
			data, err := json.Marshal(create)
			if err != nil {
				return err
			}
			answer, err := do(ctx, kind+".create", data)
			if err != nil {
				return err
			}
			var made struct {
				ID string `json:"id"`
			}
			err = json.Unmarshal(answer, &made)
			id = made.ID
			return err
		},
		done: func(err error) {
			if err == nil {
				element.RawSetString("id", lua.LString(id))
			}
			switch {
			case callback != nil:
				vm.answerTo(callback, element, err)
			case err != nil:
				vm.fail("callback", fmt.Sprintf("terminal %s: %s: %s", t.name(), kind, Message(err)))
			}
		},
	})
	for _, method := range []string{"update", "replace"} {
		element.RawSetString(method, l.NewFunction(func(l *lua.LState) int {
			change(l, method, kind+"."+method, members(form(l, 2)), optFunction(l, 3))
			return 0
		}))
	}
	element.RawSetString("write", l.NewFunction(func(l *lua.LState) int {
		change(l, "write", kind+".write", map[string]json.RawMessage{"writes": form(l, 2)}, optFunction(l, 3))
		return 0
	}))
	element.RawSetString("remove", l.NewFunction(func(l *lua.LState) int {
		change(l, "remove", kind+".remove", map[string]json.RawMessage{}, optFunction(l, 2))
		return 0
	}))
	return element
}

// members returns the members of a JSON object; a list has none.
func members(object json.RawMessage) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	_ = json.Unmarshal(object, &m) // the operation reports what is missing
	return m
}

func quote(s string) json.RawMessage {
	data, _ := json.Marshal(s) // a string is always JSON
	return data
}
