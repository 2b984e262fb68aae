package lua

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/wire"
)

// maxDepth bounds the nesting of JSON that scripts read and write.
const maxDepth = 512

// decode returns the value of a JSON text, in which null is the given value.
func (vm *VM) decode(l *lua.LState, src string, null lua.LValue) (lua.LValue, error) {
	text := []byte(src)
	var syntax *json.SyntaxError
	if !json.Valid(text) && errors.As(json.Unmarshal(text, new(json.RawMessage)), &syntax) {
		before := src[:syntax.Offset]
		column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
		return nil, fmt.Errorf("JSON line %d, column %d: %s", 1+strings.Count(before, "\n"), column, syntax)
	}
	return (&decoder{Scanner: wire.Scanner{Text: src}, vm: vm, l: l, null: null}).value()
}

// A decoder reads one JSON text.
type decoder struct {
	wire.Scanner
	vm    *VM
	l     *lua.LState
	depth int
	null  lua.LValue
}

func (d *decoder) value() (v lua.LValue, err error) {
	d.vm.step(d.l)
	if c := d.Next(); c == '{' || c == '[' {
		if d.depth == maxDepth {
			return nil, fmt.Errorf("the JSON is nested more than %d deep", maxDepth)
		}
		d.depth++
		v, err = d.table(c == '{')
		d.depth--
		return v, err
	}
	switch s, ok := d.Scalar(); {
	case !ok:
		return nil, fmt.Errorf("the JSON has the number %.40s, which is too large", s.Text)
	case s.Kind == '"':
		return lua.LString(s.Text), nil
	case s.Kind == 'n':
		return d.null, nil
	case s.Kind != 0:
		return lua.LBool(s.Kind == 't'), nil
	default:
		return lua.LNumber(s.Number), nil
	}
}

func (d *decoder) table(object bool) (lua.LValue, error) {
	tb := d.l.NewTable()
	d.Pos++
	if object && d.Next() == '}' {
		tb.Metatable = d.vm.marks.Object
	}
	for i := 1; d.Next() != ']' && d.Text[d.Pos] != '}'; i++ {
		key := ""
		if object {
			key = d.Quoted()
		}
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		if object {
			tb.RawSetString(key, v)
		} else {
			tb.RawSetInt(i, v)
		}
	}
	d.Pos++
	return tb, nil
}
