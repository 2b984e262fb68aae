package mux

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/wake"
)

// Frames of smux begin with a version, a kind, the length of the content (2 bytes) and the number
// of the connection (4 bytes), the lowest byte first.
const (
	headerSize = 8
	version    = 2

	frameSYN, frameFIN, framePSH, frameNOP, frameUPD = 0, 1, 2, 3, 4

	updateSize = 8        // length of the content of a frameUPD
	frameCost  = 64       // what a frame takes beside its content
	tolerance  = 64 << 10 // how much more than windowSize ends a session
	share      = 1 << 20  // what a session may have unread when all have too much
)

// Why sessions end.
var (
	errMalformed = errors.New("the other end has sent a malformed frame")
	errTooMuch   = errors.New("the other end has sent more than it may")
	errSilent    = fmt.Errorf("nothing was heard for %v", silence)
	errIdle      = errors.New("nobody used the connection")
	errEOF       = errors.New("the other end has closed the connection")
	errMany      = errors.New("the other end opens connections without end")
)

// A carrier is the stream of bytes below smux. It checks the frames that arrive, and counts those
// that are not read yet.
type carrier struct {
	io.ReadWriteCloser
	limits  Limits
	accepts bool
	over    chan struct{} // closed by end
	room    chan struct{} // capacity 1; a token means that something was read
	watch   *time.Timer   // ends a silent session
	idle    *time.Timer   // ends one without connections, or nil

	r    *bufio.Reader // owned by Read, as the next two fields
	left int           // bytes of the content that is being read
	last uint32        // number of the connection that the other end has opened last

	mu     sync.Mutex // guards the fields below
	unread int64
	conns  map[uint32]*unread // the open ones
	reason error
}

// unread is what has arrived for a connection.
type unread struct {
	bytes int
	cost  int // of their frames beside them
}

func newCarrier(rw io.ReadWriteCloser, limits Limits, accepts bool) *carrier {
	l := &carrier{ReadWriteCloser: rw, limits: limits, accepts: accepts, over: make(chan struct{}), room: make(chan struct{}, 1), r: bufio.NewReaderSize(rw, 2*frameSize), conns: map[uint32]*unread{}}
	l.mu.Lock() // the timers may be over at once
	defer l.mu.Unlock()
	l.watch = time.AfterFunc(limits.silence, func() { l.end(errSilent) })
	if limits.Idle > 0 {
		l.idle = time.AfterFunc(limits.Idle, func() { l.end(errIdle) })
	}
	return l
}

func (l *carrier) end(reason error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reason == nil {
		l.reason = reason
		l.watch.Stop()
		if l.idle != nil {
			l.idle.Stop()
		}
		close(l.over)
	}
}

func (l *carrier) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reason
}

// because returns why something has failed: an error of a connection, or why the session has ended.
func (l *carrier) because(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	if reason := l.err(); reason != nil {
		err = reason
	}
	if _, known := errors.AsType[*fault.Error](err); known { // it is about this stream of bytes, and not about a request
		return errors.New(err.Error())
	}
	return err
}

// Read implements [io.Reader] for smux, which reads headers and contents apart.
func (l *carrier) Read(p []byte) (n int, err error) {
	if l.left > 0 {
		n, err = l.r.Read(p[:min(len(p), l.left)])
		l.left -= n
	} else if n, err = io.ReadFull(l.r, p[:headerSize]); err == nil {
		err = l.begin(p[:headerSize])
	}
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		l.end(errEOF)
	case err != nil:
		l.end(err)
	default:
		l.watch.Reset(l.limits.silence)
	}
	return n, err
}

// begin takes note of a frame, and waits while there is no room for it.
func (l *carrier) begin(header []byte) error {
	length, conn := int(binary.LittleEndian.Uint16(header[2:])), binary.LittleEndian.Uint32(header[4:])
	l.left = length
	switch kind := header[1]; {
	case header[0] != version:
	case kind == framePSH:
		return l.arrive(conn, length)
	case kind == frameUPD && length == updateSize, (kind == frameFIN || kind == frameNOP) && length == 0:
		return nil
	case kind == frameSYN && length == 0 && l.accepts && conn > l.last:
		l.last = conn
		l.opened(conn)
		return nil
	}
	return errMalformed
}

// arrive counts a frame, and waits for room.
func (l *carrier) arrive(conn uint32, length int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.conns[conn]
	if c == nil || length == 0 { // it was closed here, or is empty: smux drops the frame
		return nil
	}
	c.bytes += length
	c.cost += frameCost
	l.countLocked(length + frameCost)
	if c.bytes > windowSize+tolerance || l.limits.All != nil && l.limits.All.Load() > MaxAll && l.unread > share {
		return errTooMuch
	}
	if l.unread > l.limits.Unread {
		l.watch.Stop() // that nothing is read here is not silence of the other end
	}
	for l.unread > l.limits.Unread {
		l.mu.Unlock()
		select {
		case <-l.room:
		case <-l.over:
		}
		l.mu.Lock()
		if l.reason != nil {
			return l.reason
		}
	}
	return nil
}

func (l *carrier) countLocked(n int) {
	l.unread += int64(n)
	if l.limits.All != nil {
		l.limits.All.Add(int64(n))
	}
}

// taken takes note that bytes of a connection were read.
func (l *carrier) taken(conn uint32, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.conns[conn]
	if c == nil || n == 0 {
		return
	}
	cost := c.cost * n / c.bytes
	c.bytes -= n
	c.cost -= cost
	l.countLocked(-n - cost)
	wake.Up(l.room)
}

// opened takes note of a connection.
func (l *carrier) opened(conn uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conns != nil {
		l.conns[conn] = new(unread)
	}
	if l.idle != nil {
		l.idle.Stop()
	}
}

func (l *carrier) closed(conn uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.conns[conn]; c != nil {
		l.countLocked(-c.bytes - c.cost)
	}
	delete(l.conns, conn)
	if l.idle != nil && len(l.conns) == 0 && l.reason == nil {
		l.idle.Reset(l.limits.Idle)
	}
	wake.Up(l.room)
}

// forget counts nothing any more, when the session has ended.
func (l *carrier) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.countLocked(int(-l.unread))
	l.limits.All, l.conns = nil, nil
}

// count returns how many connections are open.
func (l *carrier) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.conns)
}
