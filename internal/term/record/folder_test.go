package record_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
)

func openFolder(t *testing.T, dir string, size int64, age time.Duration) *record.Folder {
	t.Helper()
	f, err := record.OpenFolder(dir, size, age, slog.New(slog.NewTextHandler(t.Output(), nil)))
	must(t, err)
	t.Cleanup(f.Close)
	return f
}

// write writes a recording of some bytes in chunks, and returns the error of writing.
func write(t *testing.T, f *record.Folder, name string, size int) error {
	t.Helper()
	w, err := f.Create(name)
	must(t, err)
	defer w.Close()
	for range size / 1000 {
		if _, err := io.WriteString(w, strings.Repeat("x", 1000)); err != nil {
			return err
		}
	}
	return nil
}

// kept returns the names of the recordings in a folder, and their size in all.
func kept(t *testing.T, dir string) (names []string, size int64) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		info, err := e.Info()
		must(t, err)
		if mode := info.Mode().Perm(); mode&0o077 != 0 {
			t.Errorf("%s has the mode %#o", e.Name(), mode)
		}
		name, _, _ := strings.Cut(e.Name(), ".")
		names = append(names, name)
		size += info.Size()
	}
	return names, size
}

// The oldest recordings make room for new ones; the others, and other files, stay.
func TestFolderSize(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "recordings")
	f := openFolder(t, dir, 80_000, time.Hour)
	mine := filepath.Join(dir, "mine.cast")
	must(t, os.WriteFile(mine, make([]byte, 100_000), 0o600))
	old := time.Now().Add(-30 * time.Minute)
	for i, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		must(t, write(t, f, name, 9_000))
		files, err := filepath.Glob(filepath.Join(dir, name+".*"))
		if err != nil || len(files) != 1 {
			t.Fatalf("%v, %v", files, err)
		}
		if at := old.Add(time.Duration(i) * time.Minute); os.Chtimes(files[0], at, at) != nil {
			t.Fatal("its time cannot be set")
		}
	}
	if err := write(t, f, "i", 10_000); err != nil { // 82,000 bytes in all
		t.Errorf("no room was made: %v", err)
	}
	names, size := kept(t, dir)
	if got := strings.Join(names, " "); got != "b c d e f g h i mine" {
		t.Errorf("kept %s", got)
	}
	if size > 180_000 {
		t.Errorf("%d bytes", size)
	}
}

// One recording has a share of the folder, and recordings that are being written are not removed.
func TestFolderShare(t *testing.T) {
	dir := t.TempDir()
	f := openFolder(t, dir, 80_000, time.Hour)
	if err := write(t, f, "long", 21_000); !errors.Is(err, record.ErrFull) {
		t.Errorf("a recording of more than a quarter of the folder: %v", err)
	}
	var open []record.File
	for range 10 {
		w, err := f.Create("open")
		must(t, err)
		defer w.Close()
		open = append(open, w)
	}
	full := 0
	for _, w := range open {
		if n, err := w.Write(bytes.Repeat([]byte("x\n"), 4_500)); errors.Is(err, record.ErrFull) {
			if full++; w.Long() {
				t.Errorf("a recording of %d bytes is long", n)
			}
		} else if err != nil {
			t.Error(err)
		}
	}
	if full != 2 {
		t.Errorf("%d of 10 found no room, want 2", full)
	}
	if _, size := kept(t, dir); size > 80_000 {
		t.Errorf("%d bytes", size)
	}
}

// A recording for which the folder has no room keeps the whole lines that fit.
func TestFolderCuts(t *testing.T) {
	lines := strings.Repeat("123456789\n", 1000) // as one write, after a wait for the disk
	for _, tt := range []struct {
		name       string
		size, used int
		kept       int
		long       bool
	}{
		{"enough room", 80_000, 0, 10_000, true},
		{"twice its share", 20_000, 0, 5_000, true},
		{"the rest of the folder", 80_000, 71_995, 8_000, false},
		{"no room for a line", 80_000, 79_995, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			f := openFolder(t, dir, int64(tt.size), time.Hour)
			for used := 0; used < tt.used; used += 10_000 {
				other, err := f.Create("other")
				must(t, err)
				defer other.Close()
				if _, err := io.WriteString(other, strings.Repeat("\n", min(10_000, tt.used-used))); err != nil {
					t.Fatal(err)
				}
			}
			w, err := f.Create("cut")
			must(t, err)
			n, err := io.WriteString(w, lines)
			if n != tt.kept || errors.Is(err, record.ErrFull) != (tt.kept < len(lines)) || w.Long() != tt.long {
				t.Errorf("kept %d bytes, long %t, %v; want %d, %t", n, w.Long(), err, tt.kept, tt.long)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			files, err := filepath.Glob(filepath.Join(dir, "cut.*"))
			must(t, err)
			if tt.kept == 0 {
				if len(files) > 0 {
					t.Errorf("an empty recording stays: %v", files)
				}
				return
			}
			if got, err := os.ReadFile(files[0]); err != nil || string(got) != lines[:tt.kept] {
				t.Errorf("the file has %d bytes, %v", len(got), err)
			}
		})
	}
}

