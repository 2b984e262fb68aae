package hotload

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Each case is one burst of changes and the one batch that must result.
func TestBursts(t *testing.T) {
	tests := []struct {
		name   string
		before []string
		roots  []string // root unless given
		burst  func(w *world)
		want   []string
	}{
		{
			name:   "save in place",
			before: []string{"root/a.lua: 1", "root/b.lua: 1"},
			burst:  func(w *world) { w.put("root/a.lua: 2") },
			want:   []string{"root/a.lua"},
		},
		{
			name:   "save through a temporary file",
			before: []string{"root/a.lua: 1"},
			burst: func(w *world) {
				w.put("root/a.lua.tmp123: 2")
				w.rename("root/a.lua.tmp123", "root/a.lua")
			},
			want: []string{"root/a.lua"},
		},
		{
			name:   "save through a backup, as vim does",
			before: []string{"root/a.lua: 1"},
			burst: func(w *world) {
				w.put("root/4913: ")
				w.remove("root/4913")
				w.put("root/.a.lua.swp: x")
				w.rename("root/a.lua", "root/a.lua~")
				w.put("root/a.lua: 2")
				w.remove("root/a.lua~")
			},
			want: []string{"root/a.lua"},
		},
		{
			name:   "what does not matter, and one that does",
			before: []string{"root/same.lua: 1", "root/touched.lua: 1", "root/moved.lua: 1", "root/backup.lua: 1"},
			burst: func(w *world) {
				w.put("root/same.lua: 1")
				w.must(os.Chtimes(w.path("root/touched.lua"), time.Now(), time.Now().Add(time.Hour)))
				w.rename("root/moved.lua", "root/elsewhere.lua")
				w.rename("root/elsewhere.lua", "root/moved.lua")
				w.put("root/new.lua: 1")
				w.remove("root/new.lua")
				w.put("root/.hidden.lua: 1", "root/.#lock.lua: 1", "root/#auto.lua#: 1", "root/#auto.lua: 1", "root/backup.lua~: 1",
					"root/notes.md: 1", "root/lua: 1", "root/.git/hook.lua: 1", "root/node_modules/x/y.lua: 1", "root/old~/a.lua: 1")
				w.put("root/z.html: 1")
			},
			want: []string{"root/z.html"},
		},
		{
			name:   "remove and rename",
			before: []string{"root/a.lua: 1", "root/b.lua: 2", "root/c.lua: 3"},
			burst: func(w *world) {
				w.remove("root/a.lua")
				w.rename("root/b.lua", "root/d.lua")
			},
			want: []string{"-root/a.lua", "-root/b.lua", "root/d.lua"},
		},
		{
			name:   "new folder with a file at once",
			before: []string{"root/"},
			burst:  func(w *world) { w.put("root/apps/x/viewdefs/A.DEFAULT.html: 1", "root/apps/x/app.lua: 1") },
			want:   []string{"root/apps/x/app.lua", "root/apps/x/viewdefs/A.DEFAULT.html"},
		},
		{
			name:   "folder moved in",
			before: []string{"root/", "outside/x/a.lua: 1"},
			burst:  func(w *world) { w.rename("outside/x", "root/x") },
			want:   []string{"root/x/a.lua"},
		},
		{
			name:   "folder moved out",
			before: []string{"outside/", "root/x/a.lua: 1", "root/x/y/b.lua: 1"},
			burst:  func(w *world) { w.rename("root/x", "outside/x") },
			want:   []string{"-root/x/a.lua", "-root/x/y/b.lua"},
		},
		{
			name:   "folder renamed",
			before: []string{"root/x/a.lua: 1"},
			burst:  func(w *world) { w.rename("root/x", "root/y") },
			want:   []string{"-root/x/a.lua", "root/y/a.lua"},
		},
		{
			name:   "folder removed and made again",
			before: []string{"root/x/a.lua: 1", "root/x/b.lua: 1"},
			burst: func(w *world) {
				w.remove("root/x")
				w.put("root/x/a.lua: 1", "root/x/b.lua: 2")
			},
			want: []string{"root/x/b.lua"},
		},
		{
			name:   "root that comes later",
			before: nil,
			burst:  func(w *world) { w.put("root/a.lua: 1") },
			want:   []string{"root/a.lua"},
		},
		{
			name:  "root that comes later with the folders above it",
			roots: []string{"a/b/c"},
			burst: func(w *world) { w.put("a/b/c/d/x.lua: 1") },
			want:  []string{"a/b/c/d/x.lua"},
		},
		{
			name:   "root removed",
			before: []string{"root/a.lua: 1"},
			burst:  func(w *world) { w.remove("root") },
			want:   []string{"-root/a.lua"},
		},
		{
			name:   "several roots",
			before: []string{"lua/a.lua: 1", "viewdefs/"},
			roots:  []string{"viewdefs", "lua", "apps"},
			burst:  func(w *world) { w.put("viewdefs/X.html: 1", "lua/a.lua: 2", "apps/x/app.lua: 1") },
			want:   []string{"apps/x/app.lua", "lua/a.lua", "viewdefs/X.html"},
		},
		{
			name:   "root that is a link",
			before: []string{"real/a.lua: 1", "root -> real"},
			burst:  func(w *world) { w.put("real/a.lua: 2") },
			want:   []string{"root/a.lua"},
		},
		{
			name:   "target of a linked file",
			before: []string{"apps/x/app.lua: 1", "root/x.lua -> ../apps/x/app.lua"},
			burst:  func(w *world) { w.put("apps/x/app.lua: 2", "apps/x/other.lua: 1") },
			want:   []string{"root/x.lua"},
		},
		{
			name:   "target of a linked file, saved through a temporary file",
			before: []string{"apps/x/app.lua: 1", "root/x.lua -> /apps/x/app.lua"},
			burst: func(w *world) {
				w.put("apps/x/app.lua.new: 2")
				w.rename("apps/x/app.lua.new", "apps/x/app.lua")
			},
			want: []string{"root/x.lua"},
		},
		{
			name:   "file reached directly and through a link",
			before: []string{"root/apps/x/app.lua: 1", "root/lua/x.lua -> ../apps/x/app.lua"},
			burst:  func(w *world) { w.put("root/apps/x/app.lua: 2") },
			want:   []string{"root/apps/x/app.lua", "root/lua/x.lua"},
		},
		{
			name:   "file in a linked folder",
			before: []string{"apps/x/app.lua: 1", "root/x -> ../apps/x"},
			burst:  func(w *world) { w.put("apps/x/app.lua: 2", "apps/x/sub/new.lua: 1") },
			want:   []string{"root/x/app.lua", "root/x/sub/new.lua"},
		},
		{
			name:   "one folder linked twice",
			before: []string{"apps/x/app.lua: 1", "root/x -> ../apps/x", "root/y -> /apps/x"},
			burst:  func(w *world) { w.put("apps/x/app.lua: 2") },
			want:   []string{"root/x/app.lua", "root/y/app.lua"},
		},
		{
			name:   "linked folder pointed elsewhere",
			before: []string{"v1/same.lua: 1", "v1/differs.lua: 1", "v1/old.lua: 1", "v2/same.lua: 1", "v2/differs.lua: 2", "v2/new.lua: 1", "root/x -> ../v1"},
			burst: func(w *world) {
				w.put("root/x.tmp -> ../v2")
				w.rename("root/x.tmp", "root/x")
			},
			want: []string{"root/x/differs.lua", "root/x/new.lua", "-root/x/old.lua"},
		},
		{
			name:   "link on the way pointed elsewhere",
			before: []string{"store/v1/a.lua: 1", "store/v2/a.lua: 2", "store/..current -> v1", "root/a.lua -> ../store/..current/a.lua"},
			burst: func(w *world) {
				w.put("store/..next -> v2")
				w.rename("store/..next", "store/..current")
			},
			want: []string{"root/a.lua"},
		},
		{
			name:   "target that comes later",
			before: []string{"root/a.lua -> ../later/on/a.lua", "root/b -> ../later/b"},
			burst:  func(w *world) { w.put("later/on/a.lua: 1", "later/b/b.lua: 1") },
			want:   []string{"root/a.lua", "root/b/b.lua"},
		},
		{
			name:   "target of a link to a link that comes later",
			before: []string{"store/a.lua -> ../later/a.lua", "root/a.lua -> ../store/a.lua"},
			burst:  func(w *world) { w.put("later/a.lua: 1") },
			want:   []string{"root/a.lua"},
		},
		{
			name:   "target that goes",
			before: []string{"else/a.lua: 1", "root/a.lua -> ../else/a.lua"},
			burst:  func(w *world) { w.remove("else") },
			want:   []string{"-root/a.lua"},
		},
		{
			name:   "file becomes a folder, folder a file",
			before: []string{"root/a.lua: 1", "root/b.lua/x.lua: 1"},
			burst: func(w *world) {
				w.remove("root/a.lua")
				w.remove("root/b.lua")
				w.put("root/a.lua/x.lua: 1", "root/b.lua: 1")
			},
			want: []string{"-root/a.lua", "root/a.lua/x.lua", "root/b.lua", "-root/b.lua/x.lua"},
		},
		{
			name:   "folders that contain themselves",
			before: []string{"root/a/loop -> ..", "root/b -> b", "root/a/x.lua: 1"},
			burst:  func(w *world) { w.put("root/a/x.lua: 2") },
			want:   []string{"root/a/x.lua"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, Options{Roots: test.roots}, test.before...)
			w.burst(func() { test.burst(w) })
			w.want(test.want...)
		})
	}
}

