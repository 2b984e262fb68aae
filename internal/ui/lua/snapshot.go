package lua

import (
	"maps"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// A snapshot holds everything that a file's declarations can change: globals, prototypes with their
// methods, fields and metatables, the tables of the engine (session, ui, mcp), modules, timers.
// Each table is copied one level deep.
//
// So a file that fails while it is run again leaves the code as it was. Its effects on objects, on
// plain tables in globals, on files and on the outside world are not undone.
type snapshot struct {
	tables     []tableState
	prototypes map[string]*prototype
	fields     map[*prototype]prototype
	pending    []*prototype
	loaded     map[string]bool
	names      map[string][]string
	wrappers   map[string]lua.LValue
	app        lua.LValue
	apps       map[string]*lua.LTable
	handles    int
}

type tableState struct {
	table     *lua.LTable
	metatable lua.LValue
	content   map[lua.LValue]lua.LValue
}

func stateOf(tb *lua.LTable) tableState {
	s := tableState{table: tb, metatable: tb.Metatable, content: map[lua.LValue]lua.LValue{}}
	tb.ForEach(func(k, v lua.LValue) { s.content[k] = v })
	return s
}

func (s tableState) restore() {
	s.table.Metatable = s.metatable
	var added []lua.LValue
	s.table.ForEach(func(k, _ lua.LValue) {
		if _, had := s.content[k]; !had {
			added = append(added, k)
		}
	})
	for _, k := range added {
		s.table.RawSet(k, lua.LNil)
	}
	for k, v := range s.content {
		if s.table.RawGet(k) != v {
			s.table.RawSet(k, v)
		}
	}
}

func (vm *VM) snapshot() *snapshot {
	s := &snapshot{
		prototypes: maps.Clone(vm.prototypes),
		fields:     map[*prototype]prototype{},
		pending:    slices.Clone(vm.pending),
		loaded:     maps.Clone(vm.modules.loaded),
		names:      map[string][]string{},
		wrappers:   maps.Clone(vm.wrappers),
		app:        vm.app,
		apps:       maps.Clone(vm.apps),
		handles:    vm.handles,
	}
	for k, v := range vm.modules.names {
		s.names[k] = slices.Clone(v)
	}
	seen := map[*lua.LTable]bool{}
	add := func(tb *lua.LTable) {
		if tb != nil && !seen[tb] {
			seen[tb] = true
			s.tables = append(s.tables, stateOf(tb))
		}
	}
	add(vm.state.G.Global)
	add(vm.session)
	add(vm.modules.table)
	for _, tb := range vm.defined {
		add(tb)
	}
	for _, p := range vm.prototypes {
		s.fields[p] = prototype{fields: maps.Clone(p.fields), removed: slices.Clone(p.removed), file: p.file}
		add(p.table)
	}
	return s
}

// restore restores everything in the snapshot.
func (vm *VM) restore(s *snapshot) {
	for _, t := range s.tables {
		t.restore()
	}
	vm.prototypes, vm.pending = s.prototypes, s.pending
	for p, was := range s.fields {
		p.fields, p.removed, p.file = was.fields, was.removed, was.file
	}
	vm.modules.loaded, vm.modules.names = s.loaded, s.names
	vm.wrappers, vm.app, vm.apps = s.wrappers, s.app, s.apps
	vm.restoreHandlers(s.handles)
	for id := range vm.timers {
		if id > s.handles {
			vm.clearTimer(id)
		}
	}
	for id, j := range vm.jobs {
		if id > s.handles {
			delete(vm.jobs, id)
			j.cancel()
		}
	}
}
