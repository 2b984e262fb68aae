package record

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

	"ui-mcp/internal/fault"
)

// A Temporary holds one recording until it is closed, in a file that nobody else sees. It can be
// read while it is written. Its methods may be called from anywhere.
type Temporary struct {
	file *os.File
	most int64

	mu   sync.Mutex // guards the fields below; held while writing, so that the size is of whole writes
	size int64
}

// NewTemporary makes a file for a recording of at most that many bytes. The caller must Close it.
func NewTemporary(most int64) (*Temporary, error) {
	f, err := os.CreateTemp("", "wsh-recording-*.cast") // for this user only
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "make the file of a recording")
	}
	_ = os.Remove(f.Name()) // at once, so that a crash leaves nothing; where that is impossible, Close does
	return &Temporary{file: f, most: most}, nil
}

// Write implements [io.Writer]. When the recording is long enough, its error is of kind Exhausted,
// and nothing of b is written.
func (t *Temporary) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.size+int64(len(b)) > t.most {
		return 0, fault.New(fault.Exhausted, "the recording has ended: it may have %d bytes at most", t.most)
	}
	n, err := t.file.Write(b)
	t.size += int64(n)
	return n, err
}

// Size returns how many bytes have been written.
func (t *Temporary) Size() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.size
}

// ReadAt implements [io.ReaderAt].
func (t *Temporary) ReadAt(b []byte, offset int64) (int, error) {
	rest := t.Size() - offset
	if rest <= 0 {
		return 0, io.EOF
	}
	return t.file.ReadAt(b[:min(int64(len(b)), rest)], offset)
}

// Close removes the recording.
func (t *Temporary) Close() error {
	err := t.file.Close()
	if gone := os.Remove(t.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
