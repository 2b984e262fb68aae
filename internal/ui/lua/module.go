package lua

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
)

// modules holds the files that are part of the session, by key: the path without links, relative to
// the base directory.
type modules struct {
	dir    string          // the base directory without links
	loaded map[string]bool // files that have been run
	// failed are files that failed when they were first run, each with the files that required it.
	failed  map[string]map[string]bool
	sources map[string]string          // the code of each, as it was run last
	fields  map[string]map[string]bool // the fields that it sets; made when they are asked for
	runs    map[string]int             // how often each was run
	names   map[string][]string        // under which names require has returned each
	table   *lua.LTable                // package.loaded, which has each module under its names and its key
}

// Rel returns the path by which messages name a file: relative to the base directory, with slashes.
func (vm *VM) Rel(file string) string {
	if rel, ok := below(vm.opts.Dir, file); ok {
		return rel
	}
	return filepath.ToSlash(file)
}

func below(dir, file string) (string, bool) {
	rel, err := filepath.Rel(dir, file)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// key returns a file's key, which does not depend on the links that led to it. Files outside the
// base directory have none.
func (vm *VM) key(file string) string {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		if rel, ok := below(vm.modules.dir, real); ok {
			return rel
		}
	}
	return vm.Rel(file)
}

// Loaded reports whether a file is part of the session.
func (vm *VM) Loaded(file string) bool { return vm.modules.loaded[vm.key(file)] }

// Loading is the file that is being loaded, relative to the base directory, or "". n tells one
// loading of a file from the next.
func (vm *VM) Loading() (file string, n int) { return vm.file, vm.modules.runs[vm.file] }

// Load runs a file and remembers that it is part of the session. With reloading, session.reloading
// is true while it runs, and if it fails, its declarations are undone: see [VM.snapshot]. From then
// on, require returns the file's new result.
func (vm *VM) Load(file string, reloading bool) (Value, error) {
	v, err := vm.load(file, reloading)
	switch key := vm.key(file); {
	case err == nil || vm.modules.loaded[key]:
		delete(vm.modules.failed, key)
	case vm.modules.failed[key] == nil:
		vm.modules.failed[key] = map[string]bool{}
	}
	return v, err
}

// Failed returns the files to run after a change of a file that failed when it was first run: the
// files that required it and failed for that reason, which will require it again, else the file
// itself. For a file that has not failed it returns nil.
func (vm *VM) Failed(file string) []string {
	var first []string
	seen := map[string]bool{}
	var climb func(key string)
	climb = func(key string) {
		if seen[key] || vm.modules.failed[key] == nil {
			return
		}
		seen[key] = true
		found := len(first)
		for _, above := range slices.Sorted(maps.Keys(vm.modules.failed[key])) {
			climb(above)
		}
		if len(first) == found {
			first = append(first, filepath.Join(vm.modules.dir, filepath.FromSlash(key)))
		}
	}
	climb(vm.key(file))
	return first
}

// Again runs a file that failed when it was first run. If it succeeds, require returns its result.
func (vm *VM) Again(file string) error {
	v, err := vm.Load(file, false)
	key := vm.key(file)
	if err == nil && vm.modules.names[key] == nil {
		vm.modules.names[key] = []string{key}
		vm.provide(key, in(v))
	}
	return err
}

func (vm *VM) load(file string, reloading bool) (Value, error) {
	key := vm.key(file)
	src, err := readSource(file)
	if err != nil {
		return nil, fault.Wrap(fault.NotFound, err, "cannot read %s", key)
	}
	fn, err := vm.compile(key, src)
	if err != nil {
		return nil, err
	}
	// A file that is loaded for the first time is not reloading, even if a file that is requires
	// it.
	was := vm.session.RawGetString("reloading")
	vm.session.RawSetString("reloading", lua.LBool(reloading))
	defer vm.session.RawSetString("reloading", was)
	before := vm.file
	vm.file = key
	vm.loading++
	defer func() { vm.file = before; vm.loading-- }()

	var saved *snapshot
	if reloading {
		saved = vm.snapshot()
	}
	vm.modules.loaded[key] = true
	vm.modules.sources[key] = src
	delete(vm.modules.fields, key)
	vm.modules.runs[key]++
	v, err := vm.call1(fn)
	if err != nil {
		if saved != nil {
			vm.restore(saved)
			return nil, err
		}
		delete(vm.modules.loaded, key)
	} else {
		vm.replaceHandlers(key)
		if reloading {
			vm.provide(key, v)
		}
	}
	return out(v), errors.Join(err, vm.migrateAfter(reloading))
}

