package lua

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"ui-mcp/internal/regular"
)

// A logFile is opened, appended to and closed for each piece of output, so that it can be
// truncated, rotated and followed from outside.
type logFile struct {
	path string
	log  *slog.Logger
	once sync.Once
	drop bool // see Options.Trial
}

func (f *logFile) write(s string) {
	if f.drop {
		return
	}
	if err := f.append(s); err != nil {
		f.once.Do(func() { f.log.Warn("Lua output is lost", "file", f.path, "error", err) })
	}
}

func (f *logFile) append(s string) error {
	const mode = os.O_WRONLY | os.O_APPEND | os.O_CREATE
	file, err := regular.Open(f.path, mode, 0o644)
	if os.IsNotExist(err) {
		if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
			return err
		}
		file, err = regular.Open(f.path, mode, 0o644)
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(s)
	return errors.Join(err, file.Close())
}

// redirect keeps Lua away from the process's own streams, which carry protocol messages.
func (vm *VM) redirect() {
	l := vm.state
	l.SetGlobal("print", l.NewFunction(func(l *lua.LState) int {
		parts := make([]string, l.GetTop())
		for i := range parts {
			parts[i] = l.ToStringMeta(l.Get(i + 1)).String()
		}
		vm.out.write(strings.Join(parts, "\t") + "\n")
		return 0
	}))
	io := vm.library("io")
	vm.openFiles(io)
	stdout, stderr := vm.stream(vm.out), vm.stream(vm.err)
	io.RawSetString("stdout", stdout)
	io.RawSetString("stderr", stderr)
	io.RawSetString("stdin", lua.LNil)
	vm.output = stdout
	io.RawSetString("output", l.NewFunction(func(l *lua.LState) int {
		switch to := l.Get(1).(type) {
		case *lua.LNilType:
		case lua.LString:
			f, err := vm.openFile(string(to), fileModes["w"])
			if err != nil {
				l.RaiseError("%s", err)
			}
			vm.output = f
		default:
			vm.output = to
		}
		return Returns(l, vm.output)
	}))
	io.RawSetString("write", l.NewFunction(func(l *lua.LState) int {
		n := l.GetTop()
		l.Push(l.GetField(vm.output, "write"))
		l.Push(vm.output)
		for i := 1; i <= n; i++ {
			l.Push(l.Get(i))
		}
		l.Call(n+1, 2)
		return 2
	}))
	for _, name := range []string{"read", "input"} {
		io.RawSetString(name, l.NewFunction(func(l *lua.LState) int {
			l.RaiseError("%s", errNoInput)
			return 0
		}))
	}
	// _printregs writes to the process's standard error; channels need several goroutines.
	l.SetGlobal("_printregs", lua.LNil)
	l.SetGlobal("channel", lua.LNil)
	vm.library("os").RawSetString("exit", l.NewFunction(func(l *lua.LState) int {
		l.RaiseError("os.exit is not available: the server goes on; return from the function instead")
		return 0
	}))
}

func (vm *VM) stream(to *logFile) *lua.LUserData {
	return vm.newFile(&file{name: filepath.Base(to.path), put: func(_ *lua.LState, texts []string) error {
		to.write(strings.Join(texts, ""))
		return nil
	}})
}
