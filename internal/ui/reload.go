package ui

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"ui-mcp/internal/ui/hotload"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/problem"
)

// changed has every session apply a batch of changed files, each when it is not busy. It runs on
// the watcher's goroutine.
func (e *Engine) changed(changes []hotload.Change) {
	var keys []string // of view definitions that were read
	e.views.update(func() {
		for _, c := range changes {
			switch {
			case e.stopping():
				return
			case filepath.Ext(c.Path) != ".html":
			case c.Removed:
				e.views.remove(c.Path)
			default:
				if key, ok := e.views.read(c.Path); ok {
					keys = append(keys, key)
				}
			}
		}
	}, func() {
		for _, s := range e.all() {
			n := &s.st.news
			n.changes, n.keys = append(n.changes, changes...), append(n.keys, keys...)
			s.Refresh()
		}
	})
}

// news is what a session has to do about changes of files, together with taking the latest view
// definitions. Further batches join one that a busy session has not taken yet, so that they do not
// queue up. It is guarded by the mutex of its views.
type news struct {
	changes []hotload.Change
	keys    []string // of view definitions
}

// takeNews puts the latest view definitions in force, and returns the news that came with them.
func (st *state) takeNews() news {
	st.views.mu.Lock()
	defer st.views.mu.Unlock()
	st.pinned, st.behind = st.views.latest, false
	n := st.news
	st.news = news{}
	return n
}

// reload applies the changes of files. View definitions come into force only here, so that
// a batch has them together with its code.
func (st *state) reload() {
	n := st.takeNews()
	if len(n.changes) == 0 {
		return
	}
	st.viewsRead(n.keys)
	scripts := map[string]bool{} // by path; true: the file is gone
	apps := map[string]bool{}    // that have a new file, or one with new content
	for _, c := range n.changes {
		if filepath.Ext(c.Path) == ".lua" {
			scripts[c.Path] = c.Removed
		}
		if !c.Removed {
			apps[lua.AppOf(st.vm.Rel(c.Path))] = true
		}
	}
	files := slices.Sorted(maps.Keys(scripts))
	for _, file := range files {
		if scripts[file] {
			st.appRemoved(file)
		}
	}
	delete(apps, "")
	batch := st.vm.Batch(files)
	for key, more := batch.Next(); more; key, more = batch.Next() {
		st.runAgain(key)
	}
	st.forgetFixed()
	st.displayWritten(slices.Sorted(maps.Keys(apps)))
}

// displayWritten displays the first of the apps that can be displayed, if nothing is. People write
// an app's code and its view definitions one after the other, so one that cannot be displayed yet
// is tried again when more of it is written. Meanwhile only mistakes in its code are problems.
func (st *state) displayWritten(apps []string) {
	if st.displayNew == nil || !st.displayNew() {
		return
	}
	for _, app := range apps {
		if st.displayed() != nil {
			return
		}
		file, _ := st.vm.Find([]string{filepath.Join(st.dir, "apps", app, "app.lua")})
		global, err := globalName(app)
		if err != nil || file == "" {
			continue
		}
		key := st.vm.Key(file)
		if !st.vm.Failing(key) && !st.vm.Loaded(file) && st.appObject(app, global) == nil {
			st.runAgain(key)
		}
		if st.vm.Failing(key) {
			continue // the batch in which it changes runs it again
		}
		if err := st.displayOnOwn(app); err != nil {
			st.log.Info("an app cannot be displayed yet", "app", app, "reason", err)
		}
	}
}

// displayOnOwn is [state.display] outside of a call of a client.
func (st *state) displayOnOwn(app string) error {
	disarm := st.vm.Arm()
	defer disarm()
	return st.display(app)
}

// runAgain runs a file of a batch. Each gets the whole time that an entry into Lua may take: one
// that does not end must not take it from the others.
func (st *state) runAgain(key string) {
	disarm := st.vm.Arm()
	defer disarm()
	if err := st.vm.Again(key); err != nil {
		st.fileFailed(key, err)
		return
	}
	st.codeLoaded()
	st.log.Info("loaded", "file", key)
}

// forgetFixed clears the problems of files that work now or are gone, whichever file has run them.
func (st *state) forgetFixed() {
	st.problems.list.Clear(func(p *problem.Problem) bool {
		return p.Kind == problem.Reload && !st.vm.Failing(p.File)
	})
}

// appRemoved forgets the problems of an app that has no folder any more. file was in it.
func (st *state) appRemoved(file string) {
	app := lua.AppOf(st.vm.Rel(file))
	if _, err := os.Stat(filepath.Join(st.dir, "apps", app)); os.IsNotExist(err) {
		st.forgetApp(app)
	}
}
