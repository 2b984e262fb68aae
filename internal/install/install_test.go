package install_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/install"
)

const mainScript = "html/main-02fcae88.js" // of the content "run()"

// source is a small bundle of the given version.
func source(version string) install.Source {
	return install.Source{
		Files: fstest.MapFS{
			"base/lua/main.lua":                    {Data: []byte("-- " + version)},
			"base/event":                           {Data: []byte("#!/bin/sh\n")},
			"base/html/index.html":                 {Data: []byte(`<script src="/main-HASH.js"></script>`)},
			"project/.claude/skills/demo/SKILL.md": {Data: []byte("a skill")},
		},
		Client: fstest.MapFS{"main.js": {Data: []byte("run()")}},
		Readme: "# ui-mcp\n\n**Version: " + version + "**\n",
	}
}

// newProject returns a base directory that does not exist yet, and its project.
func newProject(t *testing.T) (base, project string) {
	t.Helper()
	project = t.TempDir()
	return filepath.Join(project, ".claude", "ui"), project
}

func mustInstall(t *testing.T, o install.Options) install.Report {
	t.Helper()
	report, err := install.Install(o)
	if err != nil {
		t.Fatalf("Install: %v", err)
	}
	return report
}

// tree maps each file under dir to its content; a link to "-> " and its target.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(p)
			files[filepath.ToSlash(rel)] = "-> " + to
			return err
		}
		data, err := os.ReadFile(p)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var all = []string{
	".claude/skills/demo/SKILL.md",
	".claude/ui/README.md",
	".claude/ui/event",
	".claude/ui/html/index.html",
	".claude/ui/" + mainScript,
	".claude/ui/lua/main.lua",
}

// Uninstall removes what Install has written, and leaves alone what the user has.
func TestUninstall(t *testing.T) {
	t.Parallel()
	base, project := newProject(t)
	if _, err := install.Uninstall(base); fault.KindOf(err) != fault.NotFound {
		t.Errorf("where nothing is: %v", err)
	}
	memory := filepath.Join(project, "CLAUDE.md")
	write(t, memory, "# Mine\n")
	bundle := source("0.1.0")
	bundle.Files.(fstest.MapFS)["claude.md"] = &fstest.MapFile{Data: []byte("ours")}
	mustInstall(t, install.Options{BaseDir: base, Source: bundle, ClaudeMD: true})
	write(t, filepath.Join(base, "apps", "mine", "app.lua"), "mine")
	write(t, filepath.Join(base, "lua", "main.lua"), "changed")
	report, err := install.Uninstall(base)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"CLAUDE.md": "# Mine\n", ".claude/ui/apps/mine/app.lua": "mine", ".claude/ui/lua/main.lua": "changed"}
	if diff := cmp.Diff(want, tree(t, project)); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	for _, gone := range []string{"skills", "ui/html"} {
		if _, err := os.Stat(filepath.Join(project, ".claude", gone)); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
	if len(report.Removed) != len(all) || !slices.Equal(report.Skipped, []string{".claude/ui/lua/main.lua"}) {
		t.Errorf("report: %+v", report)
	}

	// A file that has nothing else goes; a section that was changed stays.
	os.Remove(memory)
	mustInstall(t, install.Options{BaseDir: base, Source: bundle, ClaudeMD: true, Force: true})
	if report, err := install.Uninstall(base); err != nil || !slices.Contains(report.Removed, "CLAUDE.md") {
		t.Errorf("report: %+v, %v", report, err)
	}
	mustInstall(t, install.Options{BaseDir: base, Source: bundle, ClaudeMD: true, Force: true})
	write(t, memory, strings.Replace(read(t, memory), "ours", "mine", 1))
	if report, err := install.Uninstall(base); err != nil || !slices.Equal(report.Skipped, []string{"CLAUDE.md"}) {
		t.Errorf("report: %+v, %v", report, err)
	}
}

