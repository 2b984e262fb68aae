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

// modules holds the files that are part of the session, by key: the path without links, relative to
// the base directory.
type modules struct {
	loaded  map[string]bool            // files whose code is in force
	records map[string]*record         // of the last run of each file
	clock   int                        // counts the beginnings and ends of runs
	renewed int                        // when a module last had another result, by the clock
	sources map[string]string          // the code of each file that is in force
	fields  map[string]map[string]bool // the fields that it sets
	names   map[string][]string        // under which names require has returned each
	table   *lua.LTable                // package.loaded, which has each module under its names and its key
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
func (vm *VM) Loaded(file string) bool { return vm.modules.loaded[vm.Key(file)] }

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

	if o.name != "" {
		for _, n := range []string{key, o.name} {
			if !slices.Contains(m.names[key], n) {
				m.names[key] = append(m.names[key], n)
			}
		}
		vm.provide(key, lua.LTrue) // for modules that require each other
	}
	m.loaded[key], m.sources[key], m.fields[key] = true, src, fields
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
	if names := vm.modules.names[key]; len(names) > 0 {
		return vm.modules.table.RawGetString(names[0])
	}
	return lua.LNil
}

// provide makes require return v for a file that it has returned before.
func (vm *VM) provide(key string, v lua.LValue) {
	if v == lua.LNil {
		v = lua.LTrue
	}
	for _, name := range vm.modules.names[key] {
		vm.modules.table.RawSetString(name, v)
	}
}

// openModules replaces Lua's search for modules: require("a.b") finds lua/a/b.lua, a/b.lua or
// apps/a/b.lua below the base directory.
func (vm *VM) openModules() {
	l := vm.state
	m := &vm.modules
	m.loaded, m.names, m.records = map[string]bool{}, map[string][]string{}, map[string]*record{}
	m.sources, m.fields = map[string]string{}, map[string]map[string]bool{}
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
		for key := range m.loaded {
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
	if v := m.table.RawGetString(key); v != lua.LNil && !slices.Contains(m.names[key], name) {
		m.names[key] = append(m.names[key], name)
		m.table.RawSetString(name, v)
		return v, nil
	}
	// A module that the script has removed from package.loaded is still part of the session.
	if _, err := vm.load(loading{file: file, key: key, name: name, reloading: m.loaded[key]}); err != nil {
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
	if !m.loaded[key] {
		files, err := vm.moduleFiles(name)
		if err != nil {
			return false
		}
		file, _ := vm.Find(files)
		if key = vm.Key(file); file == "" || !m.loaded[key] {
			return false
		}
	}
	delete(m.loaded, key)
	delete(m.records, key)
	for _, n := range m.names[key] {
		m.table.RawSetString(n, lua.LNil)
	}
	delete(m.names, key)
	maps.DeleteFunc(vm.prototypes, func(_ string, p *prototype) bool { return p.file == key })
	return true
}
