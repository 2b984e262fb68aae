package listen

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/fault"
)

// listenAs opens a socket as another user, in a thread of its own, and makes it look like ours.
func listenAs(t *testing.T, uid int, path string) net.Listener {
	t.Helper()
	type result struct {
		l   net.Listener
		err error
	}
	opened := make(chan result)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); errno != 0 {
			opened <- result{nil, errno}
			return
		}
		l, err := net.Listen("unix", path)
		opened <- result{l, err}
	}()
	r := <-opened
	if r.err != nil {
		t.Fatal(r.err)
	}
	if err := os.Chown(path, os.Geteuid(), -1); err != nil {
		t.Fatal(err)
	}
	return r.l
}

// The owner of a socket's file may not be the user of the program that listens there, as when the
// file is replaced after it was looked at. The program counts.
func TestDialForeignProgram(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can listen as another user")
	}
	dir := testkit.ShortDir(t)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "s.sock")
	l := listenAs(t, 12345, path)
	defer l.Close()
	conn, err := Dial(path)
	if err == nil {
		conn.Close()
	}
	if fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), "another user (12345)") {
		t.Errorf("Dial = %v", err)
	}
}
