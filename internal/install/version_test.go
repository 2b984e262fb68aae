package install_test

import (
	"path/filepath"
	"testing"

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
