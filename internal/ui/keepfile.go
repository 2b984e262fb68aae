package ui

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/ui/keep"
)

// keptFolder is the folder of kept data in the base directory.
const keptFolder = "data"

// maxAsides bounds how many files of one sort are set aside for one file of data.
const maxAsides = 20

// errAsides is why no more files are set aside.
var errAsides = errors.New("look at them and remove them")

// A keptFile is the file of a kept object, and the lock that says whose it is. One goroutine uses
// it at a time.
type keptFile struct {
	base    string // the base directory
	name    string // of the object
	session string // for those who want to know whose the lock is
	lock    *files.Lock
	owned   bool // also where the system has no locks

	// known is the file whose content is in force or was saved, nil if there was none; hash is of
	// that content, and canonical of what [keep.Encode] makes of it: nil if that is still to be
	// made, of doc.
	known     fs.FileInfo
	hash      [sha256.Size]byte
	canonical []byte
	doc       *keep.Document
	types     map[string]keep.Type // what the last save declares; nil: nothing was saved since reading
	looked    fs.FileInfo          // the file that was looked at last
	replaced  []*replacedFile      // by saving, the oldest first
	owed      []owed               // copies to set aside before the next save

	lookFailed bool // it could not be looked at
}

// rel returns the path of a file in messages.
func (f *keptFile) rel(file string) string { return keptFolder + "/" + file }

func (f *keptFile) file() string            { return f.name + ".json" }
func (f *keptFile) path(file string) string { return filepath.Join(f.base, keptFolder, file) }
func (f *keptFile) lockPath() string        { return f.path("." + f.name + ".lock") }

// own tries to become the owner. It returns false without an error while another session is.
func (f *keptFile) own() (bool, error) {
	if f.owned {
		if f.lock == nil {
			return true, nil
		}
		if inPlace, _ := f.lock.InPlace(); inPlace {
			return true, nil
		}
		_ = f.lock.Close() // its folder was removed, and with it what the lock was good for
		f.lock, f.owned = nil, false
	}
	if err := os.Mkdir(f.path(""), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return false, err
	}
	lock, err := files.TryLock(f.lockPath(), 0o644)
	if errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOLCK) {
		f.owned = true // this file system has no locks
		return true, nil
	}
	if lock == nil || err != nil {
		return false, err
	}
	f.lock, f.owned = lock, true
	_ = os.WriteFile(f.lockPath(), fmt.Appendf(nil, "session %s of the server with the process ID %d\n", f.session, os.Getpid()), 0o644) // only for messages
	return true, nil
}

// owner describes who has the lock.
func (f *keptFile) owner() string {
	text, _ := regular.ReadFile(f.lockPath(), 200) // Windows does not let others read it
	if line, _, ok := strings.Cut(string(text), "\n"); ok && strings.HasPrefix(line, "session ") {
		return line
	}
	return "another session"
}

// disown ends the ownership.
func (f *keptFile) disown() {
	_ = f.rescue() // what cannot be set aside now is lost
	f.forget(len(f.replaced))
	if f.lock != nil {
		_ = f.lock.Unlock() // it ends with the process at the latest
	}
	f.lock, f.owned = nil, false
}

// stat returns the file, or nil if there is none. Anything but a regular file is an error: writing
// would replace it, and reading might wait.
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

// read returns the content, or nil if there is no file.
func (f *keptFile) read() (content []byte, info fs.FileInfo, err error) {
	info, err = f.stat()
	f.looked, f.lookFailed = info, err != nil
	if info == nil || err != nil {
		return nil, info, err
	}
	content, err = regular.ReadFile(f.path(f.file()), keep.MaxSize)
	if content == nil && err == nil {
		content = []byte{}
	}
	return content, info, err
}

// use records which content is in force.
func (f *keptFile) use(content []byte, info fs.FileInfo, doc *keep.Document) {
	f.known, f.hash, f.doc, f.canonical, f.types = info, sha256.Sum256(content), doc, nil, nil
}

// last returns the text of the data that are in force or were saved last, or nil.
func (f *keptFile) last() []byte {
	if f.doc != nil {
		f.canonical, _ = keep.Encode(f.doc)
		f.doc = nil
	}
	return f.canonical
}

// setAside keeps content beside the file, with the mode of the file, and returns its name.
func (f *keptFile) setAside(why string, content []byte) (string, error) {
	mode := fs.FileMode(0o644)
	if info, _ := f.stat(); info != nil && info.Mode().IsRegular() {
		mode = info.Mode().Perm()
	}
	for n := 1; n <= maxAsides; n++ {
		name := fmt.Sprintf("%s.%s-%d.json", f.name, why, n)
		// Another session may want the same name at the same time.
		taken, err := regular.Open(f.path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			if _, none := os.Lstat(f.path(name)); none != nil {
				return "", err
			}
			if old, err := regular.ReadFile(f.path(name), keep.MaxSize); err == nil && bytes.Equal(old, content) {
				return name, nil
			}
			continue
		}
		_ = taken.Close() // it is replaced
		if _, err := files.WriteSynced(f.path(name), content, mode); err != nil {
			_ = os.Remove(f.path(name))
			return "", err
		}
		return name, nil
	}
	return "", fmt.Errorf("there are %d files %s already: %w", maxAsides, f.rel(f.name+"."+why+"-N.json"), errAsides)
}

