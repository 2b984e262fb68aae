package lua

import (
	"weak"

	lua "github.com/yuin/gopher-lua"
)

// A prototype is what session:prototype has declared. Its table stays the same
// when its file is run again, so that instances get new methods at once.
type prototype struct {
	name    string
	table   *lua.LTable
	fields  map[string]lua.LValue // the declared fields, to tell what a new declaration changes
	removed []string              // fields that instances have to lose
	// Instances, to migrate them. Weak: the app decides how long they live.
	instances []weak.Pointer[lua.LTable]
	compactAt int
}

// reserved are fields of a prototype that are not fields of its instances.
func reserved(key string) bool { return key == "type" || key == "__index" || key == "new" }

// declare implements session:prototype(name, init, base).
func (vm *VM) declare(name string, init, base *lua.LTable) *lua.LTable {
	if init == nil {
		if p := vm.prototypes[name]; p != nil {
			return p.table
		}
		init = vm.state.NewTable()
	}
	fields := map[string]lua.LValue{}
	init.ForEach(func(k, v lua.LValue) {
		if s, ok := k.(lua.LString); ok && !reserved(string(s)) {
			fields[string(s)] = v
		}
	})
	p := vm.prototypes[name]
	if p == nil {
		p = &prototype{name: name, table: init, fields: fields}
		vm.prototypes[name] = p
		vm.dress(p, base)
		for k, v := range fields {
			if v == lua.LValue(vm.empty) {
				init.RawSetString(k, lua.LNil)
			}
		}
		return init
	}
	if base != nil {
		p.table.Metatable = base
	}
	changed := false
	for k, v := range fields {
		old, had := p.fields[k]
		if had && vm.sameDefault(old, v, 0) {
			fields[k] = old
			continue
		}
		changed = true
		if v == lua.LValue(vm.empty) {
			v = lua.LNil
		}
		p.table.RawSetString(k, v)
	}
	for k := range p.fields {
		if _, still := fields[k]; !still {
			changed = true
			p.removed = append(p.removed, k)
			p.table.RawSetString(k, lua.LNil)
		}
	}
	if f := init.RawGetString("new"); f != lua.LNil {
		p.table.RawSetString("new", f)
	}
	p.fields = fields
	if changed {
		vm.pending = append(vm.pending, p)
	}
	return p.table
}

// dress makes a new prototype one: its type, its metatable, its constructor.
func (vm *VM) dress(p *prototype, base *lua.LTable) {
	tb := p.table
	tb.RawSetString("type", lua.LString(p.name))
	tb.RawSetString("__index", tb)
	if base == nil && p.name != "Object" {
		if object := vm.prototypes["Object"]; object != nil {
			base = object.table
		}
	}
	if base != nil {
		tb.Metatable = base
	}
	if v, err := vm.Field(tb, "new"); err == nil && v == nil {
		tb.RawSetString("new", vm.state.NewFunction(func(l *lua.LState) int {
			l.Push(vm.create(l.CheckTable(1), l.OptTable(2, nil)))
			return 1
		}))
	}
}

// create implements session:create(prototype, instance).
func (vm *VM) create(proto, inst *lua.LTable) *lua.LTable {
	if inst == nil {
		inst = vm.state.NewTable()
	}
	inst.Metatable = proto
	name, _ := proto.RawGetString("type").(lua.LString)
	p := vm.prototypes[string(name)]
	if p == nil || p.table != proto {
		return inst
	}
	if len(p.instances) >= max(p.compactAt, 64) {
		p.compact()
		p.compactAt = 2 * len(p.instances)
	}
	p.instances = append(p.instances, weak.Make(inst))
	return inst
}

func (p *prototype) compact() {
	live := p.instances[:0]
	for _, w := range p.instances {
		if w.Value() != nil {
			live = append(live, w)
		}
	}
	clear(p.instances[len(live):])
	p.instances = live
}

// migrate lets instances follow their prototypes' changes: mutate is called on each,
// then removed fields go. It returns the errors of mutate.
func (vm *VM) migrate() []error {
	pending := vm.pending
	vm.pending = nil
	var errs []error
	for _, p := range pending {
		mutate, err := vm.Field(p.table, "mutate")
		if err != nil {
			errs = append(errs, err)
		}
		for _, w := range p.instances {
			inst := w.Value()
			if inst == nil {
				continue
			}
			if mutate != nil {
				if err := vm.call(in(mutate), 0, inst); err != nil {
					errs = append(errs, err)
				}
			}
			for _, k := range p.removed {
				inst.RawSetString(k, lua.LNil)
			}
		}
		p.removed = nil
	}
	return errs
}

// sameDefault reports whether two declared values mean the same: a table written
// again in the source is another table with the same content.
func (vm *VM) sameDefault(a, b lua.LValue, depth int) bool {
	if a == b {
		return true
	}
	x, ok1 := a.(*lua.LTable)
	y, ok2 := b.(*lua.LTable)
	if !ok1 || !ok2 || x == vm.empty || y == vm.empty || x.Metatable != y.Metatable || depth > 8 {
		return false
	}
	same, n := true, 0
	x.ForEach(func(k, v lua.LValue) {
		n++
		same = same && vm.sameDefault(v, y.RawGet(k), depth+1)
	})
	y.ForEach(func(lua.LValue, lua.LValue) { n-- })
	return same && n == 0
}

// openSession makes the session table and what belongs to it.
func (vm *VM) openSession() {
	l := vm.state
	vm.empty = l.NewTable()
	l.SetGlobal("EMPTY", vm.empty)
	vm.session = l.NewTable()
	vm.app = lua.LNil
	for name, f := range map[string]lua.LGFunction{
		"prototype": func(l *lua.LState) int {
			l.Push(vm.declare(l.CheckString(2), l.OptTable(3, nil), l.OptTable(4, nil)))
			return 1
		},
		"create": func(l *lua.LState) int {
			l.Push(vm.create(l.CheckTable(2), l.OptTable(3, nil)))
			return 1
		},
		"createAppVariable": func(l *lua.LState) int {
			vm.app = l.CheckTable(2)
			l.Push(lua.LNumber(1))
			return 1
		},
		"getApp": func(l *lua.LState) int {
			l.Push(vm.appObject())
			return 1
		},
	} {
		vm.session.RawSetString(name, l.NewFunction(f))
	}
	vm.session.RawSetString("reloading", lua.LFalse)
	l.SetGlobal("session", vm.session)
}

// appObject is what session:getApp returns: what the app has declared to be it,
// else what is displayed.
func (vm *VM) appObject() lua.LValue {
	if vm.app != lua.LNil {
		return vm.app
	}
	if mcp, ok := vm.state.GetGlobal("mcp").(*lua.LTable); ok {
		if v := mcp.RawGetString("value"); v != lua.LNil {
			return v
		}
		return mcp
	}
	return lua.LNil
}
