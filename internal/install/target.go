package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
)

// A target is a directory that files are installed into. All access goes through an os.Root, so a
// symbolic link in it that leads elsewhere is an error and never a way out.
type target struct {
	root     *os.Root
	reported string // its path in reports, with slashes
}

func openTarget(dir, reported string) (*target, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, failure(err, dir)
	}
	return &target{root: root, reported: reported}, nil
}

// maxInstalled bounds the files that are read in a target, in bytes.
const maxInstalled = 16 << 20

func (t *target) read(name string) ([]byte, error) {
	return regular.ReadFileIn(t.root, filepath.FromSlash(name), maxInstalled)
}

// A found is what inspect finds where a file should go.
type found struct {
	there bool
	odd   bool   // not a regular file: a symbolic link, a socket...
	sum   string // of the content of a regular file
}

func (t *target) inspect(name string) (found, error) {
	info, err := t.root.Lstat(filepath.FromSlash(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return found{}, nil
	case err != nil:
		return found{}, t.failure(err, name)
	case info.IsDir():
		return found{}, t.failure(errors.New("a directory is in its place"), name)
	case !info.Mode().IsRegular():
		return found{there: true, odd: true}, nil
	}
	data, err := t.read(name)
	if err != nil {
		return found{}, t.failure(err, name)
	}
	return found{there: true, sum: sum(data)}, nil
}

// write puts data at name, whole or not at all. With keep, the existing file is renamed to
// name.orig, or name.orig.1 and so on if that is taken; kept is its new name, or "".
func (t *target) write(name string, data []byte, mode fs.FileMode, keep bool) (kept string, err error) {
	native := filepath.FromSlash(name)
	if err := t.root.MkdirAll(filepath.Dir(native), 0o755); err != nil {
		return "", t.failure(err, name)
	}
	if keep {
		kept = t.free(native + ".orig")
		if err := t.root.Rename(native, kept); err != nil {
			return "", t.failure(err, name)
		}
	}
	if err = files.WriteIn(t.root, native, data, mode); err != nil {
		if keep {
			err = errors.Join(err, t.root.Rename(kept, native))
		}
		return "", t.failure(err, name)
	}
	return filepath.ToSlash(kept), nil
}

// free returns the first of name, name.1, name.2... that does not exist.
func (t *target) free(name string) string {
	free := name
	for i := 1; ; i++ {
		if _, err := t.root.Lstat(free); err != nil {
			return free
		}
		free = fmt.Sprintf("%s.%d", name, i)
	}
}

var hashedScript = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-z]+)-[0-9a-f]{8}\.js$`) })

// removeStale removes the scripts of other builds: html/NAME-HASH.js where files has the same NAME
// with another hash.
func (t *target) removeStale(files []file) error {
	var current, stems []string
	for _, f := range files {
		dir, base := path.Split(f.path)
		if m := hashedScript().FindStringSubmatch(base); f.folder == baseFolder && dir == "html/" && m != nil {
			current, stems = append(current, base), append(stems, m[1])
		}
	}
	entries, err := fs.ReadDir(t.root.FS(), "html")
	if err != nil {
		return t.failure(err, "html")
	}
	for _, e := range entries {
		m := hashedScript().FindStringSubmatch(e.Name())
		if m == nil || !slices.Contains(stems, m[1]) || slices.Contains(current, e.Name()) {
			continue
		}
		// Another installation may have removed it meanwhile.
		if err := t.root.Remove(filepath.Join("html", e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return t.failure(err, path.Join("html", e.Name()))
		}
	}
	return nil
}

func (t *target) failure(err error, name string) error {
	return failure(err, filepath.Join(t.root.Name(), filepath.FromSlash(name)))
}

// failure says that name, an absolute path, could not be written. The operating system's reason is
// kept without the call and the path, which would only repeat that.
func failure(err error, name string) error {
	reason := err
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		reason = e.Err
	} else if e, ok := errors.AsType[*os.LinkError](err); ok {
		reason = e.Err
	}
	hint := ""
	if errors.Is(err, fs.ErrPermission) {
		hint = " (choose a directory that you may write to, or change its permissions)"
	}
	return fault.Wrap(fault.Precondition, reason, "cannot change %s%s", name, hint)
}
