package lua

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/wire"
)

// JSON for scripts: ui.json_encode and ui.json_decode. They preserve all data, unlike the JSON of a
// session's state.
//
// null becomes nil, so that a member that is null is absent and an array that has one has a hole.
// With true as the second argument of json_decode it becomes ui.json_null instead, which
// json_encode writes as null. An empty table is written as [], except one that was decoded from {}.

// maxJSON bounds what ui.json_encode makes, in bytes.
const maxJSON = 64 << 20

// jsonMarks are values that preserve what Lua tables cannot express.
type jsonMarks struct {
	null   *lua.LUserData
	object *lua.LTable // the metatable of tables decoded from {}
}

func (vm *VM) openJSON(ui *lua.LTable) {
	l := vm.state
	vm.json.null = l.NewUserData()
	mt := l.NewTable()
	mt.RawSetString("__tostring", l.NewFunction(func(l *lua.LState) int {
		l.Push(lua.LString("null"))
		return 1
	}))
	vm.json.null.Metatable = mt
	vm.json.object = l.NewTable()
	ui.RawSetString("json_null", vm.json.null)
	ui.RawSetString("json_encode", l.NewFunction(func(l *lua.LState) int {
		b, err := vm.encode(l, l.CheckAny(1))
		if err != nil {
			return fails(l, err.Error())
		}
		l.Push(lua.LString(b))
		return 1
	}))
	ui.RawSetString("json_decode", l.NewFunction(func(l *lua.LState) int {
		return vm.pushDecoded(l, l.CheckString(1), l.ToBool(2))
	}))
}

// pushDecoded pushes the value, or nil and a message.
func (vm *VM) pushDecoded(l *lua.LState, src string, keepNull bool) int {
	var null lua.LValue = lua.LNil
	if keepNull {
		null = vm.json.null
	}
	v, err := vm.decode(l, src, null)
	if err != nil {
		return fails(l, err.Error())
	}
	l.Push(v)
	return 1
}

// encode returns v as JSON. Functions, threads and userdata are left out of objects and are null in
// arrays; cycles, numbers that JSON does not have, and two keys with the same name are errors.
func (vm *VM) encode(l *lua.LState, v lua.LValue) ([]byte, error) {
	e := encoder{vm: vm, l: l, inside: map[*lua.LTable]bool{}}
	if err := e.value(v); err != nil {
		if len(e.path) > 0 {
			slices.Reverse(e.path)
			err = fmt.Errorf("at %s: %w", strings.Join(e.path, "."), err)
		}
		return nil, err
	}
	return e.buf, nil
}

type encoder struct {
	vm     *VM
	l      *lua.LState
	buf    []byte
	inside map[*lua.LTable]bool // tables being written
	path   []string             // after an error, from the offending value outwards
}

func (e *encoder) value(v lua.LValue) error {
	if len(e.buf) > maxJSON {
		return fmt.Errorf("more than %s of JSON", size(maxJSON))
	}
	e.vm.step(e.l)
	switch v := v.(type) {
	case lua.LBool:
		e.buf = appendScalar(e.buf, v)
	case lua.LNumber:
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("%v is no JSON number", f)
		}
		e.buf = wire.AppendNumber(e.buf, float64(v))
	case lua.LString:
		e.buf = wire.AppendString(e.buf, string(v))
	case *lua.LTable:
		return e.table(v)
	default:
		e.buf = append(e.buf, "null"...)
	}
	return nil
}

func (e *encoder) table(tb *lua.LTable) error {
	switch {
	case e.inside[tb]:
		return errors.New("the table contains itself")
	case len(e.inside) >= maxDepth:
		return fmt.Errorf("nested more than %d deep", maxDepth)
	}
	e.inside[tb] = true
	defer delete(e.inside, tb)
	if n := tb.Len(); isArray(tb, n, true) && (n > 0 || tb.Metatable != lua.LValue(e.vm.json.object)) {
		e.buf = append(e.buf, '[')
		for i := 1; i <= n; i++ {
			if i > 1 {
				e.buf = append(e.buf, ',')
			}
			if err := e.child(i, tb.RawGetInt(i)); err != nil {
				return err
			}
		}
		e.buf = append(e.buf, ']')
		return nil
	}
	var members []member
	var err error
	tb.ForEach(func(k, v lua.LValue) {
		switch k.(type) {
		case lua.LString, lua.LNumber:
		default:
			err = fmt.Errorf("a %s cannot be a key", k.Type())
		}
		if e.writable(v) {
			members = append(members, newMember(k, v))
		}
	})
	if err != nil {
		return err
	}
	sortMembers(members)
	e.buf = append(e.buf, '{')
	for i, m := range members {
		if i > 0 {
			if before := members[i-1]; before.name == m.name {
				return errors.New(clashing(before, m))
			}
			e.buf = append(e.buf, ',')
		}
		e.buf = append(wire.AppendString(e.buf, m.name), ':')
		if err := e.child(m.name, m.value); err != nil {
			return err
		}
	}
	e.buf = append(e.buf, '}')
	return nil
}

func (e *encoder) child(key any, v lua.LValue) error {
	err := e.value(v)
	if err != nil {
		e.path = append(e.path, fmt.Sprint(key))
	}
	return err
}

func (e *encoder) writable(v lua.LValue) bool {
	switch v.(type) {
	case *lua.LFunction, *lua.LState, lua.LChannel:
		return false
	case *lua.LUserData:
		return v == lua.LValue(e.vm.json.null)
	}
	return true
}
