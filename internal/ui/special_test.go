//go:build unix

package ui_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A named pipe in place of a file blocks nothing, neither at the start nor while files are watched.
func TestNamedPipes(t *testing.T) {
	w := newWorld(t, counter)
	pipes := []string{"apps/counter/viewdefs/Pipe.DEFAULT.html", "viewdefs/Other.DEFAULT.html", "lua/pipe.lua"}
	for _, name := range pipes {
		w.write(filepath.Dir(name)+"/.keep", "")
		if err := syscall.Mkfifo(filepath.Join(w.dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	within(t, "using named pipes", func() {
		w.display("counter") // reads the view definitions of the app
		w.settle()
		if got, _ := w.run(`return select(2, pcall(require, "pipe"))`); !strings.Contains(got, "not found") {
			t.Errorf("require: %s", got)
		}
		w.engine.Close()
		w.start()
	})
	if list := strings.Join(w.problems(), "\n"); !strings.Contains(list, "it is a named pipe, not a regular file") {
		t.Errorf("problems: %s", list)
	}
}
