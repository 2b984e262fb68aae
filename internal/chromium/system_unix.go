//go:build unix

package chromium

import (
	"os"
	"os/exec"
	"syscall"
)

// givePipes lets a command read from in and write to out, in addition to its standard streams, and
// returns the arguments that say so. A browser expects them as its files 3 and 4.
func givePipes(c *exec.Cmd, in, out *os.File) (arguments []string, err error) {
	c.ExtraFiles = []*os.File{in, out}
	return []string{"--remote-debugging-pipe"}, nil
}

// leadGroup makes c lead a process group, so that keys of a terminal do not end it, and killGroup
// ends all of it.
func leadGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a command that has been started, and what it has started.
func killGroup(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
