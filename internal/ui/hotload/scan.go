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
	"time"

	"github.com/fsnotify/fsnotify"
	"ui-mcp/internal/regular"
)

// maxDirs bounds a look: more folders than any app has, few enough to walk in a moment. It is
// reached by folders that link to each other crosswise, and by a root that was set to a whole disk.
const maxDirs = 10_000

// A snapshot is the result of one look.
type snapshot struct {
	files  map[string]file // by the path at which it is reached from a root
	dirs   map[string]bool // real directories that are watched; true: any name in it may matter, false: only points
	points map[string]bool // real paths at which any event matters: links, their targets, what is missing on the way

	problem error // the first reason why a directory could not be watched or read; nil if there was none
}

// A file is a file's content, and the metadata by which it counts as unchanged without reading it.
type file struct {
	real string // the path without links
	size int64
	time time.Time
	sum  [sha256.Size]byte // zero: it could not be read
}

// concerns reports whether a new look may find something else after an event.
func (s *snapshot) concerns(ev fsnotify.Event, extensions []string) bool {
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
	return cameOrWent || wanted(name, extensions)
}

// A scanner takes one snapshot. It watches a directory before it reads it, and a link before it
// follows it, so that later changes cause events.
type scanner struct {
	extensions []string
	watch      func(dir string) error
	before     *snapshot       // the last snapshot: what is unchanged is not read again
	touched    map[string]bool // real paths that are read again in any case
	all        bool            // read everything again

	out   *snapshot
	walks int
}

func (s *scanner) scan(roots []string) *snapshot {
	s.out = &snapshot{files: map[string]file{}, dirs: map[string]bool{}, points: map[string]bool{}}
	for _, root := range roots {
		if real, info, err := s.resolve(root); err == nil && info.IsDir() {
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
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.complain(err)
	}
	above = append(above, real)
	for _, e := range entries {
		name := e.Name()
		if ignored(name) {
			continue
		}
		s.entry(filepath.Join(path, name), filepath.Join(real, name), e.Type(), above)
	}
}

// entry adds an entry of a folder.
func (s *scanner) entry(path, real string, kind fs.FileMode, above []string) {
	switch {
	case kind&fs.ModeSymlink != 0:
		target, info, err := s.resolve(real)
		switch {
		case err != nil: // it leads nowhere yet
		case info.IsDir():
			s.walk(path, target, above)
		case wanted(filepath.Base(path), s.extensions):
			s.watchPoint(target)
			s.file(path, target)
		}
	case kind.IsDir():
		s.walk(path, real, above)
	case kind.IsRegular() && wanted(filepath.Base(path), s.extensions):
		s.file(path, real)
	}
}

// file adds a file, unless it was removed meanwhile.
func (s *scanner) file(path, real string) {
	info, err := os.Stat(real)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	f := file{real: real, size: info.Size(), time: info.ModTime()}
	old, known := s.before.files[path]
	if known && !s.all && !s.touched[real] && old.real == f.real && old.size == f.size && old.time.Equal(f.time) {
		s.out.files[path] = old
		return
	}
	f.sum, err = hash(real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil && known:
		f.sum = old.sum // unreadable for now: nobody could load it
	}
	s.out.files[path] = f
}

func hash(path string) (sum [sha256.Size]byte, err error) {
	f, err := regular.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
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
