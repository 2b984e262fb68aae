// Package listen opens the endpoints of servers: ports of the loopback interface in both families,
// and Unix sockets that only their user can connect to. It sends and checks nothing.
package listen

import (
	"errors"
	"io"
	"net"
	"runtime"
	"strconv"
	"sync"
	"syscall"
)

// portAttempts is how many ports chosen by the system are tried until one is free in both families.
const portAttempts = 20

// Loopback opens a port on 127.0.0.1 and, where the machine has it, on [::1]: programs may take
// localhost for either. A port that is in use on one of them counts as in use (see [IsInUse]),
// since another program would get requests that are meant for us. Port 0 means any free one.
func Loopback(port int) (net.Listener, error) { return loopback(port, net.Listen) }

func loopback(port int, listen func(network, address string) (net.Listener, error)) (net.Listener, error) {
	for attempt := 1; ; attempt++ {
		four, err := listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			return nil, err
		}
		_, chosen, err := net.SplitHostPort(four.Addr().String())
		if err != nil {
			return nil, errors.Join(err, four.Close())
		}
		six, err := listen("tcp6", net.JoinHostPort("::1", chosen))
		switch {
		case err == nil:
			return pair(four, six), nil
		case !IsInUse(err):
			return four, nil // there is no [::1] here
		}
		if err = errors.Join(err, four.Close()); port != 0 || attempt == portAttempts {
			return nil, err
		}
	}
}

// IsInUse reports whether an address cannot be opened because another program has it.
func IsInUse(err error) bool {
	const wsaEADDRINUSE = syscall.Errno(10048) // not syscall.EADDRINUSE, which Go makes up on Windows
	return errors.Is(err, syscall.EADDRINUSE) || runtime.GOOS == "windows" && errors.Is(err, wsaEADDRINUSE)
}

// pair returns two listeners in one. Its address is the first one's.
func pair(first, second net.Listener) net.Listener {
	var accepting sync.WaitGroup
	p := NewFed(first.Addr, func() error {
		err := errors.Join(first.Close(), second.Close())
		accepting.Wait()
		return err
	})
	// Each connection and error waits until it is taken, so that lasting errors do not make it
	// spin.
	for _, l := range []net.Listener{first, second} {
		accepting.Go(func() {
			for conn, err := l.Accept(); p.Feed(conn, err); conn, err = l.Accept() {
			}
		})
	}
	return p
}

// A Fed listener returns the connections and errors that others feed it, until it is closed. Use
// [NewFed].
type Fed struct {
	accepted chan accepted
	closing  chan struct{} // closed by Close
	close    func() error
	addr     func() net.Addr
}

type accepted struct {
	conn net.Conn
	err  error
}

// NewFed returns a listener with an address. end is called once, by Close, when nothing can be fed
// any more.
func NewFed(addr func() net.Addr, end func() error) *Fed {
	f := &Fed{accepted: make(chan accepted), closing: make(chan struct{}), addr: addr}
	f.close = sync.OnceValue(func() error {
		close(f.closing)
		return end()
	})
	return f
}

// Feed waits until a connection or an error is taken. It reports false when the listener is closed,
// and then closes the connection.
func (f *Fed) Feed(conn net.Conn, err error) bool {
	select {
	case f.accepted <- accepted{conn, err}:
		return true
	case <-f.closing:
		if conn != nil {
			_ = conn.Close() // no caller has seen it
		}
		return false
	}
}

// Accept implements [net.Listener].
func (f *Fed) Accept() (net.Conn, error) {
	select {
	case a := <-f.accepted:
		return a.conn, a.err
	case <-f.closing:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener]. Closing again does nothing.
func (f *Fed) Close() error { return f.close() }

// Addr implements [net.Listener].
func (f *Fed) Addr() net.Addr { return f.addr() }

// A Begun connection is one of which some input was read, which its Reader has.
type Begun struct {
	net.Conn
	Reader io.Reader
}

// Read implements [net.Conn].
func (c Begun) Read(b []byte) (int, error) { return c.Reader.Read(b) }

// CloseWrite tells the other end that nothing more comes, if the connection can.
func (c Begun) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
