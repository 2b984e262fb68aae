package peer

import (
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
)

const dialVariable = "PEER_TEST_DIAL"

// TestMain lets the test's own program be the client of another user.
func TestMain(m *testing.M) {
	if address := os.Getenv(dialVariable); address != "" {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			os.Exit(1)
		}
		_, _ = io.Copy(io.Discard, conn)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestLookupForeign(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Skipf("cannot listen on %s: %v", address, err)
		}
		defer l.Close()
		if err := l.(*net.TCPListener).SetDeadline(time.Now().Add(wait.Patience)); err != nil {
			t.Fatal(err)
		}
		cmd := testkit.Stranger(t, dialVariable+"="+l.Addr().String())
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		server, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs, err := addresses(server.LocalAddr(), server.RemoteAddr())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Lookup(server.LocalAddr(), server.RemoteAddr()); got != Foreign || err != nil {
			t.Errorf("%s: Lookup = %v, %v, want foreign", address, got, err)
		}
		if s, err := search(ours, theirs); err != nil || s.uid != testkit.StrangerUID || s.inode == 0 {
			t.Errorf("%s: the table says %+v, %v, want user %d", address, s, err, testkit.StrangerUID)
		}
		server.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: the client failed: %v", address, err)
		}
	}
}

func TestStanding(t *testing.T) {
	for _, tt := range []struct {
		socket socket
		also   []string
		want   Standing
	}{
		{socket{uid: 1000, inode: 7}, nil, Own},
		{socket{uid: 0, inode: 7}, nil, Own},
		{socket{uid: 1001, inode: 7}, nil, Foreign},
		{socket{uid: 1001, inode: 7}, []string{"1001"}, Own},
		{socket{uid: 1001, inode: 7}, []string{"1002", "", "root"}, Foreign},
		{socket{uid: 0, inode: 0}, nil, Unknown},
		{socket{uid: 1000, inode: 0}, nil, Unknown},
		{socket{uid: 1001, inode: 0}, []string{"1001"}, Unknown},
	} {
		if got, err := tt.socket.standing(1000, tt.also); got != tt.want || (err == nil) != (got != Unknown) {
			t.Errorf("%+v: %v, %v, want %v", tt.socket, got, err, tt.want)
		}
	}
}

// Both ways of asking agree on a real connection.
func TestSearch(t *testing.T) {
	server, client := connect(t, "tcp", "127.0.0.1:0", "127.0.0.1")
	ours, theirs, err := addresses(server.LocalAddr(), server.RemoteAddr())
	if err != nil {
		t.Fatal(err)
	}
	asked, err := diagnose(ours, theirs)
	if err != nil {
		t.Skipf("no socket diagnosis here: %v", err)
	}
	read, err := search(ours, theirs)
	if err != nil || read != asked || read.uid != uint32(os.Geteuid()) {
		t.Errorf("the table says %+v, %v; the kernel says %+v", read, err, asked)
	}
	// The other direction is another socket.
	other, err := search(theirs, ours)
	if err != nil || other.inode == read.inode {
		t.Errorf("the server's own socket is %+v, %v, the client's is %+v", other, err, read)
	}
	nowhere := netip.AddrPortFrom(theirs.Addr(), 1)
	if _, err := diagnose(ours, nowhere); err != errNotFound {
		t.Errorf("a socket that does not exist: %v", err)
	}
	client.Close()
}

func TestSearchTable(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("the table below was written by a little-endian machine")
	}
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
   1: 0100007F:D431 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 22 1 0 20 4 30 10 -1
   2: 0000000000000000FFFF00000100007F:D432 0000000000000000FFFF00000100007F:1F90 01 00000000:00000000 00:00000000 00000000  1002 0 33
   3: 00000000000000000000000001000000:D433 00000000000000000000000001000000:1F90 01 00000000:00000000 00:00000000 00000000  1003 0 44
   4: nonsense
`
	for _, tt := range []struct {
		ours, theirs string
		want         socket
	}{
		{"127.0.0.1:8080", "127.0.0.1:54321", socket{1001, 22}},
		{"127.0.0.1:8080", "127.0.0.1:54322", socket{1002, 33}},
		{"[::1]:8080", "[::1]:54323", socket{1003, 44}},
	} {
		got, err := searchTable(strings.NewReader(table), netip.MustParseAddrPort(tt.ours), netip.MustParseAddrPort(tt.theirs))
		if err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v, want %+v", tt.theirs, got, err, tt.want)
		}
	}
	if got, err := searchTable(strings.NewReader(table), netip.MustParseAddrPort("127.0.0.1:8081"), netip.MustParseAddrPort("127.0.0.1:54321")); err != errNotFound {
		t.Errorf("another port: %+v, %v", got, err)
	}
}

func FuzzReply(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, messageSize))
	full := make([]byte, messageSize)
	binary.NativeEndian.PutUint16(full[4:], sockDiagByFamily)
	f.Add(full)
	failed := make([]byte, unix.SizeofNlMsghdr+4)
	binary.NativeEndian.PutUint16(failed[4:], unix.NLMSG_ERROR)
	f.Add(failed)
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := reply(b); err != nil && s != (socket{}) {
			t.Errorf("an error with the socket %+v", s)
		}
	})
}
