package record

import (
	"bytes"
	"io"
	"os"
	"sync/atomic"
)

// Lines writes to a file that has whole lines only when a write has failed, as on a full disk: a
// player could not read half a line. Only one goroutine at a time may use it, except for Size, and
// nothing else may write to the file.
type Lines struct {
	file  *os.File
	size  atomic.Int64 // bytes written, stored after each write
	whole int64        // of whole lines
}

// NewLines returns a writer to a file that is empty.
func NewLines(file *os.File) *Lines { return &Lines{file: file} }

// Size returns how many bytes have been written. It never waits.
func (l *Lines) Size() int64 { return l.size.Load() }

// Write implements [io.Writer]. With an error, it returns how much of b has stayed in the file.
func (l *Lines) Write(b []byte) (int, error) {
	n, err := l.file.Write(b)
	size := l.Size()
	if end := bytes.LastIndexByte(b[:n], '\n'); end >= 0 {
		l.whole = size + int64(end) + 1
	}
	size += int64(n)
	if err != nil && l.file.Truncate(l.whole) == nil { // a device cannot be cut
		n, size = max(n-int(size-l.whole), 0), l.whole
		if _, e := l.file.Seek(size, io.SeekStart); e != nil {
			err = e
		}
	}
	l.size.Store(size)
	return n, err
}

// A bounded writes lines up to a size, as far as there is room that it shares with others.
type bounded struct {
	*Lines
	most int64
	room interface {
		// takeLines counts as many whole lines as there is room for, and returns them.
		takeLines(text []byte) []byte
		// add counts n more bytes, however many there are, or -n fewer.
		add(n int64)
	}
	full error // of writing when only some lines fit, which are written
}

// Write implements [io.Writer]: a recorder that has waited for the disk writes many events at once,
// and the first of them are not lost.
func (w *bounded) Write(b []byte) (int, error) {
	fits := w.room.takeLines(wholeLines(b, w.most-w.Size()))
	n, err := w.Lines.Write(fits)
	w.room.add(int64(n - len(fits)))
	if err == nil && n < len(b) {
		err = w.full
	}
	return n, err
}

// wholeLines returns b, or as many whole lines from its start as have at most that many bytes.
func wholeLines(b []byte, most int64) []byte {
	if int64(len(b)) <= most {
		return b
	}
	return b[:bytes.LastIndexByte(b[:max(most, 0)], '\n')+1]
}
