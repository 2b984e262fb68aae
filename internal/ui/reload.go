package ui

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ui-mcp/internal/ui/hotload"
	"ui-mcp/internal/ui/problem"
	"ui-mcp/internal/ui/viewdef"
)

// changed has every session apply a batch of changed files, each when it is not busy. It runs on
// the watcher's goroutine.
func (e *Engine) changed(changes []hotload.Change) {
	var scripts []hotload.Change
	var keys []string // of view definitions that were read
	for _, c := range changes {
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
	views := e.views.store.Snapshot()
	for _, s := range e.all() {
		if s.st.news.add(scripts, keys, views) {
			s.st.later.post(s.st.reload, nil)
		}
	}
}

// news is what has changed in files since a session has looked. Further batches join one that a
// busy session has not taken yet, so that they do not queue up.
type news struct {
	mu      sync.Mutex      // guards the fields below
	waiting bool            // a transaction will take them
	scripts map[string]bool // by path; true: the file is gone
	keys    []string        // of view definitions
	views   *viewdef.Snapshot
}

// add adds a batch, and reports whether a transaction is needed.
func (n *news) add(scripts []hotload.Change, keys []string, views *viewdef.Snapshot) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.scripts == nil {
		n.scripts = map[string]bool{}
	}
	for _, c := range scripts {
		n.scripts[c.Path] = c.Removed
	}
	n.keys = append(n.keys, keys...)
	slices.Sort(n.keys)
	n.keys, n.views = slices.Compact(n.keys), views
	first := !n.waiting
	n.waiting = true
	return first
}

func (n *news) take() (scripts map[string]bool, keys []string, views *viewdef.Snapshot) {
	n.mu.Lock()
	defer n.mu.Unlock()
	scripts, keys, views = n.scripts, n.keys, n.views
	n.waiting, n.scripts, n.keys, n.views = false, nil, nil, nil
	return scripts, keys, views
}

// reload applies the changes of files.
func (st *state) reload() {
	scripts, keys, views := st.news.take()
	if views.Generation() > st.pinned.Generation() { // else it has those already, or newer ones
		st.pinned.Snapshot = views
	}
	st.viewsRead(keys)
	files := slices.Sorted(maps.Keys(scripts))
	for _, file := range files {
		if scripts[file] {
			st.appRemoved(file)
		}
	}
	batch := st.vm.Batch(files)
	for key, more := batch.Next(); more; key, more = batch.Next() {
		st.runAgain(key)
	}
	st.forgetFixed()
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
	parts := strings.Split(st.vm.Rel(file), "/")
	if len(parts) < 3 || parts[0] != "apps" {
		return
	}
	if _, err := os.Stat(filepath.Join(st.dir, "apps", parts[1])); os.IsNotExist(err) {
		st.forgetApp(parts[1])
	}
}
