package async

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"ui-mcp/internal/fault"

	lua "github.com/yuin/gopher-lua"
)

// followTerminals returns the objects of all terminals, and keeps them up to date from now on.
func (lib *Library) followTerminals() []*terminal {
	if lib.terminals.stream == nil {
		lib.terminals.stream = lib.watch("", func([]TerminalEvent) { lib.refreshTerminals() }, func(err error) {
			lib.terminals.stream = nil
			if fault.KindOf(err) != fault.Gone {
				lib.report("terminal", nil, nil, err)
			}
		})
	}
	return lib.refreshTerminals()
}

// refreshTerminals makes the objects show what there is now, and returns them, sorted by name. Each
// terminal has one object, whatever it is called.
func (lib *Library) refreshTerminals() []*terminal {
	ts := &lib.terminals
	list := lib.theTerminals().List()
	gone := ts.byID
	ts.byID = make(map[string]*terminal, len(list))
	all := make([]*terminal, len(list))
	for i, info := range list {
		t := gone[info.ID]
		delete(gone, info.ID)
		if t == nil {
			if t = lib.creating(info); t == nil {
				if t = lib.newTerminal(); info.Last != nil && info.Last.Ended {
					t.commands = info.Last.Number
				}
			}
			t.id.Store(&info.ID)
		}
		ts.byID[info.ID], all[i] = t, t
	}
	byName := func(a, b *terminal) int { return strings.Compare(a.now.Name, b.now.Name) }
	for _, t := range slices.SortedFunc(maps.Values(gone), byName) {
		t.removed()
	}
	for i, info := range list {
		all[i].show(info)
	}
	// Handlers run when everything has its newest state: they may ask for the list, and change it.
	// What they do must not be undone with a file that is being loaded.
	switch file, _ := lib.vm.Loading(); {
	case len(ts.news) == 0:
	case file != "":
		lib.opts.Background(func(context.Context) func() { return lib.tellNews })
	default:
		lib.tellNews()
	}
	return all
}

// tellNews calls handlers with the changes since their last call.
func (lib *Library) tellNews() {
	news := lib.terminals.news
	lib.terminals.news = nil
	for _, tell := range news {
		tell()
	}
}

// learn has the handlers of an event called when all objects have their newest state.
func (t *terminal) learn(event string, v lua.LValue) {
	ts := &t.lib.terminals
	ts.news = append(ts.news, func() { t.emit(event, v) })
}

// creating returns the object of a terminal that is being created and is in the list already: the
// first one of its name, since others of that name will fail.
func (lib *Library) creating(info Terminal) *terminal {
	for _, t := range lib.terminals.made {
		if id := t.id.Load(); id != nil && *id == info.ID || id == nil && t.now.Name == info.Name {
			return t
		}
	}
	return nil
}

// show makes the object show what its terminal is like now.
func (t *terminal) show(info Terminal) {
	was := t.now
	t.now = info
	obj := t.obj
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
	set("keyboard", orNil(info.Keyboard))
	set("leader", orNil(info.Leader))
	if info.Exit != nil {
		set("status", lua.LNumber(info.Exit.Status))
		set("endedBy", orNil(info.Exit.Signal)) // "signal" is a method
	}
	if obj.RawGetString("tags") == lua.LNil || !slices.Equal(was.Tags, info.Tags) {
		obj.RawSetString("tags", t.lib.value(info.Tags))
	}
	if !reflect.DeepEqual(was.Last, info.Last) {
		obj.RawSetString("lastCommand", t.lib.command(info.Last))
	}
	if info.State != t.state {
		t.setState(info.State)
	}
	if t.watch == nil && info.Exit == nil {
		t.watch = t.lib.watch(info.ID, t.watched, func(error) { t.lib.refreshTerminals() }) // which shows the end
	}
	if (t.ours || was.ID != "") && was.Title != info.Title {
		t.learn("title", lua.LString(info.Title))
	}
	if t.isNews(info.Reports) && waits(info.State) {
		t.learn("waits", lua.LString(info.State))
	}
	if info.Exit != nil && was.Exit == nil {
		t.learn("exit", t.lib.value(map[string]any{"status": info.Exit.Status, "signal": orNil(info.Exit.Signal)}))
	}
}

// removed makes the object show that its terminal is gone.
func (t *terminal) removed() {
	if t.now.Exit == nil {
		t.learn("exit", t.lib.state.NewTable()) // nobody knows how
	}
	t.forget()
	t.setState(terminalRemoved)
	t.obj.RawSetString("running", lua.LFalse)
	t.obj.RawSetString("keyboard", lua.LNil)
	t.obj.RawSetString("leader", lua.LNil)
}

func orNil(s string) lua.LValue {
	if s == "" {
		return lua.LNil
	}
	return lua.LString(s)
}

func (lib *Library) command(c *TerminalCommand) lua.LValue {
	if c == nil {
		return lua.LNil
	}
	fields := map[string]any{"number": float64(c.Number), "line": c.Line, "running": !c.Ended}
	if c.Status != nil {
		fields["status"] = *c.Status
	}
	if c.Ended {
		fields["duration"] = float64(c.Duration.Milliseconds())
	}
	return lib.value(fields)
}
