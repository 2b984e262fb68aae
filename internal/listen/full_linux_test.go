package listen

import (
	"net"
	"path/filepath"
	"syscall"
	"testing"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/fault"
)

// A server whose queue of connections is full, as of one that is stopped, is alive: its socket is
// not replaced, and nobody takes it for ended.
func TestFullQueue(t *testing.T) {
	path := filepath.Join(testkit.ShortDir(t), "s.sock")
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	for { // until nobody else gets in
		c, err := net.Dial("unix", path)
		if err != nil {
			break
		}
		t.Cleanup(func() { c.Close() })
	}
	if _, err := Dial(path); fault.KindOf(err) != fault.Timeout {
		t.Fatalf("Dial = %v", err)
	}
	if l, err := Unix(path); fault.KindOf(err) != fault.Exists {
		t.Fatalf("Unix = %v, %v", l, err)
	}
	accepted := make(chan error)
	go func() {
		for range 2 { // the queue has room again
			c, _, err := syscall.Accept(fd)
			if err == nil {
				err = syscall.Close(c)
			}
			accepted <- err
		}
	}()
	c, err := Dial(path)
	if err != nil {
		t.Fatalf("Dial, with room again = %v", err)
	}
	c.Close()
	for range 2 {
		if err := <-accepted; err != nil {
			t.Error(err)
		}
	}
}
