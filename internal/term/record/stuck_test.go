package record

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A recording that cannot be removed, such as another user's in a shared directory, takes room. It
// keeps neither new recordings out nor other old ones in the folder, and is logged once.
func TestRecordingCannotBeRemoved(t *testing.T) {
	dir := t.TempDir()
	var log bytes.Buffer
	f, err := OpenFolder(dir, 100_000, time.Hour, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var names []string
	for _, name := range []string{"stuck", "other"} {
		w, err := f.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(strings.Repeat("x", 299) + "\n")); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		list, err := filepath.Glob(filepath.Join(dir, name+"*"))
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		names = append(names, list[0])
	}
	for i, name := range names {
		long := time.Now().Add(time.Duration(i-3) * time.Hour)
		if err := os.Chtimes(name, long, long); err != nil {
			t.Fatal(err)
		}
	}
	f.remove = func(file string) error {
		if file == names[0] {
			return fs.ErrPermission
		}
		return os.Remove(file)
	}
	for range 3 {
		w, err := f.Create("new")
		if err != nil {
			t.Fatalf("no new recording: %v", err)
		}
		defer w.Close()
		if _, err := w.Write([]byte("line\n")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(names[1]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the other old recording: %v", err)
	}
	if n := strings.Count(log.String(), "cannot be removed"); n != 1 {
		t.Errorf("logged %d times:\n%s", n, log.String())
	}
}
