package files

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"ui-mcp/internal/testkit/load"
)

// However another program replaces a file meanwhile, each of its versions is in place at the end or
// was returned.
func TestReplaceLosesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.json")
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := exchange(root, "a", "b"); err != nil {
		t.Skip("files cannot change places here: ", err)
	}
	versions := load.Count(100, 400)
	var others sync.WaitGroup
	others.Go(func() {
		for i := range versions {
			if err := os.WriteFile(filepath.Join(dir, "theirs"), fmt.Appendf(nil, "theirs %d", i), 0o600); err != nil {
				t.Error(err)
			}
			for { // a program that replaces its own version loses it by itself
				if content, err := os.ReadFile(path); err != nil || string(content) == "ours" {
					break
				}
				runtime.Gosched()
			}
			if err := os.Rename(filepath.Join(dir, "theirs"), path); err != nil {
				t.Error(err)
			}
		}
	})
	done := make(chan struct{})
	go func() { others.Wait(); close(done) }()
	got := map[string]bool{}
	take := func(f *os.File) {
		if f == nil {
			return
		}
		content, err := io.ReadAll(f)
		if err != nil {
			t.Error(err)
		}
		_ = f.Close()
		got[string(content)] = true
	}
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		// Without waiting for the disk, the two meet more often.
		if err := os.WriteFile(filepath.Join(dir, "ours"), []byte("ours"), 0o600); err != nil {
			t.Fatal(err)
		}
		old, err := replace(root, "ours", "x.json")
		if err != nil {
			t.Error(err)
		}
		take(old)
	}
	for i := range versions {
		if !got[fmt.Sprintf("theirs %d", i)] {
			t.Errorf("version %d is lost", i)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("there are %v, %v", entries, err)
	}
}

// What is written to a replaced file is still there, and nothing else than a file is replaced.
func TestReplaced(t *testing.T) {
	if !canHold {
		t.Skip("replaced files are not held here")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "x.json")
	if _, old, err := Replace(path, []byte("1"), 0o640); err != nil || old != nil {
		t.Fatalf("a new file: %v, %v", old, err)
	}
	editor, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer editor.Close()
	info, old, err := Replace(path, []byte("2"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if now, err := os.Lstat(path); err != nil || !os.SameFile(now, info) || !now.ModTime().Equal(info.ModTime()) {
		t.Errorf("the file is %v, %v; returned was %v", now, err, info)
	}
	if _, err := editor.WriteString("late"); err != nil {
		t.Fatal(err)
	}
	if content, err := io.ReadAll(old); string(content) != "late" || err != nil {
		t.Errorf("the replaced file has %q, %v", content, err)
	}
	for name, obstruct := range map[string]func(path string) error{
		"link":   func(path string) error { return os.Symlink("x.json", path) },
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		other := filepath.Join(dir, name)
		if err := obstruct(other); err != nil {
			t.Fatal(err)
		}
		before, err := os.Lstat(other)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := Replace(other, []byte("3"), 0o600); err == nil {
			t.Errorf("a %s was replaced", name)
		}
		if now, err := os.Lstat(other); err != nil || !os.SameFile(now, before) {
			t.Errorf("in the place of the %s is %v, %v", name, now, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("there are %v, %v", entries, err)
	}
}
