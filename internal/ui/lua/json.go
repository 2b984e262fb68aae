package lua

import (
	"errors"
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/ui/wire"
)

// maxNesting bounds the nesting of JSON; deeper values are described by a text.
const maxNesting = 100

var errTooLarge = errors.New("too large")

// isArray reports whether a table becomes a JSON array: its keys are 1..n, where n is its length,
// and, unless it is strict, possibly strings that start with an underscore.
func isArray(tb *lua.LTable, n int, strict bool) bool {
	array := true
	count := 0
	tb.ForEach(func(k, _ lua.LValue) {
		switch k := k.(type) {
		case lua.LNumber:
			count++
			array = array && float64(k) == math.Trunc(float64(k)) && k >= 1 && int(k) <= n
		case lua.LString:
			array = array && !strict && strings.HasPrefix(string(k), "_")
		default:
			array = false
		}
	})
	return array && count == n
}

// JSON returns v as JSON of at most limit bytes. Objects have their type, their own fields, and the
// declared ones that have their default, without those whose names begin with an underscore and
// without functions. A table that was met before is {"$ref": n}, the nth table of the text, from 1.
// A value that is no JSON at all, or too large, becomes {"non-json": "what it is"}. Of several keys
// with the same name in JSON, it has one: see [VM.Clashes].
func (vm *VM) JSON(v Value, limit int) []byte {
	e := jsonEncoder{vm: vm, limit: limit, seen: map[*lua.LTable]int{}}
	text := e.document(in(v))
	vm.clashes = e.clashes
	return text
}

func (e *jsonEncoder) document(l lua.LValue) []byte {
	switch x := l.(type) {
	case *lua.LFunction, *lua.LUserData, *lua.LState, lua.LChannel:
		return e.nonJSON(e.vm.describe(l))
	case lua.LNumber:
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return e.nonJSON(strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)))
		}
	}
	e.value(l, 0)
	switch e.err {
	case nil:
	case errTooLarge:
		return e.nonJSON(e.vm.describe(l) + ": more than " + strconv.Itoa(e.limit>>10) + " KiB of JSON; ask for a part of it")
	default:
		return e.nonJSON(e.err.Error())
	}
	return e.buf
}

type jsonEncoder struct {
	vm    *VM
	buf   []byte
	limit int
	seen  map[*lua.LTable]int
	err   error

	path    []step
	typ     string // of the innermost table around that has one
	clashes []Clash
}

// A step is an element of an array, from 1, or a member of an object.
type step struct {
	index int
	name  string
}

func (e *jsonEncoder) nonJSON(text string) []byte {
	return append(wire.AppendString([]byte(`{"non-json":`), safetext.Clip(text, 1000)), '}')
}

func (e *jsonEncoder) value(v lua.LValue, depth int) {
	if len(e.buf) > e.limit {
		e.err = errTooLarge
	}
	if e.err == nil && e.vm.guard.Done() != nil {
		e.err = e.vm.guard.err
	}
	if e.err != nil {
		return
	}
	switch v := v.(type) {
	case *lua.LNilType:
		e.buf = append(e.buf, "null"...)
	case lua.LString:
		if len(v) > e.limit {
			e.err = errTooLarge
			return
		}
		e.buf = wire.AppendString(e.buf, string(v))
	case *lua.LTable:
		e.table(v, depth)
	case lua.LBool, lua.LNumber:
		e.buf = appendScalar(e.buf, v)
	default:
		if v == lua.LValue(e.vm.json.null) {
			e.buf = append(e.buf, "null"...)
			return
		}
		e.buf = wire.AppendString(e.buf, e.vm.describe(v))
	}
}

func (e *jsonEncoder) table(tb *lua.LTable, depth int) {
	if n, ok := e.seen[tb]; ok {
		e.buf = append(e.buf, `{"$ref":`...)
		e.buf = strconv.AppendInt(e.buf, int64(n), 10)
		e.buf = append(e.buf, '}')
		return
	}
	if depth >= maxNesting {
		e.buf = wire.AppendString(e.buf, "nested more than "+strconv.Itoa(maxNesting)+" deep")
		return
	}
	e.seen[tb] = len(e.seen) + 1
	typ := e.vm.Type(tb)
	n := tb.Len() // slow if the table was longer once
	if typ == "" && isArray(tb, n, false) {
		e.buf = append(e.buf, '[')
		for i := 1; i <= n && e.err == nil; i++ {
			if i > 1 {
				e.buf = append(e.buf, ',')
			}
			e.child(step{index: i}, tb.RawGetInt(i), depth)
		}
		e.buf = append(e.buf, ']')
		return
	}
	e.buf = append(e.buf, '{')
	first := true
	if typ != "" {
		e.key("type", &first)
		e.buf = wire.AppendString(e.buf, typ)
		defer func(outer string) { e.typ = outer }(e.typ)
		e.typ = typ
	}
	var members []member
	add := func(k, v lua.LValue) {
		_, isFunction := v.(*lua.LFunction)
		m := newMember(k, v)
		if isFunction || strings.HasPrefix(m.name, "_") || (typ != "" && m.name == "type") || (e.vm.IsObject(k)) {
			return
		}
		members = append(members, m)
	}
	tb.ForEach(add)
	for name, v := range e.vm.defaults(tb) {
		add(lua.LString(name), v)
	}
	sortMembers(members)
	for i, m := range members {
		if i > 0 && m.name == members[i-1].name {
			e.clash(members[i-1], m)
			continue
		}
		e.key(m.name, &first)
		e.child(step{name: m.name}, m.value, depth)
	}
	e.buf = append(e.buf, '}')
}

func (e *jsonEncoder) child(at step, v lua.LValue, depth int) {
	e.path = append(e.path, at)
	e.value(v, depth+1)
	e.path = e.path[:len(e.path)-1]
}

func (e *jsonEncoder) key(k string, first *bool) {
	if !*first {
		e.buf = append(e.buf, ',')
	}
	*first = false
	e.buf = wire.AppendString(e.buf, k)
	e.buf = append(e.buf, ':')
}
