package pty

import (
	"bytes"
	"encoding/binary"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/term/tty"
)

const getTermios = unix.TIOCGETA

// P_PID, WEXITED, WNOWAIT and SZOMB of <sys/wait.h> and <sys/proc.h>.
const (
	byPID  = 1
	exited = 4
	noReap = 0x20
	zombie = 5
)

// awaitExit waits until a child has ended, without reaping it.
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

func (c *census) processes(session int) ([]member, error) { return c.of(session) }

// sessions returns all processes by session, except zombies.
func sessions() (map[int][]member, error) {
	infos, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, err
	}
	all := map[int][]member{}
	for _, info := range infos {
		pid := int(info.Proc.P_pid)
		if session, err := unix.Getsid(pid); err == nil && info.Proc.P_stat != zombie {
			all[session] = append(all[session], member{pid, int(info.Eproc.Pgid)})
		}
	}
	return all, nil
}

// disabledKey is the value of a special character that is switched off (_POSIX_VDISABLE).
const disabledKey = 0xff

// flushInput drops unread input: here, the signal does that.
func flushInput(int) {}

// unread is not known here.
func unread(int) int { return 0 }

// describe describes a process, and returns the zero value if there is none. The system tells the
// directory only to programs that link with its library.
func describe(pid int) tty.Foreground {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return tty.Foreground{}
	}
	return tty.Foreground{PID: pid, Name: unix.ByteSliceToString(info.Proc.P_comm[:])}
}

// command returns what a process executes. The system does not tell what a process reads.
func command(pid int, _ string) tty.Command {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return tty.Command{}
	}
	return tty.Command{Args: arguments(pid), Started: time.Unix(info.Proc.P_starttime.Unix())}
}

// arguments returns the arguments of a process, or nil. The system hands over how many there are,
// the path of the program, zeros, and then the arguments.
func arguments(pid int) []string {
	b, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(b) < 4 {
		return nil
	}
	n := int(binary.NativeEndian.Uint32(b))
	_, b, _ = bytes.Cut(b[4:], []byte{0})
	args := splitArgs(bytes.TrimLeft(b, "\x00"))
	return args[:max(0, min(n, len(args)))] // the environment follows
}

// parent returns the process that has started another one, or 0.
func parent(pid int) int {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return 0
	}
	return int(info.Eproc.Ppid)
}

// findInJob looks at the processes of a group, the first one first.
func findInJob(first, group int, match func(args []string) bool) int {
	infos, _ := unix.SysctlKinfoProcSlice("kern.proc.pgrp", group) // none
	pids := []int{first}
	for _, info := range infos[:min(len(infos), maxJob)] {
		pids = append(pids, int(info.Proc.P_pid))
	}
	slices.Sort(pids[1:])
	if i := slices.IndexFunc(pids, func(pid int) bool { return match(arguments(pid)) }); i >= 0 {
		return pids[i]
	}
	return 0
}
