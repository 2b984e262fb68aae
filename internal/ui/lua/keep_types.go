package lua

import (
	"strings"

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
	if len(k.strangers) > 0 {
		return k.strangers[tb]
	}
	return ""
}

// schemaNow are the declarations of the types that objects have.
func (k *Kept) schemaNow() map[string]keep.Type {
	types := map[string]keep.Type{}
	last := ""
	for _, c := range k.contents {
		if c == nil || c.typ == "" || c.typ == last {
			continue
		}
		last = c.typ
		if _, known := types[last]; known {
			continue
		}
		if t, ok := k.vm.declaration(last); ok {
			types[last] = t
		} else if t, ok := k.types[last]; ok {
			types[last] = t
		}
	}
	for tb, t := range k.unmoved {
		types[k.vm.Type(tb)] = t
	}
	return types
}

// declaration is what the declarations of a type and of its ancestors say of its objects.
func (vm *VM) declaration(name string) (keep.Type, bool) {
	p := vm.prototypes[name]
	if p == nil {
		return keep.Type{}, false
	}
	t := keep.Type{Fields: map[string]any{}}
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
		t.Mutates = t.Mutates || isFunction(tb.RawGetString("mutate"))
		mt, ok := tb.Metatable.(*lua.LTable)
		if !ok {
			break
		}
		tb = mt
	}
	return t, true
}
