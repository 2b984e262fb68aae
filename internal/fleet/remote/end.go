package remote

import (
	"context"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/stream"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

const (
	// pieceSize is how many bytes of a message cross at once, so that a long one does not hold up
	// the messages of other streams.
	pieceSize = 16 << 10
	// maxMessage is the length limit of an answer, in bytes: see LimitOf.
	maxMessage = 64 << 20
	// pieceOverhead is the part of a piece's length that it counts for itself.
	pieceOverhead = 128
	// partingTime is how long the last packets of a stream may take when the link is being closed.
	partingTime = time.Second
)

// The first byte of a piece.
const (
	more byte = iota // more pieces of the message follow
	whole
)

// An end is this host's end of a stream. One goroutine, run, sends its packets. One other may read
// at a time, and any number may write.
type end struct {
	conn   Conn
	to     Message              // without data: how its packets are addressed
	name   string               // of the other host, for errors
	op     *terminals.Operation // of a stream that this host has opened
	limit  int                  // the length limit of a message that it reads, in bytes
	ctx    context.Context
	cancel context.CancelCauseFunc // ends the stream at once, for the given reason

	wake    chan struct{} // capacity 1; a token means that run must look again
	arrived chan struct{} // capacity 1; a token means that there may be a message to read
	room    chan struct{} // capacity 1; a token means that there may be room to write
	writing chan struct{} // capacity 1; it has a token while a message is written
	part    []byte        // owned by the reader: the start of a message

	account *account    // of the host that has opened the stream, or nil
	exceed  func(error) // ends what the stream is for when too much is kept; nil without an account

	mu        sync.Mutex // guards the fields below
	s         *stream.Stream
	heard     bool // the other end has said something: before that, only Open is sent
	ended     bool // the last message was written
	deaf      bool // nothing that arrives is kept any more
	held      int  // bytes that the account counts: what the stream keeps, and:
	taken     int  // bytes of the message that is being read or handled
	unwritten int  // bytes of a message that is being written
}

// newEnd returns an end whose packets are addressed like to. Its run must be called.
func newEnd(ctx context.Context, conn Conn, to Message, name string) *end {
	e := &end{
		conn: conn, to: to, name: name, limit: maxFrame, s: stream.New(time.Now()), heard: to.Kind == Down,
		wake: make(chan struct{}, 1), arrived: make(chan struct{}, 1), room: make(chan struct{}, 1), writing: make(chan struct{}, 1),
	}
	e.ctx, e.cancel = context.WithCancelCause(ctx)
	return e
}

// ErrEnded is why a stream has ended that has no further use.
var ErrEnded = fault.New(fault.Gone, "the stream was closed")

// run sends packets until the stream has ended. The other end learns when this one, which has
// opened the stream, has no use for it any more.
func (e *end) run() {
	defer e.cancel(ErrEnded)
	defer e.forget()
	if e.to.Kind == Up {
		defer e.stop()
	}
	timer := time.NewTimer(stream.Silence)
	defer timer.Stop()
	for {
		packets, next, over := e.turn(time.Now())
		for _, p := range packets {
			m := e.to
			m.Data = p
			_ = e.conn.Send(e.ctx, m) // a lost packet is sent again
		}
		if over {
			return
		}
		timer.Reset(time.Until(next))
		select {
		case <-e.wake:
		case <-timer.C:
		case <-e.conn.Done():
			e.cancel(e.silent(e.conn.Err()))
			return
		case <-e.ctx.Done():
			return
		}
	}
}

// stop tells the other end that this one does not listen any more.
func (e *end) stop() {
	if fault.DetailOf(context.Cause(e.ctx)) == terminals.HostAway {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), partingTime)
	defer cancel()
	_ = e.conn.Send(ctx, Message{Peer: e.to.Peer, Kind: Stop, Stream: e.to.Stream}) // what arrives later is answered likewise
}

// turn returns what to send now, when to look again, and whether the stream is over.
func (e *end) turn(now time.Time) (packets [][]byte, next time.Time, over bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.s.Gone(now) {
		e.cancel(e.silent(nil))
		return nil, now, true
	}
	if !e.heard {
		return nil, e.s.GoneAt(), false
	}
	packets = e.s.Packets(now)
	return packets, e.s.Wake(), e.ended && e.s.Idle()
}

// silent returns the error about a host from which nothing was heard, or to which the connection
// has ended for a reason.
func (e *end) silent(why error) error {
	if why != nil {
		return fault.With(terminals.HostSilent, fault.Wrap(fault.Unreachable, why, "the connection to host %s has broken: what was asked may have been done, or not", e.name))
	}
	return fault.With(terminals.HostSilent, fault.New(fault.Unreachable, "host %s was silent for %v: what was asked may have been done, or not", e.name, stream.Silence))
}

