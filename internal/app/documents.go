package app

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
)

// maxDocument bounds one document, in bytes.
const maxDocument = 4 << 20

// resources is the folder of the documents, in the base directory and in the bundle.
const resources = "resources"

// Document returns a file below resources/, whose name has slashes. Bundled documents exist even if
// the base directory has lost them. Names that lead elsewhere, even through symbolic links, are
// [fault.NotFound], like those of missing files.
func (a *App) Document(name string) ([]byte, error) {
	missing := fault.New(fault.NotFound, "there is no document %q in %s", name, resources)
	if !fs.ValidPath(name) || name == "." || hidden(name) {
		return nil, missing
	}
	for files := range a.documents() {
		data, err := readDocument(files, name)
		switch {
		case err == nil:
			return data, nil
		case fault.KindOf(err) == fault.Exhausted:
			return nil, err
		}
	}
	return nil, missing
}

// AppReadme returns the README.md of an app. An app without one is [fault.NotFound].
func (a *App) AppReadme(name string) ([]byte, error) {
	missing := fault.New(fault.NotFound, "there is no README.md of an app %q", name)
	dir := a.Dir()
	if dir == "" || !fs.ValidPath(name) || name == "." || strings.Contains(name, "/") || hidden(name) {
		return nil, missing
	}
	root, err := os.OpenRoot(filepath.Join(dir, "apps", name))
	if err != nil {
		return nil, missing
	}
	defer root.Close()
	data, err := readDocument(root.FS(), "README.md")
	if err != nil && fault.KindOf(err) != fault.Exhausted {
		return nil, missing
	}
	return data, err
}

func readDocument(files fs.FS, name string) ([]byte, error) {
	// Opening a named pipe would wait for a process at its other end.
	if info, err := fs.Stat(files, name); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, fs.ErrNotExist)
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if len(data) > maxDocument {
		return nil, fault.New(fault.Exhausted, "the document %q has more than %d bytes", name, maxDocument)
	}
	return data, err
}

// Documents returns the names that Document knows and that begin with prefix, sorted, at most
// limit.
func (a *App) Documents(prefix string, limit int) []string {
	var names []string
	for files := range a.documents() {
		// Unreadable folders are left out.
		_ = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil && d != nil && d.IsDir():
				return fs.SkipDir
			case err != nil:
				return nil
			case name != "." && hidden(name) && d.IsDir():
				return fs.SkipDir
			case !d.IsDir() && !hidden(name) && strings.HasPrefix(name, prefix):
				names = append(names, name)
			}
			return nil
		})
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return names[:min(limit, len(names))]
}

// hidden reports whether any part of a name begins with a dot.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
}

// documents are the folder in the base directory, if it is there, and the bundle's. Nothing outside
// them can be reached.
func (a *App) documents() iter.Seq[fs.FS] {
	return func(yield func(fs.FS) bool) {
		if dir := a.Dir(); dir != "" {
			if root, err := os.OpenRoot(filepath.Join(dir, resources)); err == nil {
				defer root.Close()
				if !yield(root.FS()) {
					return
				}
			}
		}
		if files, err := fs.Sub(a.opts.Source.Files, path.Join("base", resources)); err == nil {
			yield(files)
		}
	}
}
