package lua

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/ui/lua/pattern"
)

// Replacements for functions of string and table that could run or allocate without bound in Go
// code, where the library does not consult the guard. These can be stopped.

// maxPatterns bounds how many compiled patterns are kept.
const maxPatterns = 256

// joinedAtOnce is how many elements table.concat joins between two steps.
const joinedAtOnce = 256

// formatWidth bounds width and precision in string.format.
const formatWidth = 1000

func (vm *VM) openStrings() {
	l := vm.state
	str, tab := vm.library("string"), vm.library("table")
	l.SetFuncs(str, map[string]lua.LGFunction{
		"find": vm.strFind, "match": vm.strMatch, "gmatch": vm.strGmatch, "gsub": vm.strGsub, "rep": vm.strRep,
	})
	str.RawSetString("gfind", lua.LNil)
	str.RawSetString("format", l.NewFunction(vm.strFormat(original(str, "format"))))
	for _, name := range []string{"lower", "reverse", "upper"} {
		f := original(str, name)
		str.RawSetString(name, l.NewFunction(func(l *lua.LState) int {
			vm.allocate(l, len(l.CheckString(1)))
			return f(l)
		}))
	}
	tab.RawSetString("concat", l.NewFunction(vm.tabConcat))
}

// step is called in Go loops on behalf of Lua. It raises an error when time or memory is used up.
func (vm *VM) step(l *lua.LState) {
	if vm.guard.Done() != nil {
		l.RaiseError("%s", vm.guard.err)
	}
}

// grown does what allocate does for a text that has room for n bytes now, if it has grown since
// asked, the room that it had then.
func (vm *VM) grown(l *lua.LState, asked *int, n int) {
	if n > *asked {
		*asked = n
		vm.allocate(l, n)
	}
}

// allocate raises an error when n bytes are too much.
func (vm *VM) allocate(l *lua.LState, n int) {
	if err := vm.guard.Charge(n); err != nil {
		l.RaiseError("%s", err)
	}
}

func (vm *VM) pattern(l *lua.LState, src string) *pattern.Pattern {
	if p := vm.patterns[src]; p != nil {
		return p
	}
	p, err := pattern.Compile(src)
	if err != nil {
		l.RaiseError("%s", err)
	}
	if len(vm.patterns) >= maxPatterns {
		clear(vm.patterns)
	}
	vm.patterns[src] = p
	return p
}

func (vm *VM) matcher(l *lua.LState, src, pat string) *pattern.Matcher {
	return &pattern.Matcher{Pattern: vm.pattern(l, pat), Text: src, Step: func() { vm.step(l) }}
}

func captureValue(m *pattern.Matcher, c pattern.Capture) lua.LValue {
	if c.To < 0 {
		return lua.LNumber(c.From + 1)
	}
	return lua.LString(m.Text[c.From:c.To])
}

// pushMatch pushes the captures of a match, or the whole match if it has none, and returns the
// number of values.
func pushMatch(l *lua.LState, m *pattern.Matcher, from, to int) int {
	if m.Pattern.Captures == 0 {
		return Returns(l, lua.LString(m.Text[from:to]))
	}
	for _, c := range m.Captures[:m.Pattern.Captures] {
		l.Push(captureValue(m, c))
	}
	return m.Pattern.Captures
}

// initial returns the optional argument with the start of a search, as an offset.
func initial(l *lua.LState, arg, length int) int {
	i := l.OptInt(arg, 1)
	if i < 0 {
		i += length + 1
	}
	return min(max(i-1, 0), length)
}

func (vm *VM) strFind(l *lua.LState) int {
	src, pat := l.CheckString(1), l.CheckString(2)
	from := initial(l, 3, len(src))
	if lua.LVAsBool(l.Get(4)) {
		i := strings.Index(src[from:], pat)
		if i < 0 {
			return Returns(l, lua.LNil)
		}
		return Returns(l, lua.LNumber(from+i+1), lua.LNumber(from+i+len(pat)))
	}
	m := vm.matcher(l, src, pat)
	from, to, ok := m.Find(from)
	if !ok {
		return Returns(l, lua.LNil)
	}
	l.Push(lua.LNumber(from + 1))
	l.Push(lua.LNumber(to))
	if m.Pattern.Captures == 0 {
		return 2
	}
	return 2 + pushMatch(l, m, from, to)
}

func (vm *VM) strMatch(l *lua.LState) int {
	src := l.CheckString(1)
	m := vm.matcher(l, src, l.CheckString(2))
	from, to, ok := m.Find(initial(l, 3, len(src)))
	if !ok {
		return Returns(l, lua.LNil)
	}
	return pushMatch(l, m, from, to)
}

func (vm *VM) strGmatch(l *lua.LState) int {
	m := vm.matcher(l, l.CheckString(1), l.CheckString(2))
	next := 0
	l.Push(l.NewFunction(func(l *lua.LState) int {
		if next > len(m.Text) {
			return 0
		}
		m.Step = func() { vm.step(l) }
		from, to, ok := m.Find(next)
		if !ok || m.Pattern.Anchored && next > 0 {
			next = len(m.Text) + 1
			return 0
		}
		next = max(to, from+1)
		return pushMatch(l, m, from, to)
	}))
	return 1
}

