package install_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/install"
)

const (
	begin = "<!-- ui-mcp: begin -->"
	end   = "<!-- ui-mcp: end -->"
)

// withSection is a source whose section says text.
func withSection(text string) install.Source {
	src := source("0.1.0")
	src.Files.(fstest.MapFS)["claude.md"] = &fstest.MapFile{Data: []byte(text)}
	return src
}

func TestSection(t *testing.T) {
	t.Parallel()
	const section = begin + "\nUse it.\n" + end + "\n"
	for _, c := range []struct {
		name, before string // "-": there is no file
		force        bool
		want         string
		unchanged    bool
		orig         bool
	}{
		{name: "no file", before: "-", want: section},
		{name: "empty file", before: "", want: section},
		{name: "appended", before: "# Mine\n", want: "# Mine\n\n" + section},
		{name: "no line end", before: "# Mine", want: "# Mine\n\n" + section},
		{name: "empty line there", before: "# Mine\n\n", want: "# Mine\n\n" + section},
		{name: "line ends of Windows", before: "# Mine\r\n", want: "# Mine\r\n\r\n" + strings.ReplaceAll(section, "\n", "\r\n")},
		{name: "there", before: "a\n" + begin + "\nOld.\n" + end + "\nb\n", unchanged: true},
		{name: "there and the same", before: "a\n" + section + "b\n", force: true, unchanged: true},
		{name: "replaced", before: "a\n" + begin + "\nOld.\n" + end + "\nb\n", force: true, want: "a\n" + section + "b\n", orig: true},
		{name: "replaced at the end", before: "a\n" + begin + end, force: true, want: "a\n" + section, orig: true},
		{name: "force without one", before: "a\n", force: true, want: "a\n\n" + section},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			base, project := newProject(t)
			file := filepath.Join(project, "CLAUDE.md")
			if c.before != "-" {
				write(t, file, c.before)
			}
			report := mustInstall(t, install.Options{BaseDir: base, Force: c.force, ClaudeMD: true, Source: withSection("\nUse it.\n\n")})
			want, appended := c.want, []string{"CLAUDE.md"}
			if c.unchanged {
				want, appended = c.before, []string{}
			}
			if diff := cmp.Diff(want, read(t, file)); diff != "" {
				t.Errorf("CLAUDE.md (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(appended, report.Appended); diff != "" {
				t.Errorf("appended (-want +got):\n%s", diff)
			}
			kept, err := os.ReadFile(file + ".orig")
			if c.orig != (err == nil) || c.orig && string(kept) != c.before {
				t.Errorf("CLAUDE.md.orig = %q, %v; kept should be %v", kept, err, c.orig)
			}
		})
	}
}

func TestSectionIsNotAsked(t *testing.T) {
	t.Parallel()
	base, project := newProject(t)
	report := mustInstall(t, install.Options{BaseDir: base, Source: withSection("Use it.")})
	if len(report.Appended) != 0 {
		t.Errorf("appended = %q", report.Appended)
	}
	if _, ok := tree(t, project)["CLAUDE.md"]; ok {
		t.Error("CLAUDE.md was written without having been asked for")
	}
}

// The section can be added to an installation that is up to date, and a new text of ours replaces
// the old one without keeping it.
func TestSectionLater(t *testing.T) {
	t.Parallel()
	base, project := newProject(t)
	mustInstall(t, install.Options{BaseDir: base, Source: withSection("One.")})
	report := mustInstall(t, install.Options{BaseDir: base, ClaudeMD: true, Source: withSection("One.")})
	if !report.VersionSkipped || !cmp.Equal(report.Appended, []string{"CLAUDE.md"}) || len(report.Installed) != 0 {
		t.Errorf("report = %+v, want the section alone", report)
	}
	mustInstall(t, install.Options{BaseDir: base, ClaudeMD: true, Force: true, Source: withSection("Two.")})
	got := tree(t, project)
	if want := begin + "\nTwo.\n" + end + "\n"; got["CLAUDE.md"] != want {
		t.Errorf("CLAUDE.md = %q, want %q", got["CLAUDE.md"], want)
	}
	if _, ok := got["CLAUDE.md.orig"]; ok {
		t.Error("our own old section was kept")
	}
}

