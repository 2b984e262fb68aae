package serving

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A log keeps its newest lines, whole, in two files of bounded length.
func TestLogFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	l := newLog(path, t.Output())
	line := strings.Repeat("x", 999) + "\n"
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 * maxLog / len(line) / 4 {
				if _, err := l.Write([]byte(line)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if _, err := l.Write([]byte("last\n")); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 2 {
		t.Errorf("%d files, %v", len(entries), err)
	}
	for _, name := range []string{path, path + ".1"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > maxLog || strings.ReplaceAll(strings.TrimSuffix(string(b), "last\n"), line, "") != "" {
			t.Errorf("%s has %d bytes, or lines that are not whole", name, len(b))
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others can read %s: %v", name, err)
		}
	}
	if b, err := os.ReadFile(path); err != nil || !strings.HasSuffix(string(b), "last\n") {
		t.Errorf("the last line is lost: %v", err)
	}
}

// A log that cannot be opened again after it was renamed goes to standard error until it can.
func TestLogFileIsOpenedAgain(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "logs")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	var otherwise bytes.Buffer
	path := filepath.Join(folder, "log")
	l := newLog(path, &otherwise)
	if _, err := l.Write([]byte("first\n")); err != nil {
		t.Fatal(err)
	}
	// The folder is in the way of the file's new name, and then gone.
	if err := os.MkdirAll(filepath.Join(folder, "log.1", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, maxLog); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		otherwise.Reset()
		if _, err := l.Write([]byte("second\n")); err != nil || !strings.Contains(otherwise.String(), "second\n") {
			t.Errorf("%v; elsewhere: %q", err, otherwise.String())
		}
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Write([]byte("third\n")); err != nil || !strings.Contains(otherwise.String(), "third\n") {
		t.Errorf("%v; elsewhere: %q", err, otherwise.String())
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	otherwise.Reset()
	if _, err := l.Write([]byte("fourth\n")); err != nil || otherwise.Len() > 0 {
		t.Errorf("%v; elsewhere: %q", err, otherwise.String())
	}
	if b, err := os.ReadFile(filepath.Join(folder, "log")); string(b) != "fourth\n" {
		t.Errorf("%q, %v", b, err)
	}
}
