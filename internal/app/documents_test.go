package app_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/install"
)

func TestDocuments(t *testing.T) {
	h := newHarness(t, func(o *app.Options) {
		o.Source = install.Source{Client: source.Client, Readme: source.Readme, Files: fstest.MapFS{
			"base/viewdefs/MCP.DEFAULT.html":  {Data: []byte("<template><p></p></template>")},
			"base/resources/reference.md":     {Data: []byte("bundled")},
			"base/resources/patterns/form.md": {Data: []byte("form")},
			"claude.md":                       {Data: []byte("# UI\n")},
		}}
	})
	h.write("resources/own/mine.md", "mine")
	h.write("resources/.hidden/x.md", "x")
	h.write("resources/huge.md", strings.Repeat("x", 4<<20+1))
	h.write("secret.txt", "secret")
	if runtime.GOOS != "windows" {
		for link, to := range map[string]string{"out.txt": "../secret.txt", "abs.txt": filepath.Join(h.dir, "secret.txt"), "up": ".."} {
			if err := os.Symlink(to, filepath.Join(h.dir, "resources", link)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, want := range map[string]string{"reference.md": "bundled", "patterns/form.md": "form", "own/mine.md": "mine"} {
		if got, err := h.Document(name); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	for _, name := range []string{
		"", ".", "none.md", "patterns", "/etc/passwd", "../secret.txt", "own/../../secret.txt", "own/./mine.md",
		"out.txt", "abs.txt", "up/secret.txt", ".hidden/x.md", "own\\mine.md", "a\x00b",
	} {
		if got, err := h.Document(name); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%q is %q, %v", name, got, err)
		}
	}
	if _, err := h.Document("huge.md"); fault.KindOf(err) != fault.Exhausted {
		t.Errorf("a huge document: %v", err)
	}
	// Bundled documents can be read even after their files were deleted.
	if err := os.RemoveAll(filepath.Join(h.dir, "resources", "patterns")); err != nil {
		t.Fatal(err)
	}
	if got, err := h.Document("patterns/form.md"); err != nil || string(got) != "form" {
		t.Errorf("a deleted one is %q, %v", got, err)
	}
	names := h.Documents("", 100)
	names = slices.DeleteFunc(names, func(s string) bool { return s == "out.txt" || s == "abs.txt" || s == "up" })
	if diff := cmp.Diff([]string{"huge.md", "own/mine.md", "patterns/form.md", "reference.md"}, names); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"patterns/form.md"}, h.Documents("pat", 100)); diff != "" {
		t.Error(diff)
	}
	if got := h.Documents("", 2); len(got) != 2 {
		t.Errorf("at most 2, got %q", got)
	}
}

func TestAppReadme(t *testing.T) {
	h := newHarness(t, nil)
	h.write("apps/notes/README.md", "# Notes")
	h.write("apps/huge/README.md", strings.Repeat("x", 4<<20+1))
	h.write("apps/bare/app.lua", "")
	h.write("README.md", "of the project")
	if runtime.GOOS != "windows" {
		h.write("apps/out/app.lua", "")
		if err := os.Symlink("../../config.json", filepath.Join(h.dir, "apps", "out", "README.md")); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := h.AppReadme("notes"); err != nil || string(got) != "# Notes" {
		t.Errorf("notes: %q, %v", got, err)
	}
	for _, name := range []string{"", ".", "..", "bare", "none", "notes/x", "../apps/notes", "out", "a\x00b"} {
		if got, err := h.AppReadme(name); fault.KindOf(err) != fault.NotFound {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	if _, err := h.AppReadme("huge"); fault.KindOf(err) != fault.Exhausted {
		t.Errorf("a huge one: %v", err)
	}
}
