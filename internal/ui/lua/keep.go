package lua

import (
	"strings"
	"weak"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/lua/kept"
)

// Keep follows the data of an object from now on. It fails for what cannot be kept. Nothing has to
// end it.
func (vm *VM) Keep(name string, obj Value) (*kept.Graph, error) {
	tb, ok := obj.(*lua.LTable)
	switch {
	case !ok:
		return nil, fault.New(fault.Invalid, "the object to keep as %q must be a table, not %s: give an object, such as mcp:keep(\"expenses\", expenses), or false to end keeping it", name, vm.kindOf(in(obj)))
	case vm.prototypeOf(tb) != nil:
		return nil, fault.New(fault.Invalid, "%s is a type: keep an object, such as %[1]s:new()", vm.Type(tb))
	case types{vm}.NotData(tb) != "":
		return nil, fault.New(fault.Invalid, "this table belongs to the program, it cannot be kept")
	}
	return kept.New(vm.keeping(), tb), nil
}

// ReadKept reads a text as kept objects are written, or as a person has edited it.
func (vm *VM) ReadKept(text []byte) (*kept.Data, error) { return kept.Read(vm.keeping(), text) }

func (vm *VM) keeping() *kept.App {
	return &kept.App{Types: types{vm}, Marks: vm.marks, NewTable: vm.state.NewTable}
}

// types implements [kept.Types].
type types struct{ vm *VM }

func (t types) Declared() int { return t.vm.declared }

func (t types) Outdated() map[weak.Pointer[lua.LTable]]kept.Outdated { return t.vm.outdated }

func (t types) Declaration(typ string) (kept.Declaration, bool) { return t.vm.declaration(typ) }

func (t types) NotData(tb *lua.LTable) string {
	if t.vm.prototypeOf(tb) != nil {
		return "the type " + t.vm.Type(tb)
	}
	mt, _ := tb.Metatable.(*lua.LTable)
	if t.vm.own[tb] || t.vm.own[mt] && mt != t.vm.marks.Object && t.vm.prototypeOf(mt) == nil {
		return "a table of the program"
	}
	return ""
}

func (t types) Restored(tb *lua.LTable, typ string, was kept.Declaration, isNew bool) {
	vm, w := t.vm, weak.Make(tb)
	if p := vm.prototypes[typ]; p != nil && isNew {
		vm.create(p.table, tb)
	}
	vm.declared++
	vm.unsetOutdated(w)
	now, declared := vm.declaration(typ)
	switch {
	case !declared:
		vm.setOutdated(w, kept.Outdated{Type: typ, Was: was})
	case was != nil && (!was.Same(now) || vm.loading > 0 && now[kept.Mutate] == ""): // mutate may follow
		vm.setOutdated(w, kept.Outdated{Was: was})
	}
}

func (t types) Migrate() {
	t.vm.sweepOutdated() // each reading makes new ones
	_ = t.vm.migrate(false, t.vm.loading > 0)
}

func (vm *VM) declaration(name string) (kept.Declaration, bool) {
	p := vm.prototypes[name]
	if p == nil {
		return nil, false
	}
	d := kept.Declaration{}
	if mutates(p.table) {
		d[kept.Mutate] = "true"
	}
	for tb := range ancestry(p.table) {
		if q := vm.prototypeOf(tb); q != nil {
			for name, v := range q.fields {
				if !strings.HasPrefix(name, "_") {
					d.Add(name, v, vm.marks.Empty)
				}
			}
		}
	}
	return d, true
}
