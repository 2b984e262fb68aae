package install_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/install"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ readme, want string }{
		{"# ui-mcp\n\n**Version: 0.1.0**\n", "0.1.0"},
		{"# ui-mcp\r\n\r\n**Version: 1.22.3**\r\n", "1.22.3"},
		{"**Version: v1.2.3-rc.1**", "1.2.3-rc.1"},
		{"**Version: 1.0.0**\n**Version: 2.0.0**\n", "1.0.0"},
		{"# ui-mcp\n", ""},
		{"", ""},
		{"Say **Version: 1.0.0** in the text\n", ""},
		{"**Version: new**\n", ""},
	} {
		got, err := install.Version(c.readme)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("Version(%q) = %q, %v, want %q", c.readme, got, err, c.want)
		}
	}
}

func FuzzVersion(f *testing.F) {
	f.Add("# ui-mcp\n\n**Version: 0.1.0**\n")
	f.Fuzz(func(t *testing.T, readme string) {
		v, err := install.Version(readme)
		if (v == "") != (err != nil) {
			t.Fatalf("Version = %q, %v", v, err)
		}
		if err != nil {
			return
		}
		if again, err := install.Version("**Version: " + v + "**"); again != v || err != nil {
			t.Fatalf("Version of %q = %q, %v", v, again, err)
		}
	})
}

func TestProject(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(string(filepath.Separator))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ base, want string }{
		{"p/.claude/ui", "p"},
		{"p/.claude/ui/", "p"},
		{"p/x/../.claude/./ui", "p"},
		{"p/.claude/other", "p/.claude"},
		{"p/ui", "p"},
		{".claude/ui", ""},
	} {
		got, err := install.Project(filepath.Join(root, filepath.FromSlash(c.base)))
		if want := filepath.Join(root, c.want); err != nil || got != want {
			t.Errorf("Project(%s) = %s, %v, want %s", c.base, got, err, want)
		}
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := install.Project(filepath.Join(".claude", "ui")); err != nil || got != here {
		t.Errorf("Project of a relative path = %s, %v, want %s", got, err, here)
	}
}

// Partial files that a killed installation has left go with a later one. Files of other names are
// the user's.
func TestAbandonedFilesGo(t *testing.T) {
	base, project := newProject(t)
	skills := filepath.Join(project, ".claude", "skills", "demo")
	for _, dir := range []string{filepath.Join(base, "lua"), skills} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, keep := range map[string]bool{
		filepath.Join(base, "lua", "main.lua.ABCDEFG2.ui-mcp.part"):              false,
		filepath.Join(base, "README.md.ABCDEFG2.ui-mcp.part"):                    false,
		filepath.Join(skills, "SKILL.md.ABCDEFG2.ui-mcp.part"):                   false,
		filepath.Join(project, "CLAUDE.md.ABCDEFG2.ui-mcp.part"):                 false,
		filepath.Join(project, ".claude/skills/.demo.json.ABCDEFG2.ui-mcp.part"): false,
		filepath.Join(base, "README.md.1.ui-mcp.part"):                           true,
		filepath.Join(project, "NOTES.md.ABCDEFG2.ui-mcp.part"):                  true,
	} {
		old := time.Now().Add(-time.Hour)
		if err := errors.Join(os.WriteFile(name, nil, 0o644), os.Chtimes(name, old, old)); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := os.Lstat(name); (err == nil) != keep {
				t.Errorf("%s: kept %v, want %v", name, err == nil, keep)
			}
		}()
	}
	mustInstall(t, install.Options{BaseDir: base, Source: withSection("Use it.\n"), ClaudeMD: true})
	mustSkills(t, twoSkills(project, "1.0.0"))
}

// Installations that are under way at the same time remove what a killed one has left, and leave
// each other's partial files alone.
func TestInstallationsAtTheSameTime(t *testing.T) {
	base, project := newProject(t)
	var installing sync.WaitGroup
	for range 4 {
		installing.Go(func() {
			for range 40 {
				if _, err := install.Install(install.Options{BaseDir: base, Force: true, Source: source("0.1.0")}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	installing.Wait()
	got := slices.Sorted(maps.Keys(tree(t, project)))
	want := slices.Sorted(slices.Values(append([]string{".claude/ui/.install.json"}, all...)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("project (-want +got):\n%s", diff)
	}
}

// A project whose .claude is a link to a folder elsewhere is installed like any other.
func TestLinkedClaudeFolder(t *testing.T) {
	base, project := newProject(t)
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(project, ".claude")); err != nil {
		t.Skip(err)
	}
	report := mustInstall(t, install.Options{BaseDir: base, Source: source("0.1.0")})
	if !slices.Contains(report.Installed, ".claude/skills/demo/SKILL.md") {
		t.Errorf("installed %v", report.Installed)
	}
	if got := read(t, filepath.Join(outside, "skills", "demo", "SKILL.md")); got != "a skill" {
		t.Errorf("the skill is %q", got)
	}
}

// The report says where changed files were kept.
func TestKept(t *testing.T) {
	base, _ := newProject(t)
	o := install.Options{BaseDir: base, Source: source("0.1.0")}
	mustInstall(t, o)
	if err := os.WriteFile(filepath.Join(base, "lua", "main.lua"), []byte("-- mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	o.Force = true
	if report := mustInstall(t, o); !slices.Equal(report.Kept, []string{".claude/ui/lua/main.lua.orig"}) {
		t.Errorf("kept %v", report.Kept)
	}
}
