package attachedterm

import (
	"context"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/wake"
)

const (
	typePiece = 32 << 10        // bytes that are typed at a time
	typeTime  = 5 * time.Second // how long a program may take to make room for more input
	typePause = 10 * time.Millisecond
	// maxWaiting is how much of what a client sends waits to be carried out, in bytes.
	maxWaiting = 8 << 20
)

// errUnread says that input was dropped.
var errUnread = fault.New(fault.Exhausted, "the program does not read what you type: what it had not read after %d seconds was dropped, and so is more until it reads again", int(typeTime.Seconds()))

// A keyboard is the part of a viewer that takes input: see [term.Viewer].
type keyboard interface {
	Type(context.Context, []byte) error
	Interrupts([]byte) bool
	Detached() <-chan struct{}
}

// A typist carries out what a client sends, in order: input as fast as the program reads it, and
// requests in between. Meanwhile the client's connection is read on, so that a key that interrupts
// the program is noticed: input before it that the program does not read is dropped, as by every
// terminal. Other input that the program does not read is dropped, too, but the program gets some
// time for it once: until it has read something, more is dropped at once, so that a key does not
// wait for each piece of a large paste before it.
type typist struct {
	keyboard keyboard
	refused  func(error)   // called with the error of input that may not be typed, or was dropped
	done     chan struct{} // closed when run has returned
	wake     chan struct{} // capacity 1; a token means "look at the queue"
	shorter  chan struct{} // capacity 1; a token means "the queue has become shorter"

	// unread is the size of the smallest input that the program had no room for, or 0; owned by
	// run, and by input while run is idle.
	unread int

	mu         sync.Mutex // guards the fields below; held only for moments
	idle       bool       // run waits for a request
	queue      []request
	size       int // of the queue in memory, in bytes
	interrupts int // how many requests in the queue interrupt the program
	ending     bool
}

// A request is input, or an operation that keeps its order among input.
type request struct {
	input      []byte
	interrupts bool   // the input has a key that interrupts the program
	do         func() // if it is not input
	size       int    // in memory, in bytes
}

// newTypist starts to carry out requests until ctx ends or finish is called. refused is called with
// the error of input that may not be typed, and with [errUnread] when the first input is dropped
// because the program does not read, until it has read something.
func newTypist(ctx context.Context, k keyboard, refused func(error)) *typist {
	t := &typist{keyboard: k, refused: refused, done: make(chan struct{}), wake: make(chan struct{}, 1), shorter: make(chan struct{}, 1)}
	go t.run(ctx)
	return t
}

// input types or queues what was typed. If too much waits already, it waits, too. A key for which
// there is room is typed at once: another goroutine would delay it.
func (t *typist) input(ctx context.Context, b []byte) {
	if len(b) <= typePiece && t.isIdle() {
		if err := t.typeNow(ctx, b); fault.KindOf(err) != fault.Exhausted {
			return
		}
	}
	t.add(ctx, request{input: b, interrupts: t.keyboard.Interrupts(b)}, len(b))
}

// then queues a function, which is called when all input so far was typed or dropped. size is how
// much memory it keeps, in bytes.
func (t *typist) then(ctx context.Context, size int, do func()) { t.add(ctx, request{do: do}, size) }

// requestSize is about how much memory a request takes beside its content, in bytes.
const requestSize = 64

func (t *typist) add(ctx context.Context, r request, size int) {
	r.size = size + requestSize
	for !t.put(r) {
		select {
		case <-t.shorter:
		case <-t.done:
			return
		case <-ctx.Done():
			return
		}
	}
}

// isIdle reports whether everything that was queued is carried out.
func (t *typist) isIdle() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.idle && len(t.queue) == 0
}

func (t *typist) put(r request) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) > 0 && t.size+r.size > maxWaiting {
		return false
	}
	t.queue = append(t.queue, r)
	t.size += r.size
	if r.interrupts {
		t.interrupts++
	}
	wake.Up(t.wake)
	return true
}

// finish carries out the rest, without waiting for the program, and returns when that is done.
func (t *typist) finish() {
	t.mu.Lock()
	t.ending = true
	t.mu.Unlock()
	wake.Up(t.wake)
	<-t.done
}

// run carries out requests.
func (t *typist) run(ctx context.Context) {
	defer close(t.done)
	for {
		r, ok := t.take(ctx)
		switch {
		case !ok:
			return
		case r.do != nil:
			r.do()
		default:
			t.typeAll(ctx, r.input)
		}
	}
}

// take waits for a request and removes it from the queue. It reports whether there is one.
func (t *typist) take(ctx context.Context) (request, bool) {
	for ctx.Err() == nil {
		t.mu.Lock()
		t.idle = len(t.queue) == 0
		if !t.idle {
			defer t.mu.Unlock()
			r := t.queue[0]
			t.queue[0] = request{} // the list lives on
			t.queue = t.queue[1:]
			t.size -= r.size
			if r.interrupts {
				t.interrupts--
			}
			wake.Up(t.shorter)
			return r, true
		}
		ending := t.ending
		t.mu.Unlock()
		if ending {
			break
		}
		select {
		case <-t.wake:
		case <-ctx.Done():
		}
	}
	return request{}, false
}

// hurries reports whether input must not wait for the program, because the program is about to be
// interrupted or the client has left.
func (t *typist) hurries() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.interrupts > 0 || t.ending
}

// typeNow types input unless the program has no room for it: then the error is of kind Exhausted.
// Other errors end the matter: input that may not be typed is refused, and if the program has
// ended, the last picture tells why.
func (t *typist) typeNow(ctx context.Context, b []byte) error {
	err := t.keyboard.Type(ctx, b)
	switch {
	case err == nil:
		if len(b) >= t.unread { // less may have found room beside it
			t.unread = 0
		}
	case fault.KindOf(err) == fault.Precondition:
		t.refused(err)
	}
	return err
}

// typeAll types input, as fast as the program reads it.
func (t *typist) typeAll(ctx context.Context, b []byte) {
	for len(b) > 0 {
		n := min(len(b), typePiece)
		deadline := time.Now()
		if t.unread == 0 {
			deadline = deadline.Add(typeTime)
		}
		for {
			err := t.typeNow(ctx, b[:n])
			if err == nil {
				break
			}
			if fault.KindOf(err) != fault.Exhausted {
				return
			}
			if t.hurries() {
				break
			}
			if !time.Now().Before(deadline) {
				if t.unread == 0 {
					t.unread = n
					t.refused(errUnread)
				}
				t.unread = min(t.unread, n)
				break
			}
			select {
			case <-time.After(typePause):
			case <-t.keyboard.Detached():
			case <-ctx.Done():
				return
			}
		}
		b = b[n:]
	}
}
