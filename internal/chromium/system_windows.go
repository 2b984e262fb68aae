package chromium

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// givePipes lets a command read from in and write to out, and returns the arguments that say so:
// the numbers of their handles.
func givePipes(c *exec.Cmd, in, out *os.File) (arguments []string, err error) {
	for _, f := range []*os.File{in, out} {
		if err := windows.SetHandleInformation(windows.Handle(f.Fd()), windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT); err != nil {
			return nil, err
		}
		c.SysProcAttr.AdditionalInheritedHandles = append(c.SysProcAttr.AdditionalInheritedHandles, syscall.Handle(f.Fd()))
	}
	return []string{"--remote-debugging-pipe", fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", in.Fd(), out.Fd())}, nil
}

// leadGroup keeps keys of a console from c.
func leadGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// killGroup ends a command that has been started. A browser's other processes end with it.
func killGroup(c *exec.Cmd) { _ = c.Process.Kill() }
