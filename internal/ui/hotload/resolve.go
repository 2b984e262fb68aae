package hotload

import (
	"io/fs"
	"os"
	"path/filepath"
)

// maxLinks is how many links are watched on the way to one file: as many as Linux follows.
const maxLinks = 40

// resolve finds the file or folder at an absolute path, and its path without links. It watches each
// link on the way, and what is missing there, first: a change meanwhile causes another look.
func (s *scanner) resolve(path string) (real string, info fs.FileInfo, err error) {
	links := 0
	s.watchWay(path, &links)
	if info, err = os.Stat(path); err == nil {
		real, err = filepath.EvalSymlinks(path)
	}
	return real, info, err
}

// watchWay watches the links on the way to a path, or what is missing there. It returns the path
// without links, if the way does not end before.
func (s *scanner) watchWay(path string, links *int) (real string, ok bool) {
	dir := filepath.Dir(path)
	if dir == path {
		return path, true
	}
	if dir, ok = s.watchWay(dir, links); !ok {
		return "", false
	}
	real = filepath.Join(dir, filepath.Base(path))
	info, err := os.Lstat(real)
	if err != nil || info.Mode()&fs.ModeSymlink != 0 {
		s.watchPoint(real)
		info, err = os.Lstat(real) // it may have appeared before it was watched
	}
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return real, err == nil
	}
	target, err := os.Readlink(real)
	if *links++; err != nil || *links > maxLinks {
		return "", false
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	return s.watchWay(target, links)
}
