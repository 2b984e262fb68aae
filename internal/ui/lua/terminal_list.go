package lua

import (
	"context"
	"maps"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// followTerminals keeps the objects up to date from now on.
func (vm *VM) followTerminals() {
	if vm.terminals.stream != nil {
		return
	}
	changes, err := vm.opts.Terminals.Changes()
	if err != nil {
		vm.fail("callback", "terminal: "+Message(err))
		return
	}
	vm.terminals.stream = vm.newStream(changes.Close, func(ctx context.Context) (func(), error) {
		if err := changes.Next(ctx); err != nil {
			return nil, err
		}
		return func() { vm.refreshTerminals() }, nil
	}, func(error) { vm.terminals.stream = nil })
}

// refreshTerminals makes the objects show what there is now, and returns that. There is one object
// for each terminal, whatever it is called.
func (vm *VM) refreshTerminals() []Terminal {
	ts := &vm.terminals
	list := vm.opts.Terminals.List()
	gone := ts.byID
	ts.byID = make(map[string]*terminal, len(list))
	type update struct {
		t    *terminal
		info Terminal
	}
	var updates []update
	for _, info := range list {
		t := gone[info.ID]
		delete(gone, info.ID)
		if t == nil {
			if t = vm.creating(info); t == nil {
				t = vm.newTerminal()
				t.commands = lastEnded(info)
			}
		}
		t.known.Store(&info.Name)
		t.id.Store(&info.ID)
		ts.byID[info.ID] = t
		updates = append(updates, update{t, info})
	}
	var news []emission
	for _, t := range slices.SortedFunc(maps.Values(gone), func(a, b *terminal) int { return strings.Compare(a.name(), b.name()) }) {
		news = t.removed(news)
	}
	for _, u := range updates {
		news = u.t.show(u.info, news)
	}
	// Handlers run when everything has its newest state: they may ask for the list, and change it.
	for _, e := range news {
		e.t.emit(e.event, e.value)
	}
	return list
}

// An emission is an event for the handlers of a terminal.
type emission struct {
	t     *terminal
	event string
	value lua.LValue
}

// creating returns the object of a terminal that is being created and is in the list already: the
// first one of its name, since others of that name will fail.
func (vm *VM) creating(info Terminal) *terminal {
	for _, t := range vm.terminals.made {
		if id := t.id.Load(); id != nil && *id == info.ID || id == nil && t.name() == info.Name {
			return t
		}
	}
	return nil
}

func lastEnded(info Terminal) uint64 {
	if info.Last != nil && info.Last.Ended {
		return info.Last.Number
	}
	return 0
}

// show makes the object show what its terminal is like now, and appends what handlers must learn.
func (t *terminal) show(info Terminal, news []emission) []emission {
	was := t.now
	t.now = info
	l, obj := t.vm.state, t.obj
	set := func(name string, v lua.LValue) {
		if obj.RawGetString(name) != v {
			obj.RawSetString(name, v)
		}
	}
	set("id", lua.LString(info.ID))
	set("name", lua.LString(info.Name))
	set("command", lua.LString(info.Command))
	set("title", lua.LString(info.Title))
	set("rows", lua.LNumber(info.Rows))
	set("cols", lua.LNumber(info.Cols))
	set("running", lua.LBool(info.Exit == nil))
	for name, who := range map[string]string{"keyboard": info.Keyboard, "leader": info.Leader} {
		if who == "" {
			set(name, lua.LNil)
		} else {
			set(name, lua.LString(who))
		}
	}
	if obj.RawGetString("tags") == lua.LNil || !slices.Equal(was.Tags, info.Tags) {
		tags := l.CreateTable(len(info.Tags), 0)
		for _, tag := range info.Tags {
			tags.Append(lua.LString(tag))
		}
		obj.RawSetString("tags", tags)
	}
	if !sameCommand(was.Last, info.Last) {
		obj.RawSetString("lastCommand", t.vm.command(info.Last))
	}
	before := t.state
	if info.State != before {
		t.setState(info.State)
	}
	if info.Exit != nil && was.Exit == nil {
		obj.RawSetString("status", lua.LNumber(info.Exit.Status))
		if info.Exit.Signal != "" {
			obj.RawSetString("endedBy", lua.LString(info.Exit.Signal)) // "signal" is a method
		}
	}
	t.watchIfNeeded()
	if (t.ours || was.ID != "") && was.Title != info.Title {
		news = append(news, emission{t, "title", lua.LString(info.Title)})
	}
	if waits(info.State) && info.State != before {
		news = append(news, emission{t, "waits", lua.LString(info.State)})
	}
	if info.Exit != nil && was.Exit == nil {
		exit := l.NewTable()
		exit.RawSetString("status", lua.LNumber(info.Exit.Status))
		if info.Exit.Signal != "" {
			exit.RawSetString("signal", lua.LString(info.Exit.Signal))
		}
		news = append(news, emission{t, "exit", exit})
	}
	return news
}

// removed makes the object show that its terminal is gone, and appends what handlers must learn.
func (t *terminal) removed(news []emission) []emission {
	t.stopWatching()
	running := t.now.Exit == nil
	t.setState(terminalRemoved)
	t.obj.RawSetString("running", lua.LFalse)
	for _, name := range []string{"keyboard", "leader"} {
		t.obj.RawSetString(name, lua.LNil)
	}
	if running {
		news = append(news, emission{t, "exit", t.vm.state.NewTable()}) // nobody knows how
	}
	t.drop(func(event string, _ *handler) bool { return event != "exit" })
	delete(t.vm.terminals.of, t.obj)
	return news
}

func sameCommand(a, b *TerminalCommand) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Number == b.Number && a.Ended == b.Ended
}

// command returns a command as scripts see it.
func (vm *VM) command(c *TerminalCommand) lua.LValue {
	if c == nil {
		return lua.LNil
	}
	tb := vm.state.NewTable()
	tb.RawSetString("line", lua.LString(c.Line))
	tb.RawSetString("running", lua.LBool(!c.Ended))
	if c.Status != nil {
		tb.RawSetString("status", lua.LNumber(*c.Status))
	}
	if c.Ended {
		tb.RawSetString("duration", lua.LNumber(c.Duration.Milliseconds()))
	}
	return tb
}
