package record

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

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

func (b *Budget) takeLines(text []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	text = wholeLines(text, b.most-b.used)
	b.used += int64(len(text))
	return text
}

func (b *Budget) add(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used += n
}

// A Temporary holds one recording until it is closed, in a file that nobody else sees. It can be
// read while one goroutine writes it. When it is long enough, or the budget is used up, the error
// of writing is of kind Exhausted.
type Temporary struct{ bounded }

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
	full := fault.New(fault.Exhausted, "the recording has ended: it may have %d bytes at most, and those that sessions keep %d together", most, budget.most)
	return &Temporary{bounded{NewLines(f), most, budget, full}}, nil
}

// ReadAt implements [io.ReaderAt].
func (t *Temporary) ReadAt(b []byte, offset int64) (int, error) {
	rest := t.Size() - offset
	if rest <= 0 {
		return 0, io.EOF
	}
	return t.file.ReadAt(b[:min(int64(len(b)), rest)], offset)
}

// Close removes the recording, which must not be written to any more.
func (t *Temporary) Close() error {
	t.room.add(-t.Size())
	err := t.file.Close()
	if gone := os.Remove(t.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
