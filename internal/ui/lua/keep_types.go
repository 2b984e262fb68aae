package lua

import (
	"strings"
	"weak"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/keep"
)

// dataNode is the node of a value that is a table with data, or nil.
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
	was keep.Type // by the file
}

// schemaNow are the declarations of the types that objects have. was has those for which objects
// were made, by index, if these are others.
func (k *Kept) schemaNow() (types map[string]keep.Type, was map[int]keep.Type) {
	types, was = map[string]keep.Type{}, map[int]keep.Type{}
	for w, o := range k.vm.outdated {
		if n := k.nodes[w.Value()]; n != nil {
			was[n.index] = o.was
		}
	}
	for w, s := range k.vm.strangers {
		if n := k.nodes[w.Value()]; n != nil && s.was.Fields != nil {
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
		if is && now.Same(own) {
			delete(was, i)
		}
	}
	return types, was
}

// declaration is what the declarations of a type and of its ancestors say of its objects.
func (vm *VM) declaration(name string) (keep.Type, bool) {
	p := vm.prototypes[name]
	if p == nil {
		return keep.Type{}, false
	}
	t := keep.Type{Fields: map[string]any{}, Mutates: mutates(p.table)}
	tb := p.table
	for range maxIndexLoop {
		if q := vm.prototypeOf(tb); q != nil {
			for name, v := range q.fields {
				if _, nearer := t.Fields[name]; nearer || isFunction(v) || strings.HasPrefix(name, "_") {
					continue
				}
				switch v := v.(type) {
				case lua.LString:
					t.Fields[name] = string(v)
				case lua.LNumber:
					t.Fields[name] = float64(v)
				case lua.LBool:
					t.Fields[name] = bool(v)
				case *lua.LTable:
					t.Fields[name] = keep.Table{}
					if v == vm.empty {
						t.Fields[name] = nil
					}
				}
			}
		}
		mt, ok := tb.Metatable.(*lua.LTable)
		if !ok {
			break
		}
		tb = mt
	}
	return t, true
}
