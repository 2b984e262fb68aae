// Package install writes the files that come with the program into a user's project, and brings
// them up to date later.
//
// It never loses what a person has written: a file that was changed is left alone, or with force
// replaced and kept as NAME.orig. It writes whole files or none, and README.md, which carries the
// version and marks a complete installation, comes last.
//
// [Options] say where and what ([Source]); a [Report] says what was done. A record in the project
// has the hash of each file as it was installed, and decides what happens to it:
//
//	as recorded    the user has not changed it: replace it, or remove it if the version lacks it
//	otherwise      changed: skip it; with force keep it as NAME.orig and replace it
//	missing        write it
//
// [Install], [Uninstall] and [Skills] are the same steps over different manifests. All writing
// goes through a target, an os.Root: no symbolic link leads out of the project.
package install

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
)

// Options says what to install, and where.
type Options struct {
	// BaseDir is the UI working directory, usually PROJECT/.claude/ui. It is made when it does not
	// exist.
	BaseDir string
	// Force installs whatever version is there, and replaces files that the user has changed. Those
	// are kept as NAME.orig.
	Force bool
	// ClaudeMD adds the bundle's section to the project's CLAUDE.md, whatever version is installed.
	// A section that is there is replaced with Force only.
	ClaudeMD bool
	// Source is what to install.
	Source Source
}

// A Report says what an installation did. Paths are relative to the project and use slashes.
type Report struct {
	// Installed lists the files that were written.
	Installed []string `json:"installed"`
	// Skipped lists the files that the user has changed since they were installed.
	Skipped []string `json:"skipped"`
	// Appended lists the files to which a section was added.
	Appended []string `json:"appended"`
	// Kept lists where changed files that were replaced are kept.
	Kept []string `json:"kept,omitempty"`
	// Removed lists what Uninstall has removed.
	Removed []string `json:"removed,omitempty"`
	// VersionSkipped says that no file was installed because the installed version is as new as the
	// bundled one. Only then are the two versions given.
	VersionSkipped   bool   `json:"version_skipped,omitempty"`
	BundledVersion   string `json:"bundled_version,omitempty"`
	InstalledVersion string `json:"installed_version,omitempty"`
}

// Install brings the bundled files into the project that [Project] names for o.BaseDir. Without
// force it does nothing when the installed version is the bundled one or newer.
//
// A directory or file that cannot be written is a fault.Precondition whose text has the path. The
// report then lists what was done before; each file is either whole or as it was, and the next
// Install continues from there.
//
// Concurrent calls for one directory do no harm to each other's files, but both reports may claim
// the same file.
func Install(o Options) (Report, error) {
	report := Report{Installed: []string{}, Skipped: []string{}, Appended: []string{}}
	bundled, err := Version(o.Source.Readme)
	if err != nil {
		return report, fault.Wrap(fault.Internal, err, "the bundled %s", readme)
	}
	base, err := filepath.Abs(o.BaseDir)
	if err != nil {
		return report, fault.Wrap(fault.Precondition, err, "resolve %s", o.BaseDir)
	}
	if installed := installedVersion(base); !o.Force && installed != "" &&
		semver.Compare("v"+installed, "v"+bundled) >= 0 {
		report.VersionSkipped = true
		report.BundledVersion, report.InstalledVersion = bundled, installed
		if !o.ClaudeMD {
			return report, nil
		}
	}
	files, err := manifest(o.Source)
	if err != nil {
		return report, fault.Wrap(fault.Internal, err, "read the bundled files")
	}
	in, err := begin(base, o)
	if err != nil {
		return report, err
	}
	defer in.close()
	in.report = &report
	if !report.VersionSkipped {
		if err := in.run(files, bundled); err != nil {
			return report, err
		}
	}
	if !o.ClaudeMD {
		return report, nil
	}
	return report, in.addSection(o.Source.Files)
}

// NeedsInstall reports whether baseDir has no complete installation of this product, of any
// version. It is true as well for a directory that cannot be read: Install will say what is wrong
// with it.
func NeedsInstall(baseDir string) bool {
	data, err := regular.ReadFile(filepath.Join(baseDir, readme), maxReadme)
	return err != nil || !ours().Match(data)
}

// maxReadme bounds the README that is read for its version, in bytes.
const maxReadme = 1 << 20

