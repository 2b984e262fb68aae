package lua

import (
	"maps"
	"weak"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/lua/kept"
)

// A snapshot holds everything that a file's declarations can change: globals, the tables of the
// libraries and of the engine, prototypes with their methods, fields and metatables, modules. Each
// table is copied one level deep. See [VM.attempt].
type snapshot struct {
	tables []tableState
	env    *lua.LTable
	types  []lua.LValue // the metatables of the types in samples
	undoable
	fields  map[*prototype]prototype
	records map[string]*record
	clock   int
}

// undoable is what of a VM a file that fails leaves as it was. Values of the maps are replaced, not
// changed.
type undoable struct {
	prototypes map[string]*prototype
	outdated   map[weak.Pointer[lua.LTable]]kept.Outdated
	pending    int             // how many of them have a type that is declared
	inForce    map[string]code // the files that are part of the session, by key
	wrappers   map[string]lua.LValue
	app        lua.LValue             // what session:createAppVariable was given last, or nil
	apps       map[string]*lua.LTable // and what the files of each app have given it
	output     lua.LValue             // the target of io.write
}

func (u undoable) clone() undoable {
	u.prototypes, u.outdated, u.inForce = maps.Clone(u.prototypes), maps.Clone(u.outdated), maps.Clone(u.inForce)
	u.wrappers, u.apps = maps.Clone(u.wrappers), maps.Clone(u.apps)
	return u
}

type tableState struct {
	table     *lua.LTable
	metatable lua.LValue
	content   []kept.Entry
}

func stateOf(tb *lua.LTable) tableState {
	return tableState{table: tb, metatable: tb.Metatable, content: kept.Entries(tb)}
}

func (s tableState) restore() {
	s.table.Metatable = s.metatable
	had := make(map[lua.LValue]bool, len(s.content))
	for _, e := range s.content {
		had[e.Key] = true
		if s.table.RawGet(e.Key) != e.Value {
			s.table.RawSet(e.Key, e.Value)
		}
	}
	for _, e := range kept.Entries(s.table) {
		if !had[e.Key] {
			s.table.RawSet(e.Key, lua.LNil)
		}
	}
}

func (vm *VM) snapshot() *snapshot {
	m := &vm.modules
	s := &snapshot{
		env:      vm.state.Env,
		undoable: vm.clone(),
		fields:   map[*prototype]prototype{},
		records:  maps.Clone(m.records),
		clock:    m.clock,
	}
	for _, v := range vm.samples() {
		s.types = append(s.types, vm.state.GetMetatable(v))
	}
	for tb := range vm.own {
		s.tables = append(s.tables, stateOf(tb))
	}
	for _, p := range vm.prototypes {
		s.fields[p] = prototype{fields: p.fields, file: p.file} // all are replaced, not changed
		if !vm.own[p.table] {
			s.tables = append(s.tables, stateOf(p.table))
		}
	}
	return s
}

// samples returns a value of each type whose values share a metatable.
func (vm *VM) samples() []lua.LValue {
	return []lua.LValue{lua.LNil, lua.LTrue, lua.LNumber(0), lua.LString(""), vm.concatenate, vm.state}
}

func (vm *VM) restore(s *snapshot) {
	m := &vm.modules
	for _, t := range s.tables {
		t.restore()
	}
	vm.state.Env = s.env
	for i, v := range vm.samples() {
		vm.state.SetMetatable(v, s.types[i])
	}
	vm.undoable = s.undoable
	for p, was := range s.fields {
		p.fields, p.file = was.fields, was.file
	}
	for key, r := range s.records {
		if m.records[key] == nil {
			m.records[key] = r // it was unloaded
		}
	}
	for _, r := range m.records {
		if r.began > s.clock {
			r.failed = true // also of files that did not fail themselves
		}
	}
}

// ownTables finds the tables that can be reached from the globals: before any script has run, they
// belong to the libraries and to this program.
func (vm *VM) ownTables() map[*lua.LTable]bool {
	found := map[*lua.LTable]bool{}
	var visit func(v lua.LValue)
	visit = func(v lua.LValue) {
		if ud, ok := v.(*lua.LUserData); ok {
			visit(ud.Metatable)
		}
		tb, ok := v.(*lua.LTable)
		if !ok || found[tb] {
			return
		}
		found[tb] = true
		visit(tb.Metatable)
		tb.ForEach(func(k, v lua.LValue) { visit(k); visit(v) })
	}
	visit(vm.state.G.Global)
	visit(vm.state.GetMetatable(lua.LString("")))
	visit(vm.fileType)
	visit(vm.marks.Object)
	for _, lib := range vm.libraries {
		lib.Values(visit)
	}
	return found
}
