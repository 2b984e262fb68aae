package lua

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
)

const (
	// maxCalls and maxCallBytes bound what waits in a lane.
	maxCalls     = 1_000
	maxCallBytes = 4 << 20
	// callTimeout is how long an operation may take. A person may have to allow it, for which they
	// have 50 seconds.
	callTimeout = time.Minute
	// lookTimeout is how long a script may be held up that looks at a screen. A terminal is busy
	// for as long as it takes to draw what a program has written.
	lookTimeout = 250 * time.Millisecond
	// beginTimeout is how long what is typed after a command waits until the command has begun. It
	// may not begin for long, if another client's command has to end first.
	beginTimeout = 2 * time.Second
	// defaultWaitMS is how long wait and run last at most by default, in milliseconds.
	defaultWaitMS = 5 * 60 * 1000
	// maxLines bounds the lines that lines returns.
	maxLines = 10_000
)

// A call is an operation on a terminal that a script has asked for.
type call struct {
	t            *terminal
	what, script string
	size         int           // of what is typed, in bytes
	creates      bool          // it creates the terminal
	patience     time.Duration // 0 means callTimeout
	// do carries it out, outside the VM's goroutine; do may not touch the VM.
	do func(context.Context, operate) error
	// done takes the outcome, on the VM's goroutine.
	done func(error)
	// over, if there is one, is called outside the VM's goroutine when the call has ended.
	over func()
	// run, if there is one, is the command that this call stands for among the inputs; do and done
	// are nil then. begun is closed when the command has begun, or will not.
	run   *call
	begun chan struct{}
}

// A lane carries out calls on one terminal in their order, without holding up the VM. It belongs to
// the VM's goroutine.
type lane struct {
	queue []*call
	size  int // of the queue, in bytes
	busy  bool
}

// add queues a call, and raises an error if too many wait.
func (n *lane) add(t *terminal, l *lua.LState, c *call) {
	c.t = t
	switch {
	case t.vm.opts.Background == nil:
		l.RaiseError("%s: nothing can run beside the session here", c.what)
	case len(n.queue) >= maxCalls:
		l.RaiseError("%s: %d calls wait for this terminal already: wait for some", c.what, maxCalls)
	case n.size+c.size > maxCallBytes:
		l.RaiseError("%s: more than %s wait to be typed already", c.what, size(maxCallBytes))
	}
	n.queue = append(n.queue, c)
	n.size += c.size
	n.start(t.vm)
}

// start carries out what is queued, unless the lane is busy.
func (n *lane) start(vm *VM) {
	if n.busy || len(n.queue) == 0 {
		return
	}
	if c := n.queue[0]; c.run != nil {
		n.take(1)
		n.begin(c)
		return
	}
	count := slices.IndexFunc(n.queue, func(c *call) bool { return c.run != nil })
	if count < 0 {
		count = len(n.queue)
	}
	batch := n.take(count)
	n.busy = true
	vm.opts.Background(func(ctx context.Context) func() {
		outcomes := make([]error, len(batch))
		for i, c := range batch {
			outcomes[i] = c.carryOut(ctx)
		}
		return func() {
			n.busy = false
			defer n.start(vm) // also if a callback panics
			for i, c := range batch {
				c.done(outcomes[i])
			}
		}
	})
}

// take removes calls from the head of the queue.
func (n *lane) take(count int) (batch []*call) {
	batch, n.queue = n.queue[:count:count], n.queue[count:]
	for _, c := range batch {
		n.size -= c.size
	}
	return batch
}

// begin starts a command in the lane for commands. The inputs that follow are meant for it, so they
// wait until it has begun. They do not wait for it to get its turn: they may be for the command
// before, such as the Ctrl-C that ends it.
func (n *lane) begin(c *call) {
	vm, runs := c.t.vm, &c.t.runs
	n.busy = true
	wait := !runs.busy
	runs.queue = append(runs.queue, c.run)
	runs.start(vm)
	vm.opts.Background(func(ctx context.Context) func() {
		if wait {
			timer := time.NewTimer(beginTimeout)
			defer timer.Stop()
			select {
			case <-c.begun:
			case <-timer.C:
			case <-ctx.Done():
			}
		}
		return func() {
			n.busy = false
			n.start(vm)
		}
	})
}

