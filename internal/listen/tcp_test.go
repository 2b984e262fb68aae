package listen

import (
	"net"
	"syscall"
	"testing"

	"go.uber.org/goleak"
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
