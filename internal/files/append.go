package files

import (
	"errors"
	"io/fs"
	"os"
	"sync"

	"ui-mcp/internal/regular"
)

// A Log appends lines to a file, which it creates if needed. Before the file exceeds Most bytes, it
// is renamed, with Previous at the end of its name, and a new one begins: a log keeps two files. It
// is safe for concurrent use.
type Log struct {
	Path     func() string // of the file; "": the line is dropped
	Most     int64
	Previous string                       // the end of the longer name
	Mode     fs.FileMode                  // before the umask
	Failed   func(line []byte, err error) // called by Write

	mu sync.Mutex // held while the file is used, so that lines stay whole
}

// Write implements [io.Writer]. It never fails: a log must not stop what it is about.
func (l *Log) Write(line []byte) (int, error) {
	if err := l.Append(line); err != nil {
		l.Failed(line, err)
	}
	return len(line), nil
}

// Append adds a line.
func (l *Log) Append(line []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	path := l.Path()
	if path == "" {
		return nil
	}
	if info, err := os.Lstat(path); err == nil && info.Size() > 0 && info.Size()+int64(len(line)) > l.Most {
		if err := os.Rename(path, path+l.Previous); err != nil {
			return err
		}
	}
	file, err := regular.Open(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, l.Mode)
	if err != nil {
		return err
	}
	_, err = file.Write(line)
	return errors.Join(err, file.Close())
}
