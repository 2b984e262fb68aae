package lua

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/ui/wire"
)

const (
	// maxNesting bounds the nesting of a session's state; deeper values are described by a text.
	maxNesting = 100
	// maxJSON bounds what ui.json_encode makes, in bytes.
	maxJSON = 64 << 20
)

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
// with the same name in JSON, it has one.
func (vm *VM) JSON(v Value, limit int) []byte {
	e := encoder{vm: vm, limit: limit, deepest: maxNesting, seen: map[*lua.LTable]int{}}
	return e.document(in(v))
}

func (e *encoder) document(l lua.LValue) []byte {
	switch x := l.(type) {
	case *lua.LFunction, *lua.LUserData, *lua.LState, lua.LChannel:
		return e.nonJSON(e.vm.describe(l))
	case lua.LNumber:
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return e.nonJSON(strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)))
		}
	}
	e.value(l)
	switch e.err {
	case nil:
	case errTooLarge:
		return e.nonJSON(e.vm.describe(l) + ": more than " + strconv.Itoa(e.limit>>10) + " KiB of JSON; ask for a part of it")
	default:
		return e.nonJSON(e.err.Error())
	}
	return e.buf
}

func (e *encoder) nonJSON(text string) []byte {
	return append(wire.AppendString([]byte(`{"non-json":`), safetext.Clip(text, 1000)), '}')
}

// Encode returns v as JSON for scripts. Functions, threads and userdata are left out of objects and
// are null in arrays; cycles, numbers that JSON does not have, and two keys with the same name are
// errors.
func (vm *VM) Encode(v lua.LValue) ([]byte, error) {
	e := encoder{vm: vm, strict: true, limit: maxJSON, deepest: maxDepth, seen: map[*lua.LTable]int{}}
	e.value(v)
	switch {
	case e.err == errTooLarge:
		e.err = fmt.Errorf("more than %d MiB of JSON", maxJSON>>20)
	case e.at != "":
		e.err = fmt.Errorf("at %s: %w", strings.TrimPrefix(e.at, "."), e.err)
	}
	return e.buf, e.err
}

// An encoder writes a value as JSON, for scripts or to describe a session's state.
type encoder struct {
	vm      *VM
	strict  bool // for scripts: whatever JSON does not have is an error
	flat    bool // for pages: only an array of scalars is an array, other tables are described
	buf     []byte
	limit   int // of buf
	deepest int // how deep tables may nest
	// seen has the number of each table that was met; if it is strict, of those being written.
	seen map[*lua.LTable]int
	err  error

	depth  int
	misfit bool   // err is about one value
	at     string // the path to that
}

// fail ends the writing with an error about the present value.
func (e *encoder) fail(format string, args ...any) {
	if e.err == nil {
		e.err, e.misfit = fmt.Errorf(format, args...), true
	}
}

func (e *encoder) value(v lua.LValue) {
	s, _ := v.(lua.LString)
	switch {
	case e.err != nil:
		return
	case len(e.buf) > e.limit, len(s) > e.limit:
		e.err = errTooLarge
		return
	case e.vm.guard.Done() != nil:
		e.err = e.vm.guard.err
		return
	}
	if tb, ok := v.(*lua.LTable); ok {
		e.table(tb)
		return
	}
	if n, ok := v.(lua.LNumber); ok && e.strict && (math.IsNaN(float64(n)) || math.IsInf(float64(n), 0)) {
		e.fail("%v is no JSON number", float64(n))
		return
	}
	if scalar := appendScalar(e.buf, v); scalar != nil {
		e.buf = scalar
	} else if e.strict || v == lua.LValue(e.vm.marks.Null) && !e.flat {
		e.buf = append(e.buf, "null"...)
	} else {
		e.buf = wire.AppendString(e.buf, e.vm.describe(v))
	}
}

