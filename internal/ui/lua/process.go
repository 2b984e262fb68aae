package lua

import (
	"context"
	"runtime"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// openProcesses replaces os.execute and io.popen: the library's give the process our standard input
// and output, which belong to the protocol, and wait without end. These wait for the entry's time
// at most, and the session waits with them: session:exec is the better way.
func (vm *VM) openProcesses() {
	l := vm.state
	os, ok := l.GetGlobal("os").(*lua.LTable)
	if !ok {
		panic("lua: no os library")
	}
	io, ok := l.GetGlobal("io").(*lua.LTable)
	if !ok {
		panic("lua: no io library")
	}
	os.RawSetString("execute", l.NewFunction(func(l *lua.LState) int {
		if l.Get(1) == lua.LNil { // is there a shell?
			l.Push(lua.LBool(vm.opts.Exec != nil))
			return 1
		}
		res, err := vm.shell(l, "os.execute", l.CheckString(1), "")
		code := res.Code
		if err != nil {
			vm.err.write(err.Error() + "\n")
			code = 1
		}
		if len(res.Stdout) > 0 {
			vm.out.write(string(res.Stdout))
		}
		l.Push(lua.LNumber(code))
		return 1
	}))
	io.RawSetString("popen", l.NewFunction(func(l *lua.LState) int {
		command, mode := l.CheckString(1), l.OptString(2, "r")
		p := &process{vm: vm, command: command, writing: mode == "w"}
		switch mode {
		case "w":
		case "r":
			res, err := vm.shell(l, "io.popen", command, "")
			if err != nil {
				l.Push(lua.LNil)
				l.Push(lua.LString(err.Error()))
				return 2
			}
			p.text, p.code = string(res.Stdout), res.Code
		default:
			l.ArgError(2, `"r" or "w" expected`)
		}
		l.Push(p.table(l))
		return 1
	}))
	closeFile, ok := io.RawGetString("close").(*lua.LFunction)
	if !ok {
		panic("lua: no io.close")
	}
	io.RawSetString("close", l.NewFunction(func(l *lua.LState) int {
		tb, ok := l.Get(1).(*lua.LTable)
		if !ok {
			return closeFile.GFunction(l)
		}
		l.Push(l.GetField(tb, "close"))
		l.Push(tb)
		l.Call(1, lua.MultRet)
		return l.GetTop() - 1
	}))
}

// shell runs a command line and waits for it. What it says on standard error goes to the log of
// errors.
func (vm *VM) shell(l *lua.LState, what, command, input string) (Result, error) {
	if vm.opts.Exec == nil {
		l.RaiseError("%s is switched off: start the server without --no-exec", what)
	}
	argv := []string{"/bin/sh", "-c", command}
	if runtime.GOOS == "windows" {
		argv = []string{"cmd.exe", "/c", command}
	}
	ctx, cancel := context.WithTimeout(vm.life, vm.guard.remaining())
	defer cancel()
	res, err := vm.opts.Exec(ctx, Command{Argv: argv, Input: []byte(input), Limit: MaxAnswer})
	vm.step(l)
	if len(res.Stderr) > 0 {
		vm.err.write(string(res.Stderr))
	}
	return res, err
}

// A process is what io.popen returns: all of its output, or the input that it gets when it is
// closed.
type process struct {
	vm      *VM
	command string
	writing bool
	text    string // output that has not been read
	input   strings.Builder
	code    int
	closed  bool
}

func (p *process) table(l *lua.LState) *lua.LTable {
	tb := l.NewTable()
	for name, f := range map[string]lua.LGFunction{
		"read": p.read, "lines": p.lines, "write": p.write, "close": p.close,
		"flush":   func(l *lua.LState) int { l.SetTop(1); return 1 },
		"setvbuf": func(l *lua.LState) int { l.Push(lua.LTrue); return 1 },
	} {
		tb.RawSetString(name, l.NewFunction(f))
	}
	return tb
}

func (p *process) check(l *lua.LState, writing bool) {
	switch {
	case p.closed:
		l.RaiseError("attempt to use a closed file")
	case p.writing != writing:
		l.RaiseError("%q was not opened for this", p.command)
	}
}

func (p *process) read(l *lua.LState) int {
	p.check(l, false)
	formats := []lua.LValue{lua.LString("*l")}
	if n := l.GetTop(); n > 1 {
		formats = nil
		for i := 2; i <= n; i++ {
			formats = append(formats, l.Get(i))
		}
	}
	for i, f := range formats {
		v := p.next(l, f)
		l.Push(v)
		if v == lua.LNil {
			return i + 1
		}
	}
	return len(formats)
}

// next reads one piece, as io.read's formats say.
func (p *process) next(l *lua.LState, format lua.LValue) lua.LValue {
	if n, ok := format.(lua.LNumber); ok {
		if p.text == "" {
			return lua.LNil
		}
		return p.take(min(max(int(n), 0), len(p.text)), 0)
	}
	switch strings.TrimPrefix(format.String(), "*") {
	case "a", "all":
		return p.take(len(p.text), 0)
	case "l", "line":
		if p.text == "" {
			return lua.LNil
		}
		if i := strings.IndexByte(p.text, '\n'); i >= 0 {
			return p.take(i, 1)
		}
		return p.take(len(p.text), 0)
	case "n", "number":
		p.text = strings.TrimLeft(p.text, " \t\r\n")
		end := strings.IndexFunc(p.text, func(r rune) bool { return !strings.ContainsRune("+-.0123456789eExX", r) })
		if end < 0 {
			end = len(p.text)
		}
		f, err := strconv.ParseFloat(p.text[:end], 64)
		if err != nil {
			return lua.LNil
		}
		p.text = p.text[end:]
		return lua.LNumber(f)
	}
	l.RaiseError("invalid format %q", format.String())
	return lua.LNil
}

// take takes n bytes, and skips more.
func (p *process) take(n, skip int) lua.LString {
	s := p.text[:n]
	p.text = p.text[n+skip:]
	return lua.LString(s)
}

func (p *process) lines(l *lua.LState) int {
	p.check(l, false)
	l.Push(l.NewFunction(func(l *lua.LState) int {
		l.Push(p.next(l, lua.LString("*l")))
		return 1
	}))
	return 1
}

func (p *process) write(l *lua.LState) int {
	p.check(l, true)
	for i := 2; i <= l.GetTop(); i++ {
		p.vm.allocate(l, p.input.Len()+len(l.CheckString(i)))
		p.input.WriteString(l.CheckString(i))
	}
	l.SetTop(1)
	return 1
}

// close returns the exit code, as the library's does.
func (p *process) close(l *lua.LState) int {
	p.check(l, p.writing)
	p.closed = true
	if p.writing {
		res, err := p.vm.shell(l, "io.popen", p.command, p.input.String())
		if err != nil {
			l.Push(lua.LNil)
			l.Push(lua.LString(err.Error()))
			return 2
		}
		p.vm.out.write(string(res.Stdout))
		p.code = res.Code
	}
	l.Push(lua.LNumber(p.code))
	return 1
}
