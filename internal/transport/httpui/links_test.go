//go:build unix

package httpui

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"ui-mcp/internal/events"
)

// Symbolic links in html/ are followed, also out of it, and on both ports; what they lead to must
// be a regular file that does not begin with a dot in the path of the request.
func TestLinks(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	html := filepath.Join(base, "html")
	for name, content := range map[string]string{"html/own.txt": "own", "apps/pad/css/pad.css": "style", "apps/pad/.secret": "hidden"} {
		file := filepath.Join(base, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(base, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"pad": "../apps/pad", "alias.css": "../apps/pad/css/pad.css", "pipe.txt": "../pipe", "zero.txt": "/dev/zero",
		"loop": "loop", "gone.txt": "../none",
	} {
		if err := os.Symlink(target, filepath.Join(html, link)); err != nil {
			t.Fatal(err)
		}
	}
	pages := NewUI(UIOptions{Sessions: rooms(map[string]*memorySession{"1": newMemorySession()}), HTML: html, Client: builtClient, Fallback: builtHTML})
	agent := NewMCP(MCPOptions{App: queueApp(events.New()), HTML: func() string { return html }})
	for path, want := range map[string]string{
		"/own.txt": "own", "/pad/css/pad.css": "style", "/alias.css": "style",
		"/pad/.secret": "", "/pipe.txt": "", "/zero.txt": "", "/loop": "", "/gone.txt": "", "/pad/../../pipe": "",
	} {
		status := 404
		if want != "" {
			status = 200
		}
		if w := get(pages, path); w.Code != status || want != "" && w.Body.String() != want {
			t.Errorf("%s at the port of the pages: %d %q, want %d %q", path, w.Code, w.Body, status, want)
		}
		if w := get(agent, path); w.Code != status || want != "" && w.Body.String() != want {
			t.Errorf("%s at the agent's port: %d %q, want %d %q", path, w.Code, w.Body, status, want)
		}
	}
}
