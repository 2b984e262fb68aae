package serving

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"ui-mcp/internal/fault"
)

// maxLog is how long a log file becomes, in bytes, before it is renamed to NAME.1. So two files are
// all that a server keeps.
const maxLog = 4 << 20

// A logFile is a file for a log, of bounded length. It is safe for concurrent use.
type logFile struct {
	path      string
	otherwise io.Writer

	mu   sync.Mutex // guards the fields below; held while writing, so that lines stay whole
	file *os.File   // nil after a failure: the next line opens it again
	size int64
}

// openLog opens a log file, and makes it if it does not exist. Only this user can read it. Lines
// that cannot be written go to otherwise.
func openLog(path string, otherwise io.Writer) (*logFile, error) {
	l := &logFile{path: path, otherwise: otherwise}
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

// Write implements [io.Writer]. A line that cannot be written to the file goes to standard error.
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.write(line); err != nil {
		fmt.Fprintf(l.otherwise, "the log %s cannot be written: %v\n%s", l.path, err, line)
		return 0, err
	}
	return len(line), nil
}

// write writes a line to the file, which it opens or renames first if necessary. The caller holds
// mu.
func (l *logFile) write(line []byte) error {
	if l.file == nil {
		if err := l.open(); err != nil {
			return err
		}
	}
	if l.size > 0 && l.size+int64(len(line)) > maxLog {
		err := l.file.Close()
		l.file = nil
		if err = errors.Join(err, os.Rename(l.path, l.path+".1")); err != nil {
			return err
		}
		if err := l.open(); err != nil {
			return err
		}
	}
	n, err := l.file.Write(line)
	l.size += int64(n)
	return err
}

// Close closes the file.
func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
