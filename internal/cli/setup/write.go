package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/wake"
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

// lockTime is how long another setup may hold the lock: it only reads and writes.
const lockTime = 10 * time.Second

// write carries out a change, unless the file has changed since it was planned.
func (s setup) write(ctx context.Context, ch change) error {
	if checkFolder(s.records.dir) != nil {
		s.records.dir = "" // its owner could not use a record of root there, nor the lock
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	unchanged := func() error {
		_, now, err := read(ch.file)
		if err == nil && ((now == nil) != (ch.before == nil) || !bytes.Equal(now, ch.before)) {
			return errChanged
		}
		return err
	}
	if err := unchanged(); err != nil {
		return err
	}
	file := realPath(ch.file)
	var folders []string
	if ch.after == nil {
		err = os.Remove(file)
	} else {
		folders, err = place(file, ch, unchanged)
	}
	if errors.Is(err, errChanged) {
		return err
	}
	if err != nil {
		return fault.Wrap(fault.Precondition, plain(err), "write")
	}
	s.records.keep(ch, s.Program, folders)
	return nil
}

// place writes a file with the mode that it had, if it is still unchanged, and returns the folders
// that it has made, the innermost first.
func place(file string, ch change, unchanged func() error) (folders []string, err error) {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		folders = append(folders, dir)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	mode := fs.FileMode(0o600) // others will put secrets there
	if ch.info != nil {
		mode = ch.info.Mode().Perm()
	}
	if _, err := files.WriteSyncedIf(file, ch.after, mode, unchanged); err != nil {
		return folders, err
	}
	if ch.info != nil {
		return folders, os.Chmod(file, mode) // the umask may have taken something away
	}
	return folders, nil
}

// lock keeps other setups of the user from writing at the same time.
func (s setup) lock(ctx context.Context) (unlock func(), err error) {
	if s.records.dir == "" {
		return func() {}, nil
	}
	if err := os.MkdirAll(s.records.dir, 0o700); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	path := filepath.Join(s.records.dir, "lock")
	for {
		l, err := files.TryLock(path, 0o600)
		if l != nil || err != nil && !errors.Is(err, fs.ErrNotExist) { // its folder may go in between
			return func() {
				_ = l.Unlock() // the file may stay
				s.records.close()
			}, err
		}
		if err := os.MkdirAll(s.records.dir, 0o700); err != nil {
			return nil, err
		}
		if wake.After(ctx, 20*time.Millisecond) != nil {
			return nil, errors.New("another setup is at work")
		}
	}
}
