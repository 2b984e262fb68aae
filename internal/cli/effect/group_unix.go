//go:build unix

package effect

import (
	"os/exec"
	"syscall"
)

// endWithGroup makes c lead a process group, which ends with it when it is cancelled.
func endWithGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
