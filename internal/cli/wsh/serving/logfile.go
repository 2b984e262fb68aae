package serving

import (
	"fmt"
	"io"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
)

// maxLog is how long a log file becomes, in bytes, before it is renamed to NAME.1. So two files are
// all that a server keeps.
const maxLog = 4 << 20

// A logFile is a file for a log, of bounded length. It is safe for concurrent use.
type logFile struct {
	path      string
	otherwise io.Writer
	mu        sync.Mutex // held while writing, so that lines stay whole
}

// newLog returns a log in a file, which it makes if it does not exist. Only this user can read it.
// Lines that cannot be written go to otherwise.
func newLog(path string, otherwise io.Writer) (*logFile, error) {
	l := &logFile{path: path, otherwise: otherwise}
	return l, fault.Wrap(fault.Precondition, l.append(nil), "open the log")
}

func (l *logFile) append(line []byte) error {
	return files.AppendLine(l.path, line, maxLog, l.path+".1", 0o600)
}

// Write implements [io.Writer].
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.append(line); err != nil {
		fmt.Fprintf(l.otherwise, "the log %s cannot be written: %v\n%s", l.path, err, line)
		return 0, err
	}
	return len(line), nil
}
