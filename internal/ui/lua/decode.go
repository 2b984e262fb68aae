package lua

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
)

// maxDepth bounds the nesting of JSON that scripts read and write.
const maxDepth = 512

// A decoder parses one JSON text, strictly by RFC 8259.
type decoder struct {
	vm    *VM
	l     *lua.LState
	src   string
	pos   int
	depth int
	null  lua.LValue
}

// document parses the whole text.
func (d *decoder) document() (lua.LValue, error) {
	v, err := d.value()
	if err != nil {
		return nil, err
	}
	if d.space(); d.pos < len(d.src) {
		return nil, d.fail("unexpected %s after the value", d.found())
	}
	return v, nil
}

// fail returns an error with the position, counted from 1.
func (d *decoder) fail(format string, args ...any) error {
	before := d.src[:min(d.pos, len(d.src))]
	line := 1 + strings.Count(before, "\n")
	column := 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return fmt.Errorf("JSON line %d, column %d: %s", line, column, fmt.Sprintf(format, args...))
}

// found describes what is at the position.
func (d *decoder) found() string {
	if d.pos >= len(d.src) {
		return "end"
	}
	r, _ := utf8.DecodeRuneInString(d.src[d.pos:])
	return strconv.QuoteRune(r)
}

func (d *decoder) space() {
	for d.pos < len(d.src) {
		switch d.src[d.pos] {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return
		}
	}
}

// next skips space and returns the byte there, or 0 at the end.
func (d *decoder) next() byte {
	d.space()
	if d.pos == len(d.src) {
		return 0
	}
	return d.src[d.pos]
}

func (d *decoder) value() (lua.LValue, error) {
	d.vm.step(d.l)
	switch c := d.next(); {
	case c == '{':
		return d.nested(d.object)
	case c == '[':
		return d.nested(d.array)
	case c == '"':
		s, err := d.text()
		return lua.LString(s), err
	case c == '-' || '0' <= c && c <= '9':
		return d.number()
	}
	switch rest := d.src[d.pos:]; {
	case strings.HasPrefix(rest, "true"):
		d.pos += len("true")
		return lua.LTrue, nil
	case strings.HasPrefix(rest, "false"):
		d.pos += len("false")
		return lua.LFalse, nil
	case strings.HasPrefix(rest, "null"):
		d.pos += len("null")
		return d.null, nil
	}
	return nil, d.fail("a value is missing: found %s", d.found())
}

func (d *decoder) nested(parse func() (lua.LValue, error)) (lua.LValue, error) {
	if d.depth == maxDepth {
		return nil, d.fail("nested more than %d deep", maxDepth)
	}
	d.depth++
	d.pos++
	v, err := parse()
	d.depth--
	return v, err
}

func (d *decoder) object() (lua.LValue, error) {
	tb := d.l.NewTable()
	if d.next() == '}' {
		d.pos++
		tb.Metatable = d.vm.json.object
		return tb, nil
	}
	for {
		if d.next() != '"' {
			return nil, d.fail("a name in quotes is missing: found %s", d.found())
		}
		key, err := d.text()
		if err != nil {
			return nil, err
		}
		if d.next() != ':' {
			return nil, d.fail("a colon is missing: found %s", d.found())
		}
		d.pos++
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		tb.RawSetString(key, v)
		if done, err := d.separator('}'); done || err != nil {
			return tb, err
		}
	}
}

func (d *decoder) array() (lua.LValue, error) {
	tb := d.l.NewTable()
	if d.next() == ']' {
		d.pos++
		return tb, nil
	}
	for i := 1; ; i++ {
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		tb.RawSetInt(i, v)
		if done, err := d.separator(']'); done || err != nil {
			return tb, err
		}
	}
}

// separator reads a comma, or the end of an object or array.
func (d *decoder) separator(end byte) (done bool, err error) {
	switch c := d.next(); c {
	case ',', end:
		d.pos++
		return c == end, nil
	}
	return false, d.fail("a comma or %q is missing: found %s", end, d.found())
}

func (d *decoder) digits() bool {
	from := d.pos
	for d.pos < len(d.src) && '0' <= d.src[d.pos] && d.src[d.pos] <= '9' {
		d.pos++
	}
	return d.pos > from
}

func (d *decoder) has(chars string) bool {
	if d.pos < len(d.src) && strings.IndexByte(chars, d.src[d.pos]) >= 0 {
		d.pos++
		return true
	}
	return false
}

func (d *decoder) number() (lua.LValue, error) {
	from := d.pos
	d.has("-")
	ok := d.has("0") || d.digits()
	if ok && d.has(".") {
		ok = d.digits()
	}
	if ok && d.has("eE") {
		d.has("+-")
		ok = d.digits()
	}
	if !ok {
		return nil, d.fail("a digit is missing: found %s", d.found())
	}
	f, err := strconv.ParseFloat(d.src[from:d.pos], 64)
	if err != nil && math.IsInf(f, 0) {
		d.pos = from
		return nil, d.fail("the number is too large")
	}
	return lua.LNumber(f), nil
}

// text parses a string.
func (d *decoder) text() (string, error) {
	d.pos++
	from := d.pos
	var b strings.Builder
	for d.pos < len(d.src) {
		switch c := d.src[d.pos]; {
		case c == '"':
			s := d.src[from:d.pos]
			d.pos++
			if b.Len() == 0 {
				return s, nil
			}
			b.WriteString(s)
			return b.String(), nil
		case c < ' ':
			return "", d.fail("the control character %q must be escaped in a string", c)
		case c == '\\':
			b.WriteString(d.src[from:d.pos])
			if err := d.escape(&b); err != nil {
				return "", err
			}
			from = d.pos
		default:
			d.pos++
		}
	}
	return "", d.fail("the string does not end")
}

func (d *decoder) escape(b *strings.Builder) error {
	const from, to = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	d.pos++
	if d.pos == len(d.src) {
		return d.fail("the string does not end")
	}
	if i := strings.IndexByte(from, d.src[d.pos]); i >= 0 {
		b.WriteByte(to[i])
		d.pos++
		return nil
	}
	r, ok := d.unit()
	if !ok {
		return d.fail("an escape such as \\n or \\u00e9 is not complete")
	}
	if utf16.IsSurrogate(r) {
		after := d.pos
		low, ok := rune(0), false
		if d.has(`\`) {
			low, ok = d.unit()
		}
		if both := utf16.DecodeRune(r, low); ok && both != utf8.RuneError {
			r = both
		} else {
			r = utf8.RuneError
			d.pos = after
		}
	}
	b.WriteRune(r)
	return nil
}

// unit parses the part of \uXXXX after the backslash.
func (d *decoder) unit() (rune, bool) {
	if !strings.HasPrefix(d.src[d.pos:], "u") || d.pos+5 > len(d.src) {
		return 0, false
	}
	n, err := strconv.ParseUint(d.src[d.pos+1:d.pos+5], 16, 16)
	if err != nil {
		return 0, false
	}
	d.pos += 5
	return rune(n), true
}