// asides returns the files that were set aside, sorted.
func (f *keptFile) asides() []string {
	entries, _ := os.ReadDir(f.path("")) // without the folder there are none
	var names []string
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Name(), f.name+"."); ok && strings.HasSuffix(rest, ".json") && rest != "json" {
			names = append(names, e.Name())
		}
	}
	return names
}

// A saved is what has become of an attempt to save.
type saved struct {
	err   error
	lost  bool     // another session is the owner
	left  bool     // something else has written the file, which is to be read first
	aside []string // files that were set aside
	// reason is why what they have could not be read or is not kept, or "".
	reason string
}

// add adds what another step has done.
func (s *saved) add(t saved) {
	s.err = cmp.Or(s.err, t.err)
	s.aside, s.reason = append(s.aside, t.aside...), cmp.Or(s.reason, t.reason)
}

// save writes the data, unless the file has them. What something else has written there meanwhile
// is set aside if the app has changed its data, too; else it stays, to be read.
func (f *keptFile) save(doc *keep.Document, changed bool) (s saved) {
	content, err := keep.Encode(doc)
	if err != nil {
		return saved{err: err}
	}
	owner, err := f.own()
	if err != nil || !owner {
		return saved{err: err, lost: err == nil}
	}
	if s = f.rescue(); s.err != nil {
		return s
	}
	if s.add(f.settle()); s.err != nil {
		return s
	}
	info, err := f.stat()
	if s.err = err; err != nil {
		return s
	}
	f.last()
	there := replacedFile{was: info, hash: f.hash} // what is about to be replaced
	if info != nil && !sameFile(info, f.known) {
		theirs, read, err := f.read()
		if s.err = err; err != nil {
			return s
		}
		there.was, there.hash = read, sha256.Sum256(theirs)
		if theirs != nil && (f.known == nil || there.hash != f.hash) {
			if !changed && f.known != nil {
				f.looked, s.left = nil, true // so it will have changed when it is looked at
				return s
			}
			same := false
			if there.aside, same = f.others(theirs, content, &s); s.err != nil || s.left {
				return s
			}
			f.canonical = nil
			if same {
				f.use(theirs, read, nil)
				f.canonical = content
				return s
			}
		}
		info = read
	}
	if info != nil && bytes.Equal(content, f.canonical) {
		f.known, f.types = info, doc.Types
		return s
	}
	if s.err = f.dropped(doc, &s); s.err != nil {
		return s
	}
	mode := fs.FileMode(0o644)
	if info != nil {
		mode = info.Mode().Perm() // the person may have made it private
	}
	info, old, err := files.Replace(f.path(f.file()), content, mode)
	if s.err = err; err != nil {
		return s
	}
	f.looked = info
	f.use(content, info, nil)
	f.canonical, f.types = content, doc.Types
	if old != nil {
		there.file, there.until = old, time.Now().Add(keepGrace)
		f.replaced = append(f.replaced, &there)
		s.add(f.rescue()) // it may have changed after it was looked at
		f.forget(len(f.replaced) - maxReplaced)
	}
	return s
}

// An owed is a copy of data of which the next save has less, and why it has less.
type owed struct {
	content []byte
	reason  string
}

// settle sets aside what is owed.
func (f *keptFile) settle() (s saved) {
	for len(f.owed) > 0 && s.err == nil {
		var name string
		if name, s.err = f.setAside("before", f.owed[0].content); s.err == nil {
			s.aside, s.reason = append(s.aside, name), f.owed[0].reason
			f.owed = f.owed[1:]
		}
	}
	return s
}

// dropped sets the last save aside if it has values of fields that are no longer declared: code was
// loaded that removes them.
func (f *keptFile) dropped(doc *keep.Document, s *saved) error {
	gone := map[string]bool{} // fields, as "Type.field"
	for typ, then := range f.types {
		now, is := doc.Types[typ]
		for field := range then.Fields {
			if _, still := now.Fields[field]; is && !still {
				gone[typ+"."+field] = true
			}
		}
	}
	if len(gone) == 0 || f.canonical == nil {
		return nil
	}
	old, err := keep.Decode(f.canonical)
	if err != nil {
		return err
	}
	lost := map[string]bool{}
	for _, n := range old.Nodes {
		if n == nil {
			continue
		}
		for _, field := range n.Fields {
			if name := n.Type + "." + field.Name; gone[name] {
				lost[name] = true
			}
		}
	}
	if len(lost) == 0 {
		return nil
	}
	name, err := f.setAside("before", f.canonical)
	if err == nil {
		s.aside, s.reason = append(s.aside, name), lostFields(slices.Sorted(maps.Keys(lost)))
	}
	return err
}

// lostFields says why a file with fields was set aside.
func lostFields(names []string) string {
	return "its objects had fields that are no longer declared: " + strings.Join(names, ", ")
}

// others sets aside what something else has written, unless it is the same data, nothing, or a
// newer version's. It returns where.
func (f *keptFile) others(theirs, ours []byte, s *saved) (name string, same bool) {
	if len(theirs) == 0 {
		return "", false // an editor is about to write, or has been stopped
	}
	why, reason := "conflict", ""
	doc, err := keep.Decode(theirs)
	if errors.Is(err, keep.ErrNewer) {
		f.looked, s.left = nil, true // it stays
		return "", false
	}
	if err != nil {
		why, reason = "broken", err.Error()
	} else if again, err := keep.Encode(doc); err == nil && bytes.Equal(again, ours) {
		return "", true
	}
	if name, s.err = f.setAside(why, theirs); s.err == nil {
		s.aside, s.reason = append(s.aside, name), cmp.Or(s.reason, reason)
	}
	return name, false
}
