package wsh

import (
	"errors"
	"os"
	"sync"

	"ui-mcp/internal/fault"
)

// maxLog is how long a log file becomes, in bytes, before it is renamed to NAME.1. So two files are
// all that a server keeps.
const maxLog = 4 << 20

// A logFile is a file for a log, of bounded length. It is safe for concurrent use.
type logFile struct {
	path string

	mu   sync.Mutex // guards the fields below; held while writing, so that lines stay whole
	file *os.File
	size int64
}

// openLog opens a log file, and makes it if it does not exist. Only this user can read it.
func openLog(path string) (*logFile, error) {
	l := &logFile{path: path}
	if err := l.open(); err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "open the log")
	}
	return l, nil
}

func (l *logFile) open() error {
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	l.file, l.size = file, info.Size()
	return nil
}

// Write implements [io.Writer].
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.size > 0 && l.size+int64(len(line)) > maxLog {
		old := l.file
		if err := os.Rename(l.path, l.path+".1"); err != nil {
			return 0, err
		}
		if err := errors.Join(l.open(), old.Close()); err != nil {
			return 0, err
		}
	}
	n, err := l.file.Write(line)
	l.size += int64(n)
	return n, err
}

// Close closes the file.
func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}
