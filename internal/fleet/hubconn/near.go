package hubconn

import (
	"bufio"
	"net"
	"os/user"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/listen"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/transport/peer"
)

// A near dialer connects to a server on this machine that no certificate proves. Every user of the
// machine can listen at a port while the server does not, and would get what hosts send to each
// other, and what this one signs to prove who it is. So the system is asked whose program it is,
// before anything is sent.
type near struct{ also []string }

// nearTo returns a dialer for servers of this user, of root, and of another user with that name or
// number, if name is not "".
func nearTo(name string) (near, error) {
	if name == "" {
		return near{}, nil
	}
	if strings.Trim(name, "0123456789") == "" {
		return near{[]string{name}}, nil
	}
	u, err := user.Lookup(name)
	if err != nil {
		return near{}, fault.Wrap(fault.Invalid, err, "the user of the hub")
	}
	return near{[]string{u.Uid}}, nil
}

// Dial implements [nats.CustomDialer].
func (n near) Dial(network, address string) (net.Conn, error) {
	conn, err := net.DialTimeout(network, address, dialTime)
	if err != nil {
		return nil, err
	}
	r, err := n.check(conn, address)
	if err != nil {
		_ = conn.Close() // the other error says why
		return nil, err
	}
	return listen.Begun{Conn: conn, Reader: r}, nil
}

// check returns an error unless the program at the other end may be the server. A server speaks
// first, so that it has accepted the connection is known once it has.
func (n near) check(conn net.Conn, address string) (*bufio.Reader, error) {
	r := bufio.NewReader(conn)
	if err := conn.SetReadDeadline(time.Now().Add(dialTime)); err != nil {
		return nil, err
	}
	if _, err := r.Peek(1); err != nil {
		return nil, err
	}
	if err := conn.SetReadDeadline(time.Time{}); err != nil {
		return nil, err
	}
	const advice = "; use TLS, or name the user whose server it may be: nats://HOST:PORT?user=NAME"
	switch standing, err := peer.Lookup(conn.LocalAddr(), conn.RemoteAddr(), n.also...); standing {
	case peer.Own:
		return r, nil
	case peer.Foreign:
		return nil, fault.New(fault.Precondition, "the program that listens at %s is another user's%s", safetext.Clip(address, 100), advice)
	default:
		return nil, fault.Wrap(fault.Precondition, err, "it is not known whose program listens at %s%s", safetext.Clip(address, 100), advice)
	}
}
