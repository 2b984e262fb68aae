package lua

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"weak"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/lua/kept"
)

// A prototype is declared by session:prototype. Its table stays the same when its file is run
// again, so that instances get new methods at once.
type prototype struct {
	name   string
	file   string // the key of the declaring file, or ""
	table  *lua.LTable
	fields map[string]lua.LValue // the declared fields, to find what a new declaration changes
	// Instances, to migrate them. Weak: the app decides how long they live.
	instances []weak.Pointer[lua.LTable]
	compactAt int
	mutates   bool // the method mutate was there when code was loaded last
}

// reserved are fields of a prototype that are not fields of its instances.
func reserved(key string) bool { return key == "type" || key == "__index" || key == "new" }

// declare implements session:prototype(name, init, base). It fails if another app has declared a
// type of that name: the two would share methods and view definitions.
func (vm *VM) declare(name string, init, base *lua.LTable) (*lua.LTable, error) {
	vm.declared++
	p := vm.prototypes[name]
	if init == nil {
		if p != nil {
			return p.table, nil
		}
		init = vm.state.NewTable()
	}
	if p != nil && vm.foreign(p.file) {
		return nil, fmt.Errorf("the type %s is declared by %s already: give this one another name", name, p.file)
	}
	fields := map[string]lua.LValue{}
	init.ForEach(func(k, v lua.LValue) {
		if s, ok := k.(lua.LString); ok && !reserved(string(s)) {
			fields[string(s)] = v
		}
	})
	if p == nil {
		p = &prototype{name: name, table: init}
		vm.prototypes[name] = p
		vm.complete(p, base)
	}
	before := vm.declarations(p)
	defer func() { vm.outdate(before) }()
	if vm.file != "" {
		p.file = vm.file
	}
	if base != nil {
		p.table.Metatable = base
	}
	for k, v := range fields {
		old, had := p.fields[k]
		if isFunction(old) && isFunction(v) {
			// A redefined method is a new function, but instances need no migration for it.
			p.table.RawSetString(k, v)
			continue
		}
		if had && vm.sameDefault(old, v, 0) {
			fields[k] = old
			continue
		}
		if v == lua.LValue(vm.marks.Empty) {
			v = lua.LNil
		}
		p.table.RawSetString(k, v)
	}
	for k := range p.fields {
		if _, still := fields[k]; !still {
			p.table.RawSetString(k, lua.LNil)
		}
	}
	if f := init.RawGetString("new"); f != lua.LNil {
		p.table.RawSetString("new", f)
	}
	p.fields = fields
	return p.table, nil
}

// AppOf is the app that a file belongs to, by its path from the base directory: the folder below
// apps, or "".
func AppOf(key string) string {
	rest, ok := strings.CutPrefix(key, "apps/")
	app, _, below := strings.Cut(rest, "/")
	if !ok || !below {
		return ""
	}
	return app
}

// defaults are the declared fields of an instance that it does not have itself, with their values.
func (vm *VM) defaults(inst *lua.LTable) map[string]lua.LValue {
	found := map[string]lua.LValue{}
	for tb := range ancestry(inst) {
		p := vm.prototypeOf(tb)
		if p == nil {
			continue
		}
		for name := range p.fields {
			v := tb.RawGetString(name)
			if _, inherited := found[name]; !inherited && v != lua.LNil && inst.RawGetString(name) == lua.LNil {
				found[name] = v
			}
		}
	}
	return found
}

// foreign reports whether a file belongs to another app than the one that is being loaded, and is
// still part of the session.
func (vm *VM) foreign(file string) bool {
	theirs, ours := AppOf(file), AppOf(vm.file)
	if theirs == "" || ours == "" || theirs == ours || !vm.loaded(file) {
		return false
	}
	_, err := os.Stat(vm.path(file))
	return err == nil // else that app is gone
}

// Origin is the app that has declared a type, or "" if none has.
func (vm *VM) Origin(typ string) string {
	if p := vm.prototypes[typ]; p != nil {
		return AppOf(p.file)
	}
	return ""
}

// complete gives a new prototype its type, metatable and constructor.
func (vm *VM) complete(p *prototype, base *lua.LTable) {
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
			return Returns(l, vm.create(l.CheckTable(1), l.OptTable(2, nil)))
		}))
	}
}

