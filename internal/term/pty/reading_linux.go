package pty

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/term/tty"
)

// maxInspected is how many processes and threads are inspected at most.
const maxInspected = 256

// reading reports whether a process group of a session waits for input from the terminal of that
// name, or a process that such a one has started in a session of its own, as su does for a command:
// job control does not keep that from reading. The system tells in which call each thread is
// blocked, with its arguments, unless the process belongs to another user or the system is set up
// not to (kernel.yama.ptrace_scope).
func reading(leader, group int, terminal string) tty.Reading {
	in := inspection{terminal: terminal, session: leader, group: group, left: maxInspected}
	in.tree(leader)
	if !in.found { // its parent has ended
		in.process(group)
	}
	switch {
	case in.reads:
		return tty.Reads
	case in.unclear || in.left < 0:
		return tty.ReadingUnknown
	}
	return tty.ReadsNot
}

type inspection struct {
	terminal string
	session  int
	group    int
	left     int  // how many more processes and threads may be inspected
	found    bool // a process of the group
	reads    bool
	unclear  bool // one of them may wait for input
}

// tree inspects a process and its descendants.
func (in *inspection) tree(pid int) {
	if in.reads || in.left < 0 {
		return
	}
	if group, err := unix.Getpgid(pid); err == nil && group == in.group {
		in.found = true
		in.process(pid)
	} else if session, err := unix.Getsid(pid); err == nil && session != in.session {
		in.process(pid)
	}
	at := "/proc/" + strconv.Itoa(pid) + "/task/"
	for _, thread := range in.list(at) {
		started, err := children(at + thread)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			in.unclear = true
		}
		for _, child := range started {
			in.left--
			in.tree(child)
		}
	}
}

func (in *inspection) process(pid int) {
	at := "/proc/" + strconv.Itoa(pid)
	for _, thread := range in.list(at + "/task/") {
		if in.left--; in.reads || in.left < 0 {
			return
		}
		call, err := os.ReadFile(at + "/task/" + thread + "/syscall")
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ESRCH): // it has ended
		case err != nil:
			in.unclear = true
		default:
			in.call(at, call)
		}
	}
}

func (in *inspection) list(folder string) []string {
	dir, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, err := dir.Readdirnames(max(in.left, 0) + 1)
	if err != nil {
		return nil
	}
	return names
}

// call inspects the call in which a thread is blocked: the content of /proc/PID/syscall.
func (in *inspection) call(process string, call []byte) {
	number, descriptor, ok := parseCall(call)
	switch {
	case !ok: // it is running
	case number == unix.SYS_READ || number == unix.SYS_READV:
		if in.isTerminal(process, descriptor) {
			in.reads = true
		}
	case slices.Contains(polls[:], number) && in.isTerminal(process, 0):
		in.unclear = true
	}
}

// isTerminal reports whether a descriptor is the terminal, which programs also open as /dev/tty.
func (in *inspection) isTerminal(process string, descriptor uint64) bool {
	to, err := os.Readlink(process + "/fd/" + strconv.FormatUint(descriptor, 10))
	return err == nil && (to == in.terminal || to == "/dev/tty")
}

// parseCall returns the number and the first argument of the call in which a thread is blocked, and
// false if it is in none: see proc_pid_syscall(5).
func parseCall(call []byte) (number uintptr, argument uint64, ok bool) {
	fields := bytes.Fields(call)
	if len(fields) < 2 {
		return 0, 0, false // running
	}
	n, err := strconv.ParseUint(string(fields[0]), 10, 32)
	if err != nil {
		return 0, 0, false // -1: blocked, but not in a call
	}
	argument, err = strconv.ParseUint(string(bytes.TrimPrefix(fields[1], []byte("0x"))), 16, 64)
	return uintptr(n), argument, err == nil
}
