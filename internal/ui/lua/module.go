package lua

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/ui/lua/chunk"
)

// A code is a file that is part of the session, whose key is the path without links, relative to
// the base directory.
type code struct {
	src    string
	fields map[string]bool // that it sets
	names  []string        // under which require has returned its result
}

// modules holds what is known of files beyond their code.
type modules struct {
	records map[string]*record // of the last run of each file, by key
	clock   int                // counts the beginnings and ends of runs
	renewed int                // when a module last had another result, by the clock
	table   *lua.LTable        // package.loaded, which has each module under its names and its key
}

// A Base is a base directory.
type Base struct{ dir, real string }

// NewBase returns the base directory at an absolute path.
func NewBase(dir string) Base {
	b := Base{dir, dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		b.real = real
	}
	return b
}

// Rel returns the path by which messages name a file: relative to the base directory, with slashes.
func (b Base) Rel(file string) string {
	if rel, ok := below(b.dir, file); ok {
		return rel
	}
	return filepath.ToSlash(file)
}

func below(dir, file string) (string, bool) {
	rel, err := filepath.Rel(dir, file)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// Key returns the name of a file in messages: its path relative to the base directory, without the
// links that led to it. A file outside the base directory keeps the path by which it was reached.
func (b Base) Key(file string) string {
	real, err := filepath.EvalSymlinks(file)
	if err != nil { // there is no such file; its folder may be there
		if real, err = filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
			real = filepath.Join(real, filepath.Base(file))
		}
	}
	if err == nil {
		if rel, ok := below(b.real, real); ok {
			return rel
		}
	}
	return b.Rel(file)
}

func (vm *VM) path(key string) string {
	if file := filepath.FromSlash(key); filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(vm.opts.Dir, filepath.FromSlash(key))
}

// Loading is the file that is being loaded, relative to the base directory, or "". n tells one
// loading of a file from the next.
func (vm *VM) Loading() (file string, n int) {
	if r := vm.modules.records[vm.file]; r != nil {
		n = r.began
	}
	return vm.file, n
}

// Load runs a file and remembers that it is part of the session; session.reloading has the given
// value meanwhile. If the file fails, it changes nothing: see [VM.attempt].
func (vm *VM) Load(file string, reloading bool) (Value, error) {
	v, err := vm.load(loading{file: file, key: vm.Key(file), reloading: reloading, caught: true})
	return out(v), err
}

// Loaded reports whether a file is part of the session.
func (vm *VM) Loaded(file string) bool { return vm.loaded(vm.Key(file)) }

func (vm *VM) loaded(key string) bool {
	_, is := vm.inForce[key]
	return is
}

// name has require return the result of a file under a name, too.
func (vm *VM) name(key, name string) {
	if c, is := vm.inForce[key]; is && !slices.Contains(c.names, name) {
		c.names = append(c.names, name)
		vm.inForce[key] = c
	}
}

// A loading says which file to run, and how.
type loading struct {
	file, key string
	// name is that under which require is to return the result, besides the names under which it
	// has returned the module before, or "".
	name      string
	reloading bool // the value of session.reloading
	caught    bool // a file that is being loaded does not fail with this one
}

func (vm *VM) load(o loading) (lua.LValue, error) {
	m, key := &vm.modules, o.key
	r := vm.runBegins(key)
	defer func() { m.clock++; r.ended = m.clock }()
	src, err := readSource(o.file)
	if err != nil {
		return lua.LNil, fault.Wrap(fault.NotFound, err, "cannot read %s", key)
	}
	fn, fields, err := vm.compile(key, src)
	if err != nil {
		return lua.LNil, err
	}
	r.wants = map[string][]string{}
	end := vm.attempt(o.caught)
	// A file that is loaded for the first time is not reloading, even if a file that is requires
	// it.
	was := vm.session.RawGetString("reloading")
	vm.session.RawSetString("reloading", lua.LBool(o.reloading))
	defer vm.session.RawSetString("reloading", was)
	old := vm.result(key)
	before := vm.file
	vm.file = key
	vm.loading++
	defer func() { vm.file = before; vm.loading-- }()

	vm.inForce[key] = code{src, fields, vm.inForce[key].names}
	if o.name != "" {
		vm.name(key, key)
		vm.name(key, o.name)
		vm.provide(key, lua.LTrue) // for modules that require each other
	}
	v, err := vm.call1(fn)
	if err != nil {
		end(false)
		return lua.LNil, err
	}
	r.failed = false
	for _, lib := range vm.libraries {
		lib.Ran(key, r.began)
	}
	vm.provide(key, v)
	if old != lua.LNil && old != vm.result(key) {
		r.renewed, m.renewed = m.clock, m.clock
	}
	end(true)
	if err = vm.migrateAfter(o.reloading, o.reloading); !o.reloading {
		return v, nil // only restored objects can be outdated already, and [Kept.Unmoved] tells
	}
	r.unmigrated = err != nil
	return v, err
}

