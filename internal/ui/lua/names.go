package lua

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/spell"
	"ui-mcp/internal/ui/variable"
)

// IsFunction reports whether v is a function.
func (vm *VM) IsFunction(v Value) bool {
	_, ok := v.(*lua.LFunction)
	return ok
}

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
	for t, depth := tb, 0; t != nil && depth < maxIndexLoop; depth++ {
		if p := vm.prototypeOf(t); p != nil {
			if !declared {
				declared, app = true, AppOf(p.file)
			}
			if _, has := p.fields[name]; has {
				return variable.Member{Known: true}
			}
		}
		t, _ = t.Metatable.(*lua.LTable)
	}
	if !declared || reserved(name) || vm.assigned(app, name) {
		return variable.Member{Known: true}
	}
	return variable.Member{Similar: vm.similarMember(tb, name)}
}

// assigned reports whether the loaded code of an app, or code that belongs to no app, sets a field
// of that name.
func (vm *VM) assigned(app, name string) bool {
	for _, key := range slices.Sorted(maps.Keys(vm.modules.sources)) {
		if of := AppOf(key); of != "" && app != "" && of != app {
			continue
		}
		if vm.modules.fields[key] == nil {
			vm.modules.fields[key] = assignedFields(vm.modules.sources[key])
		}
		if vm.modules.fields[key][name] {
			return true
		}
	}
	return false
}

var (
	prototypeCall = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`session\s*:\s*prototype\s*\(`) })
	assignment    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([A-Za-z_]\w*)\s*=[^=]`) })
	luaComment    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`--[^\n]*`) })
	localNames    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\blocal\s+[A-Za-z_][\w, ]*=`) })
)

// assignedFields are the names that a source assigns to, in tables that it makes or elsewhere, but
// not in declarations of types: those hold for their type only.
func assignedFields(src string) map[string]bool {
	src = luaComment().ReplaceAllString(src, "")
	src = localNames().ReplaceAllString(src, "")
	var b strings.Builder
	for {
		at := prototypeCall().FindStringIndex(src)
		if at == nil {
			break
		}
		b.WriteString(src[:at[0]])
		src = afterCall(src[at[1]:])
	}
	b.WriteString(src)
	found := map[string]bool{}
	for _, m := range assignment().FindAllStringSubmatch(b.String(), -1) {
		found[m[1]] = true
	}
	return found
}

// afterCall is what follows the arguments of a call whose parenthesis is open.
func afterCall(src string) string {
	depth := 1
	for i := range len(src) {
		switch src[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return src[i+1:]
			}
		}
	}
	return ""
}

// similarMember is the name among an object's fields and methods that is most like another, or "".
func (vm *VM) similarMember(v lua.LValue, name string) string {
	var names []string
	for _, n := range vm.memberNames(v) {
		if !strings.HasPrefix(n, "_") || strings.HasPrefix(name, "_") {
			names = append(names, n)
		}
	}
	return spell.Nearest(name, names)
}
