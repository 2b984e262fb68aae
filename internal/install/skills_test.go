package install_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/install"
)

// two skills of the given version.
func twoSkills(project, version string) install.SkillOptions {
	return install.SkillOptions{Project: project, Product: "demo", Version: version, Skills: []install.Skill{
		{Name: "one", Text: "one " + version}, {Name: "two", Text: "two " + version},
	}}
}

func mustSkills(t *testing.T, o install.SkillOptions) install.Report {
	t.Helper()
	r, err := install.Skills(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const (
	one        = ".claude/skills/one/SKILL.md"
	two        = ".claude/skills/two/SKILL.md"
	demoRecord = ".claude/skills/.demo.json"
)

func TestSkills(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	want := install.Report{Installed: []string{one, two}, Skipped: []string{}, Appended: []string{}}
	if diff := cmp.Diff(want, mustSkills(t, twoSkills(project, "1.0.0"))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	files := tree(t, project)
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, []string{demoRecord, one, two}) || files[one] != "one 1.0.0" {
		t.Errorf("files: %q", files)
	}

	// The same version, and an older one, have nothing to do.
	for _, version := range []string{"1.0.0", "0.9.0"} {
		want = install.Report{
			Installed: []string{}, Skipped: []string{}, Appended: []string{},
			VersionSkipped: true, BundledVersion: version, InstalledVersion: "1.0.0",
		}
		if diff := cmp.Diff(want, mustSkills(t, twoSkills(project, version))); diff != "" {
			t.Errorf("version %s (-want +got)\n%s", version, diff)
		}
	}

	// A newer one leaves alone what the user has changed, and says so each time.
	write(t, filepath.Join(project, filepath.FromSlash(two)), "mine")
	for _, version := range []string{"1.1.0", "1.2.0"} {
		want = install.Report{Installed: []string{one}, Skipped: []string{two}, Appended: []string{}}
		if diff := cmp.Diff(want, mustSkills(t, twoSkills(project, version))); diff != "" {
			t.Errorf("version %s (-want +got)\n%s", version, diff)
		}
		if files := tree(t, project); files[one] != "one "+version || files[two] != "mine" {
			t.Errorf("files: %q", files)
		}
	}

	// Force replaces it and keeps the user's file, whatever version is there.
	o := twoSkills(project, "1.0.0")
	o.Force = true
	want = install.Report{Installed: []string{one, two}, Skipped: []string{}, Appended: []string{}, Kept: []string{two + ".orig"}}
	if diff := cmp.Diff(want, mustSkills(t, o)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if files := tree(t, project); files[two] != "two 1.0.0" || files[two+".orig"] != "mine" {
		t.Errorf("files: %q", files)
	}
}

// An installation that failed is not taken for a complete one, and what it wrote is not taken for
// the user's.
func TestSkillsAfterFailure(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	o := twoSkills(project, "1.0.0")
	o.Skills[1].Name = "one/SKILL.md" // its folder would be the first skill's file
	r, err := install.Skills(o)
	if fault.KindOf(err) != fault.Precondition || !slices.Equal(r.Installed, []string{one}) {
		t.Fatalf("report %+v, error %v", r, err)
	}
	want := install.Report{Installed: []string{one, two}, Skipped: []string{}, Appended: []string{}}
	if diff := cmp.Diff(want, mustSkills(t, twoSkills(project, "1.0.0"))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Without a record that can be read, files that differ are the user's.
func TestSkillsDamagedRecord(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	mustSkills(t, twoSkills(project, "1.0.0"))
	for _, content := range []string{"", "{", `{"version": "next", "files": {}}`} {
		write(t, filepath.Join(project, filepath.FromSlash(demoRecord)), content)
		r := mustSkills(t, twoSkills(project, "1.1.0"))
		if !slices.Equal(r.Skipped, []string{one, two}) {
			t.Errorf("record %q: %+v", content, r)
		}
	}
	var record struct{ Version string }
	if err := json.Unmarshal([]byte(tree(t, project)[demoRecord]), &record); err != nil || record.Version != "1.1.0" {
		t.Errorf("record %+v, error %v", record, err)
	}
}

// The records of a newer version stay, and nothing is installed, unless it is forced: then every
// file counts as the user's.
func TestNewerRecords(t *testing.T) {
	t.Parallel()
	base, project := newProject(t)
	mustInstall(t, install.Options{BaseDir: base, Source: source("0.1.0")})
	mustSkills(t, twoSkills(project, "1.0.0"))
	const newer = `{"format": 2, "installed": []}`
	write(t, filepath.Join(base, ".install.json"), newer)
	write(t, filepath.Join(project, filepath.FromSlash(demoRecord)), newer)
	before := tree(t, project)
	_, err := install.Install(install.Options{BaseDir: base, Source: source("0.2.0")})
	_, err2 := install.Skills(twoSkills(project, "1.1.0"))
	for _, err := range []error{err, err2} {
		if fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), "a newer version has written it (format 2; this one reads formats up to 1): update this program") {
			t.Errorf("a newer record: %v", err)
		}
	}
	if diff := cmp.Diff(before, tree(t, project)); diff != "" {
		t.Errorf("files (-before +after):\n%s", diff)
	}
	r := mustInstall(t, install.Options{BaseDir: base, Source: source("0.2.0"), Force: true})
	if !slices.Contains(r.Kept, ".claude/ui/lua/main.lua.orig") {
		t.Errorf("forced: %+v", r)
	}
}

func TestSkillsNoProject(t *testing.T) {
	t.Parallel()
	project := filepath.Join(t.TempDir(), "typo")
	if _, err := install.Skills(twoSkills(project, "1.0.0")); fault.KindOf(err) != fault.Precondition {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(project); !os.IsNotExist(err) {
		t.Errorf("the project was created: %v", err)
	}
}

// A link that the user has made for .claude is followed; one below it, which leads out of the
// project, is an error.
func TestSkillsLinks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	project, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(project, ".claude")); err != nil {
		t.Fatal(err)
	}
	if r := mustSkills(t, twoSkills(project, "1.0.0")); !slices.Equal(r.Installed, []string{one, two}) {
		t.Errorf("report: %+v", r)
	}
	if r := mustSkills(t, twoSkills(project, "1.0.0")); !r.VersionSkipped {
		t.Errorf("the record was not found: %+v", r)
	}
	if files := tree(t, elsewhere); files["skills/one/SKILL.md"] != "one 1.0.0" {
		t.Errorf("files: %q", files)
	}

	project = t.TempDir()
	if err := os.Mkdir(filepath.Join(project, ".claude"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(project, ".claude", "skills")); err != nil {
		t.Fatal(err)
	}
	if _, err := install.Skills(twoSkills(project, "1.0.0")); fault.KindOf(err) != fault.Precondition {
		t.Errorf("error %v", err)
	}
}
