package hotload

import (
	"io/fs"
	"os"
	"path/filepath"
)

// resolve finds the file or folder at an absolute path, and its path without links. If something is
// missing, at the path or where a link there leads, it watches the folder in which it would appear.
// Links on the way to a target are not watched: a look finds where they lead.
func (s *scanner) resolve(path string) (real string, info fs.FileInfo, err error) {
	look := func() error {
		if info, err = os.Stat(path); err == nil {
			real, err = filepath.EvalSymlinks(path)
		}
		return err
	}
	if look() == nil {
		return real, info, nil
	}
	missing := path
	if target, err := os.Readlink(path); err == nil {
		if missing = target; !filepath.IsAbs(target) {
			missing = filepath.Join(filepath.Dir(path), target)
		}
	}
	for {
		dir, err := filepath.EvalSymlinks(filepath.Dir(missing))
		if err == nil {
			s.watchPoint(filepath.Join(dir, filepath.Base(missing)))
			break
		}
		missing = filepath.Dir(missing)
	}
	err = look() // it may have appeared before it was watched
	return real, info, err
}
