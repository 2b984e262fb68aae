package ui

import (
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/problem"
	"ui-mcp/internal/ui/viewdef"
)

// views holds the view definitions of a base directory, from viewdefs/ and apps/*/viewdefs/. It is
// safe for concurrent use.
type views struct {
	dir   string
	base  lua.Base
	log   *slog.Logger
	store *viewdef.Store // changed by functions given to update only

	updating sync.Mutex // held by update

	mu     sync.Mutex                 // guards the fields below and every session's news
	latest pinned                     // what sessions take
	bad    map[string]viewdef.Problem // files that cannot be used as they are, by path relative to dir
}

// maxViewdef bounds the file of a view definition, in bytes.
const maxViewdef = 4 << 20

func newViews(dir string, log *slog.Logger) *views {
	store := viewdef.NewStore()
	return &views{dir: dir, base: lua.NewBase(dir), log: log, store: store, latest: pinned{Snapshot: store.Snapshot()}, bad: map[string]viewdef.Problem{}}
}

// update gives sessions all that change changes in the store at once, together with the news that
// tell adds. One update follows another: of two that read a file, the later one has the newer
// content.
func (v *views) update(change, tell func()) {
	v.updating.Lock()
	defer v.updating.Unlock()
	change()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.latest = pinned{v.store.Snapshot(), v.latest.update + 1}
	tell()
}

func (v *views) snapshot() *viewdef.Snapshot {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.latest.Snapshot
}

// rank returns the key of the view definition at a path relative to the base directory, and its
// rank among files with the same key. ok is false for other files.
func rank(rel string) (key string, rank int, ok bool) {
	parts := strings.Split(filepath.ToSlash(rel), "/")
	name, isHTML := strings.CutSuffix(parts[len(parts)-1], ".html")
	switch {
	case !isHTML || name == "":
		return "", 0, false
	case len(parts) == 2 && parts[0] == "viewdefs":
		return name, 0, true
	case len(parts) == 4 && parts[0] == "apps" && parts[2] == "viewdefs":
		return name, 1, true
	}
	return "", 0, false
}

// load reads every view definition.
func (v *views) load() {
	all := func(string) bool { return true }
	v.update(func() {
		v.readFolder(filepath.Join(v.dir, "viewdefs"), all)
		for _, app := range appFolders(v.dir) {
			v.readFolder(filepath.Join(v.dir, "apps", app, "viewdefs"), all)
		}
	}, func() {})
}

// loadNew reads the files of a folder that were not read yet. Uploads stay in force over the
// others.
func (v *views) loadNew(folder string) {
	v.update(func() {
		have := v.store.Snapshot()
		v.readFolder(folder, func(file string) bool {
			rel := v.base.Rel(file)
			key, _, _ := rank(rel)
			return !have.Has(key, rel)
		})
	}, func() {})
}

// readFolder reads the view definitions of one folder for which want returns true. See update.
func (v *views) readFolder(folder string, want func(file string) bool) {
	entries, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		v.log.Warn("view definitions cannot be read", "error", err)
	}
	for _, e := range entries {
		file := filepath.Join(folder, e.Name())
		if _, _, ok := rank(v.base.Rel(file)); ok && !strings.HasPrefix(e.Name(), ".") && want(file) {
			v.read(file)
		}
	}
}

// read reads one file and reports whether it is usable. If not, its previous content stays in use.
// See update.
func (v *views) read(file string) (key string, ok bool) {
	rel := v.base.Rel(file)
	key, rank, ok := rank(rel)
	if !ok {
		return "", false
	}
	src, err := regular.ReadFile(file, maxViewdef)
	if os.IsNotExist(err) {
		v.remove(file)
		return "", false
	}
	var tmpl *viewdef.Template
	if err == nil {
		tmpl, err = viewdef.Parse(key, rel, string(src))
	}
	v.judge(rel, err)
	if err != nil {
		return "", false
	}
	v.store.Put(rank, lua.AppOf(v.base.Key(file)), tmpl)
	v.store.Remove(key, uploaded(key)) // the latest change wins
	return key, true
}

// uploaded returns the name under which messages mention an uploaded view definition.
func uploaded(key string) string { return "uploaded " + key }

// upload adds a view definition that takes precedence over files.
func (v *views) upload(typ, namespace, content string) (key string, err error) {
	key = typ + "." + namespace
	if err := viewdef.CheckKey(key); err != nil {
		return "", fault.New(fault.Invalid, "%s", err)
	}
	tmpl, err := viewdef.Parse(key, uploaded(key), content)
	if err != nil {
		return "", fault.Wrap(fault.Script, err, "the view definition is not used")
	}
	v.update(func() { v.store.Put(-1, "", tmpl) }, func() {})
	return key, nil
}

// remove removes what was read from a file. See update.
func (v *views) remove(file string) {
	rel := v.base.Rel(file)
	key, _, ok := rank(rel)
	if !ok {
		return
	}
	v.judge(rel, nil)
	v.store.Remove(key, rel)
}

// judge records why a file cannot be used; with nil, that nothing is wrong with it.
func (v *views) judge(rel string, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p, ok := err.(viewdef.Problem)
	switch {
	case err == nil:
		delete(v.bad, rel)
	case ok:
		v.bad[rel] = p
	default:
		v.bad[rel] = viewdef.Problem{File: rel, Line: 1, Msg: err.Error()}
	}
}

// problems lists the unusable files, sorted by name.
func (v *views) problems() []problem.Problem {
	v.mu.Lock()
	defer v.mu.Unlock()
	out := make([]problem.Problem, 0, len(v.bad))
	for _, rel := range slices.Sorted(maps.Keys(v.bad)) {
		p := viewdefProblem(v.bad[rel], false)
		p.OfFile = true
		out = append(out, p)
	}
	return out
}

// checkShowable returns the reason why an object of a type that the app origin has declared cannot
// be displayed, or nil. An app that was written a moment ago can be: its view definitions are read
// when the watcher has not come to them yet.
func (v *views) checkShowable(typ, origin, app, global string) error {
	if typ == "" {
		return fault.New(fault.Script, "the global %s has no type, so it has no view definition: make its prototype with session:prototype", global)
	}
	there := func() bool { return v.snapshot().Lookup(typ, origin, "", "") != nil }
	if there() {
		return nil
	}
	if v.loadNew(filepath.Join(v.dir, "apps", app, "viewdefs")); there() {
		return nil
	}
	want := typ + ".DEFAULT"
	for _, p := range v.problems() {
		if strings.TrimSuffix(filepath.Base(p.File), ".html") == want {
			return fault.New(fault.Script, "the view definition of %s cannot be used: %s", typ, p)
		}
	}
	hint := ""
	if near := v.snapshot().Near(typ); len(near) > 0 {
		hint = "; there is " + strings.Join(near[:min(len(near), 3)], ", ")
	}
	return fault.New(fault.Script, "%s is a %s, and there is no view definition for it: write apps/%s/viewdefs/%s.html%s", global, typ, app, want, hint)
}
