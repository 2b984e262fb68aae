// Package files writes small files whole or not at all: a reader sees the old content or the new
// one, whenever the writer ends. A crash of the machine, rather than of the program, may lose the
// newest, except with [WriteSynced]. A [Folder] keeps JSON documents that way. A [Lock] has one
// holder at a time. Of what files contain, the package knows the member that says their format.
package files

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/safetext"
)

// MaxSize is how long a document may be, in bytes.
const MaxSize = 16 << 20

const (
	extension = ".json" // of documents
	// partial is the end of the names of files that are still being written. No other program's
	// files have it, since some folders are the person's.
	partial = ".ui-mcp.part"
)

// SafeName returns the last name of a path as a name that each system takes behind other
// characters, of at most 120 bytes. It keeps a short extension, but not the end of the names of
// files that are still being written.
func SafeName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"|?*`, r) {
			return '_'
		}
		return r
	}, safetext.Label(name, len(name)*3))
	extension := filepath.Ext(name)
	if len(extension) > 20 {
		extension = ""
	}
	name = safetext.Cut(strings.TrimSuffix(name, extension), 100) + extension
	name = strings.TrimRight(name, ". ")
	if rest, ok := strings.CutSuffix(name, partial); ok {
		name = rest + "_" + partial[1:]
	}
	return name
}

// IsPlain reports whether a document may have a name, as all of our own IDs: of letters, digits, -
// and _.
func IsPlain(name string) bool {
	return name != "" && len(name) <= 100 && !strings.ContainsFunc(name, func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '_' && c != '-'
	})
}

// Write replaces the content of a file, or makes the file, with a mode before the umask. Symbolic
// links are replaced, not followed. Concurrent writers of one file do no harm: either may win. What
// writers of this file have left that were killed a while ago is removed.
func Write(path string, content []byte, mode fs.FileMode) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	return WriteIn(root, filepath.Base(path), content, mode)
}

// WriteSynced is Write that also survives a crash of the machine: when it returns, the content is
// on the disk. Unless nil, check is called with the path of the file right before the content takes
// its place, and, where the system has links, right after with a path of what was there: what a
// program writes in between is not lost. If check fails, the file stays. WriteSynced returns what
// [os.Lstat] returns until the file is written again.
func WriteSynced(path string, content []byte, mode fs.FileMode, check func(path string) error) (info fs.FileInfo, err error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	base := filepath.Base(path)
	replaced := partialName(base)
	var linked bool
	err = WriteFrom(root, base, mode, func(f *os.File) error {
		_, err := f.Write(content)
		if err == nil {
			err = f.Sync()
		}
		if err == nil {
			info, err = f.Stat()
		}
		if err == nil && check != nil {
			linked = root.Link(base, replaced) == nil
			err = check(path)
		}
		return err
	})
	if linked {
		if err == nil {
			if err = check(filepath.Join(filepath.Dir(path), replaced)); err != nil {
				return nil, errors.Join(err, root.Rename(replaced, base))
			}
		}
		err = errors.Join(err, root.Remove(replaced))
	}
	if err != nil {
		return nil, err
	}
	if dir, err := root.Open("."); err == nil {
		_ = dir.Sync() // not every system can
		_ = dir.Close()
	}
	return info, nil
}

// WriteIn is Write for a file in a directory that no link may lead out of.
func WriteIn(root *os.Root, path string, content []byte, mode fs.FileMode) error {
	return WriteFrom(root, path, mode, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}

const (
	// abandonedTime is how old a partial file is that no writer will rename any more.
	abandonedTime = time.Minute
	// Names of partial files have randomSize random characters, of randomDigits.
	randomSize   = 8
	randomDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

func partialName(path string) string { return path + "." + rand.Text()[:randomSize] + partial }

// WriteFrom is WriteIn for what fill writes, which may be large: it is called once. If it fails,
// nothing stays.
func WriteFrom(root *os.Root, path string, mode fs.FileMode, fill func(*os.File) error) error {
	dir, base := filepath.Split(path)
	removeAbandoned(root, filepath.Clean(dir), abandonedTime, func(partial string) bool {
		rest, ok := strings.CutPrefix(partial, base)
		return ok && rest == filepath.Ext(partial)
	})
	name := partialName(path)
	tmp, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	err = fill(tmp)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = regular.Patiently(true, func() error { return root.Rename(name, path) })
	}
	if err != nil {
		return errors.Join(err, root.Remove(name))
	}
	return nil
}

// removeAbandoned removes the partial files in a folder whose writers were killed a while ago, and
// whose names are as they must be up to their ending.
func removeAbandoned(root *os.Root, dir string, age time.Duration, is func(name string) bool) {
	entries, _ := fs.ReadDir(root.FS(), filepath.ToSlash(dir)) // who wants to use the folder learns of the error
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), partial)
		random := strings.TrimPrefix(filepath.Ext(name), ".")
		if !ok || !e.Type().IsRegular() || len(random) != randomSize || strings.Trim(random, randomDigits) != "" || !is(name) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > age {
			_ = root.Remove(filepath.Join(dir, e.Name())) // another process may be quicker
		}
	}
}

// A Folder holds documents by name. It is safe for concurrent use; of two concurrent writers of one
// name, either may win.
type Folder struct{ dir string }

// Open opens a folder, and makes it when it does not exist. Only the user who runs the program can
// look into a folder that Open made.
func Open(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	RemoveAbandoned(root, ".", abandonedTime)
	return &Folder{dir: dir}, nil
}

// RemoveAbandoned removes what killed writers of any file of a folder, which need not exist, have
// left there: what nobody has written to for so long.
func RemoveAbandoned(root *os.Root, dir string, age time.Duration) {
	removeAbandoned(root, dir, age, func(string) bool { return true })
}

// Put stores a document, replacing the one of that name.
func (f *Folder) Put(name string, content []byte) error {
	path, err := f.path(name)
	if err != nil {
		return err
	}
	if len(content) > MaxSize {
		return fault.New(fault.Exhausted, "the document has %d bytes: the limit is %d", len(content), MaxSize)
	}
	return Write(path, content, 0o600)
}

// Delete removes a document. It is no error if there is no such document.
func (f *Folder) Delete(name string) error {
	path, err := f.path(name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Has reports whether there is a file for a document of that name.
func (f *Folder) Has(name string) bool {
	path, err := f.path(name)
	if err != nil {
		return false
	}
	_, err = os.Lstat(path)
	return err == nil
}

// All returns the documents by name. The error lists the files that could not be read or are too
// long; the other documents are returned with it.
func (f *Folder) All() (map[string][]byte, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	var problems []error
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), extension)
		if !ok || !IsPlain(name) || !e.Type().IsRegular() {
			continue
		}
		content, err := regular.ReadFile(filepath.Join(f.dir, e.Name()), MaxSize)
		switch {
		case errors.Is(err, fs.ErrNotExist): // deleted meanwhile
		case err != nil:
			problems = append(problems, err)
		default:
			all[name] = content
		}
	}
	return all, errors.Join(problems...)
}

func (f *Folder) path(name string) (string, error) {
	if !IsPlain(name) {
		return "", fault.New(fault.Invalid, "%q cannot be the name of a document", name)
	}
	return filepath.Join(f.dir, name+extension), nil
}