// carryOut carries out the call.
func (c *call) carryOut(ctx context.Context) error {
	if c.over != nil {
		defer c.over()
	}
	if !c.creates {
		if err := c.t.created(ctx); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.patience, callTimeout))
	defer cancel()
	return c.do(ctx, c.t.vm.operator(c.script))
}

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

// runsCommands reports whether a command of a script is running, or waits for its turn.
func (t *terminal) runsCommands() bool {
	return t.runs.busy || len(t.runs.queue) > 0 || slices.ContainsFunc(t.inputs.queue, func(c *call) bool { return c.run != nil })
}

// terminalRun implements t:run(line, [options,] callback). Commands run one after another, each
// when what was typed before has been. What is typed later reaches the command.
func (vm *VM) terminalRun(l *lua.LState, t *terminal) int {
	line := l.CheckString(2)
	in := map[string]any{"line": line, "format": "plain"}
	opts, callback := options(l, "run", 3, "maxOutput", "timeout")
	patience := timeout(l, opts, defaultWaitMS*time.Millisecond)
	switch n := opts.RawGetString("maxOutput").(type) {
	case *lua.LNilType:
	case lua.LNumber:
		in["max_output"] = int(n)
	default:
		l.RaiseError("run: maxOutput must be a number of bytes")
	}
	in["max_wait_ms"] = patience.Milliseconds()
	if t.runsCommands() {
		in["at_prompt"] = true // it is not for the command that it has to wait for
	}
	cancelled := false
	ctx, cancel := context.WithCancel(context.Background())
	var answer []byte
	begun := make(chan struct{})
	begin := sync.OnceFunc(func() { close(begun) })
	script := vm.script(l)
	run := &call{
		t: t, what: "run", script: script, size: len(line), patience: patience + 10*time.Second, over: begin,
		do: func(outer context.Context, _ operate) (err error) {
			defer cancel()
			defer context.AfterFunc(outer, cancel)()
			in["session"] = t.ref()
			answer, err = vm.opts.Terminals.Run(ctx, script, marshal(in), begin)
			return err
		},
		done: func(err error) {
			if cancelled {
				return
			}
			var result lua.LValue = lua.LNil
			if err == nil {
				result, err = vm.ran(answer)
			}
			switch {
			case callback != nil:
				vm.answerTo(callback, result, err)
			case err != nil:
				vm.fail("callback", fmt.Sprintf("terminal %s: run: %s", t.name(), Message(err)))
			}
		},
	}
	t.inputs.add(t, l, &call{what: "run", script: script, size: len(line), run: run, begun: begun})
	handle := l.NewTable()
	handle.RawSetString("cancel", l.NewFunction(func(*lua.LState) int {
		cancelled = true
		cancel()
		return 0
	}))
	l.Push(handle)
	return 1
}

// ran returns the result of a command as scripts see it.
func (vm *VM) ran(answer []byte) (lua.LValue, error) {
	var got struct {
		State    string `json:"state"`
		NotRun   bool   `json:"not_run"`
		ExitCode *int   `json:"exit_code"`
		Duration int64  `json:"duration_ms"`
		Output   string `json:"output"`
		Complete bool   `json:"complete"`
		Screen   *struct {
			Lines []string `json:"lines"`
		} `json:"screen"`
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return nil, err
	}
	tb := vm.state.NewTable()
	tb.RawSetString("state", lua.LString(got.State))
	tb.RawSetString("output", lua.LString(got.Output))
	tb.RawSetString("complete", lua.LBool(got.Complete))
	if got.NotRun {
		tb.RawSetString("notRun", lua.LTrue)
	}
	if got.ExitCode != nil {
		tb.RawSetString("status", lua.LNumber(*got.ExitCode))
	}
	if got.State == "done" {
		tb.RawSetString("duration", lua.LNumber(got.Duration))
	}
	if got.Screen != nil {
		tb.RawSetString("screen", lua.LString(strings.TrimRight(strings.Join(got.Screen.Lines, "\n"), "\n")))
	}
	return tb, nil
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
