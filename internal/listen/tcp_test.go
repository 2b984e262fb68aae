package listen

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"go.uber.org/goleak"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A machine may have no IPv6.
func TestLoopbackWithoutIPv6(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.EADDRNOTAVAIL, syscall.EAFNOSUPPORT} {
		l, err := loopback(0, func(network, address string) (net.Listener, error) {
			if network == "tcp6" {
				return nil, &net.OpError{Op: "listen", Err: errno}
			}
			return net.Listen(network, address)
		})
		if err != nil {
			t.Fatalf("%v: %v", errno, err)
		}
		l.Close()
	}
}

// counted is a listener that counts those that are open.
type counted struct {
	net.Listener
	open *int
}

func (c counted) Close() error { *c.open--; return c.Listener.Close() }

// Ports of the system's choice are tried until one is free in both families, but not for ever.
func TestLoopbackTriesOtherPorts(t *testing.T) {
	for _, tt := range []struct{ taken, tried int }{{2, 3}, {portAttempts, portAttempts}} {
		tried, open := 0, 0
		l, err := loopback(0, func(network, address string) (net.Listener, error) {
			if network == "tcp4" {
				l, err := net.Listen(network, address)
				open++
				return counted{l, &open}, err
			}
			if tried++; tried <= tt.taken {
				return nil, &net.OpError{Op: "listen", Err: syscall.EADDRINUSE}
			}
			return nil, syscall.EADDRNOTAVAIL
		})
		if (err == nil) != (tt.taken < tt.tried) || tried != tt.tried {
			t.Errorf("%d taken: tried %d ports, %v", tt.taken, tried, err)
		}
		if err == nil {
			l.Close()
		}
		if open != 0 {
			t.Errorf("%d taken: %d ports are left open", tt.taken, open)
		}
	}
}

// A socket that is made again serves new clients through the same listener, and keeps the earlier
// ones.
func TestRestore(t *testing.T) {
	path := filepath.Join(testkit.ShortDir(t), "s")
	l, err := Unix(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	accepted := make(chan net.Conn)
	go func() {
		defer close(accepted)
		for {
			conn, err := l.Accept()
			if err != nil {
				if !errors.Is(err, net.ErrClosed) {
					t.Error(err)
				}
				return
			}
			accepted <- conn
		}
	}()
	connect := func() (client, server net.Conn) {
		t.Helper()
		client, err := Dial(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { client.Close() })
		server = <-accepted
		t.Cleanup(func() { server.Close() })
		return client, server
	}
	client, server := connect()
	for range 2 {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := l.Restore(); err != nil {
			t.Fatal(err)
		}
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Restore(); err != nil { // nothing to do
			t.Fatal(err)
		}
		if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) {
			t.Errorf("a socket that is there was made again (%v)", err)
		}
		connect()
	}
	if _, err := server.Write([]byte("x")); err != nil {
		t.Error(err)
	}
	if n, err := client.Read(make([]byte, 1)); n != 1 {
		t.Errorf("the first client reads %d bytes: %v", n, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.Restore(); fault.KindOf(err) != fault.Precondition {
		t.Errorf("where a file is: %v", err)
	}
	if err := errors.Join(l.Close(), l.Close(), l.Restore()); err != nil {
		t.Error(err)
	}
	if _, ok := <-accepted; ok {
		t.Error("a connection after Close")
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the file at the path is gone: %v", err)
	}
}
