package hubconn

import (
	"bufio"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/testkit/wait"
)

// impostor listens as another user, and returns what the first client says to it once it has
// introduced itself as a server of NATS.
func impostor(t *testing.T, uid int) (address string, said <-chan string) {
	t.Helper()
	listening, lines := make(chan net.Listener), make(chan string, 1)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); errno != 0 {
			t.Error(errno)
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Error(err)
			close(listening)
			return
		}
		listening <- l
		conn, err := l.Accept()
		if err != nil {
			close(lines)
			return
		}
		defer conn.Close()
		_, _ = conn.Write([]byte(`INFO {"server_id":"x","version":"2.10.0","max_payload":1048576,"nonce":"abcdefgh","auth_required":true}` + "\r\n"))
		line, _ := bufio.NewReader(conn).ReadString('\n')
		lines <- line
	}()
	l := <-listening
	if l == nil {
		t.FailNow()
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String(), lines
}

// Without TLS, a server of another user gets nothing, not even a signature: it could be anybody
// who has listened at the port first.
func TestForeignServer(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can listen as another user")
	}
	const nobody = 65534
	key, err := keys.Open(filepath.Join(t.TempDir(), "host.key"))
	if err != nil {
		t.Fatal(err)
	}
	for user, trusted := range map[string]bool{"": false, "root": false, "65534": true, "65533": false} {
		address, said := impostor(t, nobody)
		down := make(chan error, 10)
		c, err := Join(Membership{Address: "nats://" + address, User: user, Key: key, Up: func() {}, Down: func(err error) {
			select {
			case down <- err:
			default:
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		line := wait.For(t, "what it learns", said)
		if got := strings.HasPrefix(line, "CONNECT "); got != trusted {
			t.Errorf("trusting %q, it learns %q", user, line)
		}
		if err := wait.For(t, "the reason", down); !trusted && (err == nil || !strings.Contains(err.Error(), "another user's; use TLS")) {
			t.Errorf("trusting %q: %v", user, err)
		}
		c.Close()
	}
	if _, err := Join(Membership{Address: "nats://127.0.0.1:1", User: "no such user", Key: key}); fault.KindOf(err) != fault.Invalid {
		t.Error(err)
	}
}
