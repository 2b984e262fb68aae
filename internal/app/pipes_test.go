//go:build unix

package app_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"ui-mcp/internal/app"
)

// Named pipes in the places of files that the server opens hold up nothing: opening them would wait
// until another process opens the other end.
func TestNamedPipesInTheBaseDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	for _, name := range []string{
		"README.md", ".install.json", ".last-run.json", "mcp-port", "ui-port", "lua/main.lua", "html/index.html", "html/ui.css",
		"storage/settings.json", "log/lua.log", "log/lua-err.log", "apps/pipe/app.lua", "apps/pipe/viewdefs/Pipe.DEFAULT.html", "../../CLAUDE.md",
	} {
		pipe := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(pipe), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := newHarness(t, func(o *app.Options) { o.Dir = dir })
	h.start()
	if ran, err := h.Run(t.Context(), "1", `print("hello") io.stderr:write("hello") return 1`); err != nil || string(ran.Result) != "1" {
		t.Errorf("ui_run = %s, %v", ran.Result, err)
	}
	if _, err := h.Install(true, new(true)); err == nil {
		t.Error("a section was added to a pipe")
	}
}
