package lua

import (
	"bytes"
	"errors"
	"runtime"
	"strconv"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// MaxAnswer bounds the output of a process, and the response to a request, in bytes.
const MaxAnswer = 8 << 20

// A Command is what session:exec, os.execute and io.popen run.
type Command struct {
	Argv  []string // at least the program
	Dir   string   // "" is the process's own
	Env   []string // NAME=value, beyond the process's own
	Input []byte   // standard input
	Limit int      // of standard output and of standard error, in bytes; longer output is an error
}

// A Result is the result of a command that ran. A code other than 0 is not a Go error.
type Result struct {
	Code           int
	Stdout, Stderr []byte
}

// openProcesses replaces os.execute and io.popen: the library's give the process our standard input
// and output, which belong to the protocol, and wait without end. These wait until the entry's
// deadline at most, and block the session meanwhile: session:exec is better.
func (vm *VM) openProcesses() {
	l := vm.state
	os, io := vm.library("os"), vm.library("io")
	os.RawSetString("execute", l.NewFunction(func(l *lua.LState) int {
		if l.Get(1) == lua.LNil { // it asks whether there is a shell
			return Returns(l, lua.LBool(vm.opts.Exec != nil))
		}
		res, err := vm.shell(l, "os.execute", l.CheckString(1))
		code := res.Code
		if err != nil {
			vm.err.write(err.Error() + "\n")
			code = 1
		}
		if len(res.Stdout) > 0 {
			vm.out.write(string(res.Stdout))
		}
		return Returns(l, lua.LNumber(code))
	}))
	io.RawSetString("popen", l.NewFunction(func(l *lua.LState) int {
		command := l.CheckString(1)
		if l.OptString(2, "r") != "r" {
			l.ArgError(2, `io.popen only reads ("r"): session:exec gives a program its input`)
		}
		res, err := vm.shell(l, "io.popen", command)
		if err != nil {
			return fails(l, err.Error())
		}
		return Returns(l, vm.newFile(&file{
			name: strconv.Quote(command), src: newSource(vm, bytes.NewReader(res.Stdout)),
			end: func() (lua.LValue, error) { return lua.LNumber(res.Code), nil },
		}))
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
func (vm *VM) shell(l *lua.LState, what, command string) (Result, error) {
	if vm.opts.Exec == nil {
		l.RaiseError("%s is switched off, by --no-exec or by \"exec\": false in config.json", what)
	}
	if vm.opts.Trial {
		vm.trial.tainted = true
		return Result{}, errors.New("not done: the app is only being checked")
	}
	argv := []string{"/bin/sh", "-c", command}
	if runtime.GOOS == "windows" {
		argv = []string{"cmd.exe", "/c", command}
	}
	ctx, cancel := vm.During(vm.guard.allowed - time.Since(vm.guard.start))
	defer cancel()
	res, err := vm.opts.Exec(ctx, Command{Argv: argv, Env: []string{waitsForUs}, Limit: MaxAnswer})
	vm.step(l)
	if len(res.Stderr) > 0 {
		vm.err.write(string(res.Stderr))
	}
	return res, err
}
