package install

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ui-mcp/internal/fault"
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

// write puts data at name, whole or not at all: it is written to a new file that then takes the
// name. With keep, the existing file is renamed to name.orig, or name.orig.1 and so on if that is
// taken; kept is its new name, or "".
func (t *target) write(name string, data []byte, mode fs.FileMode, keep bool) (kept string, err error) {
	native := filepath.FromSlash(name)
	dir, base := filepath.Split(native)
	if dir != "" {
		if err := t.root.MkdirAll(filepath.Clean(dir), 0o755); err != nil {
			return "", t.failure(err, name)
		}
	}
	orig := ""
	for attempt := 1; ; attempt++ {
		temp := filepath.Join(dir, "."+base+tempMark+rand.Text()[:tempRandom])
		err := t.fill(temp, data, mode)
		if err == nil && keep && orig == "" {
			free := t.free(native + ".orig")
			if err = t.root.Rename(native, free); err == nil {
				orig = free
			}
		}
		if err == nil {
			err = t.root.Rename(temp, native)
		}
		switch {
		case err == nil:
			return filepath.ToSlash(orig), nil
		case t.isGone(temp) && attempt < maxAttempts:
			continue // another installation has removed the temporary file
		}
		_ = t.root.Remove(temp) // it may not even have been made
		if orig != "" {
			err = errors.Join(err, t.root.Rename(orig, native))
		}
		return "", t.failure(err, name)
	}
}

// maxAttempts bounds how often one file is written because others remove what is being written.
const maxAttempts = 10

func (t *target) isGone(name string) bool {
	_, err := t.root.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// Names of temporary files are .NAME.tmp-RANDOM. They exist for a moment only.
const (
	tempMark   = ".tmp-"
	tempRandom = 8
)

var tempName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf(`^\..+%s[A-Z2-7]{%d}$`, regexp.QuoteMeta(tempMark), tempRandom))
})

// removeAbandoned removes temporary files in a folder, which a killed installation may have left:
// temporary files of the file name, or with "" all. An installation that is under way writes its
// file again.
func (t *target) removeAbandoned(folder, name string) {
	entries, err := fs.ReadDir(t.root.FS(), folder)
	if err != nil {
		return // the folder does not exist yet, or writing to it will say what is wrong
	}
	for _, e := range entries {
		if !tempName().MatchString(e.Name()) || name != "" && !strings.HasPrefix(e.Name(), "."+name+tempMark) || !e.Type().IsRegular() {
			continue
		}
		_ = t.root.Remove(filepath.Join(filepath.FromSlash(folder), e.Name())) // another installation may be quicker
	}
}

func (t *target) fill(name string, data []byte, mode fs.FileMode) error {
	f, err := t.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
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
	return fault.Wrap(fault.Precondition, reason, "cannot install %s%s", name, hint)
}