// Uninstall leaves what it cannot tell to be ours, and is not ended by it.
func TestUninstallOdd(t *testing.T) {
	t.Parallel()
	base, project := newProject(t)
	other := filepath.Join(project, "ui")
	for _, dir := range []string{base, other} {
		mustInstall(t, install.Options{BaseDir: dir, Source: source("0.1.0")})
	}
	record := filepath.Join(base, ".install.json")
	good := read(t, record)
	write(t, record, "<<<<<<< HEAD\n"+good)
	before := tree(t, project)
	if report, err := install.Uninstall(base); fault.KindOf(err) != fault.Precondition {
		t.Errorf("with a damaged record: %+v, %v", report, err)
	}
	if diff := cmp.Diff(before, tree(t, project)); diff != "" {
		t.Errorf("with a damaged record (-before +after):\n%s", diff)
	}
	mustInstall(t, install.Options{BaseDir: base, Source: source("0.1.0"), Force: true}) // as the error says
	event := filepath.Join(base, "event")
	if err := errors.Join(os.Remove(event), os.Mkdir(event, 0o755)); err != nil {
		t.Fatal(err)
	}
	report, err := install.Uninstall(base)
	skipped := []string{".claude/ui/event", ".claude/skills/demo/SKILL.md"}
	if err != nil || len(report.Removed) != len(all)-len(skipped) || !slices.Equal(report.Skipped, skipped) {
		t.Errorf("with a directory in a file's place, and another base directory: %+v, %v", report, err)
	}
	if report, err := install.Uninstall(other); err != nil || len(report.Removed) != len(all) {
		t.Errorf("the last base directory: %+v, %v", report, err)
	}
}