// Watching must continue after each kind of change, which a single look cannot show.
func TestAgainAndAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{Roots: []string{"a/root"}}, "v1/x.lua: 1", "v2/x.lua: 2")
	steps := []struct {
		name string
		do   func()
		want []string
	}{
		{"root comes", func() { w.put("a/root/a.lua: 1") }, []string{"a/root/a.lua"}},
		{"first save by rename", func() { w.put("a/root/t: 2"); w.rename("a/root/t", "a/root/a.lua") }, []string{"a/root/a.lua"}},
		{"second save by rename", func() { w.put("a/root/t: 3"); w.rename("a/root/t", "a/root/a.lua") }, []string{"a/root/a.lua"}},
		{"link comes", func() { w.put("a/root/l -> ../../v1") }, []string{"a/root/l/x.lua"}},
		{"target changes", func() { w.put("v1/x.lua: 3") }, []string{"a/root/l/x.lua"}},
		{"link is pointed elsewhere", func() { w.remove("a/root/l"); w.put("a/root/l -> ../../v2") }, []string{"a/root/l/x.lua"}},
		{"new target changes", func() { w.put("v2/x.lua: 4") }, []string{"a/root/l/x.lua"}},
		{"root goes", func() { w.remove("a/root") }, []string{"-a/root/a.lua", "-a/root/l/x.lua"}},
		{"root comes back", func() { w.put("a/root/b.lua: 1") }, []string{"a/root/b.lua"}},
		{"all goes", func() { w.remove("a") }, []string{"-a/root/b.lua"}},
		{"all comes back", func() { w.put("a/root/sub/b.lua: 1") }, []string{"a/root/sub/b.lua"}},
		{"folder is created again", func() { w.remove("a/root/sub"); w.put("a/root/sub/b.lua: 2") }, []string{"a/root/sub/b.lua"}},
		{"file in it", func() { w.put("a/root/sub/b.lua: 3") }, []string{"a/root/sub/b.lua"}},
		{"folder is renamed", func() { w.rename("a/root/sub", "a/root/sub2") }, []string{"-a/root/sub/b.lua", "a/root/sub2/b.lua"}},
		{"file in the renamed folder", func() { w.put("a/root/sub2/b.lua: 4") }, []string{"a/root/sub2/b.lua"}},
		{"another takes its name", func() { w.put("a/root/sub/b.lua: 5") }, []string{"a/root/sub/b.lua"}},
		{"file in the other", func() { w.put("a/root/sub/b.lua: 6") }, []string{"a/root/sub/b.lua"}},
	}
	for _, step := range steps {
		w.burst(step.do)
		if diff := cmp.Diff(step.want, w.next()); diff != "" {
			t.Fatalf("%s: batch (-want +got):\n%s", step.name, diff)
		}
	}
}

