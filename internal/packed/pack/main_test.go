package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Files are replaced by compressed ones, which stay as they are while the content does.
func TestPack(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "in", "a.js")
	if err := os.Mkdir(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	build := func(content string) time.Time {
		t.Helper()
		for file, text := range map[string]string{name: content, filepath.Join(dir, "LICENSES.txt"): "may be used"} {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := pack(dir); err != nil {
			t.Fatal(err)
		}
		if got, err := read(name + ".gz"); err != nil || string(got) != content {
			t.Errorf("%s.gz has %q, %v, want %q", name, got, err, content)
		}
		st, err := os.Stat(name + ".gz")
		if err != nil {
			t.Fatal(err)
		}
		return st.ModTime()
	}
	build("let a")
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(name+".gz", old, old); err != nil {
		t.Fatal(err)
	}
	if again := build("let a"); !again.Equal(old) {
		t.Error("a file was compressed again though its content is the same")
	}
	build("let b")
	if err := open(dir); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "let b" {
		t.Errorf("opened, %s is %q, %v", name, got, err)
	}
	if err := pack(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("the file itself is still there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "LICENSES.txt")); err != nil {
		t.Error(err)
	}
}
