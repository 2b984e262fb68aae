// Package regular opens regular files and nothing else. Opening a named pipe waits for a process at
// its other end, and reading a device may never end; both can be lying where a file is expected. It
// does not keep callers inside a directory: links are followed.
package regular

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Open is [os.OpenFile] for a regular file. It refuses anything else before opening it, with an
// error that wraps [fs.ErrInvalid].
func Open(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return open(os.Stat, os.OpenFile, name, flag, perm)
}

// OpenIn is Open for a file in a directory that no link may lead out of.
func OpenIn(root *os.Root, name string, flag int, perm fs.FileMode) (*os.File, error) {
	return open(root.Stat, root.OpenFile, name, flag, perm)
}

func open(stat func(string) (fs.FileInfo, error), openFile func(string, int, fs.FileMode) (*os.File, error), name string, flag int, perm fs.FileMode) (*os.File, error) {
	info, err := stat(name)
	switch {
	case err == nil:
		err = check(name, info)
	case os.IsNotExist(err) && flag&os.O_CREATE != 0:
		err = nil
	}
	if err != nil {
		return nil, err
	}
	// The file may have been replaced meanwhile, by a pipe for example: opening it must not wait.
	var f *os.File
	err = Patiently(false, func() (err error) {
		f, err = openFile(name, flag|syscall.O_NONBLOCK, perm)
		return err
	})
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = check(name, info)
	}
	if err != nil {
		_ = f.Close() // the error that matters is the other one
		return nil, err
	}
	return f, nil
}

// ReadFile returns the content of a regular file of at most limit bytes.
func ReadFile(name string, limit int64) ([]byte, error) {
	return read(os.Stat, os.OpenFile, name, limit)
}

// ReadFileIn is ReadFile for a file in a directory that no link may lead out of.
func ReadFileIn(root *os.Root, name string, limit int64) ([]byte, error) {
	return read(root.Stat, root.OpenFile, name, limit)
}

func read(stat func(string) (fs.FileInfo, error), openFile func(string, int, fs.FileMode) (*os.File, error), name string, limit int64) ([]byte, error) {
	f, err := open(stat, openFile, name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("the file is larger than %d bytes, so it is not read: split it, or move it away", limit)}
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

func check(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "open", Path: name, Err: special(kind(info.Mode()))}
}

// special is what a file is that is not regular.
type special string

func (s special) Error() string { return "it is " + string(s) + ", not a regular file" }

// Unwrap says that the name was wrong, which the text says better.
func (special) Unwrap() error { return fs.ErrInvalid }

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "special"
}
