package testkit

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Root is the directory of the module, above the package that is tested.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "tools", "go.mod")); missing == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Fatalf("the test does not run in the module: %s, %v", dir, err)
	return ""
}

// ShortDir is a temporary directory whose path is short enough for sockets below it.
func ShortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "w")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// Write writes a file below a base directory as editors do: to another name first, which it then
// renames. The name has slashes; directories are created.
func Write(t testing.TB, base, name, content string) {
	t.Helper()
	file := filepath.Join(base, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+"~", []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+"~", file); err != nil {
		t.Fatal(err)
	}
}

// Copy writes all files of a file system below a folder as [Write] does, so that a server which
// watches the folder sees no file that is not written yet.
func Copy(t testing.TB, dir string, files fs.FS) {
	t.Helper()
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		Write(t, dir, name, string(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Read reads a file below a base directory.
func Read(t testing.TB, base, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(base, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// AgentURL is the URL of the agent's port of the server that runs on a base directory.
func AgentURL(t testing.TB, base string) string {
	t.Helper()
	return "http://127.0.0.1:" + strings.TrimSpace(Read(t, base, "mcp-port"))
}
