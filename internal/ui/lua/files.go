package lua

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"
)

// Files for scripts: what io.open, io.lines and io.popen return, and io.stdout and
// io.stderr. Unlike the library's, they open regular files only, and reading can be stopped and
// stays within the session's memory limit.

// maxFiles bounds how many files a session has open at once. Files that the script has dropped
// without closing them count until they are collected.
const maxFiles = 256

// A file is an open file of a script, or what is used like one.
type file struct {
	name   string
	f      *os.File                                  // nil: it has no position
	src    *source                                   // nil: it cannot be read
	put    func(l *lua.LState, texts []string) error // nil: it cannot be written
	end    func() (lua.LValue, error)                // the result of close; nil: it stays open
	closed bool
}

var fileModes = map[string]int{
	"r": os.O_RDONLY, "r+": os.O_RDWR,
	"w": os.O_WRONLY | os.O_TRUNC | os.O_CREATE, "w+": os.O_RDWR | os.O_TRUNC | os.O_CREATE,
	"a": os.O_WRONLY | os.O_APPEND | os.O_CREATE, "a+": os.O_RDWR | os.O_APPEND | os.O_CREATE,
}

func (vm *VM) openFiles(io *lua.LTable) {
	l := vm.state
	vm.fileType = l.NewTable()
	methods := l.NewTable()
	vm.fileType.RawSetString("__index", methods)
	vm.fileType.RawSetString("__tostring", l.NewFunction(func(l *lua.LState) int {
		f := checkFile(l)
		if f.closed {
			return Returns(l, lua.LString("file (closed)"))
		}
		return Returns(l, lua.LString("file ("+f.name+")"))
	}))
	for name, method := range map[string]func(*file, *lua.LState) int{
		"read": (*file).read, "lines": (*file).lines, "write": (*file).write, "seek": (*file).seek, "close": (*file).close,
		"flush":   func(_ *file, l *lua.LState) int { l.SetTop(1); return 1 },
		"setvbuf": func(_ *file, l *lua.LState) int { l.Push(lua.LTrue); return 1 },
	} {
		methods.RawSetString(name, l.NewFunction(func(l *lua.LState) int {
			f := checkFile(l)
			if f.closed {
				l.RaiseError("attempt to use a closed file")
			}
			return method(f, l)
		}))
	}
	io.RawSetString("open", l.NewFunction(func(l *lua.LState) int {
		name := l.CheckString(1)
		mode, known := fileModes[strings.Replace(l.OptString(2, "r"), "b", "", 1)]
		if !known {
			l.ArgError(2, `the mode is one of "r", "w", "a", "r+", "w+" and "a+"`)
		}
		f, err := vm.openFile(name, mode)
		if err != nil {
			return failsWith(l, err)
		}
		return Returns(l, f)
	}))
	io.RawSetString("lines", l.NewFunction(func(l *lua.LState) int {
		ud, err := vm.openFile(l.CheckString(1), os.O_RDONLY)
		if err != nil {
			l.RaiseError("%s", err)
		}
		return toFile(ud).each(l, true)
	}))
	io.RawSetString("tmpfile", lua.LNil)
	io.RawSetString("type", l.NewFunction(func(l *lua.LState) int {
		switch f := toFile(l.CheckAny(1)); {
		case f == nil:
			return Returns(l, lua.LNil)
		case f.closed:
			return Returns(l, lua.LString("closed file"))
		}
		return Returns(l, lua.LString("file"))
	}))
}

// failsWith is like fails, for an error of the system, with its number as the third result.
func failsWith(l *lua.LState, err error) int {
	return Returns(l, lua.LNil, lua.LString(err.Error()), lua.LNumber(1))
}

func checkFile(l *lua.LState) *file {
	f := toFile(l.Get(1))
	if f == nil {
		l.ArgError(1, "file expected")
	}
	return f
}

