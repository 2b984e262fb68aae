package pty

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

const getTermios = unix.TIOCGETA

// What <sys/wait.h> and <sys/proc.h> call P_PID, WEXITED, WNOWAIT and SZOMB.
const (
	byPID  = 1
	exited = 4
	noReap = 0x20
	zombie = 5
)

// awaitExit returns when a child has ended, and leaves it to be reaped.
func awaitExit(pid int) {
	var info [128]byte // a siginfo_t has 104
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(pid),
			uintptr(unsafe.Pointer(&info)), exited|noReap, 0, 0)
		if errno != syscall.EINTR {
			return
		}
	}
}

// processes lists the processes of a session, zombies left out.
func processes(session int) []member {
	infos, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	var all []member
	for _, info := range infos {
		pid := int(info.Proc.P_pid)
		if sid, err := unix.Getsid(pid); err != nil || sid != session || info.Proc.P_stat == zombie {
			continue
		}
		all = append(all, member{pid, int(info.Eproc.Pgid)})
	}
	return all
}
