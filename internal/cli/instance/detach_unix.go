//go:build unix

package instance

import (
	"os/exec"
	"syscall"
)

// detach keeps the signals of this process's terminal from a process to be started.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
