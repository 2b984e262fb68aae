package hotload

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many links are followed on the way to one file: as many as Linux follows.
const maxLinks = 40

var errTooManyLinks = errors.New("too many symbolic links")

// resolve finds the file or folder at an absolute path, and its path without links. It watches each
// link on the way, to notice when its target changes; if something is missing, it watches the
// folder in which it would appear.
func (s *scanner) resolve(path string) (real string, info fs.FileInfo, err error) {
	dir, rest := split(path)
	if len(rest) == 0 {
		info, err = os.Lstat(dir)
		return dir, info, err
	}
	links := 0
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case ".":
			continue
		case "..":
			dir = filepath.Dir(dir)
			continue
		}
		real = filepath.Join(dir, name)
		info, err = os.Lstat(real)
		if err != nil || info.Mode()&fs.ModeSymlink != 0 || len(rest) > 0 && !info.IsDir() {
			// Watch first, then look again: it may have appeared or changed in between.
			s.watchPoint(real)
			if info, err = os.Lstat(real); err != nil {
				return "", nil, err
			}
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			if len(rest) > 0 && !info.IsDir() {
				return "", nil, &fs.PathError{Op: "resolve", Path: path, Err: fs.ErrNotExist}
			}
			dir = real
			continue
		}
		if links++; links > maxLinks {
			return "", nil, &fs.PathError{Op: "resolve", Path: path, Err: errTooManyLinks}
		}
		target, err := os.Readlink(real)
		if err != nil {
			return "", nil, err
		}
		var names []string
		if filepath.IsAbs(target) {
			dir, names = split(target)
		} else {
			names = components(target)
		}
		rest = append(names, rest...)
	}
	if dir != real { // the path ended in ".." or in a link to a file system's root
		info, err = os.Lstat(dir)
	}
	return dir, info, err
}

// split divides an absolute path into its file system's root and the names below.
func split(path string) (root string, names []string) {
	volume := filepath.VolumeName(path)
	return volume + string(filepath.Separator), components(path[len(volume):])
}

// components are the names in a path. Unlike with [filepath.Clean], ".." stays, since behind a link
// it does not lead back to where the link is; and "." stays, since it makes what is before it a
// folder.
func components(path string) []string {
	return strings.FieldsFunc(filepath.ToSlash(path), func(r rune) bool { return r == '/' })
}
