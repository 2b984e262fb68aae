//go:build unix

package record_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/term/record"
)

// fullAt is after how many bytes of a file the system of the child process refuses more.
const fullAt = 1000

// A full disk leaves whole lines, also of what was written before in smaller parts, and a recording
// that can be played. The system refuses to write in a process of its own.
func TestFullDisk(t *testing.T) {
	if dir := os.Getenv("RECORD_TEST_FULL"); dir != "" {
		writeToFullDisk(t, dir)
		return
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$", "-test.v")
	cmd.Env = append(os.Environ(), "RECORD_TEST_FULL="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.cast"))
	if err != nil || len(files) != 3 {
		t.Fatalf("files: %v, %v", files, err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		must(t, err)
		if n := len(b); n == 0 || n > fullAt || n < fullAt-100 || b[n-1] != '\n' {
			t.Errorf("%s: %d bytes, the end is %q", filepath.Base(name), n, b[max(0, n-20):])
		}
		if list, err := events(string(b)); err != nil || len(list) == 0 {
			t.Errorf("%s: %d events, %v", filepath.Base(name), len(list), err)
		}
	}
}

func writeToFullDisk(t *testing.T, dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	t.Cleanup(func() { must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)) }) // coverage is written, too
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: fullAt, Max: limit.Max}))
	fill := func(w io.Writer) {
		t.Helper()
		r, err := record.New(w, record.Header{Cols: 10, Rows: 2, Start: begin})
		must(t, err)
		for range 100 {
			r.Output(begin, []byte("twenty bytes or more"))
		}
		if err := r.Close(); !errors.Is(err, syscall.EFBIG) {
			t.Errorf("Close = %v", err)
		}
	}
	folder, err := record.OpenFolder(dir, 1<<20, time.Hour, slog.New(slog.DiscardHandler))
	must(t, err)
	defer folder.Close()
	kept, err := folder.Create("kept")
	must(t, err)
	fill(kept)
	if err := kept.Close(); err != nil {
		t.Error(err)
	}

	// What a session keeps, as a caller would copy it.
	own, err := record.NewTemporary(1<<20, record.NewBudget(1<<20))
	must(t, err)
	defer own.Close()
	fill(own)
	copied, err := os.Create(filepath.Join(dir, "copied.cast"))
	must(t, err)
	defer copied.Close()
	if _, err := io.Copy(copied, io.NewSectionReader(own, 0, own.Size())); err != nil {
		t.Error(err)
	}

	parts, err := os.Create(filepath.Join(dir, "parts.cast"))
	must(t, err)
	defer parts.Close()
	text := []byte(`{"version":2,"width":9,"height":2}` + "\n" + strings.Repeat(`[1,"o","as it arrives"]`+"\n", 100))
	if _, err := io.CopyBuffer(struct{ io.Writer }{record.NewLines(parts)}, struct{ io.Reader }{bytes.NewReader(text)}, make([]byte, 7)); !errors.Is(err, syscall.EFBIG) {
		t.Errorf("in parts: %v", err)
	}
}
