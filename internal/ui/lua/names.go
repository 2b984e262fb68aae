package lua

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/spell"
	"ui-mcp/internal/ui/variable"
)

// IsFunction reports whether v is a function.
func (vm *VM) IsFunction(v Value) bool { return isFunction(in(v)) }

// Member tells what an object's type says of a name. A type that session:prototype has declared
// knows the fields of its declaration, its methods, and those of the types that it inherits from;
// an object knows its own fields. Fields that code of the same app sets somewhere are known, too,
// even while they are nil. Of any other object every name is known.
func (vm *VM) Member(obj Value, name string) variable.Member {
	tb, ok := obj.(*lua.LTable)
	if !ok {
		return variable.Member{Known: true}
	}
	v, known := vm.member(tb, name)
	if !known {
		return variable.Member{Known: true}
	}
	if v != lua.LNil {
		return variable.Member{Known: true, Method: isFunction(v), Value: out(v)}
	}
	declared, app := false, ""
	for t := range ancestry(tb) {
		if p := vm.prototypeOf(t); p != nil {
			if !declared {
				declared, app = true, AppOf(p.file)
			}
			if _, has := p.fields[name]; has {
				return variable.Member{Known: true}
			}
		}
	}
	if !declared || reserved(name) || vm.assigned(app, name) {
		return variable.Member{Known: true}
	}
	return variable.Member{Similar: vm.similarMember(tb, name)}
}

// assigned reports whether the loaded code of an app, or code that belongs to no app, sets a field
// of that name: see [chunk.Chunk].
func (vm *VM) assigned(app, name string) bool {
	for key, c := range vm.inForce {
		if of := AppOf(key); c.fields[name] && (of == "" || app == "" || of == app) {
			return true
		}
	}
	return false
}

// similarMember is the name among an object's fields and methods that is most like another, or "".
func (vm *VM) similarMember(v lua.LValue, name string) string {
	return spell.Nearest(name, slices.DeleteFunc(vm.memberNames(v), func(n string) bool {
		return strings.HasPrefix(n, "_") && !strings.HasPrefix(name, "_")
	}))
}
