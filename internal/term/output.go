package term

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/mailbox"
	"ui-mcp/internal/wake"
)

const (
	// maxOutput is how many bytes wait for a slow reader before it gets the terminal's state
	// instead, or the program waits for it.
	maxOutput = 256 << 10
	// maxBacklog is how many bytes are kept for readers that come back.
	maxBacklog = 1 << 20
	// returnTime is how long they are kept after the last of these has left.
	returnTime = 20 * time.Second
	// maxPiece is how many bytes Next returns at most, unless they are the terminal's state.
	maxPiece = 64 << 10
)

// OutputLost is the detail of the error that a reader of a program's output has missed a part of
// it.
const OutputLost fault.Detail = "output_lost"

// hardReset is RIS. It brings a terminal in any state into the one from which the bytes of
// [vt.Terminal.AppendState] start.
const hardReset = "\x1bc"

// OutputOptions say what a stream of output begins with. Without From, that is the state of the
// program's terminal.
type OutputOptions struct {
	// From is the offset of the first byte in all that the program has written. A reader with an
	// offset gets each byte, or an error.
	From *uint64
	// Whole lets the program wait while this reader has more than 256 KiB left to read, also for
	// 20 s after it has left: it may come back. It needs From.
	Whole bool
}

// A backlog is the last part of what a program has written, for all readers of its output. Nothing
// is kept without them.
type backlog struct {
	moved chan struct{} // capacity 1; a token means that the program may have to wait no more

	mu      sync.Mutex // guards the fields below
	kept    []byte
	end     uint64 // offset behind the last byte
	readers map[*Output]struct{}
	absent  *Output     // a reader with an offset that may come back, or nil
	timer   *time.Timer // after which absent is nil
	open    bool        // the program waits for nobody
}

// newBacklog returns the backlog of a session. The first reader is expected if followed says so.
func newBacklog(followed bool) *backlog {
	l := &backlog{moved: make(chan struct{}, 1), readers: map[*Output]struct{}{}}
	if followed {
		l.expectLocked(&Output{offset: true, whole: true})
	}
	return l
}

// put adds a chunk of output. It never blocks.
func (l *backlog) put(b []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end += uint64(len(b))
	if len(l.readers) == 0 && l.absent == nil {
		return
	}
	if len(l.kept)+len(b) > 2*maxBacklog {
		l.kept = l.kept[:copy(l.kept, l.kept[len(l.kept)-maxBacklog:])]
	}
	l.kept = append(l.kept, b...)
	for o := range l.readers {
		wake.Up(o.wake)
	}
}

// awaitRoom returns when no reader has too much left to read.
func (l *backlog) awaitRoom() {
	for l.isFull() {
		<-l.moved
	}
}

func (l *backlog) isFull() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	behind := l.absent != nil && l.isBehindLocked(l.absent)
	for o := range l.readers {
		behind = behind || l.isBehindLocked(o)
	}
	return behind && !l.open
}

func (l *backlog) isBehindLocked(o *Output) bool { return o.whole && l.end-o.at > maxOutput }

// release lets the program wait for nobody any more, since it is about to be killed.
func (l *backlog) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = true
	wake.Up(l.moved)
}

// expectLocked keeps what a reader has not read yet, which may come back.
func (l *backlog) expectLocked(o *Output) {
	if l.absent != nil {
		l.timer.Stop()
		o = slices.MinFunc([]*Output{l.absent, o}, func(a, b *Output) int { return cmp.Compare(a.at, b.at) })
	}
	l.absent = o
	l.timer = time.AfterFunc(returnTime, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.absent == o {
			l.forgetLocked()
		}
	})
}

// forgetLocked expects nobody any more.
func (l *backlog) forgetLocked() {
	if l.absent != nil {
		l.timer.Stop()
		l.absent = nil
	}
	if len(l.readers) == 0 {
		l.kept = nil
	}
	wake.Up(l.moved)
}

