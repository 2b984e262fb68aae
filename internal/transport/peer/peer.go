// Package peer finds out whether the program at the other end of a loopback connection belongs to
// the user of this process. Anybody who can log in can connect to a loopback port, so an address
// alone proves nothing. The system's own table of sockets knows whose each socket is.
//
// It decides nothing: callers decide about strangers, and about connections whose user the system
// does not reveal.
package peer

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// A Standing is what the system's table says about the other end of a connection.
type Standing int

const (
	// Unknown means that the table cannot be read, or does not have the socket. The socket is
	// missing, too, once its program has closed it.
	Unknown Standing = iota
	// Own is the user of this process, or an administrator, who could become that user anyway.
	Own
	// Foreign is any other user.
	Foreign
)

// errNotFound says that the table has no such socket, or one that no program holds any more.
var errNotFound = errors.New("the system does not know the socket")

// Lookup looks for the other end of a TCP connection, whose own end is local. Both ends must be on
// this machine. A program that has connected may look only once the other end has sent something:
// before that, the listener may not have accepted the connection. Users with one of the given IDs,
// as in [os/user.User.Uid], count as Own, too. It takes some microseconds on Linux and about a
// millisecond elsewhere, and may be called from anywhere. The error says why the result is Unknown,
// and is nil otherwise.
func Lookup(local, remote net.Addr, also ...string) (Standing, error) {
	ours, theirs, err := addresses(local, remote)
	if err != nil {
		return Unknown, err
	}
	return lookup(ours, theirs, also)
}

// Available reports whether the table of this system can be read, by looking up a connection of our
// own.
func Available() bool {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return false
	}
	defer l.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return false
	}
	defer client.Close()
	server, err := l.Accept()
	if err != nil {
		return false
	}
	defer server.Close()
	standing, _ := Lookup(server.LocalAddr(), server.RemoteAddr())
	return standing == Own
}

type contextKey struct{}

// NewContext returns a context for the requests of an accepted connection, in which [OfRequest]
// looks the other end up until the system has told whose it is.
func NewContext(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, contextKey{}, &end{conn: conn})
}

// An end is the other end of a connection. It stays the same program's as long as the connection is
// open. That it is unknown may have passing reasons, such as a lack of descriptors.
type end struct {
	conn net.Conn

	mu       sync.Mutex // guards the field below
	standing Standing
}

func (e *end) look() (_ Standing, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.standing == Unknown {
		e.standing, err = Lookup(e.conn.LocalAddr(), e.conn.RemoteAddr())
	}
	return e.standing, err
}

// OfRequest returns the standing of the program that sent a request to a server of this process.
func OfRequest(r *http.Request) (Standing, error) {
	if e, ok := r.Context().Value(contextKey{}).(*end); ok {
		return e.look()
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	remote, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return Unknown, errors.New("not a TCP connection")
	}
	return Lookup(local, net.TCPAddrFromAddrPort(remote))
}

func addresses(local, remote net.Addr) (ours, theirs netip.AddrPort, err error) {
	l, ok1 := local.(*net.TCPAddr)
	r, ok2 := remote.(*net.TCPAddr)
	if !ok1 || !ok2 {
		return ours, theirs, errors.New("not a TCP connection")
	}
	ours, theirs = unmapped(l), unmapped(r)
	if !ours.Addr().IsLoopback() || !theirs.Addr().IsLoopback() {
		return ours, theirs, errors.New("not a loopback connection")
	}
	return ours, theirs, nil
}

// unmapped returns the IPv4 address for one that is mapped to IPv6, as on a dual-stack listener.
func unmapped(a *net.TCPAddr) netip.AddrPort {
	p := a.AddrPort()
	return netip.AddrPortFrom(p.Addr().Unmap().WithZone(""), p.Port())
}