// deaf is a source that sends only the test's events.
func deaf(events chan fsnotify.Event, errs chan error) source {
	return source{
		add:    func(string) error { return nil },
		remove: func(string) error { return nil },
		close:  func() error { return nil },
		events: events,
		errors: errs,
	}
}

func startDeaf(t *testing.T, opts Options, src source) *Watcher {
	t.Helper()
	w := start(opts, src)
	t.Cleanup(w.Close)
	return w
}

// A file's size and time need not change with its content, within a tick of the clock or where a
// tool sets the time. So the content is read when an event names the file, and when events were
// lost.
func TestSameSizeAndTime(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "a.lua")
	then := time.Now().Add(-time.Hour)
	write := func(content string) {
		if err := errors.Join(os.WriteFile(path, []byte(content), 0o644), os.Chtimes(path, then, then)); err != nil {
			t.Fatal(err)
		}
	}
	write("1")
	events, errs := make(chan fsnotify.Event), make(chan error)
	batches := make(chan []Change, 10)
	startDeaf(t, Options{Roots: []string{root}, OnChange: func(c []Change) { batches <- c }}, deaf(events, errs))
	want := []Change{{Path: path}}

	write("2")
	events <- fsnotify.Event{Name: path, Op: fsnotify.Write}
	if diff := cmp.Diff(want, receive(t, batches)); diff != "" {
		t.Errorf("after an event: batch (-want +got):\n%s", diff)
	}
	write("3")
	errs <- fsnotify.ErrEventOverflow
	if diff := cmp.Diff(want, receive(t, batches)); diff != "" {
		t.Errorf("after lost events: batch (-want +got):\n%s", diff)
	}
}

