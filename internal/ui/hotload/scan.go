package hotload

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
	"ui-mcp/internal/regular"
)

// maxDirs bounds a look: more folders than any app has, few enough to walk in a moment. It is
// reached by folders that link to each other crosswise, and by a root that was set to a whole disk.
const maxDirs = 10_000

type snapshot struct {
	files  map[string]file // by the path at which it is reached from a root
	dirs   map[string]bool // real directories that are watched; true: any name in it may matter, false: only points
	points map[string]bool // real paths at which any event matters: links, their targets, what is missing on the way

	problem error // the first reason why something could not be watched or read; nil if there was none
}

// A file is a file's content, and the metadata by which it counts as unchanged without reading it.
type file struct {
	real string // the path without links
	size int64
	time time.Time
	sum  [sha256.Size]byte // of the last content that was read; zero: none was
	// unsure: sum may not belong to size and time, because the file could not be read, or was
	// modified so shortly before that another change may leave both as they are.
	unsure bool
}

// settled is the age at which a modification time tells a file's content: the next change gets
// another time. The coarsest clock of a common file system (FAT) ticks every 2 seconds.
const settled = 2 * time.Second

// concerns reports whether a new look may find something else after an event.
func (s *snapshot) concerns(ev fsnotify.Event) bool {
	if s.points[ev.Name] {
		return true
	}
	cameOrWent := ev.Has(fsnotify.Create | fsnotify.Remove | fsnotify.Rename)
	if whole, dir := s.dirs[ev.Name]; dir {
		return whole || cameOrWent
	}
	name := filepath.Base(ev.Name)
	if !s.dirs[filepath.Dir(ev.Name)] || ignored(name) {
		return false
	}
	// The new or removed name may have been a folder or a link.
	return cameOrWent || wanted(name)
}

// A scanner takes one snapshot. It watches a directory before it reads it, and a link before it
// follows it, so that later changes cause events.
type scanner struct {
	watch   func(dir string) error
	hash    func(path string) ([sha256.Size]byte, error)
	stop    <-chan struct{} // ends the scan between two files; what it has found is then of no use
	now     time.Time       // no later than the first read
	before  *snapshot       // the last snapshot: what is unchanged is not read again
	touched map[string]bool // real paths that are read again in any case
	all     bool            // read everything again

	out   *snapshot
	walks int
}

func (s *scanner) scan(roots []string) *snapshot {
	s.out = &snapshot{files: map[string]file{}, dirs: map[string]bool{}, points: map[string]bool{}}
	for _, root := range roots {
		real, info, err := s.resolve(root)
		switch {
		case err != nil:
			s.unreachable(root, err)
		case info.IsDir():
			s.walk(root, real, nil)
		}
	}
	return s.out
}

// walk adds the folder that is reached as path and whose real path is real. above are the real
// paths of the enclosing folders on the way that was taken.
func (s *scanner) walk(path, real string, above []string) {
	if slices.Contains(above, real) {
		return
	}
	if s.walks++; s.walks > maxDirs {
		s.complain(fmt.Errorf("%s: more than %d folders", path, maxDirs))
		return
	}
	s.watchDir(real, true)
	entries, err := os.ReadDir(real)
	above = append(above, real)
	for _, e := range entries {
		select {
		case <-s.stop:
			return
		default:
		}
		name := e.Name()
		if ignored(name) {
			continue
		}
		s.entry(filepath.Join(path, name), filepath.Join(real, name), e.Type(), above)
	}
	if err != nil { // some entries may have been read nevertheless
		s.unreachable(path, err)
	}
}

// unreachable handles an error on the way to a path or in reading it. Unless nothing is there, the
// files that were known at or below the path stay as they were, until it can be read again.
func (s *scanner) unreachable(path string, err error) {
	if absent(err) {
		return
	}
	s.complain(err)
	below := path + string(filepath.Separator)
	for known, f := range s.before.files {
		if _, found := s.out.files[known]; !found && (known == path || strings.HasPrefix(known, below)) {
			f.unsure = true
			s.out.files[known] = f
		}
	}
}

// absent reports whether an error means that there is no file or folder of the expected kind.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

func (s *scanner) entry(path, real string, kind fs.FileMode, above []string) {
	switch {
	case kind&fs.ModeSymlink != 0:
		target, info, err := s.resolve(real)
		switch {
		case err != nil:
			s.unreachable(path, err)
		case info.IsDir():
			s.walk(path, target, above)
		case wanted(filepath.Base(path)):
			s.watchPoint(target)
			s.file(path, target)
		}
	case kind.IsDir():
		s.walk(path, real, above)
	case kind.IsRegular() && wanted(filepath.Base(path)):
		s.file(path, real)
	}
}

// file adds a file, unless it was removed meanwhile. A file that cannot be read keeps the sum of
// its last content, so it is reported once its content is known to differ.
func (s *scanner) file(path, real string) {
	old, known := s.before.files[path]
	f := file{real: real}
	info, err := os.Stat(real)
	if err == nil {
		if !info.Mode().IsRegular() {
			return
		}
		// Before the read: a change between the two makes the next look read the file again.
		f.size, f.time = info.Size(), info.ModTime()
		f.unsure = s.now.Sub(f.time) < settled
		if known && !old.unsure && !s.all && !s.touched[real] &&
			old.real == f.real && old.size == f.size && old.time.Equal(f.time) {
			s.out.files[path] = old
			return
		}
		if f.size > maxFile {
			f.sum = sha256.Sum256(fmt.Append(nil, f.size, f.time.UnixNano()))
		} else {
			f.sum, err = s.hash(real)
		}
	}
	if err != nil {
		if absent(err) {
			return
		}
		s.complain(err)
		f.sum, f.unsure = old.sum, true
	}
	s.out.files[path] = f
}

// maxFile is the size in bytes up to which files are read. Of larger ones, which nothing may use,
// size and time tell whether they have changed.
const maxFile = 8 << 20

func hash(path string) (sum [sha256.Size]byte, err error) {
	f, err := regular.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, maxFile)); err != nil { // it may grow meanwhile
		return sum, err
	}
	h.Sum(sum[:0])
	return sum, nil
}

// watchPoint makes every change at a path cause an event.
func (s *scanner) watchPoint(path string) {
	s.out.points[path] = true
	s.watchDir(filepath.Dir(path), false)
}

// watchDir watches a directory, of which all names matter or only the points. Each look calls it
// again, since a directory may have been replaced by another of the same name, which ends its
// watch.
func (s *scanner) watchDir(dir string, whole bool) {
	was, done := s.out.dirs[dir]
	s.out.dirs[dir] = was || whole
	if done {
		return
	}
	if err := s.watch(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.complain(fmt.Errorf("watch %s: %w", dir, err))
	}
}

func (s *scanner) complain(err error) {
	if s.out.problem == nil {
		s.out.problem = err
	}
}
