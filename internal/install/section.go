package install

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"

	"ui-mcp/internal/fault"
)

const (
	sectionFile = "CLAUDE.md" // in the project
	sectionText = "claude.md" // in the bundle: what stands between the markers
	sectionKey  = projectFolder + "/" + sectionFile + "#ui-mcp"

	sectionBegin = "<!-- ui-mcp: begin -->"
	sectionEnd   = "<!-- ui-mcp: end -->"
)

// addSection puts our section into the project's CLAUDE.md, between two marker comments: at the end
// of a file that has none, or in a new file. An existing section is left alone unless force is set.
// Then it is replaced, and if its text was changed by hand, the old file is kept as CLAUDE.md.orig.
// Everything outside the markers stays as it is, byte for byte.
func (in *installation) addSection(src fs.FS) error {
	text, err := fs.ReadFile(src, sectionText)
	if err != nil {
		return fault.Wrap(fault.Internal, err, "the bundled section for %s", sectionFile)
	}
	t := in.targets[projectFolder]
	name, err := t.follow(sectionFile)
	if err != nil {
		return err
	}
	old, err := t.read(name)
	there := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return t.failure(err, sectionFile)
	}
	section := markedSection(text, old)
	begin, end, err := findSection(old)
	if err != nil {
		return t.failure(err, sectionFile)
	}
	var next []byte
	keep := false
	switch {
	case end == 0:
		next = append(separated(old), section...)
	case !in.force || bytes.Equal(old[begin:end], section):
		return nil
	default:
		next = append(append(bytes.Clone(old[:begin]), section...), old[end:]...)
		keep = sum(old[begin:end]) != in.record.Files[sectionKey]
	}
	mode := fs.FileMode(0o644)
	if there {
		info, err := t.root.Stat(filepath.FromSlash(name))
		if err != nil {
			return t.failure(err, sectionFile)
		}
		mode = info.Mode().Perm()
	}
	kept, err := t.write(name, next, mode, keep)
	if err != nil {
		return err
	}
	in.keep(t, kept)
	in.record.Files[sectionKey] = sum(section)
	in.report.Appended = append(in.report.Appended, sectionFile)
	return in.record.save(in.targets[baseFolder], recordName)
}

// markedSection is text between its markers, with the line ends of the file it goes to.
func markedSection(text, file []byte) []byte {
	section := []byte(sectionBegin + "\n" + string(bytes.TrimSpace(text)) + "\n" + sectionEnd + "\n")
	return bytes.ReplaceAll(section, []byte("\n"), lineEnd(file))
}

// lineEnd returns how a file ends its lines. A carriage return at its end would make an end of
// Windows with the line feed that follows.
func lineEnd(file []byte) []byte {
	if bytes.Contains(file, []byte("\r\n")) || bytes.HasSuffix(file, []byte("\r")) {
		return []byte("\r\n")
	}
	return []byte("\n")
}

// separated returns a file's content followed by an empty line, for a section to be appended.
func separated(file []byte) []byte {
	if len(bytes.TrimSpace(file)) == 0 {
		return bytes.Clone(file)
	}
	eol := lineEnd(file)
	out := bytes.Clone(file)
	if !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, eol...)
	}
	if !bytes.HasSuffix(out, append(bytes.Clone(eol), eol...)) {
		out = append(out, eol...)
	}
	return out
}

// findSection returns where the marked section of a file begins and ends, the line end after it
// included; 0 and 0 if there is no section.
func findSection(file []byte) (begin, end int, err error) {
	begin = bytes.Index(file, []byte(sectionBegin))
	if begin < 0 {
		return 0, 0, nil
	}
	length := bytes.Index(file[begin:], []byte(sectionEnd))
	if length < 0 {
		return 0, 0, errors.New(`it has "` + sectionBegin + `" without "` + sectionEnd + `" after it: add the second comment, or remove the first`)
	}
	end = begin + length + len(sectionEnd)
	for _, eol := range []string{"\r\n", "\n"} {
		if bytes.HasPrefix(file[end:], []byte(eol)) {
			return begin, end + len(eol), nil
		}
	}
	return begin, end, nil
}

// follow resolves a file that the user may have made a symbolic link, such as a CLAUDE.md that is
// AGENTS.md. A link that leads out of the target, or to nothing, is an error.
func (t *target) follow(name string) (string, error) {
	info, err := t.root.Lstat(name)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return name, nil
	}
	root, err := filepath.EvalSymlinks(t.root.Name())
	to, missing := filepath.EvalSymlinks(filepath.Join(root, name))
	inside, apart := filepath.Rel(root, to)
	if errors.Join(err, missing, apart) != nil || !filepath.IsLocal(inside) {
		return "", t.failure(errors.New("it is a symbolic link that leads nowhere, or out of the project: add the section to its target yourself"), name)
	}
	return filepath.ToSlash(inside), nil
}
