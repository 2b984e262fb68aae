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
)

// A prototype is declared by session:prototype. Its table stays the same when its file is run
// again, so that instances get new methods at once.
type prototype struct {
	name    string
	file    string // the key of the declaring file, or ""
	table   *lua.LTable
	fields  map[string]lua.LValue // the declared fields, to find what a new declaration changes
	removed []string              // fields that instances have to lose
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
		return nil, fmt.Errorf("the type %s is declared by %s already: give this one another name, such as %s", name, p.file, vm.otherName(name))
	}
	fields := map[string]lua.LValue{}
	init.ForEach(func(k, v lua.LValue) {
		if s, ok := k.(lua.LString); ok && !reserved(string(s)) {
			fields[string(s)] = v
		}
	})
	if p == nil {
		p = &prototype{name: name, file: vm.file, table: init, fields: fields}
		vm.prototypes[name] = p
		vm.complete(p, base)
		for k, v := range fields {
			if v == lua.LValue(vm.empty) {
				init.RawSetString(k, lua.LNil)
			}
		}
		return init, nil
	}
	if vm.file != "" {
		p.file = vm.file
	}
	if base != nil {
		p.table.Metatable = base
	}
	changed := false
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
	if theirs == "" || ours == "" || theirs == ours || !vm.modules.loaded[file] {
		return false
	}
	_, err := os.Stat(vm.path(file))
	return err == nil // else that app is gone
}

// otherName makes of the name of a type one that is of the app that is being loaded.
func (vm *VM) otherName(name string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(AppOf(vm.file), func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ' ' }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String() + name
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
			return returns(l, vm.create(l.CheckTable(1), l.OptTable(2, nil)))
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

// migrate applies changes of prototypes to their instances. It calls mutate once on each instance
// of a changed prototype and of its heirs, and then removes the fields that are gone from the
// declaration. So mutate can rename a field:
//
//	function Contact:mutate()
//	    if self.fullName == "" then self.fullName = self.name end
//	end
//
// It returns the errors of mutate, which do not stop the migration.
func (vm *VM) migrate() []error {
	var errs []error
	mutated := map[*lua.LTable]bool{}
	for range maxMigrations {
		pending := vm.pending
		vm.pending = nil
		if len(pending) == 0 {
			break
		}
		for _, p := range pending {
			errs = append(errs, vm.migratePrototype(p, mutated)...)
		}
	}
	return errs
}

// migrateAfter migrates at the end of a chunk, unless another chunk runs it: that may still fail
// and be undone.
//
// A mutate that was not there before counts as a change of its type, except in a file that is run
// for the first time: what that has made is as it should be.
func (vm *VM) migrateAfter(again bool) error {
	if vm.loading > 1 {
		return nil
	}
	vm.declared++ // mutate may be new
	for _, name := range slices.Sorted(maps.Keys(vm.prototypes)) {
		p := vm.prototypes[name]
		before := p.mutates
		p.mutates = isFunction(p.table.RawGetString("mutate"))
		if again && p.mutates && !before && !slices.Contains(vm.pending, p) {
			vm.pending = append(vm.pending, p)
		}
	}
	return errors.Join(vm.migrate()...)
}

// maxMigrations bounds the rounds of migration if mutate itself changes prototypes.
const maxMigrations = 10

func (vm *VM) migratePrototype(p *prototype, mutated map[*lua.LTable]bool) (errs []error) {
	removed := p.removed
	p.removed = nil
	for _, name := range slices.Sorted(maps.Keys(vm.prototypes)) {
		heir := vm.prototypes[name]
		if heir == nil || heir != p && !inherits(heir.table, p.table) {
			continue
		}
		for _, w := range slices.Clone(heir.instances) { // mutate may create instances, which compacts the list
			inst := w.Value()
			if inst == nil {
				continue
			}
			if !mutated[inst] {
				mutated[inst] = true
				if err := vm.mutate(inst); err != nil {
					errs = append(errs, err)
				}
			}
			for _, k := range removed {
				if _, declared := heir.fields[k]; !declared {
					inst.RawSetString(k, lua.LNil)
				}
			}
		}
	}
	return errs
}

// mutate calls an instance's method of that name, if it has one.
func (vm *VM) mutate(inst *lua.LTable) error {
	f, err := vm.Field(inst, "mutate")
	if err != nil || f == nil {
		return err
	}
	return vm.call(in(f), 0, inst)
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
