package instance

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach keeps the signals of this process's console from a process to be started.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
}
