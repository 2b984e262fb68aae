package app

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"testing"
)

// listenSix opens a port on [::1], or skips the test where the machine has no IPv6.
func listenSix(t *testing.T, port int) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(port)))
	if err != nil {
		t.Skipf("no [::1] here: %v", err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// localhost may be either address, so both lead to the same server.
func TestListenOnBothFamilies(t *testing.T) {
	listenSix(t, 0)
	l, err := OpenPort(0, 0, "--port")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, host := range []string{"127.0.0.1", "::1"} {
		client, err := net.Dial("tcp", net.JoinHostPort(host, strconv.Itoa(portOf(l.Addr()))))
		if err != nil {
			t.Errorf("%s: %v", host, err)
			continue
		}
		defer client.Close()
		server, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		if got := server.RemoteAddr().String(); got != client.LocalAddr().String() {
			t.Errorf("%s: accepted %s, want %s", host, got, client.LocalAddr())
		}
	}
	if got := l.Addr().(*net.TCPAddr).IP.String(); got != "127.0.0.1" {
		t.Errorf("its address is %s", got)
	}
	waiting, err := net.Dial("tcp", net.JoinHostPort("::1", strconv.Itoa(portOf(l.Addr())))) // nobody accepts it
	if err != nil {
		t.Fatal(err)
	}
	defer waiting.Close()
	for range 2 {
		if err := l.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Accept after Close = %v", err)
	}
	if _, err := waiting.Read(make([]byte, 1)); err == nil {
		t.Error("a connection that nobody accepted is open")
	}
	for _, host := range []string{"127.0.0.1", "::1"} {
		if l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(portOf(l.Addr())))); err != nil {
			t.Errorf("%s is not free: %v", host, err)
		} else {
			l.Close()
		}
	}
}

// A port that a stranger has under the other address is not ours: localhost might lead there.
func TestListenTakenInOneFamily(t *testing.T) {
	port := portOf(listenSix(t, 0).Addr())
	if l, err := OpenPort(port, 0, "--port"); err == nil {
		l.Close()
		t.Error("a port that is in use on [::1] was opened")
	} else if want := fmt.Sprintf("port %d is in use: choose another one with --port, or 0 for any", port); err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
	l, err := OpenPort(0, port, "--port")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if portOf(l.Addr()) == port {
		t.Error("the previous port was opened, though another program has it on [::1]")
	}
}
