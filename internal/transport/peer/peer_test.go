package peer

import (
	"net"
	"net/http/httptest"
	"strings"
	"testing"
)

// connect returns both ends of a connection to a listener.
func connect(t *testing.T, network, listen, dial string) (server, client net.Conn) {
	t.Helper()
	l, err := net.Listen(network, listen)
	if err != nil {
		t.Skipf("cannot listen on %s %s: %v", network, listen, err)
	}
	t.Cleanup(func() { l.Close() })
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if client, err = net.Dial("tcp", net.JoinHostPort(dial, port)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	if server, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return server, client
}

func TestLookupOwn(t *testing.T) {
	if !Available() {
		t.Skip("this system does not tell")
	}
	for _, tt := range []struct{ name, network, listen, dial string }{
		{"IPv4", "tcp", "127.0.0.1:0", "127.0.0.1"},
		{"another loopback address", "tcp", "127.0.0.2:0", "127.0.0.2"},
		{"IPv6", "tcp", "[::1]:0", "::1"},
		{"IPv4 at a dual-stack listener", "tcp", "[::]:0", "127.0.0.1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server, _ := connect(t, tt.network, tt.listen, tt.dial)
			if got, err := Lookup(server.LocalAddr(), server.RemoteAddr()); got != Own || err != nil {
				t.Errorf("Lookup = %v, %v", got, err)
			}
		})
	}
}

// A socket whose program has closed it belongs to root in the kernel's eyes.
func TestLookupClosed(t *testing.T) {
	server, client := connect(t, "tcp", "127.0.0.1:0", "127.0.0.1")
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Read(make([]byte, 1)); err == nil {
		t.Fatal("the connection is still open")
	}
	if got, err := Lookup(server.LocalAddr(), server.RemoteAddr()); got != Unknown || err == nil {
		t.Errorf("Lookup = %v, %v, want unknown and an error", got, err)
	}
}

func TestLookupElsewhere(t *testing.T) {
	loopback := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}
	for _, tt := range []struct {
		name   string
		remote net.Addr
		want   string
	}{
		{"Unix socket", &net.UnixAddr{Name: "/x"}, "not a TCP connection"},
		{"another machine", &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 2}, "not a loopback connection"},
		{"no address", nil, "not a TCP connection"},
	} {
		if got, err := Lookup(loopback, tt.remote); got != Unknown || err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Lookup = %v, %v, want unknown and %q", tt.name, got, err, tt.want)
		}
	}
}

// hidden is a connection whose other end the system does not know for a while.
type hidden struct {
	net.Conn
	is bool
}

func (h *hidden) RemoteAddr() net.Addr {
	if h.is {
		return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}
	}
	return h.Conn.RemoteAddr()
}

// A look-up that fails is repeated for the next request of the connection, and one that succeeds is
// not.
func TestUnknownForAWhile(t *testing.T) {
	if !Available() {
		t.Skip("this system does not tell")
	}
	server, _ := connect(t, "tcp", "127.0.0.1:0", "127.0.0.1")
	conn := &hidden{server, true}
	r := httptest.NewRequestWithContext(NewContext(t.Context(), conn), "GET", "/", nil)
	if got, err := OfRequest(r); got != Unknown || err == nil {
		t.Errorf("the first request is %v, %v", got, err)
	}
	conn.is = false
	if got, err := OfRequest(r); got != Own || err != nil {
		t.Errorf("the second request is %v, %v", got, err)
	}
	conn.is = true
	if got, err := OfRequest(r); got != Own || err != nil {
		t.Errorf("the third request is %v, %v", got, err)
	}
}