func TestUnreadableFile(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("nothing is unreadable for root")
	}
	w := newWorld(t, Options{}, "root/a.lua: 1")
	w.burst(func() {
		w.must(os.Chmod(w.path("root/a.lua"), 0))
		w.put("root/b.lua: 1")
	})
	w.want("root/b.lua")
	w.burst(func() {
		w.must(os.Chmod(w.path("root/a.lua"), 0o644))
		w.put("root/a.lua: 2")
	})
	w.want("root/a.lua")
}

func TestCloseWaitsForCallback(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	w := newWorld(t, Options{OnChange: func([]Change) {
		close(entered) // a second call would panic
		<-release
	}}, "root/")
	w.put("root/a.lua: 1")
	<-entered
	w.put("root/b.lua: 1") // never reported
	closed := make(chan struct{})
	go func() {
		w.watcher.Close()
		close(closed)
	}()
	select {
	case <-closed:
		t.Error("Close returned while the callback ran")
	default:
	}
	<-w.watcher.stop
	close(release)
	<-closed
	w.watcher.Close()
}

func TestWindow(t *testing.T) {
	const ms = time.Millisecond
	w := Watcher{opts: Options{Quiet: 30 * ms, Max: 200 * ms}}
	begin := time.Now()
	tests := []struct{ at, want time.Duration }{
		{0, 30 * ms}, {20 * ms, 30 * ms}, {160 * ms, 30 * ms}, {180 * ms, 20 * ms}, {200 * ms, 0}, {500 * ms, 0},
	}
	for _, test := range tests {
		if got := w.mark(begin.Add(test.at)); got != test.want {
			t.Errorf("mark at %v = %v, want %v", test.at, got, test.want)
		}
	}
	w.first = time.Time{}
	if got := w.mark(begin.Add(time.Second)); got != 30*ms {
		t.Errorf("mark in the next burst = %v", got)
	}
}
