package record

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"ui-mcp/internal/fault"
)

// A Budget bounds the bytes of several recordings together. It may be used from anywhere.
type Budget struct {
	most int64

	mu   sync.Mutex // guards the field below
	used int64
}

// NewBudget returns a budget of that many bytes.
func NewBudget(most int64) *Budget { return &Budget{most: most} }

func (b *Budget) isUsedUp() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used >= b.most
}

// takeLines counts as many whole lines of text as there is room for, and returns them.
func (b *Budget) takeLines(text []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	text = wholeLines(text, b.most-b.used)
	b.used += int64(len(text))
	return text
}

// wholeLines returns b, or as many whole lines from its start as have at most that many bytes.
func wholeLines(b []byte, most int64) []byte {
	if int64(len(b)) <= most {
		return b
	}
	return b[:bytes.LastIndexByte(b[:max(most, 0)], '\n')+1]
}

// add counts n more bytes, however many there are, or -n fewer.
func (b *Budget) add(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used += n
}

// A Temporary holds one recording until it is closed, in a file that nobody else sees. It can be
// read while it is written. Its methods may be called from anywhere.
type Temporary struct {
	file   *os.File
	lines  *Lines // guarded by mu
	most   int64
	budget *Budget
	size   atomic.Int64 // stored with mu held, after whole writes

	mu       sync.Mutex // guards the fields below; held while writing
	released bool
}

// NewTemporary makes a file for a recording of at most that many bytes, which count against the
// budget until it is closed. The error is of kind Exhausted if the budget has no room at all. The
// caller must Close the file.
func NewTemporary(most int64, budget *Budget) (*Temporary, error) {
	if budget.isUsedUp() {
		return nil, fault.New(fault.Exhausted, "there is no room for a recording: those that sessions keep may have %d bytes together; remove a session, or start the recording in one that has a long one", budget.most)
	}
	f, err := os.CreateTemp("", "wsh-recording-*.cast") // for this user only
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "make the file of a recording")
	}
	_ = os.Remove(f.Name()) // at once, so that a crash leaves nothing; where that is impossible, Close does
	return &Temporary{file: f, lines: NewLines(f), most: most, budget: budget}, nil
}

// Write implements [io.Writer]. When the recording is long enough, or the budget is used up, its
// error is of kind Exhausted, and of b only the whole lines that fit are written: a recorder that
// has waited for the disk writes many events at once, and the first of them are not lost.
func (t *Temporary) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fits := wholeLines(b, t.most-t.size.Load())
	taken := t.budget.takeLines(fits)
	n, err := t.lines.Write(taken)
	t.budget.add(int64(n - len(taken)))
	t.size.Add(int64(n))
	switch {
	case err != nil:
	case len(taken) < len(fits):
		err = fault.New(fault.Exhausted, "the recording has ended: those that sessions keep may have %d bytes together", t.budget.most)
	case len(fits) < len(b):
		err = fault.New(fault.Exhausted, "the recording has ended: it may have %d bytes at most", t.most)
	}
	return n, err
}

// Release stops counting the recording against the budget, so that another one can replace it. The
// recording must not be written to any more.
func (t *Temporary) Release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.released {
		t.released = true
		t.budget.add(-t.size.Load())
	}
}

// Reclaim undoes Release, even if the budget has no room any more.
func (t *Temporary) Reclaim() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.released {
		t.released = false
		t.budget.add(t.size.Load())
	}
}

// Size returns how many bytes have been written. It never waits.
func (t *Temporary) Size() int64 { return t.size.Load() }

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
	t.Release()
	err := t.file.Close()
	if gone := os.Remove(t.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
