package install

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
)

// Uninstall removes what Install has written to baseDir and to its project, and nobody has changed
// since: files, folders that are empty then, and the section of CLAUDE.md. The report lists as
// skipped what stays: what was changed or cannot be read, and what another base directory of the
// project has installed, too. After an error, the next call continues.
func Uninstall(baseDir string) (Report, error) {
	report := Report{Installed: []string{}, Skipped: []string{}, Appended: []string{}}
	base, err := filepath.Abs(baseDir)
	if err != nil {
		return report, fault.Wrap(fault.Precondition, err, "resolve %s", baseDir)
	}
	own, err := os.Stat(filepath.Join(base, recordName))
	if err != nil {
		return report, fault.New(fault.NotFound, "nothing is installed in %s", baseDir)
	}
	in, err := begin(base, Options{})
	if err != nil {
		return report, err
	}
	defer in.close()
	if in.report = &report; len(in.record.Files) == 0 {
		return report, fault.New(fault.Precondition, "%s, which says what is installed, is damaged: installing with --force writes it again", filepath.Join(base, recordName))
	}
	in.shared = in.isShared(own)
	for _, key := range slices.Sorted(maps.Keys(in.record.Files)) {
		err = errors.Join(err, in.remove(key, in.record.Files[key]))
	}
	if err != nil {
		return report, err
	}
	t := in.targets[baseFolder]
	if err := t.root.Remove(recordName); err != nil {
		return report, t.failure(err, recordName)
	}
	return report, nil
}

// isShared reports whether the project has a base directory with another record than own.
func (in *installation) isShared(own fs.FileInfo) bool {
	root := in.targets[projectFolder].root
	records, _ := fs.Glob(root.FS(), "*/"+recordName) // the pattern is right
	return slices.ContainsFunc(append(records, claudeFolder+"/ui/"+recordName), func(name string) bool {
		info, err := os.Stat(filepath.Join(root.Name(), filepath.FromSlash(name)))
		return err == nil && !os.SameFile(info, own)
	})
}

// remove removes what the record has under a key, if it still has the recorded hash.
func (in *installation) remove(key, recorded string) error {
	if key == sectionKey {
		return in.removeSection(recorded)
	}
	folder, name, _ := strings.Cut(key, "/")
	if in.targets[folder] == nil {
		return nil // no program of ours has written that
	}
	t, name := in.target(file{folder: folder, path: name})
	reported := path.Join(t.reported, name)
	found, err := t.inspect(name)
	switch {
	case err == nil && !found.there:
		return nil
	case err != nil || found.odd || in.shared && folder == projectFolder || found.sum != recorded:
		in.report.Skipped = append(in.report.Skipped, reported)
		return nil
	}
	if err := t.root.Remove(filepath.FromSlash(name)); err != nil {
		return t.failure(err, name)
	}
	in.report.Removed = append(in.report.Removed, reported)
	for dir := path.Dir(name); dir != "." && t.root.Remove(filepath.FromSlash(dir)) == nil; dir = path.Dir(dir) {
	}
	return nil
}

// removeSection removes our section of CLAUDE.md, with the empty line before it. A file that has
// nothing else goes.
func (in *installation) removeSection(recorded string) error {
	t := in.targets[projectFolder]
	name, err := t.follow(sectionFile)
	var old []byte
	if err == nil {
		old, err = t.read(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	begin, end, unclear := findSection(old)
	if err != nil || unclear != nil || in.shared || sum(old[begin:end]) != recorded {
		in.report.Skipped = append(in.report.Skipped, sectionFile)
		return nil
	}
	native, eol := filepath.FromSlash(name), lineEnd(old)
	rest := bytes.TrimSuffix(old[:begin], eol)
	rest = append(bytes.Clone(rest), old[end:]...)
	if len(bytes.TrimSpace(rest)) == 0 {
		err = t.root.Remove(native)
	} else if info, stat := t.root.Stat(native); stat != nil {
		err = stat
	} else {
		err = files.WriteIn(t.root, native, rest, info.Mode().Perm())
	}
	if err != nil {
		return t.failure(err, sectionFile)
	}
	in.report.Removed = append(in.report.Removed, sectionFile)
	return nil
}