func TestFresh(t *testing.T) {
	t.Parallel()
	base, project := newProject(t)
	if !install.NeedsInstall(base) {
		t.Error("NeedsInstall = false before anything is there")
	}
	report := mustInstall(t, install.Options{BaseDir: base, Source: source("0.1.0")})
	if last := report.Installed[len(report.Installed)-1]; last != ".claude/ui/README.md" {
		t.Errorf("written last: %s, want README.md", last)
	}
	slices.Sort(report.Installed)
	if diff := cmp.Diff(install.Report{Installed: all, Skipped: []string{}, Appended: []string{}}, report); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	got := tree(t, project)
	delete(got, ".claude/ui/.install.json")
	want := map[string]string{
		".claude/skills/demo/SKILL.md": "a skill",
		".claude/ui/README.md":         "# ui-mcp\n\n**Version: 0.1.0**\n",
		".claude/ui/event":             "#!/bin/sh\n",
		".claude/ui/" + mainScript:     "run()",
		".claude/ui/html/index.html":   `<script src="/main-02fcae88.js"></script>`,
		".claude/ui/lua/main.lua":      "-- 0.1.0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("project (-want +got):\n%s", diff)
	}
	if install.NeedsInstall(base) {
		t.Error("NeedsInstall = true after an installation")
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no executable bit")
	}
	base, _ := newProject(t)
	mustInstall(t, install.Options{BaseDir: base, Source: source("0.1.0")})
	for name, want := range map[string]bool{"event": true, "lua/main.lua": false} {
		info, err := os.Stat(filepath.Join(base, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode()&0o100 != 0; got != want {
			t.Errorf("%s has mode %v, executable should be %v", name, info.Mode(), want)
		}
	}
}

func TestReportJSON(t *testing.T) {
	t.Parallel()
	base, _ := newProject(t)
	o := install.Options{BaseDir: base, Source: source("0.1.0")}
	mustInstall(t, o)
	data, err := json.Marshal(mustInstall(t, o))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"installed":[],"skipped":[],"appended":[],"version_skipped":true,"bundled_version":"0.1.0","installed_version":"0.1.0"}`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		there, bundled string
		force, skipped bool
	}{
		{"0.1.0", "0.1.0", false, true},
		{"0.1.0", "0.2.0", false, false},
		{"0.9.0", "0.10.0", false, false}, // not as text
		{"0.10.0", "0.9.0", false, true},
		{"0.1.0-rc.1", "0.1.0", false, false},
		{"0.1.0", "0.1.0", true, false},
		{"2.0.0", "0.1.0", true, false},
	} {
		t.Run(c.there+" to "+c.bundled, func(t *testing.T) {
			t.Parallel()
			base, _ := newProject(t)
			mustInstall(t, install.Options{BaseDir: base, Source: source(c.there)})
			report := mustInstall(t, install.Options{BaseDir: base, Force: c.force, Source: source(c.bundled)})
			if report.VersionSkipped != c.skipped {
				t.Errorf("VersionSkipped = %v", report.VersionSkipped)
			}
			want := c.bundled
			if c.skipped {
				want = c.there
				if report.InstalledVersion != c.there || report.BundledVersion != c.bundled {
					t.Errorf("versions = %q, %q", report.InstalledVersion, report.BundledVersion)
				}
			}
			if got := read(t, filepath.Join(base, "lua", "main.lua")); got != "-- "+want {
				t.Errorf("main.lua is %q, want version %s", got, want)
			}
		})
	}
}

// A README of another product is no installation of ours, however new its version is, nor is one
// without a version.
func TestOtherProduct(t *testing.T) {
	t.Parallel()
	for _, readme := range []string{"# other\n\n**Version: 9.0.0**\n", "my notes"} {
		base, _ := newProject(t)
		write(t, filepath.Join(base, "README.md"), readme)
		if !install.NeedsInstall(base) {
			t.Errorf("%q counts as an installation", readme)
		}
		report := mustInstall(t, install.Options{BaseDir: base, Source: source("0.1.0")})
		if report.VersionSkipped || len(report.Installed) != len(all) {
			t.Errorf("report = %+v, want everything installed", report)
		}
		if got := read(t, filepath.Join(base, "README.md.orig")); got != readme {
			t.Errorf("README.md.orig = %q", got)
		}
		if install.NeedsInstall(base) {
			t.Error("our installation is not recognised")
		}
	}
}

func TestChangedFiles(t *testing.T) {
	t.Parallel()
	base, project := newProject(t)
	lua := filepath.Join(base, "lua", "main.lua")
	mustInstall(t, install.Options{BaseDir: base, Source: source("0.1.0")})
	write(t, lua, "-- mine")

	report := mustInstall(t, install.Options{BaseDir: base, Source: source("0.2.0")})
	if diff := cmp.Diff([]string{".claude/ui/lua/main.lua"}, report.Skipped); diff != "" {
		t.Errorf("skipped on upgrade (-want +got):\n%s", diff)
	}
	if got := read(t, lua); got != "-- mine" {
		t.Errorf("upgrade changed a file of the user's: %q", got)
	}

	force := install.Options{BaseDir: base, Force: true, Source: source("0.2.0")}
	report = mustInstall(t, force)
	if len(report.Skipped) != 0 || len(report.Installed) != len(all) {
		t.Errorf("forced report = %+v, want everything installed", report)
	}
	write(t, lua, "-- mine again")
	mustInstall(t, force)
	got := tree(t, filepath.Dir(lua))
	want := map[string]string{"main.lua": "-- 0.2.0", "main.lua.orig": "-- mine", "main.lua.orig.1": "-- mine again"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lua/ after force (-want +got):\n%s", diff)
	}
	for name := range tree(t, project) {
		if strings.HasSuffix(name, ".orig") && name != ".claude/ui/lua/main.lua.orig" {
			t.Errorf("%s was kept, though nobody had changed it", name)
		}
	}
}

// Files that were there before the first installation belong to the user.
func TestFilesBefore(t *testing.T) {
	t.Parallel()
	base, _ := newProject(t)
	write(t, filepath.Join(base, "lua", "main.lua"), "-- mine")
	report := mustInstall(t, install.Options{BaseDir: base, Source: source("0.1.0")})
	if diff := cmp.Diff([]string{".claude/ui/lua/main.lua"}, report.Skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

func TestScriptsOfOtherBuilds(t *testing.T) {
	t.Parallel()
	base, _ := newProject(t)
	mustInstall(t, install.Options{BaseDir: base, Source: source("0.1.0")})
	write(t, filepath.Join(base, "html", "chart-01234567.js"), "mine")
	next := source("0.2.0")
	next.Client = fstest.MapFS{"main.js": {Data: []byte("better()")}}
	mustInstall(t, install.Options{BaseDir: base, Source: next})
	got := tree(t, filepath.Join(base, "html"))
	want := map[string]string{
		"chart-01234567.js": "mine",
		"index.html":        `<script src="/main-afc869ef.js"></script>`,
		"main-afc869ef.js":  "better()",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("html/ (-want +got):\n%s", diff)
	}
}

// A directory that is a link to nowhere looks empty, and cannot be written to by anyone, root
// included: so the installation fails half-way.
func TestFailureKeepsWhatIsWhole(t *testing.T) {
	t.Parallel()
	base, project := newProject(t)
	if err := os.MkdirAll(base, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(base, "lua")); err != nil {
		t.Fatal(err)
	}
	o := install.Options{BaseDir: base, Source: source("0.1.0")}
	report, err := install.Install(o)
	if fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), filepath.Join(base, "lua", "main.lua")) {
		t.Fatalf("Install = %v, want a precondition that names the path", err)
	}
	if !install.NeedsInstall(base) {
		t.Error("NeedsInstall = false after a failure")
	}
	if len(report.Installed) == 0 {
		t.Error("nothing was written: the test does not fail half-way")
	}
	files := tree(t, project)
	for name := range files {
		if strings.Contains(name, ".part") {
			t.Errorf("left behind: %s", name)
		}
	}
	for _, name := range report.Installed {
		if _, ok := files[name]; !ok {
			t.Errorf("%s is reported but not there", name)
		}
	}

	// Once the cause is gone, the next attempt completes it, even with another version: nothing is
	// taken for the user's.
	if err := os.Remove(filepath.Join(base, "lua")); err != nil {
		t.Fatal(err)
	}
	o.Source = source("0.2.0")
	if report := mustInstall(t, o); len(report.Skipped) != 0 || len(report.Installed) != len(all) {
		t.Errorf("second attempt = %+v, want everything installed", report)
	}
}

func TestUnusableBase(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, base string){
		"a file": func(t *testing.T, base string) { write(t, base, "in the way") },
		"below a file": func(t *testing.T, base string) {
			write(t, filepath.Dir(base), "in the way")
		},
		"a file in a directory's place": func(t *testing.T, base string) {
			write(t, filepath.Join(base, "lua"), "in the way")
		},
		"a directory in a file's place": func(t *testing.T, base string) {
			write(t, filepath.Join(base, "event", "x"), "")
		},
		"README.md a directory": func(t *testing.T, base string) {
			write(t, filepath.Join(base, "README.md", "x"), "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, _ := newProject(t)
			prepare(t, base)
			if !install.NeedsInstall(base) {
				t.Error("NeedsInstall = false")
			}
			_, err := install.Install(install.Options{BaseDir: base, Source: source("0.1.0")})
			if fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), base) {
				t.Errorf("Install = %v, want a precondition that names %s", err, base)
			}
		})
	}
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("permissions do not bind this user")
	}
	base, project := newProject(t)
	if err := os.Chmod(project, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(project, 0o755) })
	_, err := install.Install(install.Options{BaseDir: base, Source: source("0.1.0")})
	if fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), "permission") {
		t.Errorf("Install = %v, want a precondition about permissions", err)
	}
}

// A link that leads out of the base directory is refused, or replaced as a link; what it points to
// is never touched.
func TestLinks(t *testing.T) {
	t.Parallel()
	t.Run("directory", func(t *testing.T) {
		t.Parallel()
		base, _ := newProject(t)
		outside := t.TempDir()
		if err := os.MkdirAll(base, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, filepath.Join(base, "lua")); err != nil {
			t.Fatal(err)
		}
		_, err := install.Install(install.Options{BaseDir: base, Force: true, Source: source("0.1.0")})
		if fault.KindOf(err) != fault.Precondition {
			t.Errorf("Install = %v, want a precondition", err)
		}
		if got := tree(t, outside); len(got) != 0 {
			t.Errorf("written through the link: %v", got)
		}
	})
	t.Run("file", func(t *testing.T) {
		t.Parallel()
		base, _ := newProject(t)
		outside := filepath.Join(t.TempDir(), "theirs.lua")
		write(t, outside, "-- theirs")
		if err := os.MkdirAll(filepath.Join(base, "lua"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, filepath.Join(base, "lua", "main.lua")); err != nil {
			t.Fatal(err)
		}
		report := mustInstall(t, install.Options{BaseDir: base, Source: source("0.1.0")})
		if diff := cmp.Diff([]string{".claude/ui/lua/main.lua"}, report.Skipped); diff != "" {
			t.Errorf("skipped (-want +got):\n%s", diff)
		}
		mustInstall(t, install.Options{BaseDir: base, Force: true, Source: source("0.1.0")})
		want := map[string]string{"main.lua": "-- 0.1.0", "main.lua.orig": "-> " + outside}
		if diff := cmp.Diff(want, tree(t, filepath.Join(base, "lua"))); diff != "" {
			t.Errorf("lua/ (-want +got):\n%s", diff)
		}
		if got := read(t, outside); got != "-- theirs" {
			t.Errorf("the link's target became %q", got)
		}
	})
}

func TestBadSource(t *testing.T) {
	t.Parallel()
	noVersion, noClient := source("0.1.0"), source("0.1.0")
	noVersion.Readme = "# ui-mcp"
	noClient.Client = fstest.MapFS{}
	for name, src := range map[string]install.Source{"no version": noVersion, "no client": noClient} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, project := newProject(t)
			_, err := install.Install(install.Options{BaseDir: base, Source: src})
			if err == nil || fault.KindOf(err) != fault.Internal {
				t.Errorf("Install = %v, want an internal fault", err)
			}
			if got := tree(t, project); len(got) != 0 {
				t.Errorf("written: %v", got)
			}
		})
	}
}

// Two agents may start in one project at the same time.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	base, project := newProject(t)
	const n = 8
	errs := make(chan error, n)
	for range n {
		go func() {
			_, err := install.Install(install.Options{BaseDir: base, Source: source("0.1.0")})
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	got := slices.Sorted(maps.Keys(tree(t, project)))
	want := slices.Sorted(slices.Values(append([]string{".claude/ui/.install.json"}, all...)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("project (-want +got):\n%s", diff)
	}
}
