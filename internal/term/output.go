package term

import (
	"context"
	"sync"
	"time"

	"ui-mcp/internal/term/keys"
)

// maxOutput is how many bytes wait for a slow reader before it gets the terminal's state instead.
const maxOutput = 256 << 10

// hardReset is RIS. It brings a terminal in any state into the one from which the bytes of
// [vt.Terminal.AppendState] start.
const hardReset = "\x1bc"

// An Output is a stream of the program's output as the program has written it, for a terminal of
// the program's size: without panels and overlays. It begins with the state of the program's
// terminal. The caller must Close it.
type Output struct {
	session *Session
	wake    chan struct{} // capacity 1; a token means "look again"
	ending  ending

	begun   bool         // owned by the caller of Next: it has got a state
	replies keys.Replies // owned by the caller of WithoutReplies

	mu      sync.Mutex // guards the fields below
	waiting []byte
	lost    bool // output was dropped: the terminal's state is needed
}

// Output returns a stream of the program's output: of an ended session, its last state only.
func (s *Session) Output() *Output {
	return &Output{session: s, wake: make(chan struct{}, 1), ending: newEnding(), lost: true}
}

// Close ends the stream. A call of Next that waits returns.
func (o *Output) Close() {
	o.ending.close()
	o.session.exec.Post(func() { delete(o.session.st.outputs, o) })
}

// Name returns the present name of the session.
func (o *Output) Name() string { return o.session.Name() }

// Next waits for output and returns it. A caller that is too slow misses output, and gets a reset
// and the exact state of the terminal instead. After the last output, and after Close, the error is
// of kind Gone.
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
		b, lost := o.take()
		if lost {
			return o.state(ctx)
		}
		if len(b) > 0 {
			return b, nil
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

func (o *Output) take() ([]byte, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	b := o.waiting
	o.waiting = nil
	return b, o.lost
}

// state returns the bytes that bring a terminal into the state of the program's. Output is
// collected from then on.
func (o *Output) state(ctx context.Context) ([]byte, error) {
	s := o.session
	var b []byte
	err := s.do(ctx, func(st *state) error {
		if o.begun {
			b = append(b, hardReset...)
		}
		b = st.term.AppendState(b, 0)
		if st.core.Exit == nil {
			st.outputs[o] = struct{}{}
		}
		o.mu.Lock()
		o.lost = false
		o.mu.Unlock()
		return nil
	})
	if err != nil {
		return nil, err
	}
	o.begun = true
	return b, nil
}

// queryTime is how long a terminal that displays the output may take to reply to a query.
const queryTime = 5 * time.Second

// WithoutReplies returns what was typed on a terminal that displays the output. It takes out the
// terminal's replies to the program's queries: the session's own terminal has replied already, and
// there may be several that display the output.
//
// It may be called from one goroutine at a time.
func (o *Output) WithoutReplies(b []byte) []byte {
	s := o.session
	asked := s.asked.Load()
	return o.replies.Remove(b, asked > 0 && time.Since(s.created)-time.Duration(asked) < queryTime)
}

// put adds a chunk of output. It never blocks.
func (o *Output) put(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost {
		return
	}
	if len(o.waiting)+len(b) > maxOutput {
		o.waiting, o.lost = nil, true
	} else {
		o.waiting = append(o.waiting, b...)
	}
	wake(o.wake)
}
