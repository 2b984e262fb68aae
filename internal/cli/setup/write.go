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
	if ch.after == nil {
		err = os.Remove(ch.file)
	} else {
		err = place(ch, unchanged)
	}
	if errors.Is(err, errChanged) {
		return err
	}
	if err != nil {
		return fault.Wrap(fault.Precondition, plain(err), "write")
	}
	return nil
}

// place writes a file with the mode that it had, if it is still unchanged.
func place(ch change, unchanged func() error) error {
	file := realPath(ch.file)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o600) // others will put secrets there
	if ch.info != nil {
		mode = ch.info.Mode().Perm()
	}
	if _, err := files.WriteSyncedIf(file, ch.after, mode, unchanged); err != nil || ch.info == nil {
		return err
	}
	return os.Chmod(file, mode) // the umask may have taken something away
}

// realPath returns the file that a path leads to, through links.
func realPath(file string) string {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real
	}
	return file
}

// lock keeps other setups of the user from writing at the same time. There is no lock without a
// folder for caches. Root takes none in another user's folder, since that user could not use it.
func (s setup) lock(ctx context.Context) (unlock func(), err error) {
	cache, err := s.machine.Vars.CacheDir()
	dir := filepath.Join(cache, "ui-mcp")
	if err != nil || checkFolder(dir) != nil {
		return func() {}, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	for {
		l, err := files.TryLock(filepath.Join(dir, "setup.lock"), 0o600)
		if l != nil || err != nil {
			return func() { _ = l.Unlock() }, err // the file may stay
		}
		if wake.After(ctx, 20*time.Millisecond) != nil {
			return nil, errors.New("another setup is at work")
		}
	}
}
