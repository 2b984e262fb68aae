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
	"testing/synctest"
	"time"
)

// A clock that was set is not believed for an hour, whichever way, and no longer.
func TestClock(t *testing.T) {
	for _, jump := range []time.Duration{24 * time.Hour, -time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			var c clock
			right := func(want bool) {
				t.Helper()
				if got := c.isRight(time.Now()); got != want {
					t.Errorf("after a jump of %s, it is right: %t, want %t", jump, got, want)
				}
			}
			right(true)
			time.Sleep(time.Hour)
			right(true)
			time.Sleep(time.Minute)
			c.wall = c.wall.Add(-jump) // as if the clock had been set by that much since
			right(false)
			time.Sleep(leapWait - time.Nanosecond)
			right(false)
			time.Sleep(time.Nanosecond)
			right(true)
		})
	}
}

// A clock that is a day ahead for a while removes nothing: what it takes for too old is lost.
func TestFolderClockIsSet(t *testing.T) {
	dir := t.TempDir()
	f, err := OpenFolder(dir, 100_000, 48*time.Hour, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	name := filepath.Join(dir, "old.20000101-000000.wsh.cast")
	if err := os.WriteFile(name, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.clock.wall = f.clock.wall.Add(-24 * time.Hour)
	at := time.Now().Add(-54 * time.Hour) // it is 30 hours old
	if err := os.Chtimes(name, at, at); err != nil {
		t.Fatal(err)
	}
	f.tick()
	if _, err := os.Stat(name); err != nil {
		t.Errorf("after the clock was set: %v", err)
	}
	f.clock.doubt = time.Now()
	f.tick()
	if _, err := os.Stat(name); err == nil {
		t.Error("it is kept although the clock has been right for an hour")
	}
}

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