func (e *encoder) table(tb *lua.LTable) {
	n, again := e.seen[tb]
	switch {
	case e.flat && e.depth > 0:
		e.buf = wire.AppendString(e.buf, e.vm.describe(tb))
		return
	case again && e.strict:
		e.fail("the table contains itself")
		return
	case again:
		e.buf = append(e.buf, `{"$ref":`...)
		e.buf = strconv.AppendInt(e.buf, int64(n), 10)
		e.buf = append(e.buf, '}')
		return
	case e.depth >= e.deepest && e.strict:
		e.err = fmt.Errorf("nested more than %d deep", e.deepest)
		return
	case e.depth >= e.deepest:
		e.buf = wire.AppendString(e.buf, fmt.Sprintf("nested more than %d deep", e.deepest))
		return
	}
	e.seen[tb] = len(e.seen) + 1
	typ := ""
	if e.strict {
		defer delete(e.seen, tb)
	} else {
		typ = e.vm.Type(tb)
	}
	n = tb.Len() // slow if the table was longer once
	array := typ == "" && isArray(tb, n, e.strict)
	if e.flat && !array {
		e.buf = wire.AppendString(e.buf, e.vm.describe(tb))
		return
	}
	if array && (n > 0 || e.flat || tb.Metatable != lua.LValue(e.vm.marks.Object)) {
		e.buf = append(e.buf, '[')
		for i := 1; i <= n && e.err == nil; i++ {
			if i > 1 {
				e.buf = append(e.buf, ',')
			}
			e.child(tb.RawGetInt(i))
			if e.misfit {
				e.at = fmt.Sprintf("[%d]%s", i, e.at)
			}
		}
		e.buf = append(e.buf, ']')
		return
	}
	members := e.members(tb, typ)
	if e.misfit {
		return
	}
	e.buf = append(e.buf, '{')
	if typ != "" {
		e.buf = wire.AppendString(append(e.buf, `"type":`...), typ)
	}
	for i, m := range members {
		if i > 0 && m.name == members[i-1].name {
			if !e.strict {
				continue
			}
			e.fail("two keys have the name %q in JSON", m.name)
			return
		}
		if i > 0 || typ != "" {
			e.buf = append(e.buf, ',')
		}
		e.buf = append(wire.AppendString(e.buf, m.name), ':')
		if e.child(m.value); e.misfit {
			e.at = "." + m.name + e.at
			return
		}
	}
	e.buf = append(e.buf, '}')
}

// A member is a field of a table, which becomes a member of a JSON object.
type member struct {
	name       string // the key in JSON
	key, value lua.LValue
}

// members returns the members of a table, sorted by name.
func (e *encoder) members(tb *lua.LTable, typ string) (members []member) {
	add := func(k, v lua.LValue) {
		m := member{k.String(), k, v}
		if !utf8.ValidString(m.name) {
			m.name = string([]rune(m.name)) // as it is written
		}
		if e.strict {
			if _, number := k.(lua.LNumber); !number && k.Type() != lua.LTString {
				e.fail("a %s cannot be a key", k.Type())
			}
			if !e.writable(v) {
				return
			}
		} else if isFunction(v) || strings.HasPrefix(m.name, "_") || typ != "" && m.name == "type" || e.vm.IsObject(k) {
			return
		}
		members = append(members, m)
	}
	tb.ForEach(add)
	if !e.strict {
		for name, v := range e.vm.defaults(tb) {
			add(lua.LString(name), v)
		}
	}
	// The library keeps the order of insertion, with numbers first; sorted text can be compared.
	slices.SortStableFunc(members, func(a, b member) int {
		return cmp.Or(strings.Compare(a.name, b.name), -cmp.Compare(a.key.Type(), b.key.Type())) // a string comes before a number
	})
	return members
}

// writable reports whether scripts write v as a member.
func (e *encoder) writable(v lua.LValue) bool {
	switch v.(type) {
	case *lua.LFunction, *lua.LState, lua.LChannel:
		return false
	case *lua.LUserData:
		return v == lua.LValue(e.vm.marks.Null)
	}
	return true
}

func (e *encoder) child(v lua.LValue) {
	e.depth++
	e.value(v)
	e.depth--
}