func TestFolderAge(t *testing.T) {
	dir := t.TempDir()
	f := openFolder(t, dir, 80_000, time.Hour)
	for _, name := range []string{"old", "new"} {
		must(t, write(t, f, name, 1000))
	}
	files, err := filepath.Glob(filepath.Join(dir, "old.*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	if at := time.Now().Add(-2 * time.Hour); os.Chtimes(files[0], at, at) != nil {
		t.Fatal("its time cannot be set")
	}
	openFolder(t, dir, 80_000, time.Hour) // as after a restart
	if names, _ := kept(t, dir); strings.Join(names, " ") != "new" {
		t.Errorf("kept %v", names)
	}
}

// A folder that was removed is made again for the next recording.
func TestFolderRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "recordings")
	f := openFolder(t, dir, 1<<20, time.Hour)
	must(t, os.Remove(dir))
	must(t, write(t, f, "a", 1000))
	if names, _ := kept(t, dir); len(names) != 1 {
		t.Errorf("the folder has %q", names)
	}
}

func TestFolderRefusals(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	if _, err := record.OpenFolder(file, 1, time.Hour, slog.Default()); err == nil {
		t.Error("a file was opened as a folder")
	}
}

// The recordings of a folder can be listed and read, and nothing else: neither other files, nor
// what links and paths lead to.
func TestFolderList(t *testing.T) {
	t.Parallel()
	const stamp = ".20200102-030405.wsh.cast"
	outside, dir := t.TempDir(), t.TempDir()
	put := func(dir, name, text string) {
		t.Helper()
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skipf("no symbolic links: %v", err)
		}
	}
	put(outside, "secret"+stamp, "secret")
	put(dir, "notes.txt", "secret")
	put(dir, "web.1"+stamp, "older")
	f := openFolder(t, dir, 1<<20, time.Hour)
	w, err := f.Create("web")
	must(t, err)
	defer w.Close()
	if _, err := io.WriteString(w, "newer\n"); err != nil {
		t.Fatal(err)
	}
	must(t, os.Mkdir(filepath.Join(dir, "folder"+stamp), 0o700))
	put(filepath.Join(dir, "folder"+stamp), "in"+stamp, "secret")
	link(filepath.Join(outside, "secret"+stamp), "link"+stamp)
	link("notes.txt", "inner"+stamp)
	link(outside, "way")

	list, err := f.List()
	if err != nil || len(list) != 2 {
		t.Fatalf("List = %+v, %v", list, err)
	}
	if s := list[0]; s.Session != "web" || !s.Active || s.Size != 6 || time.Since(s.Since) > time.Minute {
		t.Errorf("the recording that is being written: %+v", s)
	}
	if s := list[1]; s.Session != "web.1" || s.Active || s.Size != 5 || !s.Since.Equal(time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)) {
		t.Errorf("the older recording: %+v", s)
	}
	b := make([]byte, 3)
	for _, c := range []struct {
		offset int64
		want   string
	}{{0, "old"}, {3, "er"}, {5, ""}, {1 << 62, ""}} {
		if n, s, err := f.ReadAt(list[1].File, b, c.offset); err != nil || string(b[:n]) != c.want || s != list[1] {
			t.Errorf("from %d: %q, %+v, %v; want %q", c.offset, b[:n], s, err, c.want)
		}
	}
	for _, name := range []string{
		"", ".", "..", "notes.txt", "none" + stamp, "folder" + stamp, "folder" + stamp + "/in" + stamp, "link" + stamp, "inner" + stamp, "way/secret" + stamp,
		filepath.Join(outside, "secret"+stamp), "../" + filepath.Base(outside) + "/secret" + stamp, `..\secret` + stamp, "./web.1" + stamp,
	} {
		if n, _, err := f.ReadAt(name, b, 0); n > 0 || fault.KindOf(err) != fault.NotFound {
			t.Errorf("ReadAt(%q) = %q, %v", name, b[:n], err)
		}
	}
	must(t, os.RemoveAll(dir))
	if list, err := f.List(); fault.KindOf(err) != fault.Precondition {
		t.Errorf("without its directory: %+v, %v", list, err)
	}
}
