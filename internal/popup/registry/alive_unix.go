//go:build unix

package registry

import (
	"errors"
	"syscall"
)

// alive reports whether there is a process of that number. One that is somebody else's is one, too.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
