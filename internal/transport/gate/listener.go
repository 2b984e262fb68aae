package gate

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"
)

const (
	// MaxConnections is how many connections a [Listener] holds open at a time.
	MaxConnections = 4096
	// MaxConnectionsEach is how many of them one address may have on an exposed server.
	MaxConnectionsEach = 1024
)

// A Listener bounds the connections of a server, and how long a peer may leave data unread.
// Connections beyond the bound are closed at once, so that a stranger who opens many cannot make
// the others wait. Connections from this machine count towards the total only, since their clients
// are the person's own.
type Listener struct {
	net.Listener
	log           *slog.Logger
	most, perPeer int
	pace          pace // of warnings about refused connections

	mu     sync.Mutex // guards the fields below
	open   int
	byPeer map[netip.Prefix]int
}

// Limit returns a listener with the bounds of [MaxConnections] and [MaxConnectionsEach]. It belongs
// below TLS, since a handshake is what costs most.
func Limit(l net.Listener, log *slog.Logger) *Listener {
	return &Listener{Listener: l, log: log, most: MaxConnections, perPeer: MaxConnectionsEach, pace: pace{most: 1}, byPeer: map[netip.Prefix]int{}}
}

// Accept implements [net.Listener].
func (l *Listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		remote := conn.RemoteAddr().String()
		key, counted := network(remote)
		counted = counted && !key.Addr().IsLoopback()
		if l.enter(key, counted) {
			return &limitedConn{Conn: conn, leave: sync.OnceFunc(func() { l.leave(key, counted) })}, nil
		}
		_ = conn.Close()
		if omitted, ok := l.pace.allow(time.Now()); ok {
			l.log.Warn("too many connections: closed one", "remote", remote, "omitted", omitted)
		}
	}
}

func (l *Listener) enter(key netip.Prefix, counted bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open >= l.most || counted && l.byPeer[key] >= l.perPeer {
		return false
	}
	l.open++
	if counted {
		l.byPeer[key]++
	}
	return true
}

func (l *Listener) leave(key netip.Prefix, counted bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open--
	if !counted {
		return
	}
	if l.byPeer[key]--; l.byPeer[key] == 0 {
		delete(l.byPeer, key)
	}
}

// A limitedConn gives its share back when it is closed. Writing to a peer that does not read fails
// after a while, whatever other deadlines there are.
type limitedConn struct {
	net.Conn
	leave func()

	mu       sync.Mutex // guards deadline
	deadline time.Time  // for writing, as set from outside
}

const (
	// writeWithin is how long a peer may take to read writeSize bytes.
	writeWithin = time.Minute
	writeSize   = 256 << 10
)

// Write implements [net.Conn].
func (c *limitedConn) Write(b []byte) (n int, err error) {
	for {
		if err := c.Conn.SetWriteDeadline(c.nextDeadline(time.Now())); err != nil {
			return n, err
		}
		m, err := c.Conn.Write(b[n:min(len(b), n+writeSize)])
		if n += m; err != nil || n == len(b) {
			return n, err
		}
	}
}

// nextDeadline returns the deadline for a write that begins now.
func (c *limitedConn) nextDeadline(now time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if own := now.Add(writeWithin); c.deadline.IsZero() || own.Before(c.deadline) {
		return own
	}
	return c.deadline
}

// SetWriteDeadline implements [net.Conn].
func (c *limitedConn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	c.deadline = t
	c.mu.Unlock()
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline implements [net.Conn].
func (c *limitedConn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// CloseWrite ends the writing side, where the connection has one. The HTTP server does that so that
// a client which still sends gets the answer.
func (c *limitedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// NetConn returns the connection itself, for what only its type can do.
func (c *limitedConn) NetConn() net.Conn { return c.Conn }

// Close implements [net.Conn].
func (c *limitedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
