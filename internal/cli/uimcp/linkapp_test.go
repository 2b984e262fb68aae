package uimcp

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/cli/commandline"
)

// linkapp runs "ui-mcp linkapp" and returns its output.
func linkapp(t *testing.T, dir, args string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = Run(t.Context(), "0.1.0", append([]string{"linkapp"}, append(strings.Fields(args), "--dir", dir)...), commandline.Streams{In: strings.NewReader(""), Out: &o, Err: &e})
	return status, o.String(), e.String()
}

// appsIn creates a base directory with apps, each with a view definition.
func appsIn(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		views := filepath.Join(dir, "apps", name, "viewdefs")
		if err := os.MkdirAll(views, 0o755); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{
			filepath.Join(dir, "apps", name, "app.lua"):  "-- " + name,
			filepath.Join(views, name+".DEFAULT.html"):   "<template><p></p></template>",
			filepath.Join(views, "."+name+".html"):       "an editor's",
			filepath.Join(views, name+".DEFAULT.html.~"): "an editor's",
		} {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func TestLinkapp(t *testing.T) {
	t.Parallel()
	dir := appsIn(t, "notes", "tasks")
	const added = "lua/notes.lua -> ../apps/notes/app.lua\nlua/notes -> ../apps/notes\nviewdefs/notes.DEFAULT.html -> ../apps/notes/viewdefs/notes.DEFAULT.html\n"
	for _, step := range []struct{ args, out string }{
		{"list", ""},
		{"add notes", added},
		{"add notes", added}, // doing it again changes nothing
		{"add tasks", strings.ReplaceAll(added, "notes", "tasks")},
		{"list", "notes\ntasks\n"},
		{"remove notes", "removed lua/notes\nremoved lua/notes.lua\nremoved viewdefs/notes.DEFAULT.html\n"},
		{"list", "tasks\n"},
	} {
		if status, out, errs := linkapp(t, dir, step.args); status != commandline.ExitOK || out != step.out || errs != "" {
			t.Fatalf("linkapp %s: status %d, output %q, want %q, errors %q", step.args, status, out, step.out, errs)
		}
	}
	for file, want := range map[string]string{"lua/tasks.lua": "-- tasks", "lua/tasks/app.lua": "-- tasks", "viewdefs/tasks.DEFAULT.html": "<template><p></p></template>", "apps/notes/app.lua": "-- notes"} {
		if got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file))); err != nil || string(got) != want {
			t.Errorf("%s = %q, %v", file, got, err)
		}
	}
}

// The name of a file cannot forge a line.
func TestLinkappLinesCannotBeForged(t *testing.T) {
	t.Parallel()
	dir := appsIn(t, "notes")
	if err := os.WriteFile(filepath.Join(dir, "apps", "notes", "viewdefs", "x\nremoved.html"), nil, 0o644); err != nil {
		t.Skip(err) // a system without such names
	}
	for _, step := range []string{"add notes", "remove notes"} {
		if _, out, errs := linkapp(t, dir, step); strings.Count(out, "\n") != 4 || errs != "" {
			t.Errorf("%s: %q, errors %q", step, out, errs)
		}
	}
}

// Links of an app that has lost files are removed all the same.
func TestLinkappRemovesDeadLinks(t *testing.T) {
	t.Parallel()
	dir := appsIn(t, "notes")
	if status, _, errs := linkapp(t, dir, "add notes"); status != commandline.ExitOK {
		t.Fatal(errs)
	}
	if err := os.RemoveAll(filepath.Join(dir, "apps", "notes")); err != nil {
		t.Fatal(err)
	}
	if status, out, errs := linkapp(t, dir, "remove notes"); status != commandline.ExitOK || strings.Count(out, "removed") != 3 {
		t.Errorf("status %d, output %q, errors %q", status, out, errs)
	}
}

func TestLinkappRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args   string
		there  string // a file in the way
		status int
		want   string
	}{
		{"add ghost", "", commandline.ExitFailure, "there is no app ghost"},
		{"remove ghost", "", commandline.ExitFailure, "ghost is not linked"},
		{"remove notes", "", commandline.ExitFailure, "notes is not linked"},
		{"add notes", "lua/notes.lua", commandline.ExitFailure, "lua/notes.lua exists and is not the link"},
		{"add notes", "viewdefs/notes.DEFAULT.html", commandline.ExitFailure, "viewdefs/notes.DEFAULT.html exists"},
		{"add notes", "lua", commandline.ExitFailure, "link lua/notes.lua"},
		{"add ../apps", "", commandline.ExitUsage, "is not the name of an app"},
		{"add .notes", "", commandline.ExitUsage, "is not the name of an app"},
		{"remove a/b", "", commandline.ExitUsage, "is not the name of an app"},
		{`add a\b`, "", commandline.ExitUsage, "is not the name of an app"},
		{"add", "", commandline.ExitUsage, "<app>"},
		{"turn notes", "", commandline.ExitUsage, "turn"},
	} {
		t.Run(c.args+" "+c.there, func(t *testing.T) {
			t.Parallel()
			dir := appsIn(t, "notes")
			if c.there != "" {
				file := filepath.Join(dir, filepath.FromSlash(c.there))
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			status, out, errs := linkapp(t, dir, c.args)
			if status != c.status || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, c.want) {
				t.Errorf("status %d, output %q, errors %q, want %q", status, out, errs, c.want)
			}
			if c.there != "" {
				if got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(c.there))); err != nil || string(got) != "mine" {
					t.Errorf("what was in the way became %q, %v", got, err)
				}
				for _, l := range []string{"lua/notes", "lua/notes.lua"} {
					if to, err := os.Readlink(filepath.Join(dir, filepath.FromSlash(l))); err == nil {
						t.Errorf("half of it was linked: %s -> %s", l, to)
					}
				}
			}
		})
	}
}