// readSource reads a source file.
func readSource(file string) (string, error) {
	src, err := regular.ReadFile(file, maxSource)
	return strings.TrimPrefix(string(src), "\ufeff"), err
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
	m.loaded, m.names, m.failed = map[string]bool{}, map[string][]string{}, map[string]map[string]bool{}
	m.runs = map[string]int{}
	m.sources, m.fields = map[string]string{}, map[string]map[string]bool{}
	m.dir = vm.opts.Dir
	if real, err := filepath.EvalSymlinks(m.dir); err == nil {
		m.dir = real
	}
	pkg, ok := l.GetGlobal("package").(*lua.LTable)
	if !ok {
		panic("lua: no package library")
	}
	if m.table, ok = pkg.RawGetString("loaded").(*lua.LTable); !ok {
		panic("lua: no package.loaded")
	}
	l.SetGlobal("require", l.NewFunction(func(l *lua.LState) int {
		v, err := vm.require(l.CheckString(1))
		if err != nil {
			l.RaiseError("%s", Message(err))
		}
		l.Push(v)
		return 1
	}))
	vm.session.RawSetString("unloadModule", l.NewFunction(func(l *lua.LState) int {
		l.Push(lua.LBool(vm.unload(l.CheckString(2))))
		return 1
	}))
	vm.session.RawSetString("unloadDirectory", l.NewFunction(func(l *lua.LState) int {
		dir := strings.TrimSuffix(filepath.ToSlash(l.CheckString(2)), "/") + "/"
		n := 0
		for key := range m.loaded {
			if strings.HasPrefix(key, dir) && vm.unload(key) {
				n++
			}
		}
		l.Push(lua.LNumber(n))
		return 1
	}))
}

// require returns a module: the result of its file, or true. A file that fails counts as not run;
// modules that require each other get true.
func (vm *VM) require(name string) (lua.LValue, error) {
	m := &vm.modules
	if v := m.table.RawGetString(name); v != lua.LNil {
		return v, nil
	}
	file, err := vm.findModule(name)
	if err != nil {
		return nil, err
	}
	key := vm.key(file)
	if v := m.table.RawGetString(key); v != lua.LNil {
		m.names[key] = append(m.names[key], name)
		m.table.RawSetString(name, v)
		return v, nil
	}
	names := m.names[key]
	m.names[key] = append(names, key, name)
	vm.provide(key, lua.LTrue)
	v, err := vm.Load(file, false)
	if err != nil {
		for _, n := range m.names[key] {
			m.table.RawSetString(n, lua.LNil)
		}
		delete(m.names, key)
		if above := m.failed[key]; above != nil && vm.file != "" {
			above[vm.file] = true
		}
		return nil, err
	}
	vm.provide(key, in(v))
	return m.table.RawGetString(name), nil
}

func (vm *VM) findModule(name string) (string, error) {
	rel := filepath.FromSlash(strings.ReplaceAll(name, ".", "/")) + ".lua"
	if !filepath.IsLocal(rel) {
		return "", fmt.Errorf("module %q: the name of a module is a path below the base directory, with dots", name)
	}
	var tried []string
	for _, dir := range []string{"lua", "", "apps"} {
		file := filepath.Join(vm.opts.Dir, dir, rel)
		if st, err := os.Stat(file); err == nil && st.Mode().IsRegular() {
			return file, nil
		}
		tried = append(tried, vm.Rel(file))
	}
	return "", fmt.Errorf("module %q not found: there is no %s", name, strings.Join(tried, ", no "))
}

// unload removes a file from the session, given by its path relative to the base directory or by
// the name of the module, with its result and the prototypes that it has declared. Globals and
// objects stay.
func (vm *VM) unload(name string) bool {
	m := &vm.modules
	key := filepath.ToSlash(name)
	if !m.loaded[key] {
		file, err := vm.findModule(name)
		if err != nil {
			return false
		}
		if key = vm.key(file); !m.loaded[key] {
			return false
		}
	}
	delete(m.loaded, key)
	for _, n := range m.names[key] {
		m.table.RawSetString(n, lua.LNil)
	}
	delete(m.names, key)
	for name, p := range vm.prototypes {
		if p.file == key {
			delete(vm.prototypes, name)
		}
	}
	return true
}
