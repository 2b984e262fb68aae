// Package listen opens the endpoints of servers: ports of the loopback interface in both families,
// and Unix sockets that only their user can connect to. It sends and checks nothing.
package listen

import (
	"errors"
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
			return newPair(four, six), nil
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

// A pair is two listeners in one. Its address is the first one's.
type pair struct {
	first, second net.Listener
	accepted      chan accepted
	closing       chan struct{} // closed by Close
	close         func() error
	accepting     sync.WaitGroup
}

type accepted struct {
	conn net.Conn
	err  error
}

func newPair(first, second net.Listener) *pair {
	p := &pair{first: first, second: second, accepted: make(chan accepted), closing: make(chan struct{})}
	p.close = sync.OnceValue(func() error {
		close(p.closing)
		err := errors.Join(first.Close(), second.Close())
		p.accepting.Wait()
		return err
	})
	for _, l := range []net.Listener{first, second} {
		p.accepting.Go(func() { p.accept(l) })
	}
	return p
}

// accept passes on connections and errors until the pair is closed. It waits until each one is
// taken, so that lasting errors do not make it spin.
func (p *pair) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		select {
		case p.accepted <- accepted{conn, err}:
		case <-p.closing:
			if conn != nil {
				_ = conn.Close() // nobody has seen it
			}
			return
		}
	}
}

// Accept implements [net.Listener].
func (p *pair) Accept() (net.Conn, error) {
	select {
	case a := <-p.accepted:
		return a.conn, a.err
	case <-p.closing:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener]. Closing again does nothing.
func (p *pair) Close() error { return p.close() }

// Addr implements [net.Listener].
func (p *pair) Addr() net.Addr { return p.first.Addr() }
