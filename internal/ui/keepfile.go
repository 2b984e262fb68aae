package ui

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/ui/keep"
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
	doc    *keep.Document    // what it has, or nil
	text   [sha256.Size]byte // of what [keep.Encode] makes of doc; zero if that is not known yet
	looked fs.FileInfo       // the file that was looked at last
	bad    bool              // and it could not be read
}

// rel returns the path of a file in messages.
func (f *keptFile) rel(file string) string { return keptFolder + "/" + file }

func (f *keptFile) file() string            { return f.name + ".json" }
func (f *keptFile) previous() string        { return f.name + ".previous.json" }
func (f *keptFile) path(file string) string { return filepath.Join(f.base, keptFolder, file) }

// stat returns the file, or nil if there is none. Anything but a regular file of an allowed size is
// an error: writing would replace it, and reading might wait or take all memory.
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
	case info.Size() > keep.MaxSize:
		return info, fmt.Errorf("it is larger than %d MiB", keep.MaxSize>>20)
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
		content, err = regular.ReadFile(f.path(f.file()), keep.MaxSize)
	}
	f.bad = err != nil
	return content, info, err
}

// use records which content is in force.
func (f *keptFile) use(content []byte, info fs.FileInfo, doc *keep.Document) {
	f.known, f.hash, f.doc, f.text = info, sha256.Sum256(content), doc, [sha256.Size]byte{}
}

// has reports whether a text has the data in force.
func (f *keptFile) has(text []byte) bool {
	if f.doc != nil && f.text == [sha256.Size]byte{} {
		if again, err := keep.Encode(f.doc); err == nil {
			f.text = sha256.Sum256(again)
		}
	}
	return f.doc != nil && f.text == sha256.Sum256(text)
}

// setAside makes content the previous version, with the mode of the file.
func (f *keptFile) setAside(content []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := f.stat(); info != nil && err == nil {
		mode = info.Mode().Perm()
	}
	_, err := files.WriteSynced(f.path(f.previous()), content, mode)
	return err
}

// A saved is what has become of an attempt to save.
type saved struct {
	err    error
	left   bool   // something else has written the file, which is to be read first
	reason string // why there is a new previous version, or ""
}

// save writes the data, unless the file has them. What something else has written there meanwhile
// becomes the previous version if the app has changed its data, too; else it stays, to be read. So
// do data with fields that are no longer declared.
func (f *keptFile) save(doc *keep.Document, changed bool) (s saved) {
	content, err := keep.Encode(doc)
	if err != nil {
		return saved{err: err}
	}
	info, err := f.stat()
	if err != nil {
		return saved{err: err}
	}
	var previous []byte
	if !sameFile(info, f.known) {
		theirs, read, err := f.read()
		if err != nil {
			return saved{err: err}
		}
		info = read
		other, err := keep.Decode(theirs)
		switch {
		case info == nil || f.known != nil && sha256.Sum256(theirs) == f.hash:
		case len(theirs) == 0 && !isFresh(info): // there is nothing to lose
		case !changed, err != nil && isFresh(info), errors.Is(err, keep.ErrNewer):
			f.looked = nil // so it will have changed when it is looked at
			return saved{left: true}
		default:
			previous, s.reason = theirs, "something else had written it while the app had changes of its own, which were saved"
			if other != nil {
				if again, err := keep.Encode(other); err == nil && bytes.Equal(again, content) {
					f.use(theirs, info, other)
					return saved{}
				}
			}
		}
	}
	if previous == nil && info != nil && f.has(content) {
		f.known, f.doc = info, doc
		return saved{}
	}
	if lost := dropped(f.doc, doc); previous == nil && len(lost) > 0 {
		if previous, err = keep.Encode(f.doc); err != nil {
			return saved{err: err}
		}
		s.reason = "its objects had fields that are no longer declared: " + strings.Join(lost, ", ")
	}
	if previous != nil {
		if err := f.setAside(previous); err != nil {
			return saved{err: err}
		}
	}
	mode := fs.FileMode(0o644)
	if info != nil {
		if mode = info.Mode().Perm(); mode&0o200 == 0 { // it may also have been made private
			return saved{err: errors.New("it is read-only"), reason: s.reason}
		}
	}
	now, old, err := files.Replace(f.path(f.file()), content, mode)
	if err != nil {
		return saved{err: err, reason: s.reason}
	}
	if old != nil { // something may have been renamed to the path since info
		defer old.Close()
		if there, err := old.Stat(); err != nil || !sameFile(there, info) {
			theirs, err := io.ReadAll(io.LimitReader(old, keep.MaxSize))
			if err == nil && len(theirs) > 0 && !bytes.Equal(theirs, content) {
				err = f.setAside(theirs)
				s.reason = "something else had written it in the moment in which the app saved"
			}
			s.err = err
		}
	}
	f.looked = now
	f.use(content, now, doc)
	f.text = f.hash
	return s
}

// isFresh reports whether a file was written a moment ago.
func isFresh(info fs.FileInfo) bool {
	age := time.Since(info.ModTime())
	return age >= 0 && age < keepGrace
}

// dropped names the fields of which doc has less than old since they are no longer declared, as
// "Type.field".
func dropped(old, doc *keep.Document) []string {
	if old == nil || maps.EqualFunc(old.Types, doc.Types, keep.Type.Same) && !hasWas(old) {
		return nil
	}
	count := map[string]int{}
	for d, sign := range map[*keep.Document]int{old: 1, doc: -1} {
		for _, n := range d.Nodes {
			if n == nil || n.Type == "" {
				continue
			}
			now, is := doc.Types[n.Type]
			for _, field := range n.Fields {
				if _, still := now.Fields[field.Name]; is && !still && isDeclared(d, n, field.Name) {
					count[n.Type+"."+field.Name] += sign
				}
			}
		}
	}
	maps.DeleteFunc(count, func(_ string, n int) bool { return n <= 0 })
	return slices.Sorted(maps.Keys(count))
}

// isDeclared reports whether the declaration for which an object was made has a field.
func isDeclared(d *keep.Document, n *keep.Node, field string) bool {
	t := d.Types[n.Type]
	if n.Was != nil {
		t = *n.Was
	}
	_, is := t.Fields[field]
	return is
}

// hasWas reports whether a document has objects that were made for an earlier declaration.
func hasWas(d *keep.Document) bool {
	return slices.ContainsFunc(d.Nodes, func(n *keep.Node) bool { return n != nil && n.Was != nil })
}
