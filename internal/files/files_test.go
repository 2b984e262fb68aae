package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
)

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	put := func(name, content string) {
		t.Helper()
		if err := f.Put(name, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	put("one", "1")
	put("two", "2")
	put("two", "zwei")
	put("three", "3")
	if err := f.Delete("three"); err != nil {
		t.Error(err)
	}
	if err := f.Delete("three"); err != nil {
		t.Error("again: ", err)
	}
	// Files that a crash or another program left behind are not documents.
	for _, name := range []string{"four.1.part", "README", "no name.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	all, err := f.All()
	if diff := cmp.Diff(map[string][]byte{"one": []byte("1"), "two": []byte("zwei")}, all); diff != "" || err != nil {
		t.Errorf("err %v, -want +got:\n%s", err, diff)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "one.json"): 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v; want %v", path, info.Mode().Perm(), err, want)
			}
		}
	}
}

// Partial files that a killed writer has left are removed when the folder is opened again, or when
// the same file is written again. New ones, whose writers may be at work, stay, and so do other
// files.
func TestAbandonedFiles(t *testing.T) {
	for name, tt := range map[string]struct {
		again func(dir string) error
		left  []string
	}{
		"opened":  {func(dir string) error { _, err := Open(dir); return err }, []string{"a.json.1.part", "a.json.ABCDEFG3" + partial, "a.json.ABCDEFGx" + partial, "b.json.3" + partial, "b.txt"}},
		"written": {func(dir string) error { return Write(filepath.Join(dir, "a.json"), nil, 0o600) }, []string{"a.json", "a.json.1.part", "a.json.ABCDEFG3" + partial, "a.json.ABCDEFGx" + partial, "b.json.3" + partial, "b.txt"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "a [project] of Zoë's") // not a pattern
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"a.json.ABCDEFG2" + partial, "a.json.ABCDEFG3" + partial, "a.json.ABCDEFGx" + partial, "b.json.3" + partial, "b.txt", "a.json.1.part"} {
				path, old := filepath.Join(dir, name), time.Now().Add(-time.Hour)
				if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, old, old)); err != nil {
					t.Fatal(err)
				}
			}
			now := time.Now()
			if err := os.Chtimes(filepath.Join(dir, "a.json.ABCDEFG3"+partial), now, now); err != nil {
				t.Fatal(err)
			}
			if err := tt.again(dir); err != nil {
				t.Fatal(err)
			}
			entries, err := os.ReadDir(dir)
			var left []string
			for _, e := range entries {
				left = append(left, e.Name())
			}
			if diff := cmp.Diff(tt.left, left); diff != "" || err != nil {
				t.Errorf("err %v, -want +got:\n%s", err, diff)
			}
		})
	}
}

// A file that is called like a partial file gets another name.
func TestSafeNamesAreNotPartial(t *testing.T) {
	for _, name := range []string{"a.txt.ABCDEFG2" + partial, "a" + partial + ". ", partial} {
		if safe := SafeName(name); strings.HasSuffix(safe, partial) || SafeName(safe) != safe {
			t.Errorf("%q became %q", name, safe)
		}
	}
}

func TestNames(t *testing.T) {
	f, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "../x", "a/b", "a.b", `a\b`, strings.Repeat("x", 101)} {
		if err := f.Put(name, nil); fault.KindOf(err) != fault.Invalid || err == nil {
			t.Errorf("Put(%q) = %v", name, err)
		}
		if err := f.Delete(name); fault.KindOf(err) != fault.Invalid || err == nil {
			t.Errorf("Delete(%q) = %v", name, err)
		}
	}
}

func TestLongDocuments(t *testing.T) {
	dir := t.TempDir()
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Put("a", make([]byte, MaxSize+1)); fault.KindOf(err) != fault.Exhausted {
		t.Errorf("Put = %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "b.json"), MaxSize+1); err != nil {
		t.Fatal(err)
	}
	if err := f.Put("c", []byte("c")); err != nil {
		t.Fatal(err)
	}
	all, err := f.All()
	if err == nil || len(all) != 1 {
		t.Errorf("All = %d documents, %v", len(all), err)
	}
}

// Readers see whole documents while others write, and no writer takes the partial file of another
// one for an abandoned one.
func TestWholeDocuments(t *testing.T) {
	f, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	document := func(i int) []byte { return []byte(strings.Repeat(fmt.Sprint(i), 10_000)) }
	if err := f.Put("x", document(0)); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() {
			for range 50 {
				if err := f.Put("x", document(i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 40 {
		all, err := f.All()
		if err != nil {
			t.Fatal(err)
		}
		if x := all["x"]; len(x) != 10_000 || strings.Trim(string(x), string(x[:1])) != "" {
			t.Fatalf("a document of %d bytes", len(x))
		}
	}
	writers.Wait()
}

// A file that has changed meanwhile stays as it is, also if it has at the last moment, and nothing
// is left beside it.
func TestWriteSynced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	changed := errors.New("changed")
	for _, want := range []error{nil, changed} {
		_, err := WriteSynced(path, fmt.Append(nil, want), 0o600, func(string) error {
			if _, err := os.Stat(path); (err == nil) != (want != nil) {
				t.Errorf("the file is there too early or too late: %v", err)
			}
			return want
		})
		if err != want && !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	is := func(want string) {
		t.Helper()
		if content, err := os.ReadFile(path); err != nil || string(content) != want {
			t.Errorf("the file has %q, %v, want %q", content, err, want)
		}
	}
	is(fmt.Sprint(nil))
	if _, err := WriteSynced(path, []byte("ours"), 0o600, func(replaced string) error {
		if replaced != path {
			return changed
		}
		return os.WriteFile(path, []byte("theirs"), 0o600)
	}); !errors.Is(err, changed) {
		t.Errorf("%v, want %v", err, changed)
	}
	is("theirs")
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("there are %v, %v", entries, err)
	}
}