func (vm *VM) strGsub(l *lua.LState) int {
	src := l.CheckString(1)
	m := vm.matcher(l, src, l.CheckString(2))
	repl := l.CheckAny(3)
	switch repl.(type) {
	case lua.LString, lua.LNumber, *lua.LTable, *lua.LFunction:
	default:
		l.ArgError(3, "string, table or function expected")
	}
	limit := l.OptInt(4, -1)
	defer vm.block(l)()

	var b strings.Builder
	asked := smallAlloc
	pos, next, n := 0, 0, 0 // end of what is written, start of the search, replacements
	for (limit < 0 || n < limit) && next <= len(src) {
		from, to, ok := m.Find(next)
		if !ok {
			break
		}
		n++
		b.WriteString(src[pos:from])
		vm.replacement(l, &b, m, repl, from, to)
		pos, next = to, max(to, from+1)
		vm.grown(l, &asked, b.Cap())
		m.Count(1)
		if m.Pattern.Anchored {
			break
		}
	}
	if n == 0 {
		l.Push(lua.LString(src))
	} else {
		b.WriteString(src[pos:])
		l.Push(lua.LString(b.String()))
	}
	l.Push(lua.LNumber(n))
	return 2
}

// replacement appends string.gsub's replacement of a match.
func (vm *VM) replacement(l *lua.LState, b *strings.Builder, m *pattern.Matcher, repl lua.LValue, from, to int) {
	whole := m.Text[from:to]
	var v lua.LValue
	switch r := repl.(type) {
	case *lua.LTable:
		key := lua.LValue(lua.LString(whole))
		if m.Pattern.Captures > 0 {
			key = captureValue(m, m.Captures[0])
		}
		v = l.GetTable(r, key)
	case *lua.LFunction:
		l.Push(r)
		l.Call(pushMatch(l, m, from, to), 1)
		v = l.Get(-1)
		l.Pop(1)
	default:
		vm.expand(l, b, m, r.String(), whole)
		return
	}
	switch v.(type) {
	case lua.LString, lua.LNumber:
		b.WriteString(v.String())
	default:
		if lua.LVAsBool(v) {
			l.RaiseError("invalid replacement value (a %s)", v.Type())
		}
		b.WriteString(whole)
	}
}

// expand appends a replacement text, with captures for %0 to %9.
func (vm *VM) expand(l *lua.LState, b *strings.Builder, m *pattern.Matcher, text, whole string) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '%' || i+1 == len(text) {
			b.WriteByte(c)
			continue
		}
		i++
		switch c = text[i]; {
		case c == '0' || c == '1' && m.Pattern.Captures == 0:
			b.WriteString(whole)
		case '1' <= c && c <= '9':
			n := int(c - '1')
			if n >= m.Pattern.Captures {
				l.RaiseError("invalid capture index %%%c in the replacement", c)
			}
			b.WriteString(captureValue(m, m.Captures[n]).String())
		case c == '%':
			b.WriteByte('%')
		default:
			b.WriteByte('%')
			b.WriteByte(c)
		}
	}
}

func (vm *VM) strRep(l *lua.LState) int {
	s, times := l.CheckString(1), float64(l.CheckNumber(2))
	if !(times >= 1) || s == "" {
		return Returns(l, lua.LString(""))
	}
	if times*float64(len(s)) > 1<<40 {
		l.RaiseError("out of memory: the result is too long")
	}
	n := int(times)
	vm.allocate(l, n*len(s))
	return Returns(l, lua.LString(strings.Repeat(s, n)))
}

// strFormat bounds the result of the library's string.format.
func (vm *VM) strFormat(format lua.LGFunction) lua.LGFunction {
	return func(l *lua.LState) int {
		f := l.CheckString(1)
		n := len(f)
		for i := 0; i+1 < len(f); i++ {
			if f[i] != '%' {
				continue
			}
			i++
			for i < len(f) && strings.IndexByte("-+ #0", f[i]) >= 0 {
				i++
			}
			if i < len(f) && (f[i] == '[' || f[i] == '*') {
				l.RaiseError("invalid conversion '%%%c' in the format", f[i])
			}
			for range 2 {
				from := i
				for i < len(f) && '0' <= f[i] && f[i] <= '9' {
					i++
				}
				if w, err := strconv.Atoi(f[from:i]); err == nil {
					n += w
					if w > formatWidth {
						l.RaiseError("invalid format (a width or precision of more than %d)", formatWidth)
					}
				}
				if i < len(f) && f[i] == '.' {
					i++
				}
			}
		}
		for i := 2; i <= l.GetTop(); i++ {
			if s, ok := l.Get(i).(lua.LString); ok {
				n += len(s)
			}
		}
		vm.allocate(l, n)
		return format(l)
	}
}

func (vm *VM) tabConcat(l *lua.LState) int {
	tb, sep := l.CheckTable(1), l.OptString(2, "")
	n := tb.Len()
	from, to := max(l.OptInt(3, 1), 1), min(l.OptInt(4, n), n)
	var b strings.Builder
	asked := smallAlloc
	for i := from; i <= to; i++ {
		switch v := tb.RawGetInt(i).(type) {
		case lua.LString:
			b.WriteString(string(v))
		case lua.LNumber:
			b.WriteString(v.String())
		default:
			l.RaiseError("invalid value (%s) at index %d in table for 'concat'", v.Type(), i)
		}
		if i < to {
			b.WriteString(sep)
		}
		vm.grown(l, &asked, b.Cap())
		if i%joinedAtOnce == 0 {
			vm.step(l)
		}
	}
	return Returns(l, lua.LString(b.String()))
}
