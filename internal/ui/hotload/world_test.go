package hotload

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit/wait"
)

// A world is a directory with a watched folder, root, in it. Paths are relative to the directory.
type world struct {
	t       *testing.T
	dir     string
	watcher *Watcher
	batches chan []Change

	gate sync.Mutex // held while events are kept from the watcher
}

// newWorld makes the files and then watches. A file is "path: content", a link "path -> target", a
// folder "path/".
func newWorld(t *testing.T, opts Options, files ...string) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir, batches: make(chan []Change, 100)}
	w.put(files...)
	if opts.Roots == nil {
		opts.Roots = []string{"root"}
	}
	for i, root := range opts.Roots {
		opts.Roots[i] = filepath.Join(dir, root)
	}
	if opts.OnChange == nil {
		opts.OnChange = func(c []Change) { w.batches <- c }
	}
	opts.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	w.watch(opts)
	return w
}

// pass returns when the gate is open.
func (w *world) pass() {
	w.gate.Lock()
	defer w.gate.Unlock()
}

// watch starts a watcher on real events that pass through the gate.
func (w *world) watch(opts Options) {
	w.t.Helper()
	fsw, err := fsnotify.NewWatcher()
	if err != nil {
		w.t.Fatal(err)
	}
	events, quit := make(chan fsnotify.Event), make(chan struct{})
	var forwarding sync.WaitGroup
	forwarding.Go(func() {
		for ev := range fsw.Events {
			w.pass()
			select {
			case events <- ev:
			case <-quit:
			}
		}
	})
	w.watcher = start(opts, source{add: fsw.Add, remove: fsw.Remove, close: func() error {
		close(quit)
		defer forwarding.Wait()
		return fsw.Close()
	}, events: events, errors: fsw.Errors})
	w.t.Cleanup(w.watcher.Close)
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

func (w *world) put(files ...string) {
	w.t.Helper()
	for _, f := range files {
		name, content, isFile := strings.Cut(f, ": ")
		link, target, isLink := strings.Cut(f, " -> ")
		var err error
		switch {
		case isLink:
			w.must(os.MkdirAll(filepath.Dir(w.path(link)), 0o755))
			if strings.HasPrefix(target, "/") {
				target = w.path(target)
			}
			err = os.Symlink(target, w.path(link))
		case isFile:
			w.must(os.MkdirAll(filepath.Dir(w.path(name)), 0o755))
			err = os.WriteFile(w.path(name), []byte(content), 0o644)
		default:
			err = os.MkdirAll(w.path(f), 0o755)
		}
		w.must(err)
	}
}

func (w *world) rename(from, to string) { w.must(os.Rename(w.path(from), w.path(to))) }

func (w *world) remove(name string) { w.must(os.RemoveAll(w.path(name))) }

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// burst runs f with the gate closed, so that its changes are one burst, however slow the machine
// is.
func (w *world) burst(f func()) {
	w.gate.Lock()
	defer w.gate.Unlock()
	f()
}

func receive(t *testing.T, batches <-chan []Change) []Change {
	t.Helper()
	select {
	case batch := <-batches:
		return batch
	case <-time.After(wait.Patience):
		t.Fatal("no batch came")
		return nil
	}
}

// next returns the next batch in short form: "path", or "-path" for a removed one.
func (w *world) next() []string {
	w.t.Helper()
	batch := receive(w.t, w.batches)
	if len(batch) == 0 {
		w.t.Error("an empty batch")
	}
	var short []string
	for _, c := range batch {
		rel, err := filepath.Rel(w.dir, c.Path)
		w.must(err)
		rel = filepath.ToSlash(rel)
		if c.Removed {
			rel = "-" + rel
		}
		short = append(short, rel)
	}
	return short
}

func (w *world) want(paths ...string) {
	w.t.Helper()
	if diff := cmp.Diff(paths, w.next()); diff != "" {
		w.t.Fatalf("batch (-want +got):\n%s", diff)
	}
}
