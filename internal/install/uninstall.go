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
// since: files, folders that are empty then, and the section of CLAUDE.md. The report lists what
// stays since it was changed as skipped.
func Uninstall(baseDir string) (Report, error) {
	report := Report{Installed: []string{}, Skipped: []string{}, Appended: []string{}}
	base, err := filepath.Abs(baseDir)
	if err != nil {
		return report, fault.Wrap(fault.Precondition, err, "resolve %s", baseDir)
	}
	if _, err := os.Stat(filepath.Join(base, recordName)); err != nil {
		return report, fault.New(fault.NotFound, "nothing is installed in %s", baseDir)
	}
	in, err := begin(base, nil, Options{ClaudeMD: true})
	if err != nil {
		return report, err
	}
	defer in.close()
	in.report = &report
	for _, key := range slices.Sorted(maps.Keys(in.record.Files)) {
		if err := in.remove(key, in.record.Files[key]); err != nil {
			return report, err
		}
	}
	own := in.targets[baseFolder]
	if err := own.root.Remove(recordName); err != nil {
		return report, own.failure(err, recordName)
	}
	return report, nil
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
	case err != nil:
		return err
	case !found.there:
		return nil
	case found.odd || found.sum != recorded:
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
	if err != nil {
		return err
	}
	old, err := t.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	begin, end, unclear := findSection(old)
	switch {
	case err != nil:
		return t.failure(err, sectionFile)
	case unclear != nil || sum(old[begin:end]) != recorded:
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