func toFile(v lua.LValue) *file {
	if ud, ok := v.(*lua.LUserData); ok {
		f, _ := ud.Value.(*file)
		return f
	}
	return nil
}

func (vm *VM) openFile(name string, flag int) (*lua.LUserData, error) {
	if vm.files.Load() >= maxFiles {
		runtime.GC() // closes files that nothing refers to any more
		if vm.files.Load() >= maxFiles {
			return nil, fmt.Errorf("%s: %d files are open already", name, maxFiles)
		}
	}
	opened, err := vm.openRegular(name, flag)
	if err != nil {
		return nil, err
	}
	f := &file{name: name, f: opened}
	if flag&os.O_WRONLY == 0 {
		f.src = newSource(vm, opened)
	}
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		f.put = func(l *lua.LState, texts []string) error {
			err := f.sync()
			for _, text := range texts {
				vm.step(l)
				if err == nil {
					_, err = f.f.WriteString(text)
				}
			}
			return err
		}
	}
	vm.files.Add(1)
	uncount := sync.OnceFunc(func() { vm.files.Add(-1) })
	runtime.AddCleanup(f, func(uncount func()) { uncount() }, uncount)
	f.end = func() (lua.LValue, error) {
		uncount()
		return lua.LTrue, opened.Close()
	}
	return vm.newFile(f), nil
}

func (vm *VM) newFile(f *file) *lua.LUserData {
	ud := vm.state.NewUserData()
	ud.Value, ud.Metatable = f, vm.fileType
	return ud
}

func (f *file) read(l *lua.LState) int {
	f.needs(l, f.src != nil)
	return f.src.read(l)
}

func (f *file) needs(l *lua.LState, able bool) {
	if !able {
		l.RaiseError("%s was not opened for this", f.name)
	}
}

func (f *file) lines(l *lua.LState) int {
	f.needs(l, f.src != nil)
	return f.each(l, false)
}

// each returns an iterator over the lines, which may close the file at the end.
func (f *file) each(l *lua.LState, closes bool) int {
	l.Push(l.NewFunction(func(l *lua.LState) int {
		if f.closed {
			l.RaiseError("attempt to use a closed file")
		}
		line := f.src.line(l)
		l.Push(line)
		if closes && line == lua.LNil {
			f.closed = true
			_, _ = f.end() // everything has been read
		}
		return 1
	}))
	return 1
}

func (f *file) write(l *lua.LState) int {
	f.needs(l, f.put != nil)
	texts := make([]string, l.GetTop()-1)
	for i := range texts {
		texts[i] = l.CheckString(i + 2)
	}
	if err := f.put(l, texts); err != nil {
		return failsWith(l, err)
	}
	l.SetTop(1)
	return 1
}

// sync sets the file's own position to where the script has read.
func (f *file) sync() error {
	if f.src == nil || f.src.r.Buffered() == 0 {
		return nil
	}
	_, err := f.f.Seek(-int64(f.src.r.Buffered()), io.SeekCurrent)
	f.src.r.Reset(f.f)
	return err
}

func (f *file) seek(l *lua.LState) int {
	if f.f == nil {
		return fails(l, f.name+" has no position")
	}
	whence, known := map[string]int{"set": io.SeekStart, "cur": io.SeekCurrent, "end": io.SeekEnd}[l.OptString(2, "cur")]
	if !known {
		l.ArgError(2, `"set", "cur" or "end" expected`)
	}
	err := f.sync()
	var at int64
	if err == nil {
		at, err = f.f.Seek(l.OptInt64(3, 0), whence)
	}
	if err != nil {
		return failsWith(l, err)
	}
	if f.src != nil {
		f.src.r.Reset(f.f)
	}
	return Returns(l, lua.LNumber(at))
}

func (f *file) close(l *lua.LState) int {
	var result lua.LValue = lua.LTrue
	if f.end != nil {
		f.closed = true
		var err error
		if result, err = f.end(); err != nil {
			return failsWith(l, err)
		}
	}
	return Returns(l, result)
}
