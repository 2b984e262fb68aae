package files

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"syscall"

	"github.com/gofrs/flock"

	"ui-mcp/internal/regular"
)

// A Lock is a file that one holder at a time has, in any process. It ends with the process at the
// latest.
type Lock struct {
	path string
	lock *flock.Flock
}

// TryLock locks a file, which it makes, with a mode before the umask. It returns nil while another
// holder has it. The file must be empty or absent, and nothing but a regular file.
func TryLock(path string, mode fs.FileMode) (*Lock, error) {
	for {
		// A link never becomes the locked file.
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return nil, &fs.PathError{Op: "lock", Path: path, Err: errors.New("it is not a regular file")}
		}
		const flags = os.O_CREATE | os.O_RDONLY | syscall.O_NONBLOCK // opening a named pipe would wait
		l := &Lock{path: path, lock: flock.New(path, flock.SetFlag(flags), flock.SetPermissions(mode))}
		var locked bool
		err := regular.Patiently(false, func() (err error) {
			locked, err = l.lock.TryLock()
			return err
		})
		if err != nil || !locked {
			return nil, errors.Join(err, l.Close())
		}
		inPlace, err := l.InPlace()
		if inPlace {
			return l, nil
		}
		if err := errors.Join(err, l.Close()); err != nil {
			return nil, err
		}
	}
}

// InPlace reports whether other processes see the lock. They do not if the file was removed or
// replaced, such as by the previous holder after this process had opened it.
func (l *Lock) InPlace() (bool, error) {
	mine, err := l.lock.Stat()
	if err != nil {
		return false, err
	}
	current, err := os.Lstat(l.path)
	return err == nil && current.Mode().IsRegular() && os.SameFile(mine, current), nil
}

// Close gives the lock back and leaves the file.
func (l *Lock) Close() error { return l.lock.Close() }

// Unlock gives the lock back and removes its file.
func (l *Lock) Unlock() error {
	removed := os.Remove(l.path) == nil
	if err := l.Close(); err != nil {
		return err
	}
	if !removed && runtime.GOOS == "windows" {
		// Windows does not remove open files. If this fails, too, another process has locked the
		// file meanwhile.
		_ = os.Remove(l.path)
	}
	return nil
}
