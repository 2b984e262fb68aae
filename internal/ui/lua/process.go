package lua

import (
	"bytes"
	"context"
	"runtime"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// openProcesses replaces os.execute and io.popen: the library's give the process our standard input
// and output, which belong to the protocol, and wait without end. These wait until the entry's
// deadline at most, and block the session meanwhile: session:exec is better.
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
		if l.Get(1) == lua.LNil { // it asks whether there is a shell
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
				return fails(l, err.Error())
			}
			p.src, p.code = newSource(vm, bytes.NewReader(res.Stdout)), res.Code
		default:
			l.ArgError(2, `"r" or "w" expected`)
		}
		l.Push(p.table(l))
		return 1
	}))
	io.RawSetString("close", l.NewFunction(func(l *lua.LState) int {
		f := l.CheckAny(1)
		l.Push(l.GetField(f, "close"))
		l.Push(f)
		l.Call(1, lua.MultRet)
		return l.GetTop() - 1
	}))
}

// waitsForUs tells programs that the session waits for them, so that they cannot use it: the script
// mcp then runs nothing. The name is the one that apps and scripts of frictionless know.
const waitsForUs = "FRICTIONLESS_MCP=true"

// shell runs a command line and waits for it. Its standard error goes to the error log.
func (vm *VM) shell(l *lua.LState, what, command, input string) (Result, error) {
	if vm.opts.Exec == nil {
		l.RaiseError("%s is switched off, by --no-exec or by \"exec\": false in config.json", what)
	}
	argv := []string{"/bin/sh", "-c", command}
	if runtime.GOOS == "windows" {
		argv = []string{"cmd.exe", "/c", command}
	}
	ctx, cancel := context.WithTimeout(vm.life, vm.guard.remaining())
	defer cancel()
	res, err := vm.opts.Exec(ctx, Command{Argv: argv, Env: []string{waitsForUs}, Input: []byte(input), Limit: MaxAnswer})
	vm.step(l)
	if len(res.Stderr) > 0 {
		vm.err.write(string(res.Stderr))
	}
	return res, err
}

// A process is a result of io.popen: all the output of a command that has ended, or the input for
// one that runs when the process is closed.
type process struct {
	vm      *VM
	command string
	writing bool
	src     *source // of its output; nil if the script writes to it
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
	return p.src.read(l, 2)
}

func (p *process) lines(l *lua.LState) int {
	p.check(l, false)
	l.Push(l.NewFunction(func(l *lua.LState) int {
		l.Push(p.src.line(l))
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

// close returns the exit code, like the library's.
func (p *process) close(l *lua.LState) int {
	p.check(l, p.writing)
	p.closed = true
	if p.writing {
		res, err := p.vm.shell(l, "io.popen", p.command, p.input.String())
		if err != nil {
			return fails(l, err.Error())
		}
		p.vm.out.write(string(res.Stdout))
		p.code = res.Code
	}
	l.Push(lua.LNumber(p.code))
	return 1
}