func TestSectionWithoutEnd(t *testing.T) {
	t.Parallel()
	base, project := newProject(t)
	file := filepath.Join(project, "CLAUDE.md")
	const before = "a\n" + begin + "\nb\n"
	write(t, file, before)
	report, err := install.Install(install.Options{BaseDir: base, ClaudeMD: true, Force: true, Source: withSection("Use it.")})
	if fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), end) {
		t.Errorf("Install = %v, want a precondition that names %s and the missing comment", err, file)
	}
	if got := read(t, file); got != before {
		t.Errorf("CLAUDE.md became %q", got)
	}
	if len(report.Installed) != len(all) || install.NeedsInstall(base) {
		t.Errorf("report = %+v: the files have nothing to do with it", report)
	}
}

func TestSectionMode(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	base, project := newProject(t)
	file := filepath.Join(project, "CLAUDE.md")
	write(t, file, "secret\n")
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	mustInstall(t, install.Options{BaseDir: base, ClaudeMD: true, Source: withSection("Use it.")})
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want that of before", info.Mode())
	}
}

// CLAUDE.md may be a link to another file of the project, which gets the section; a link that leads
// out of it is refused.
func TestSectionThroughLinks(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "theirs.md")
	write(t, outside, "theirs\n")
	for name, c := range map[string]struct {
		to, file string // where the link leads, and which file it is, if ours
	}{
		"beside":      {"AGENTS.md", "AGENTS.md"},
		"below":       {"docs/agents.md", "docs/agents.md"},
		"outside":     {outside, ""},
		"up":          {"../theirs.md", ""},
		"in a circle": {"CLAUDE.md", ""},
		"to nothing":  {"AGENTS.md", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, project := newProject(t)
			if c.file != "" {
				write(t, filepath.Join(project, filepath.FromSlash(c.file)), "ours\n")
			}
			if err := os.Symlink(c.to, filepath.Join(project, "CLAUDE.md")); err != nil {
				t.Fatal(err)
			}
			_, err := install.Install(install.Options{BaseDir: base, ClaudeMD: true, Source: withSection("Use it.")})
			got := tree(t, project)
			if got["CLAUDE.md"] != "-> "+c.to {
				t.Errorf("CLAUDE.md = %q, want the link as it was", got["CLAUDE.md"])
			}
			if c.file == "" {
				if fault.KindOf(err) != fault.Precondition {
					t.Errorf("Install = %v, want a precondition", err)
				}
				return
			}
			if want := "ours\n\n" + begin + "\nUse it.\n" + end + "\n"; err != nil || got[c.file] != want {
				t.Errorf("%s = %q, %v, want %q", c.file, got[c.file], err, want)
			}
		})
	}
	if got := read(t, outside); got != "theirs\n" {
		t.Errorf("a file out of the project became %q", got)
	}
}

func TestNoBundledSection(t *testing.T) {
	t.Parallel()
	base, _ := newProject(t)
	_, err := install.Install(install.Options{BaseDir: base, ClaudeMD: true, Source: source("0.1.0")})
	if err == nil || fault.KindOf(err) != fault.Internal {
		t.Errorf("Install = %v, want an internal fault", err)
	}
}

func FuzzSection(f *testing.F) {
	f.Add("# Mine\r\n", false)
	f.Add("a\n"+begin+"\nb\n"+end+"\nc", true)
	f.Add(end+begin, true)
	f.Add("0\r", false)
	f.Fuzz(func(t *testing.T, before string, force bool) {
		base, project := newProject(t)
		file := filepath.Join(project, "CLAUDE.md")
		write(t, file, before)
		report, err := install.Install(install.Options{BaseDir: base, Force: force, ClaudeMD: true, Source: withSection("Use it.")})
		after := read(t, file)
		if err != nil || len(report.Appended) == 0 {
			if after != before {
				t.Fatalf("%q became %q without a report (%v)", before, after, err)
			}
			return
		}
		// The text outside the markers is unchanged, except for an empty line before a new section.
		head, rest, found := strings.Cut(after, begin)
		_, tail, closed := strings.Cut(rest, end)
		if !found || !closed || !strings.HasPrefix(before, strings.TrimRight(head, "\r\n")) || !strings.HasSuffix(before, strings.TrimLeft(tail, "\r\n")) {
			t.Fatalf("%q became %q", before, after)
		}
		again, err := install.Install(install.Options{BaseDir: base, Force: true, ClaudeMD: true, Source: withSection("Use it.")})
		if err != nil || len(again.Appended) != 0 {
			t.Fatalf("a second time: %+v, %v", again, err)
		}
	})
}
