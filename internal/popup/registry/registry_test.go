package registry

import (
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func open(t *testing.T, dir string) *Registry {
	t.Helper()
	r, err := Open(dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRegistry(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir)
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	one := Entry{PID: os.Getpid(), Port: 8001, Token: "t1", Workspaces: []string{"/a"}, Started: start.Add(time.Second)}
	two := Entry{PID: os.Getpid(), Port: 8002, Token: "t2", Workspaces: []string{"/b", "/c"}, Started: start}
	remove, err := r.Add(one)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Add(two); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Entry{two, one}, open(t, dir).List()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	remove()
	if diff := cmp.Diff([]Entry{two}, r.List()); diff != "" {
		t.Errorf("after one has left: -want +got:\n%s", diff)
	}
}

// Servers that could not say goodbye are cleared away, and so is what is no entry.
func TestStaleEntries(t *testing.T) {
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	r := open(t, dir)
	for _, e := range []Entry{{PID: ended.Process.Pid, Port: 1, Token: "t"}, {PID: -1, Port: 1, Token: "t"}, {PID: os.Getpid(), Port: 0, Token: "t"}, {PID: os.Getpid(), Port: 5}} {
		if _, err := r.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "broken.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if list := r.List(); list != nil {
		t.Errorf("list = %+v", list)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
