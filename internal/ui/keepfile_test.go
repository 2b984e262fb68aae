package ui

import (
	"os"
	"path/filepath"
	"testing"

	"ui-mcp/internal/ui/lua/kept"
)

func newKeptFile(t *testing.T, content string) *keptFile {
	t.Helper()
	f := &keptFile{base: t.TempDir(), name: "x"}
	if err := os.Mkdir(filepath.Join(f.base, keptFolder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.path(f.file()), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return f
}

// What is too large is known without reading it: else each look would read it again.
func TestKeptFileTooLarge(t *testing.T) {
	f := newKeptFile(t, "")
	if err := os.Truncate(f.path(f.file()), kept.Max+1); err != nil {
		t.Fatal(err)
	}
	_, _, err := f.read()
	if _, looked := f.stat(); err == nil || looked == nil {
		t.Errorf("reading: %v, looking: %v", err, looked)
	}
}

// Where the previous version cannot be written, saving waits as after its own failures.
func TestSetAsideFails(t *testing.T) {
	k := &keeper{file: newKeptFile(t, "theirs"), pending: true}
	if err := os.Mkdir(k.file.path(k.file.previous()), 0o755); err != nil {
		t.Fatal(err)
	}
	if k.setAside([]byte("theirs"), "") || k.failed == nil || k.isDue() {
		t.Errorf("it failed with %v, and is to be saved at once", k.failed)
	}
}