// create implements session:create(prototype, instance).
func (vm *VM) create(proto, inst *lua.LTable) *lua.LTable {
	if inst == nil {
		inst = vm.state.NewTable()
	}
	inst.Metatable = proto
	p := vm.prototypeOf(proto)
	if p == nil {
		return inst
	}
	if len(p.instances) >= max(p.compactAt, 64) {
		p.instances = slices.DeleteFunc(p.instances, func(w weak.Pointer[lua.LTable]) bool { return w.Value() == nil })
		p.compactAt = 2 * len(p.instances)
	}
	p.instances = append(p.instances, weak.Make(inst))
	return inst
}

func (vm *VM) declarations(p *prototype) map[*prototype]kept.Declaration {
	all := map[*prototype]kept.Declaration{}
	for name, heir := range vm.prototypes {
		if heir == p || inherits(heir.table, p.table) {
			all[heir], _ = vm.declaration(name)
		}
	}
	return all
}

// outdate marks the objects of prototypes whose declarations were others before.
func (vm *VM) outdate(before map[*prototype]kept.Declaration) {
	for p, was := range before {
		if now, is := vm.declaration(p.name); !is || was.Same(now) {
			continue
		}
		for _, w := range p.instances {
			if _, already := vm.outdated[w]; !already {
				vm.setOutdated(w, kept.Outdated{Was: was})
			}
		}
	}
}

// migrate brings outdated objects up to date: it calls mutate on each, and then removes the fields
// that are no longer declared. So mutate can rename a field:
//
//	function Contact:mutate()
//	    if self.fullName == "" then self.fullName = self.name end
//	end
//
// An object whose mutate fails keeps its fields and stays outdated; migrate calls it again only
// with retry. With early, objects whose types have no mutate wait: the file may declare it below.
// It returns what failed, which does not stop the others.
func (vm *VM) migrate(retry, early bool) error {
	var errs []error
	tried, held := map[weak.Pointer[lua.LTable]]bool{}, map[*lua.LTable]bool{}
	for before := -1; before < len(tried); { // mutate may itself declare types
		before = len(tried)
		if vm.pending == 0 {
			return errors.Join(errs...)
		}
		vm.declared++
		for _, name := range slices.Sorted(maps.Keys(vm.prototypes)) {
			p := vm.prototypes[name]
			if p == nil {
				continue
			}
			now, _ := vm.declaration(name)
			for _, w := range slices.Clone(p.instances) { // mutate may create instances, which compacts the list
				o, is := vm.outdated[w]
				inst := w.Value()
				switch {
				case !is || inst == nil || inst.Metatable != lua.LValue(p.table):
				case o.Was.Same(now) && !early:
					vm.unsetOutdated(w)
				case tried[w] || o.Err != nil && !retry || early && (now[kept.Mutate] == "" || o.Was.Same(now)):
				default:
					tried[w] = true
					if o.Err = vm.mutate(inst, held); o.Err != nil {
						vm.setOutdated(w, o)
						errs = append(errs, o.Err)
						continue
					}
					vm.unsetOutdated(w)
					for field := range o.Was.Fields() {
						if !now.Has(field) {
							inst.RawSetString(field, lua.LNil)
						}
					}
				}
			}
		}
	}
	vm.sweepOutdated()
	return errors.Join(errs...)
}

// setOutdated marks an object, in place of what marks it.
func (vm *VM) setOutdated(w weak.Pointer[lua.LTable], o kept.Outdated) {
	vm.unsetOutdated(w)
	vm.outdated[w] = o
	if o.Type == "" {
		vm.pending++
	}
}

func (vm *VM) unsetOutdated(w weak.Pointer[lua.LTable]) {
	if o, is := vm.outdated[w]; is && o.Type == "" {
		vm.pending--
	}
	delete(vm.outdated, w)
}

// sweepOutdated forgets objects that are gone.
func (vm *VM) sweepOutdated() {
	for w := range vm.outdated {
		if w.Value() == nil {
			vm.unsetOutdated(w)
		}
	}
}

