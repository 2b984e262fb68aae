package listen

import (
	"net"
	"slices"
	"sync"
	"time"
)

const (
	// firstByteTime is how long a client may take to send its first byte.
	firstByteTime = 10 * time.Second
	// silentTime is how long it may take if there is no room for others: on a busy machine, it may
	// have connected and be about to send.
	silentTime = 100 * time.Millisecond
	// maxPending is how many connections may be on their way to Accept.
	maxPending = 64
)

// Split shares a listener between two protocols, by the first byte that a client sends: low gets
// the connections whose first byte is below limit, and high gets the others. Clients that send
// nothing are cut off after ten seconds, or when there are too many, the oldest after a tenth of a
// second: at most 64 connections at a time have sent nothing or wait for a call of Accept. When all
// of them wait, the system keeps others waiting; so both parts must accept, or be closed.
//
// Split owns the listener. Closing either part ends that part: its clients are cut off. Closing the
// second part also closes the listener and waits for Split's goroutines.
func Split(l net.Listener, limit byte) (low, high net.Listener) {
	s := &splitter{
		listener: l, limit: limit, slots: make(chan struct{}, maxPending), closing: make(chan struct{}), open: 2,
	}
	a, b := newFed(l.Addr, s.leave), newFed(l.Addr, s.leave)
	s.running.Go(func() { s.accept(a, b) })
	return a, b
}

type splitter struct {
	listener net.Listener
	limit    byte
	slots    chan struct{} // a token for each connection on its way
	closing  chan struct{} // closed when both parts are
	running  sync.WaitGroup

	mu        sync.Mutex // guards the fields below
	undecided []silent   // the oldest first
	open      int        // parts that are not closed
}

// A silent connection is one that is being read, and of which nothing has come yet.
type silent struct {
	conn  net.Conn
	since time.Time // when reading began
}

// leave closes the listener when no part is left.
func (s *splitter) leave() error {
	s.mu.Lock()
	s.open--
	last := s.open == 0
	if last {
		for _, c := range s.undecided {
			_ = c.conn.Close()
		}
	}
	s.mu.Unlock()
	if !last {
		return nil
	}
	close(s.closing)
	err := s.listener.Close()
	s.running.Wait()
	return err
}

// accept accepts connections until the listener is closed. Temporary errors, such as too many open
// files, go to either part: callers of Accept wait and try again.
func (s *splitter) accept(low, high *fed) {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			select {
			case <-s.closing:
				return
			default:
			}
			select {
			case low.accepted <- accepted{nil, err}:
			case high.accepted <- accepted{nil, err}:
			case <-s.closing:
				return
			}
			continue
		}
		if !s.takeSlot() {
			_ = conn.Close()
			return
		}
		s.running.Go(func() { s.decide(conn, low, high) })
	}
}

// takeSlot waits for a slot. While there is none, it cuts off the clients that have been silent for
// longest: they must not keep others out. It reports false when both parts are closed.
func (s *splitter) takeSlot() bool {
	for wait := time.Duration(0); ; wait = s.cutSilent() {
		select {
		case s.slots <- struct{}{}:
			return true
		case <-time.After(wait):
		case <-s.closing:
			return false
		}
	}
}

// cutSilent cuts off the client that has been silent for longest if there is no slot left, and if
// that is long enough. It returns when to look again, unless there is a slot earlier.
func (s *splitter) cutSilent() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.undecided) > 0 && len(s.slots) == maxPending {
		oldest := s.undecided[0]
		if rest := silentTime - time.Since(oldest.since); rest > 0 {
			return rest
		}
		s.undecided = s.undecided[1:]
		if isSilent(oldest.conn) { // else its goroutine has not run yet, and will decide
			_ = oldest.conn.SetReadDeadline(time.Now()) // unless a byte has just been read
			break
		}
	}
	return silentTime
}

// decide gives a connection to the part whose protocol its client speaks.
func (s *splitter) decide(conn net.Conn, low, high *fed) {
	defer func() { <-s.slots }()
	first, ok := s.first(conn)
	to := high
	if first < s.limit {
		to = low
	}
	if !ok {
		_ = conn.Close() // it said nothing
		return
	}
	to.feed(&begun{Conn: conn, first: []byte{first}}, nil) // or nobody speaks its protocol any more
}

// first reads the first byte.
func (s *splitter) first(conn net.Conn) (byte, bool) {
	_ = conn.SetReadDeadline(time.Now().Add(firstByteTime)) // before it can be cut off
	s.mu.Lock()
	if s.open == 0 {
		s.mu.Unlock()
		return 0, false
	}
	s.undecided = append(s.undecided, silent{conn, time.Now()})
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.undecided = slices.DeleteFunc(s.undecided, func(other silent) bool { return other.conn == conn })
	}()
	var b [1]byte
	n, _ := conn.Read(b[:])
	return b[0], n == 1 && conn.SetReadDeadline(time.Time{}) == nil
}

// A begun connection has had its first byte read.
type begun struct {
	net.Conn

	mu    sync.Mutex // guards first
	first []byte     // empty once it has been delivered
}

func (c *begun) Read(p []byte) (int, error) {
	c.mu.Lock()
	n := copy(p, c.first)
	c.first = c.first[n:]
	c.mu.Unlock()
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return c.Conn.Read(p)
}

// NetConn returns the connection itself, for what only its type can do.
func (c *begun) NetConn() net.Conn { return c.Conn }
