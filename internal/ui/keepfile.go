package ui

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/ui/lua/kept"
)

// keepGrace is how long after it was written a file that cannot be read, or is empty, stays in
// place: something may still be writing it.
const keepGrace = 2 * time.Second

// A keptFile is the file of a kept object. One goroutine uses it at a time.
//
// It is replaced as a whole. What would be lost by that becomes the previous version, a file beside
// it, of which there is one.
type keptFile struct {
	base string // the base directory
	name string // of the object

	// known is the file whose content is in force, nil if there was none; hash is of that content.
	known  fs.FileInfo
	hash   [sha256.Size]byte
	types  []byte      // what it has before the data, which are the declarations
	looked fs.FileInfo // the file that was looked at last
	bad    bool        // and it could not be read
}

func (f *keptFile) rel(file string) string { return keptFolder + "/" + file }

func (f *keptFile) file() string            { return f.name + ".json" }
func (f *keptFile) previous() string        { return f.name + ".previous.json" }
func (f *keptFile) path(file string) string { return filepath.Join(f.base, keptFolder, file) }

// stat returns the file, or nil if there is none. Anything but a regular file of an allowed size is
// an error: writing would replace it, and what cannot be read is tried again at each look.
func (f *keptFile) stat() (fs.FileInfo, error) {
	info, err := os.Lstat(f.path(f.file()))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return info, errors.New("it is a symbolic link, which is not followed")
	case !info.Mode().IsRegular():
		return info, errors.New("it is not a regular file")
	case info.Size() > kept.Max:
		return info, fmt.Errorf("it is larger than %d MiB", kept.Max>>20)
	}
	return info, nil
}

// sameFile reports whether a file was not written in between.
func sameFile(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size() && a.Mode() == b.Mode()
}

// read returns the content. It is empty if there is no file.
func (f *keptFile) read() (content []byte, info fs.FileInfo, err error) {
	info, err = f.stat()
	f.looked = info
	if info != nil && err == nil {
		content, err = regular.ReadFile(f.path(f.file()), kept.Max)
	}
	f.bad = err != nil
	return content, info, err
}

// has reports whether a content is what the file had when it was used last.
func (f *keptFile) has(content []byte) bool {
	return f.known != nil && f.hash == sha256.Sum256(content)
}

func (f *keptFile) use(content []byte, info fs.FileInfo) {
	f.known, f.hash, f.types = info, sha256.Sum256(content), typesOf(content)
}

func typesOf(content []byte) []byte {
	types, _, _ := bytes.Cut(content, []byte("\n  \"data\": "))
	return bytes.Clone(types)
}

// dropped names the fields, as "Type.field", that are no longer declared.
func dropped(old, content []byte) []string {
	var was, is struct{ Types map[string]map[string]any }
	if json.Unmarshal(old, &was) != nil || json.Unmarshal(content, &is) != nil {
		return nil
	}
	var names []string
	for typ, fields := range was.Types {
		for field := range fields {
			if _, still := is.Types[typ][field]; !still && is.Types[typ] != nil && field != "$mutate" {
				names = append(names, typ+"."+field)
			}
		}
	}
	slices.Sort(names)
	return names
}

// isSame reports whether two texts have the same data and declarations, in whatever layout.
func isSame(a, b []byte) bool {
	var x, y struct{ Types, Data, More any }
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// setAside makes content the previous version, with the mode of the file. If only is set, it must
// be the only one: another is an error that is [fs.ErrExist].
func (f *keptFile) setAside(content []byte, only bool) error {
	mode := fs.FileMode(0o644)
	if info, err := f.stat(); info != nil && err == nil {
		mode = info.Mode().Perm()
	}
	_, err := files.WriteSynced(f.path(f.previous()), content, mode, func(path string) error {
		if _, err := os.Lstat(path); only && err == nil {
			return fs.ErrExist
		}
		return nil
	})
	return err
}

// saveAttempts is how often a session that ends tries to save what something else writes, too.
const saveAttempts = 10

type saved struct {
	err    error
	left   bool   // something else has written the file, which is to be read first
	reason string // why there is a new previous version, or ""
}

// save writes the data, unless the file has them, or something else has written it. What it has in
// fields that are no longer declared would be lost, so it becomes the previous version.
func (f *keptFile) save(data *kept.Snapshot, changed bool) (s saved) {
	content, err := data.Encode()
	if err != nil {
		return saved{err: err}
	}
	info, err := f.stat()
	migrated := !bytes.Equal(f.types, typesOf(content))
	var old []byte
	if err == nil && info != nil && (!changed || migrated || !sameFile(info, f.known)) {
		old, info, err = f.read()
	}
	mode := fs.FileMode(0o644)
	switch {
	case err != nil:
		return saved{err: err}
	case info == nil: // there is nothing to lose
	case changed && sameFile(info, f.known) && f.has(content):
		return saved{}
	case bytes.Equal(old, content), !changed && isSame(old, content):
		f.use(old, info)
		return saved{}
	case !sameFile(info, f.known) && !f.has(old):
		f.looked = nil // so it will have changed when it is looked at
		return saved{left: true}
	}
	if lost := dropped(old, content); migrated && len(lost) > 0 {
		s.reason = "its objects had fields that are no longer declared: " + strings.Join(lost, ", ")
		if err := f.setAside(old, false); err != nil {
			return saved{err: err}
		}
	}
	if info != nil {
		if mode = info.Mode().Perm(); mode&0o200 == 0 { // it may also have been made private
			return saved{err: errors.New("it is read-only"), reason: s.reason}
		}
	}
	now, err := files.WriteSynced(f.path(f.file()), content, mode, func(path string) error {
		last, _ := os.Lstat(path) // nil if there is none
		if s.left = !sameFile(last, info); s.left {
			return fs.ErrExist
		}
		return nil
	})
	switch {
	case s.left:
		f.looked = nil
	case err != nil:
		s.err = err
	default:
		f.looked = now
		f.use(content, now)
	}
	return s
}

// isFresh reports whether a file was written a moment ago.
func isFresh(info fs.FileInfo) bool {
	age := time.Since(info.ModTime())
	return age >= 0 && age < keepGrace
}
