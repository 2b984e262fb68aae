package lua

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// A source is the input of read and its formats. Reading can be stopped, and stays within the
// memory limit.
type source struct {
	vm *VM
	r  *bufio.Reader
}

func newSource(vm *VM, r io.Reader) *source { return &source{vm: vm, r: bufio.NewReader(r)} }

// read implements the method of that name: one result for each format, up to the first for which
// there is no input.
func (s *source) read(l *lua.LState) int {
	if l.GetTop() < 2 {
		l.Push(lua.LString("*l"))
	}
	last := l.GetTop()
	for i := 2; i <= last; i++ {
		v := s.next(l, l.Get(i))
		l.Push(v)
		if v == lua.LNil {
			return i - 1
		}
	}
	return last - 1
}

func (s *source) next(l *lua.LState, format lua.LValue) lua.LValue {
	if n, ok := format.(lua.LNumber); ok {
		return s.bytes(l, float64(n))
	}
	switch strings.TrimPrefix(format.String(), "*") {
	case "a", "all":
		v := s.bytes(l, math.Inf(1))
		if v == lua.LNil {
			return lua.LString("")
		}
		return v
	case "l", "line":
		return s.line(l)
	}
	l.RaiseError("invalid format %q", format.String())
	return lua.LNil
}

// bytes reads up to n bytes, and returns nil at the end.
func (s *source) bytes(l *lua.LState, n float64) lua.LValue {
	if _, err := s.r.Peek(1); err != nil {
		return s.end(l, err)
	}
	var b bytes.Buffer
	asked := smallAlloc
	for float64(b.Len()) < n {
		s.vm.step(l)
		piece := min(n-float64(b.Len()), smallAlloc)
		_, err := io.CopyN(&b, s.r, int64(max(piece, 0)))
		s.vm.grown(l, &asked, b.Cap())
		if err == io.EOF {
			break
		}
		if err != nil {
			l.RaiseError("%s", err)
		}
	}
	return lua.LString(b.String())
}

// line reads a line without its end, and returns nil at the end.
func (s *source) line(l *lua.LState) lua.LValue {
	var line []byte
	asked := smallAlloc
	for {
		s.vm.step(l)
		piece, err := s.r.ReadSlice('\n')
		line = append(line, piece...)
		s.vm.grown(l, &asked, cap(line))
		switch {
		case err == nil:
			return lua.LString(bytes.TrimSuffix(line, []byte("\n")))
		case err == bufio.ErrBufferFull:
		case len(line) > 0 && err == io.EOF:
			return lua.LString(line)
		default:
			return s.end(l, err)
		}
	}
}

// end returns the result of reading at the end.
func (s *source) end(l *lua.LState, err error) lua.LValue {
	if err != io.EOF {
		l.RaiseError("%s", err)
	}
	return lua.LNil
}