// An Output is a stream of the program's output as the program has written it, for a terminal of
// the program's size: without panels and overlays. The caller must Close it.
type Output struct {
	session *Session
	wake    chan struct{} // capacity 1; a token means "look again"
	ending  mailbox.Ending
	offset  bool // it began with an offset
	whole   bool

	begun bool // owned by the caller of Next: it has got a state

	at    uint64 // offset of the next byte; guarded by the mutex of the session's backlog
	stale bool   // the terminal's state is needed first; guarded likewise
}

// Output returns a stream of the program's output: of an ended session, what is kept of it or its
// last state.
func (s *Session) Output(o OutputOptions) (*Output, error) {
	l := s.backlog
	l.mu.Lock()
	defer l.mu.Unlock()
	out := &Output{session: s, wake: make(chan struct{}, 1), ending: mailbox.NewEnding(), at: l.end, stale: o.From == nil}
	switch {
	case o.From == nil && o.Whole:
		return nil, fault.New(fault.Invalid, "whole needs from, the offset of the first byte: 0 is the program's first one")
	case o.From != nil && *o.From > l.end:
		return nil, fault.New(fault.Invalid, "from is %d, but the program has written %d bytes so far", *o.From, l.end)
	case o.From != nil:
		out.at, out.offset, out.whole = *o.From, true, o.Whole
	}
	l.readers[out] = struct{}{}
	if out.offset {
		l.forgetLocked()
	}
	return out, nil
}

// Close ends the stream. A call of Next that waits returns.
func (o *Output) Close() {
	o.ending.Close()
	l := o.session.backlog
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.readers[o]; !ok {
		return
	}
	delete(l.readers, o)
	if o.offset {
		l.expectLocked(o)
	} else if l.absent == nil {
		l.forgetLocked()
	}
}

// Name returns the present name of the session.
func (o *Output) Name() string { return o.session.Name() }

// Next waits for output and returns it. A caller that is too slow misses output, and gets a reset
// and the exact state of the terminal instead, or, if it began with an offset, an error with the
// detail [OutputLost]. After the last output, and after Close, the error is of kind Gone.
//
// It may be called from one goroutine at a time.
func (o *Output) Next(ctx context.Context) ([]byte, error) {
	for {
		if err := context.Cause(o.ending); err != nil {
			return nil, err
		}
		ended := false
		select {
		case <-o.session.ended:
			ended = true
		default:
		}
		b, stale, err := o.take()
		if stale {
			return o.state(ctx)
		}
		if len(b) > 0 || err != nil {
			return b, err
		}
		if ended {
			return nil, o.session.goneError(*o.session.Info().Exit)
		}
		select {
		case <-o.wake:
		case <-o.ending.Done():
		case <-o.session.ended:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// take returns what is there, or whether the terminal's state is needed.
func (o *Output) take() (b []byte, stale bool, err error) {
	l := o.session.backlog
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.end - uint64(len(l.kept))
	switch o.stale = o.stale || !o.offset && l.end-o.at > maxOutput; {
	case o.stale:
		return nil, true, nil
	case o.at < first:
		return nil, false, fault.With(OutputLost, fault.New(fault.Exhausted, "%d bytes of the output are lost: what is kept begins at offset %d", first-o.at, first))
	}
	rest := l.kept[o.at-first:]
	b = bytes.Clone(rest[:min(len(rest), maxPiece)])
	o.at += uint64(len(b))
	wake.Up(l.moved)
	return b, false, nil
}

// state returns the bytes that bring a terminal into the state of the program's.
func (o *Output) state(ctx context.Context) ([]byte, error) {
	s := o.session
	var b []byte
	err := s.do(ctx, func(st *state) error {
		if o.begun {
			b = append(b, hardReset...)
		}
		b = st.term.AppendState(b, 0)
		s.backlog.mu.Lock()
		defer s.backlog.mu.Unlock()
		o.at, o.stale = s.backlog.end, false
		return nil
	})
	if err != nil {
		return nil, err
	}
	o.begun = true
	return b, nil
}
