package app

import (
	"errors"
	"net"
	"runtime"
	"strconv"
	"sync"
	"syscall"

	"ui-mcp/internal/fault"
)

// listen opens a port on the loopback interface: the given one, or if that is 0 the previous one
// when it is free, or else any. flag is how the person chooses the port.
func listen(port, previous int, flag string) (net.Listener, error) {
	if port == 0 && previous != 0 {
		if l, err := listenAt(previous, net.Listen); err == nil {
			return l, nil
		}
	}
	l, err := listenAt(port, net.Listen)
	switch {
	case err == nil:
		return l, nil
	case port == 0:
		return nil, fault.Wrap(fault.Exhausted, err, "no port can be opened")
	case isInUse(err):
		return nil, fault.New(fault.Precondition, "port %d is in use: choose another one with %s, or 0 for any", port, flag)
	}
	return nil, fault.Wrap(fault.Precondition, err, "port %d cannot be opened: choose another one with %s, or 0 for any", port, flag)
}

// portAttempts is how many ports of the system's choice are tried until one is free in both
// families.
const portAttempts = 20

// listenAt opens a port on 127.0.0.1 and, where the machine has it, on [::1]: browsers may take
// localhost for either. A port that is in use on one of them counts as in use, since another
// program would get the requests that are for us. Port 0 is any.
func listenAt(port int, listen func(network, address string) (net.Listener, error)) (net.Listener, error) {
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
		case !isInUse(err):
			return four, nil // there is no [::1] here
		}
		if err = errors.Join(err, four.Close()); port != 0 || attempt == portAttempts {
			return nil, err
		}
	}
}

// isInUse reports whether a port cannot be opened because somebody has it.
func isInUse(err error) bool {
	const wsaEADDRINUSE = syscall.Errno(10048) // not syscall.EADDRINUSE, which Go makes up on Windows
	return errors.Is(err, syscall.EADDRINUSE) || runtime.GOOS == "windows" && errors.Is(err, wsaEADDRINUSE)
}

// A pair is two listeners in one. Its address is that of the first.
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

// accept passes on connections and errors until the pair is closed. While nobody takes them it
// waits, so that errors that last do not make it spin.
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
