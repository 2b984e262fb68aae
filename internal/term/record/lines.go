package record

import (
	"bytes"
	"io"
	"os"
)

// Lines writes to a file that has whole lines only when a write has failed, as on a full disk: a
// player could not read half a line. Only one goroutine at a time may use it, and nothing else may
// write to the file.
type Lines struct {
	file  *os.File
	size  int64 // bytes written
	whole int64 // of whole lines
}

// NewLines returns a writer to a file that is empty.
func NewLines(file *os.File) *Lines { return &Lines{file: file} }

// Write implements [io.Writer]. With an error, it returns how much of b has stayed in the file.
func (l *Lines) Write(b []byte) (int, error) {
	n, err := l.file.Write(b)
	if end := bytes.LastIndexByte(b[:n], '\n'); end >= 0 {
		l.whole = l.size + int64(end) + 1
	}
	l.size += int64(n)
	if err == nil || l.file.Truncate(l.whole) != nil {
		return n, err // a device cannot be cut
	}
	n = max(n-int(l.size-l.whole), 0)
	l.size = l.whole
	if _, e := l.file.Seek(l.whole, io.SeekStart); e != nil {
		return n, e
	}
	return n, err
}
