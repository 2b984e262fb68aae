//go:build unix

package listen

import (
	"net"
	"syscall"
)

// isSilent reports whether nothing has arrived on a connection that has not been read. It does not
// wait.
func isSilent(conn net.Conn) bool {
	c, ok := conn.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return true
	}
	n := 0
	err = raw.Control(func(fd uintptr) {
		n, _, _ = syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	return err != nil || n <= 0
}
