package hotload

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// A file that could not be read is read again in each look, although its size and time stay the
// same. Until then it is neither changed nor removed.
func TestReadableAgain(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a.lua")
	write(t, path, "old")
	then := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
	seen := &snapshot{}
	look := func(touched bool, hash func(string) ([sha256.Size]byte, error)) []Change {
		s := scanner{
			watch:  func(string) error { return nil },
			hash:   hash,
			now:    time.Now(),
			before: seen,
			all:    touched,
		}
		next := s.scan([]string{root})
		changes := diff(seen.files, next.files)
		seen = next
		return changes
	}
	content := func(s string) func(string) ([sha256.Size]byte, error) {
		return func(string) ([sha256.Size]byte, error) { return sha256.Sum256([]byte(s)), nil }
	}
	failing := func(string) (sum [sha256.Size]byte, err error) {
		return sum, &os.PathError{Op: "read", Path: path, Err: syscall.EIO}
	}
	gone := func(string) (sum [sha256.Size]byte, err error) {
		_, err = hash(root) // a directory is where the file was
		return sum, err
	}
	changed := []Change{{Path: path}}
	for i, step := range []struct {
		touched bool
		hash    func(string) ([sha256.Size]byte, error)
		want    []Change
		problem bool
	}{
		{false, content("old"), changed, false},
		{true, failing, nil, true},
		{false, failing, nil, true},
		{false, content("old"), nil, false},
		{true, failing, nil, true},
		{false, content("new"), changed, false},
		{true, gone, []Change{{Path: path, Removed: true}}, false},
		{false, content("new"), changed, false},
	} {
		if diff := cmp.Diff(step.want, look(step.touched, step.hash)); diff != "" {
			t.Errorf("step %d: changes (-want +got):\n%s", i, diff)
		}
		if got := seen.problem != nil; got != step.problem {
			t.Errorf("step %d: problem = %v, want one: %t", i, seen.problem, step.problem)
		}
	}
}

// The files of a folder that cannot be read, or not be entered, are not removed.
func TestUnreadableFolder(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("nothing is unreadable for root")
	}
	for _, mode := range []os.FileMode{0, 0o400, 0o100} {
		w := newWorld(t, Options{}, "root/x/a.lua: 1", "root/x/y/b.lua: 1", "root/l -> x/y")
		t.Cleanup(func() { _ = os.Chmod(w.path("root/x"), 0o755) })
		w.burst(func() {
			w.must(os.Chmod(w.path("root/x"), mode))
			w.put("root/c.lua: 1")
		})
		w.want("root/c.lua")
		w.burst(func() {
			w.must(os.Chmod(w.path("root/x"), 0o755))
			w.put("root/x/a.lua: 2")
			w.remove("root/x/y/b.lua")
		})
		w.want("-root/l/b.lua", "root/x/a.lua", "-root/x/y/b.lua")
	}
}

// A file that is written twice within a tick of its file system's clock has the same size and time
// for both contents. A look between the two must not make the older content the last word, even if
// no event comes.
func TestOlderContentIsReadAgain(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a.lua")
	recent := time.Now().Add(time.Hour) // not yet old enough, however slow the machine is
	put := func(content string) {
		write(t, path, content)
		if err := os.Chtimes(path, recent, recent); err != nil {
			t.Fatal(err)
		}
	}
	put("1")
	var got []Change // written on the watcher's goroutine, read after Look
	w := startDeaf(t, Options{Roots: []string{root}, OnChange: func(c []Change) { got = append(got, c...) }}, deaf(nil, nil))
	put("2")
	if err := w.Look(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Change{{Path: path}}, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}
