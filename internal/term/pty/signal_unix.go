//go:build linux || darwin

package pty

import (
	"errors"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/fault"
)

// Signal sends a signal to the job in the foreground of the terminal, as keys such as Ctrl-C do: to
// the program itself unless that is a shell which runs another. The name is that of the system,
// with or without SIG, such as "INT". An unknown name is an error of kind Invalid. If the program
// has ended, the error is of kind Gone. Signal waits while the program is being killed.
func (p *Process) Signal(name string) error {
	s := unix.SignalNum("SIG" + strings.TrimPrefix(strings.ToUpper(name), "SIG"))
	if s == 0 {
		return fault.New(fault.Invalid, "there is no signal %q: give a name such as INT, TERM, KILL or HUP", name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return fault.New(fault.Gone, "the program has ended")
	}
	err := syscall.Kill(-p.foreground(), s)
	if errors.Is(err, syscall.ESRCH) { // the job has just ended
		err = syscall.Kill(-p.PID(), s)
	}
	if errors.Is(err, syscall.ESRCH) {
		return fault.New(fault.Gone, "the program has ended")
	}
	return fault.Wrap(fault.Internal, err, "send %s", unix.SignalName(s))
}

// foreground returns the process group in the foreground of the terminal, or the program's own
// where the system does not tell. The caller must hold mu, and the program must not have been
// reaped.
func (p *Process) foreground() int {
	group := 0
	err := control(p.master, "find the foreground job", func(fd int) (err error) {
		group, err = unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		return err
	})
	if err != nil || group <= 1 {
		return p.PID()
	}
	return group
}
