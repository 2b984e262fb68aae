package lua

import (
	"iter"
	"maps"
	"strings"
	"weak"

	lua "github.com/yuin/gopher-lua"
)

// A declaration is what the declarations of a type and of its ancestors say of its objects: the
// default of each field as JSON, as in the file; nil if that is not known. A field that starts with
// $ has another one before it. "$mutate" says that the type has that method.
type declaration map[string]string

const mutateMark = "$mutate"

func (t declaration) same(u declaration) bool { return maps.Equal(t, u) }

func (t declaration) fields() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range t {
			if name != mutateMark && !yield(strings.TrimPrefix(name, "$")) {
				return
			}
		}
	}
}

func (t declaration) has(field string) bool {
	_, is := t[memberName(field)]
	return is
}

// memberName is a name as a member: what starts with $ has a meaning of its own.
func memberName(name string) string {
	if strings.HasPrefix(name, "$") {
		return "$" + name
	}
	return name
}

func (vm *VM) declaration(name string) (declaration, bool) {
	p := vm.prototypes[name]
	if p == nil {
		return nil, false
	}
	t := declaration{}
	if mutates(p.table) {
		t[mutateMark] = "true"
	}
	for tb := range ancestry(p.table) {
		q := vm.prototypeOf(tb)
		if q == nil {
			continue
		}
		for name, v := range q.fields {
			if t.has(name) || strings.HasPrefix(name, "_") {
				continue
			}
			switch v := v.(type) {
			case lua.LString, lua.LNumber, lua.LBool:
				t[memberName(name)] = string(appendKept(nil, v))
			case *lua.LTable:
				t[memberName(name)] = "[]"
				if v == vm.empty {
					t[memberName(name)] = "null"
				}
			}
		}
	}
	return t, true
}

func (k *Kept) dataNode(v lua.LValue) *keptNode {
	tb, ok := v.(*lua.LTable)
	if !ok || !k.vm.isData(tb) || k.vm.prototypeOf(tb) != nil {
		return nil
	}
	return k.node(tb)
}

// isData reports whether a table is the app's own.
func (vm *VM) isData(tb *lua.LTable) bool {
	if vm.own[tb] {
		return false
	}
	mt, ok := tb.Metatable.(*lua.LTable)
	return !ok || !vm.own[mt] || mt == vm.json.object || vm.prototypeOf(mt) != nil
}

// typeOf is the type by which an object is restored, or "".
func (k *Kept) typeOf(tb *lua.LTable) string {
	if mt, ok := tb.Metatable.(*lua.LTable); ok {
		name, _ := mt.RawGetString("type").(lua.LString)
		return string(name)
	}
	if len(k.vm.strangers) > 0 {
		return k.vm.strangers[weak.Make(tb)].typ
	}
	return ""
}

// A stranger is a restored object of a type that nothing has declared.
type stranger struct {
	typ string
	was declaration // by the file
}

// schemaNow are the declarations of the types that objects have. was has those for which objects
// were made, by index, if these are others.
func (k *Kept) schemaNow() (types map[string]declaration, was map[int]declaration) {
	types, was = map[string]declaration{}, map[int]declaration{}
	for w, o := range k.vm.outdated {
		if n := k.nodes[w.Value()]; n != nil {
			was[n.index] = o.was
		}
	}
	for w, s := range k.vm.strangers {
		if n := k.nodes[w.Value()]; n != nil && s.was != nil {
			was[n.index] = s.was
		}
	}
	for i, c := range k.contents {
		if c == nil || c.typ == "" {
			continue
		}
		own, is := was[i]
		now, known := types[c.typ]
		if !known {
			if now, known = k.vm.declaration(c.typ); !known {
				now, known = own, is
			}
			if known {
				types[c.typ] = now
			}
		}
		if is && now.same(own) {
			delete(was, i)
		}
	}
	return types, was
}
