package kept

import (
	"iter"
	"maps"
	"strings"
	"weak"

	lua "github.com/yuin/gopher-lua"
)

// A Declaration is what the declarations of a type and of its ancestors say of its objects: the
// default of each field as JSON, as in the file; nil if that is not known. A field that starts with
// $ has another one before it. "$mutate" says that the type has that method.
type Declaration map[string]string

// Mutate is the member that says that a type has the method mutate.
const Mutate = "$mutate"

// Same reports whether two declarations say the same.
func (t Declaration) Same(u Declaration) bool { return maps.Equal(t, u) }

// Fields yields the names of the fields.
func (t Declaration) Fields() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range t {
			if name != Mutate && !yield(strings.TrimPrefix(name, "$")) {
				return
			}
		}
	}
}

// Has reports whether there is a field of that name.
func (t Declaration) Has(field string) bool {
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

// Add adds a field with its default, unless there is one of that name. empty is [Marks.Empty].
func (t Declaration) Add(name string, v lua.LValue, empty *lua.LTable) {
	if t.Has(name) {
		return
	}
	switch v := v.(type) {
	case lua.LString, lua.LNumber, lua.LBool:
		t[memberName(name)] = string(appendValue(nil, v))
	case *lua.LTable:
		t[memberName(name)] = "[]"
		if v == empty {
			t[memberName(name)] = "null"
		}
	}
}

// dataNode is the node of a table, or says what the value is that is no data.
func (k *Graph) dataNode(v lua.LValue) (n *node, not string) {
	tb, ok := v.(*lua.LTable)
	if !ok {
		return nil, "a " + v.Type().String()
	}
	if not = k.app.NotData(tb); not == "" {
		n = k.node(tb)
	}
	return n, not
}

// typeOf is the type by which an object is restored, or "".
func (k *Graph) typeOf(tb *lua.LTable) string {
	if mt, ok := tb.Metatable.(*lua.LTable); ok {
		name, _ := mt.RawGetString("type").(lua.LString)
		return string(name)
	}
	if outdated := k.app.Outdated(); len(outdated) > 0 {
		return outdated[weak.Make(tb)].Type
	}
	return ""
}

// schemaNow are the declarations of the types that objects have. was has those for which objects
// were made, by index, if these are others.
func (k *Graph) schemaNow() (types map[string]Declaration, was map[int]Declaration) {
	types, was = map[string]Declaration{}, map[int]Declaration{}
	for w, o := range k.app.Outdated() {
		if n := k.nodes[w.Value()]; n != nil && o.Was != nil {
			was[n.index] = o.Was
		}
	}
	for i, c := range k.contents {
		if c == nil || c.typ == "" {
			continue
		}
		own, is := was[i]
		now, known := types[c.typ]
		if !known {
			if now, known = k.app.Declaration(c.typ); !known {
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
