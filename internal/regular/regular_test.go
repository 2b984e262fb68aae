//go:build unix

package regular_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/regular"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	file, pipe, link := filepath.Join(dir, "file"), filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	if b, err := regular.ReadFile(file, 7); string(b) != "content" || err != nil {
		t.Errorf("ReadFile = %q, %v", b, err)
	}
	if _, err := regular.ReadFile(file, 6); err == nil || !strings.Contains(err.Error(), "larger than 6 bytes") {
		t.Errorf("a file that is too large: %v", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if b, err := regular.ReadFileIn(root, "file", 7); string(b) != "content" || err != nil {
		t.Errorf("ReadFileIn = %q, %v", b, err)
	}
	if _, err := regular.ReadFileIn(root, "pipe", 7); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("ReadFileIn of a pipe: %v", err)
	}
	for name, what := range map[string]string{pipe: "a named pipe", link: "a named pipe", "/dev/zero": "a device", dir: "a directory"} {
		for _, flag := range []int{os.O_RDONLY, os.O_WRONLY | os.O_CREATE, os.O_RDWR} {
			if _, err := regular.Open(name, flag, 0o600); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), what) {
				t.Errorf("Open(%s) = %v, want that it is %s", name, err, what)
			}
		}
	}
	if _, err := regular.Open(filepath.Join(dir, "none"), os.O_RDONLY, 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	f, err := regular.Open(filepath.Join(dir, "new"), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
