package lua

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
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
	return (&decoder{vm: vm, l: l, src: src, null: null}).value()
}

// A decoder reads one JSON text, which is valid: what may stand between two values need not be told
// apart. The tokens of encoding/json take twice the time and allocations: see BenchmarkDecodeJSON.
type decoder struct {
	vm    *VM
	l     *lua.LState
	src   string
	pos   int
	depth int
	null  lua.LValue
}

// next goes to the next value, name or end, and returns its first byte.
func (d *decoder) next() byte {
	for {
		switch c := d.src[d.pos]; c {
		case ' ', '\t', '\r', '\n', ':', ',':
			d.pos++
		default:
			return c
		}
	}
}

func (d *decoder) value() (v lua.LValue, err error) {
	d.vm.step(d.l)
	switch d.next() {
	case '{', '[':
		if d.depth == maxDepth {
			return nil, fmt.Errorf("the JSON is nested more than %d deep", maxDepth)
		}
		d.depth++
		v, err = d.table()
		d.depth--
		return v, err
	case '"':
		return lua.LString(d.text()), nil
	case 't':
		d.pos += len("true")
		return lua.LTrue, nil
	case 'f':
		d.pos += len("false")
		return lua.LFalse, nil
	case 'n':
		d.pos += len("null")
		return d.null, nil
	}
	from := d.pos
	for d.pos < len(d.src) && strings.IndexByte("+-.0123456789eE", d.src[d.pos]) >= 0 {
		d.pos++
	}
	f, err := strconv.ParseFloat(d.src[from:d.pos], 64)
	if err != nil { // numbers that are too small are 0
		return nil, fmt.Errorf("the JSON has the number %.40s, which is too large", d.src[from:d.pos])
	}
	return lua.LNumber(f), nil
}

// table reads an array or object.
func (d *decoder) table() (lua.LValue, error) {
	tb, object := d.l.NewTable(), d.src[d.pos] == '{'
	d.pos++
	if object && d.next() == '}' {
		tb.Metatable = d.vm.json.object
	}
	for i := 1; d.next() != ']' && d.src[d.pos] != '}'; i++ {
		key := ""
		if object {
			key = d.text()
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
	d.pos++
	return tb, nil
}

// text reads a string. Bytes that are not UTF-8 become U+FFFD.
func (d *decoder) text() string {
	from := d.pos
	for d.pos++; d.src[d.pos] != '"'; d.pos++ {
		if d.src[d.pos] == '\\' {
			d.pos++
		}
	}
	d.pos++
	s, err := strconv.Unquote(d.src[from:d.pos])
	if err != nil { // Go has neither \/ nor surrogates
		_ = json.Unmarshal([]byte(d.src[from:d.pos]), &s) // the text is valid
	}
	return s
}
