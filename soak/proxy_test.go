//go:build linux

package soak

import (
	"net"
	"sync"
)

// A proxy forwards connections to a server, and spoils them on demand.
type proxy struct {
	listener net.Listener
	target   string
	working  sync.WaitGroup

	mu      sync.Mutex // guards the fields below
	conns   map[*proxied]bool
	flowing chan struct{} // closed unless all connections are stalled
	closed  bool
}

// A proxied is a connection of a client with the one to the server.
type proxied struct {
	client, server net.Conn
	breaks         bool // guarded by the proxy's mu: after a part of the next bytes
}

func (l *proxied) close() {
	l.client.Close()
	l.server.Close()
}

func newProxy(target string) (*proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: listener, target: target, conns: map[*proxied]bool{}, flowing: make(chan struct{})}
	close(p.flowing)
	p.working.Go(p.serve)
	return p, nil
}

func (p *proxy) address() string { return p.listener.Addr().String() }

func (p *proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil {
			client.Close()
			continue
		}
		l := &proxied{client: client, server: server}
		p.mu.Lock()
		if p.closed {
			l.close()
		} else {
			p.conns[l] = true
			p.working.Go(func() { p.forward(l, client, server) })
			p.working.Go(func() { p.forward(l, server, client) })
		}
		p.mu.Unlock()
	}
}

// forward forwards the bytes of one direction. The end of one direction ends both.
func (p *proxy) forward(l *proxied, from, to net.Conn) {
	defer func() {
		l.close()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.conns, l)
	}()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		flowing, breaks := p.flowing, l.breaks && n > 1
		p.mu.Unlock()
		<-flowing
		if breaks {
			_, _ = to.Write(buffer[:n/2]) // it is closed next
			for _, c := range []net.Conn{from, to} {
				_ = c.(*net.TCPConn).SetLinger(0) // so that closing resets it
			}
			return
		}
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// stall holds up all bytes until release.
func (p *proxy) stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flowing = make(chan struct{})
}

func (p *proxy) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.flowing:
	default:
		close(p.flowing)
	}
}

// each does something to every nth connection.
func (p *proxy) each(n int, do func(*proxied)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := 0
	for l := range p.conns {
		if i++; i%n == 0 {
			do(l)
		}
	}
}

func (p *proxy) close() {
	p.listener.Close()
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.release()
	p.each(1, (*proxied).close)
	p.working.Wait()
}