// migrateAfter migrates at the end of a chunk, unless another chunk runs it: that may still fail
// and be undone.
//
// A mutate that was not there before counts as a change of its type, except in a file that is run
// for the first time: what that has made is as it should be.
func (vm *VM) migrateAfter(again, retry bool) error {
	for _, p := range vm.prototypes {
		p.mutates = p.mutates || !again && p.file == vm.file && mutates(p.table)
	}
	if vm.loading > 1 {
		return nil
	}
	vm.declared++ // mutate may be new
	for w, o := range vm.outdated {
		if p, tb := vm.prototypes[o.Type], w.Value(); o.Type != "" && p != nil && tb != nil {
			vm.create(p.table, tb)
			if o.Type = ""; o.Was != nil {
				vm.setOutdated(w, o)
			} else {
				vm.unsetOutdated(w)
			}
		}
	}
	before := map[*prototype]kept.Declaration{}
	for name, p := range vm.prototypes {
		had := p.mutates
		if p.mutates = mutates(p.table); again && p.mutates && !had {
			was, _ := vm.declaration(name)
			delete(was, kept.Mutate)
			before[p] = was
		}
	}
	vm.outdate(before)
	return vm.migrate(retry, false)
}

// mutates reports whether a prototype has a method mutate, which it may inherit.
func mutates(tb *lua.LTable) bool {
	for t := range ancestry(tb) {
		if isFunction(t.RawGetString("mutate")) {
			return true
		}
	}
	return false
}

// mutate calls an instance's method of that name, if it has one. If that fails, the fields of the
// instance are as before, and so are the tables in it, but for objects and those in held, to which
// it adds them: tables that objects share would be copied for each.
func (vm *VM) mutate(inst *lua.LTable, held map[*lua.LTable]bool) error {
	f, err := vm.Field(inst, "mutate")
	if err != nil || f == nil {
		return err
	}
	before := []tableState{stateOf(inst)}
	for i := 0; i < len(before); i++ {
		for _, e := range before[i].content {
			tb, ok := e.Value.(*lua.LTable)
			plain := ok && (tb.Metatable == lua.LNil || tb.Metatable == lua.LValue(vm.marks.Object))
			if plain && !held[tb] && (types{vm}).NotData(tb) == "" {
				held[tb] = true
				before = append(before, stateOf(tb))
			}
		}
	}
	if err = vm.call(in(f), 0, inst); err != nil {
		for _, tb := range before {
			tb.restore()
		}
	}
	return err
}

// ancestry yields a table, its metatable, the metatable of that, and so on.
func ancestry(tb *lua.LTable) iter.Seq[*lua.LTable] {
	return func(yield func(*lua.LTable) bool) {
		for range maxIndexLoop {
			if tb == nil || !yield(tb) {
				return
			}
			tb, _ = tb.Metatable.(*lua.LTable)
		}
	}
}

// inherits reports whether a prototype has another among its ancestors.
func inherits(tb, ancestor *lua.LTable) bool {
	for t := range ancestry(tb) {
		if t == ancestor {
			return t != tb
		}
	}
	return false
}

// removePrototype forgets a prototype: the next declaration of its name makes a new one. With
// children, also those whose names begin with its name and a dot, and those that inherit from it.
// Instances keep their fields and methods.
func (vm *VM) removePrototype(name string, children bool) {
	p := vm.prototypes[name]
	delete(vm.prototypes, name)
	if !children {
		return
	}
	maps.DeleteFunc(vm.prototypes, func(n string, q *prototype) bool {
		return strings.HasPrefix(n, name+".") || p != nil && inherits(q.table, p.table)
	})
}

func isFunction(v lua.LValue) bool {
	_, ok := v.(*lua.LFunction)
	return ok
}

// sameDefault reports whether two declared values are equivalent: tables are compared by content,
// since running a file again creates new ones.
func (vm *VM) sameDefault(a, b lua.LValue, depth int) bool {
	if a == b {
		return true
	}
	x, ok1 := a.(*lua.LTable)
	y, ok2 := b.(*lua.LTable)
	if !ok1 || !ok2 || x == vm.marks.Empty || y == vm.marks.Empty || x.Metatable != y.Metatable || depth > 8 {
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
