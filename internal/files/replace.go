package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ui-mcp/internal/regular"
)

// Replace is [WriteSynced] for a file that other programs write, too. It returns the file that it
// has replaced, open for reading, or nil if there was none: what that file has is what would be
// lost, including what a program writes to it that still has it open. The caller must close it.
// Anything but a regular file that can be read is left in place, with an error.
//
// On Linux and macOS, the two files change places in one step where the file system can do that.
// Elsewhere, a file that another program renames to the path in the same moment may be lost. On
// Windows, replaced is always nil: most programs open files so that nobody can replace them.
func Replace(path string, content []byte, mode fs.FileMode) (info fs.FileInfo, replaced *os.File, err error) {
	info, err = writeSynced(path, content, mode, func(root *os.Root, partial, path string) (err error) {
		replaced, err = replace(root, partial, path)
		return err
	})
	return info, replaced, err
}

// replace has partial take the place of path, and returns what was there.
func replace(root *os.Root, partial, path string) (*os.File, error) {
	for range attempts {
		err := exchange(root, partial, path)
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			return renameOver(root, partial, path)
		case errors.Is(err, fs.ErrNotExist):
			if err := renameNew(root, partial, path); !errors.Is(err, fs.ErrExist) {
				return nil, err
			}
			continue // it has appeared meanwhile
		case err != nil:
			return nil, err
		}
		old, err := openReplaced(root, partial)
		if err != nil {
			return nil, errors.Join(err, exchange(root, partial, path))
		}
		_ = root.Remove(partial) // else it is removed as an abandoned file
		return old, nil
	}
	return nil, fmt.Errorf("%s appears and disappears", path)
}

// renameOver is replace in two steps.
func renameOver(root *os.Root, partial, path string) (*os.File, error) {
	old, err := openReplaced(root, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := move(root, partial, path); err != nil {
		if old != nil {
			_ = old.Close() // it was only read
		}
		return nil, err
	}
	return old, nil
}

// openReplaced opens what is replaced. Links are not followed.
func openReplaced(root *os.Root, path string) (*os.File, error) {
	info, err := root.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case !canHold:
		return nil, nil
	}
	old, err := regular.OpenIn(root, path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	if opened, err := old.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(errors.New("it was replaced meanwhile"), err, old.Close())
	}
	return old, nil
}