func readSource(file string) (string, error) {
	src, err := regular.ReadFile(file, chunk.MaxSource)
	return strings.TrimPrefix(string(src), "\ufeff"), err
}

// result is what require returns for a file that it has returned before, or nil.
func (vm *VM) result(key string) lua.LValue {
	if names := vm.inForce[key].names; len(names) > 0 {
		return vm.modules.table.RawGetString(names[0])
	}
	return lua.LNil
}

// provide makes require return v for a file that it has returned before.
func (vm *VM) provide(key string, v lua.LValue) {
	if v == lua.LNil {
		v = lua.LTrue
	}
	for _, name := range vm.inForce[key].names {
		vm.modules.table.RawSetString(name, v)
	}
}

// openModules replaces Lua's search for modules: require("a.b") finds lua/a/b.lua, a/b.lua or
// apps/a/b.lua below the base directory.
func (vm *VM) openModules() {
	l := vm.state
	m := &vm.modules
	m.records = map[string]*record{}
	var ok bool
	if m.table, ok = vm.library("package").RawGetString("loaded").(*lua.LTable); !ok {
		panic("lua: no package.loaded")
	}
	l.SetGlobal("require", l.NewFunction(func(l *lua.LState) int {
		v, err := vm.require(l.CheckString(1))
		if err != nil {
			l.RaiseError("%s", Message(err))
		}
		return Returns(l, v)
	}))
	vm.session.RawSetString("unloadModule", l.NewFunction(func(l *lua.LState) int {
		return Returns(l, lua.LBool(vm.unload(l.CheckString(2))))
	}))
	vm.session.RawSetString("unloadDirectory", l.NewFunction(func(l *lua.LState) int {
		dir := strings.TrimSuffix(filepath.ToSlash(l.CheckString(2)), "/") + "/"
		n := 0
		for key := range vm.inForce {
			if strings.HasPrefix(key, dir) && vm.unload(key) {
				n++
			}
		}
		return Returns(l, lua.LNumber(n))
	}))
}

// require returns a module: the result of its file, or true. A file that fails counts as not run;
// modules that require each other get true. A module is run again if the script has removed it from
// package.loaded.
func (vm *VM) require(name string) (lua.LValue, error) {
	m := &vm.modules
	files, err := vm.moduleFiles(name)
	if err != nil {
		return nil, err
	}
	vm.Want(name, files...)
	if v := m.table.RawGetString(name); v != lua.LNil {
		return v, nil
	}
	file, tried := vm.Find(files)
	if file == "" {
		return nil, fmt.Errorf("module %q not found: there is no %s", name, strings.Join(tried, ", no "))
	}
	key := vm.Key(file)
	if v := m.table.RawGetString(key); v != lua.LNil && !slices.Contains(vm.inForce[key].names, name) {
		vm.name(key, name)
		m.table.RawSetString(name, v)
		return v, nil
	}
	// A module that the script has removed from package.loaded is still part of the session.
	if _, err := vm.load(loading{file: file, key: key, name: name, reloading: vm.loaded(key)}); err != nil {
		return nil, err
	}
	return m.table.RawGetString(name), nil
}

// moduleFiles returns the files that a module may be, in the order in which they are looked for.
func (vm *VM) moduleFiles(name string) ([]string, error) {
	rel := filepath.FromSlash(strings.ReplaceAll(name, ".", "/")) + ".lua"
	if !filepath.IsLocal(rel) {
		return nil, fmt.Errorf("module %q: the name of a module is a path below the base directory, with dots", name)
	}
	var files []string
	for _, dir := range []string{"lua", "", "apps"} {
		files = append(files, filepath.Join(vm.opts.Dir, dir, rel))
	}
	return files, nil
}

// Find returns the first of files that is a regular file, or "" and the names of all in messages.
func (vm *VM) Find(files []string) (found string, tried []string) {
	for _, file := range files {
		if isFile(file) {
			return file, nil
		}
		tried = append(tried, vm.Rel(file))
	}
	return "", tried
}

func isFile(file string) bool {
	st, err := os.Stat(file)
	return err == nil && st.Mode().IsRegular()
}

// unload removes a file from the session, given by its path relative to the base directory or by
// the name of the module, with its result and the prototypes that it has declared. Globals and
// objects stay.
func (vm *VM) unload(name string) bool {
	m := &vm.modules
	key := filepath.ToSlash(name)
	if !vm.loaded(key) {
		files, err := vm.moduleFiles(name)
		if err != nil {
			return false
		}
		file, _ := vm.Find(files)
		if key = vm.Key(file); file == "" || !vm.loaded(key) {
			return false
		}
	}
	for _, n := range vm.inForce[key].names {
		m.table.RawSetString(n, lua.LNil)
	}
	delete(vm.inForce, key)
	delete(m.records, key)
	maps.DeleteFunc(vm.prototypes, func(_ string, p *prototype) bool { return p.file == key })
	return true
}
