package listen

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener whose connections are pipes in memory, so that its time can be a bubble's.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func newPipes() pipes { return pipes{make(chan net.Conn), make(chan struct{})} }

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { close(p.closed); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }

func (p pipes) dial(t *testing.T) net.Conn {
	t.Helper()
	client, server := net.Pipe()
	p.conns <- server
	return client
}

func TestSplit(t *testing.T) {
	path := filepath.Join(shortDir(t), "s.sock")
	l, err := Unix(path)
	if err != nil {
		t.Fatal(err)
	}
	low, high := Split(l, 0x30)
	defer low.Close()
	defer high.Close()
	if low.Addr().String() != path || high.Addr().String() != path {
		t.Errorf("addresses %v and %v", low.Addr(), high.Addr())
	}
	silent, err := Dial(path) // delays nobody
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, tt := range []struct {
		text string
		to   net.Listener
	}{
		{"\x08\x00\x00\x00\x00", low}, {"GET / HTTP/1.1\r\n\r\n", high}, {"\x00", low}, {"0", high}, {"\x2f", low}, {"\xff", high},
	} {
		client, err := Dial(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(client, tt.text); err != nil {
			t.Fatal(err)
		}
		client.(*net.UnixConn).CloseWrite()
		server, err := tt.to.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(server); string(got) != tt.text || err != nil {
			t.Errorf("the server reads %q, %v; want %q", got, err, tt.text)
		}
		if _, ok := server.(interface{ NetConn() net.Conn }).NetConn().(*net.UnixConn); !ok {
			t.Errorf("the connection is a %T", server)
		}
		client.Close()
		server.Close()
	}
}

func TestSplitCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes()
		low, high := Split(l, 0x30)

		silent := l.dial(t)
		start := time.Now()
		if _, err := silent.Read(make([]byte, 1)); err == nil {
			t.Error("a client that sends nothing is served")
		}
		if took := time.Since(start); took != firstByteTime {
			t.Errorf("a client that sends nothing is cut off after %v", took)
		}

		waiting := l.dial(t) // nobody accepts it
		if _, err := waiting.Write([]byte{1}); err != nil {
			t.Fatal(err)
		}
		if err := low.Close(); err != nil {
			t.Error(err)
		}
		if _, err := waiting.Read(make([]byte, 1)); err == nil {
			t.Error("a connection of a closed part is open")
		}
		if _, err := low.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Accept after Close = %v", err)
		}

		other := l.dial(t)
		if _, err := other.Write([]byte("G")); err != nil {
			t.Fatal(err)
		}
		server, err := high.Accept()
		if err != nil {
			t.Fatalf("the other part after one was closed: %v", err)
		}
		server.Close()

		late := l.dial(t)
		for range 2 {
			if err := high.Close(); err != nil {
				t.Error(err)
			}
		}
		if _, err := late.Read(make([]byte, 1)); err == nil {
			t.Error("a connection that sent nothing is open after the end")
		}
		select {
		case <-l.closed:
		default:
			t.Error("the listener is open after the end")
		}
	})
}

// However many silent clients there are, others are served soon.
func TestSplitBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes()
		low, high := Split(l, 0x30)
		defer low.Close()
		defer high.Close()
		silent := l.dial(t)
		for range 3 * maxPending {
			l.dial(t)
		}
		start := time.Now()
		if _, err := silent.Read(make([]byte, 1)); err == nil {
			t.Error("the oldest silent client is served")
		}
		client := l.dial(t)
		go func() { _, _ = client.Write([]byte("G")) }()
		server, err := high.Accept()
		if err != nil {
			t.Fatal(err)
		}
		server.Close()
		if waited := time.Since(start); waited > 3*silentTime {
			t.Errorf("served after %v", waited)
		}
	})
}

// Clients that have sent something are not taken for silent ones because many come at once, as when
// a server goes on that was stopped.
func TestSplitBurst(t *testing.T) {
	path := filepath.Join(shortDir(t), "s.sock")
	l, err := Unix(path)
	if err != nil {
		t.Fatal(err)
	}
	var clients []net.Conn
	for range 20 * maxPending {
		client, err := Dial(path)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		if _, err := client.Write([]byte("G")); err != nil {
			t.Fatal(err)
		}
		clients = append(clients, client)
	}
	low, high := Split(l, 0x30)
	defer low.Close()
	var serving sync.WaitGroup
	defer serving.Wait()
	defer high.Close()
	serving.Go(func() {
		for {
			server, err := high.Accept()
			if err != nil {
				return
			}
			_, _ = server.Write([]byte("x"))
			server.Close()
		}
	})
	cut := 0
	for _, client := range clients {
		if _, err := client.Read(make([]byte, 1)); err != nil {
			cut++
		}
	}
	if cut > 0 {
		t.Errorf("%d of %d clients were cut off", cut, len(clients))
	}
}

// Connections that nobody accepts are bounded, too.
func TestSplitBoundsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes()
		low, high := Split(l, 0x30)
		defer high.Close()
		for range maxPending {
			if _, err := l.dial(t).Write([]byte("G")); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		_, server := net.Pipe()
		l.conns <- server // it is the last that is accepted
		select {
		case l.conns <- server:
			t.Error("one more connection was accepted")
		case <-time.After(time.Hour):
		}
		if err := low.Close(); err != nil {
			t.Error(err)
		}
	})
}

// What a client has sent counts although the goroutine that reads it has not run yet, as on a busy
// machine.
func TestSplitReadsLate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("whether a connection has input cannot be asked without reading it")
	}
	path := filepath.Join(shortDir(t), "s.sock")
	l, err := Unix(path)
	if err != nil {
		t.Fatal(err)
	}
	reads := make(chan struct{})
	low, high := Split(lateListener{l, reads}, 0x30)
	defer low.Close()
	var clients []net.Conn
	for i := range maxPending + 8 {
		client, err := Dial(path)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		if i < maxPending-1 { // the last one to get a slot at first is silent
			if _, err := client.Write([]byte("G")); err != nil {
				t.Fatal(err)
			}
		}
		clients = append(clients, client)
	}
	silent := clients[maxPending-1]
	if err := silent.SetReadDeadline(time.Now().Add(firstByteTime)); err != nil {
		t.Fatal(err)
	}
	if _, err := silent.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a silent client: %v", err)
	}
	close(reads)
	var serving sync.WaitGroup
	defer serving.Wait()
	defer high.Close()
	serving.Go(func() {
		for {
			server, err := high.Accept()
			if err != nil {
				return
			}
			_, _ = server.Write([]byte("x"))
			server.Close()
		}
	})
	for i, client := range clients[:maxPending-1] {
		if _, err := client.Read(make([]byte, 1)); err != nil {
			t.Errorf("client %d was cut off: %v", i, err)
		}
	}
}

// A lateListener has connections that cannot be read before reads is closed.
type lateListener struct {
	net.Listener
	reads chan struct{}
}

func (l lateListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return lateConn{c.(*net.UnixConn), l.reads, make(chan struct{})}, nil
}

type lateConn struct {
	*net.UnixConn
	reads chan struct{}
	cut   chan struct{} // closed when the deadline is over
}

func (c lateConn) SetReadDeadline(t time.Time) error {
	if !t.IsZero() && !t.After(time.Now()) {
		close(c.cut)
	}
	return c.UnixConn.SetReadDeadline(t)
}

func (c lateConn) Read(b []byte) (int, error) {
	select {
	case <-c.reads:
	case <-c.cut:
	}
	return c.UnixConn.Read(b)
}