// An installation is one run of Install past the version check.
type installation struct {
	targets map[string]*target // by the bundle's folder: base or project
	linked  *target            // the project's .claude if that is a symbolic link, else nil
	record  record
	force   bool
	shared  bool // by Uninstall: what is in the project is another base directory's, too
	report  *Report
}

// begin opens the directories that files go to.
func begin(base string, o Options) (*installation, error) {
	project, err := Project(base)
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(project, base)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "place %s in %s", base, project)
	}
	if err := os.MkdirAll(base, 0o755); err != nil {
		return nil, failure(err, base)
	}
	in := &installation{targets: map[string]*target{}, force: o.Force}
	for _, at := range []struct{ folder, dir, reported string }{{baseFolder, base, filepath.ToSlash(rel)}, {projectFolder, project, "."}} {
		if err == nil {
			in.targets[at.folder], err = openTarget(at.dir, at.reported)
		}
	}
	if err == nil {
		err = in.openLinked(project)
	}
	if err == nil {
		in.record, err = loadRecord(in.targets[baseFolder], recordName, o.Force)
	}
	if err != nil {
		in.close()
	}
	return in, err
}

// openLinked opens the project's .claude if it is a symbolic link. A link that the user has made is
// followed, as it is when the base directory is one; links below it are not.
func (in *installation) openLinked(project string) error {
	claude := filepath.Join(project, claudeFolder)
	info, err := os.Lstat(claude)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		return nil // a folder, or one that will be made
	}
	in.linked, err = openTarget(claude, claudeFolder)
	return err
}

// claudeFolder is the folder in the project for skills and agents.
const claudeFolder = ".claude"

func (in *installation) target(f file) (t *target, name string) {
	if in.linked != nil && f.folder == projectFolder {
		if name, ok := strings.CutPrefix(f.path, claudeFolder+"/"); ok {
			return in.linked, name
		}
	}
	return in.targets[f.folder], f.path
}

func (in *installation) close() {
	for _, t := range []*target{in.targets[baseFolder], in.targets[projectFolder], in.linked} {
		if t != nil {
			t.root.Close()
		}
	}
}

// A step says what to do about a file.
type step struct {
	file
	theirs bool // the existing file belongs to the user
	skip   bool // and is left alone
}

// plan decides about every file before any is written.
func (in *installation) plan(files []file) ([]step, error) {
	steps := make([]step, 0, len(files))
	for _, f := range files {
		t, name := in.target(f)
		found, err := t.inspect(name)
		if err != nil {
			return nil, err
		}
		theirs := found.there && (found.odd || found.sum != sum(f.data) && found.sum != in.record.Files[f.key()])
		// README.md carries the version: without ours the installation would never be complete, so
		// it is replaced even when it was changed.
		steps = append(steps, step{f, theirs, theirs && !in.force && f.path != readme})
	}
	return steps, nil
}

// run installs the files in order. The last is README.md: it is written when all else, the record
// included, is in place.
func (in *installation) run(files []file, version string) error {
	steps, err := in.plan(files)
	if err != nil {
		return err
	}
	base := in.targets[baseFolder]
	last := steps[len(steps)-1]
	for _, s := range steps[:len(steps)-1] {
		if err = in.take(s); err != nil {
			break
		}
	}
	if err == nil {
		err = base.removeStale(files)
	}
	if err == nil {
		in.record.Version = version
		in.record.Files[last.key()] = sum(last.data)
	}
	// Also after a failure: what has been written must not be taken for the user's own by the next
	// attempt.
	if err := errors.Join(err, in.record.save(base, recordName)); err != nil {
		return err
	}
	return in.take(last)
}

func (in *installation) take(s step) error {
	t, name := in.target(s.file)
	reported := path.Join(t.reported, name)
	if s.skip {
		in.report.Skipped = append(in.report.Skipped, reported)
		return nil
	}
	kept, err := t.write(name, s.data, s.mode, s.theirs)
	if err != nil {
		return err
	}
	in.keep(t, kept)
	in.record.Files[s.key()] = sum(s.data)
	in.report.Installed = append(in.report.Installed, reported)
	return nil
}

// keep reports where a changed file was kept, if one was.
func (in *installation) keep(t *target, name string) {
	if name != "" {
		in.report.Kept = append(in.report.Kept, path.Join(t.reported, name))
	}
}