// receive takes a packet of the other end. It does not wait.
func (e *end) receive(packet []byte) {
	e.mu.Lock()
	err := e.s.Receive(packet, time.Now())
	e.heard = true
	tooMuch := !e.settle() && !e.deaf
	if e.deaf = e.deaf || tooMuch; e.deaf {
		for ok := true; ok; {
			_, ok = e.s.Read()
		}
		e.settle()
	}
	e.mu.Unlock()
	if err != nil {
		e.cancel(err)
	}
	if tooMuch {
		e.exceed(errTooMuch)
	}
	wake.Up(e.wake)
	wake.Up(e.arrived)
	wake.Up(e.room)
}

// settle has the account count what is kept now. It reports false if that is too much. The caller
// holds e.mu.
func (e *end) settle() bool {
	kept := e.s.Kept() + e.taken + e.unwritten
	if !e.account.take(kept - e.held) {
		return false
	}
	e.held = kept
	return true
}

// reserve has the account count a message that is to be written. It reports false if that is too
// much.
func (e *end) reserve(bytes int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.unwritten = bytes
	if e.settle() {
		return true
	}
	e.unwritten = 0
	return false
}

// forget has the account count nothing any more.
func (e *end) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.account.give(e.held)
	e.account, e.held = nil, 0
}

// write sends a message, and waits while the other end takes no more. After the last message there
// can be no other one. If ctx ends meanwhile, so does the stream.
func (e *end) write(ctx context.Context, message []byte, last bool) error {
	select {
	case e.writing <- struct{}{}:
		defer func() { <-e.writing }()
	case <-e.ctx.Done():
		return context.Cause(e.ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if len(message) > pieceSize { // shorter ones are counted as they wait in the stream
		if !e.reserve(len(message) + len(message)/pieceOverhead) {
			return errTooMuch
		}
		defer e.reserve(0)
	}
	for {
		n := min(len(message), pieceSize)
		piece := make([]byte, 1, 1+n)
		if n == len(message) {
			piece[0] = whole
		}
		piece = append(piece, message[:n]...)
		message = message[n:]
		for !e.put(piece, last && len(message) == 0) {
			select {
			case <-e.room:
			case <-e.ctx.Done():
				return context.Cause(e.ctx)
			case <-ctx.Done():
				e.cancel(ErrEnded) // a part of the message may have been sent
				return context.Cause(ctx)
			}
		}
		if piece[0] == whole {
			return nil
		}
	}
}

// put writes a piece if there is room.
func (e *end) put(piece []byte, last bool) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if last {
		e.s.End(piece)
		e.ended = true
	} else if !e.s.Write(piece) {
		return false
	}
	e.unwritten -= min(len(piece)+len(piece)/pieceOverhead, e.unwritten)
	e.settle() // if it is too much, receive notices, too
	wake.Up(e.wake)
	return true
}

// read returns the next message, and whether it is the last one. If ctx ends, the stream goes on.
func (e *end) read(ctx context.Context) (message []byte, last bool, err error) {
	if len(e.part) == 0 { // the message before it is handled
		e.mu.Lock()
		e.taken = 0
		e.settle()
		e.mu.Unlock()
	}
	for over := false; ; {
		piece, ok, finished := e.take()
		switch {
		case !ok && finished:
			return nil, true, ErrEnded
		case ok && (len(piece) == 0 || piece[0] > whole || len(e.part)+len(piece) > e.limit):
			return nil, false, e.malformed()
		case ok:
			if len(e.part) == 0 {
				e.part = piece[1:]
			} else {
				e.part = append(e.part, piece[1:]...)
			}
			if piece[0] == whole {
				message, e.part = e.part, nil
				return message, finished, nil
			}
			continue
		case over:
			return nil, false, context.Cause(e.ctx)
		}
		select {
		case <-e.arrived:
		case <-e.ctx.Done():
			over = true // what has arrived before is still read
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		}
	}
}

// take returns the next piece, and whether there will be no other one.
func (e *end) take() (piece []byte, ok, finished bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.deaf {
		return nil, false, false
	}
	kept := e.s.Kept()
	if piece, ok = e.s.Read(); ok {
		e.taken += kept - e.s.Kept()
		wake.Up(e.wake) // the other end may have to know that there is room
	}
	return piece, ok, e.s.Finished()
}
