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
	var scripts []hotload.Change
	var keys []string // of view definitions that were read
	var apps []string // that have a new file, or one with new content
	e.views.update(func() {
		for _, c := range changes {
			if e.stopping() {
				return
			}
			if app := lua.AppOf(e.views.base.Rel(c.Path)); app != "" && !c.Removed {
				apps = append(apps, app)
			}
			switch filepath.Ext(c.Path) {
			case ".html":
				if c.Removed {
					e.views.remove(c.Path)
				} else if key, ok := e.views.read(c.Path); ok {
					keys = append(keys, key)
				}
			case ".lua":
				scripts = append(scripts, c)
			}
		}
	}, func() {
		for _, s := range e.all() {
			s.st.news.add(scripts, keys, apps)
			s.Refresh()
		}
	})
}

// news is what a session has to do about changes of files, together with taking the latest view
// definitions. Further batches join one that a busy session has not taken yet, so that they do not
// queue up. It is guarded by the mutex of its views.
type news struct {
	scripts map[string]bool // by path; true: the file is gone
	keys    []string        // of view definitions
	apps    []string        // names of apps, each once and sorted
}

func (n *news) add(scripts []hotload.Change, keys, apps []string) {
	if n.scripts == nil {
		n.scripts = map[string]bool{}
	}
	for _, c := range scripts {
		n.scripts[c.Path] = c.Removed
	}
	n.keys = merge(n.keys, keys)
	n.apps = merge(n.apps, apps)
}

// merge adds names to a sorted list that has each once.
func merge(list, names []string) []string {
	list = append(list, names...)
	slices.Sort(list)
	return slices.Compact(list)
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
	if n.scripts == nil {
		return // no file has changed
	}
	st.viewsRead(n.keys)
	files := slices.Sorted(maps.Keys(n.scripts))
	for _, file := range files {
		if n.scripts[file] {
			st.appRemoved(file)
		}
	}
	batch := st.vm.Batch(files)
	for key, more := batch.Next(); more; key, more = batch.Next() {
		st.runAgain(key)
	}
	st.forgetFixed()
	st.displayWritten(n.apps)
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
