//go:build linux || darwin

package attach

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// writeNow writes as much as a connection has room for, and returns how much that is, in bytes. It
// does not block, and must not be called while Write is. It saves each key the time that it takes
// to wake a goroutine that writes. Not all connections can do it, and none reports errors: Write
// does.
func writeNow(conn net.Conn, b []byte) (n int) {
	c, ok := conn.(syscall.Conn)
	if !ok || len(b) == 0 {
		return 0
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return 0
	}
	_ = raw.Write(func(fd uintptr) bool {
		n, _ = unix.Write(int(fd), b)
		return true
	})
	return max(n, 0)
}
