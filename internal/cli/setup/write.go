package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
)

// errChanged means that a file is not any more what the person has seen.
var errChanged = errors.New("it has changed meanwhile")

// checkWritable returns why a file must not be replaced, or made: info is nil then. Renaming
// another file to it needs no right to write to it, and changes its owner. A file that root makes
// in a person's folder, as with sudo, could not be read by the client.
func (s setup) checkWritable(file string, info fs.FileInfo) error {
	switch {
	case info == nil && s.Project: // others may share it
		return nil
	case info == nil:
		return checkFolder(filepath.Dir(file))
	case info.Mode()&0o200 == 0:
		return errors.New("it is read-only")
	case !isMine(info):
		return errors.New("it belongs to another user")
	}
	return nil
}

// checkFolder returns why nothing must be made in a folder, or in the first one above it that
// exists.
func checkFolder(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
		return checkFolder(filepath.Dir(dir))
	}
	if err == nil && !isMine(info) {
		return fmt.Errorf("its folder, %s, belongs to another user", dir)
	}
	return nil // making the file says what is wrong
}

// write carries out a change, unless the file has changed since it was planned.
func (ch change) write() error {
	unchanged := func(file string) error {
		_, now, err := read(file)
		if err == nil && ((now == nil) != (ch.before == nil) || !bytes.Equal(now, ch.before)) {
			return errChanged
		}
		return err
	}
	err := unchanged(ch.file)
	if err != nil {
		return err
	}
	if ch.after == nil {
		err = os.Remove(ch.file)
	} else {
		err = place(ch, unchanged)
	}
	if errors.Is(err, errChanged) {
		return err
	}
	return fault.Wrap(fault.Precondition, plain(err), "write")
}

// place writes a file with the mode that it had, if it is still unchanged.
func place(ch change, unchanged func(file string) error) error {
	file := ch.file
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o600) // others will put secrets there
	if ch.info != nil {
		mode = ch.info.Mode().Perm()
	}
	if _, err := files.WriteSynced(file, ch.after, mode, unchanged); err != nil || ch.info == nil {
		return err
	}
	return os.Chmod(file, mode) // the umask may have taken something away
}
