package discovery

import (
	"path/filepath"

	"github.com/fsnotify/fsnotify"

	"ui-mcp/internal/environ"
)

// Watch calls changed when a server of the user with an environment may have come, gone, or said
// something new of itself, until stop is called. It does not notice all: a folder that is made
// later or again, a server that is killed, and anything where the system has no watch left.
func Watch(vars environ.Variables, changed func()) (stop func()) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return func() {}
	}
	if dir, err := Dir(vars); err == nil {
		for _, dir := range append(further(vars, dir), dir) {
			_ = watcher.Add(dir) // it may not be there
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case e, ok := <-watcher.Events:
				if !ok {
					return
				}
				if filepath.Ext(e.Name) == ".json" {
					changed()
				}
			case <-watcher.Errors: // what is missed is seen later
			}
		}
	}()
	return func() {
		_ = watcher.Close()
		<-done
	}
}
