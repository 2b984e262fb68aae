//go:build linux || darwin

package pty

import (
	"errors"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/fault"
)

// Signal sends a signal to the job in the foreground of the terminal, as keys such as Ctrl-C do: to
// the program itself unless that is a shell which runs another. The name is the system's,
// with or without SIG, such as "INT". An unknown name is an error of kind Invalid. If the program
// has ended, the error is of kind Gone. Signal waits while the program is being killed.
//
// The terminal sends INT, QUIT and TSTP, also to the processes of other users, such as those under
// sudo. Any other signal for a job that has only such processes is an error of kind Precondition;
// if a job has some, the others get it.
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
	err := p.signalJob(s)
	switch {
	case errors.Is(err, syscall.ESRCH):
		return fault.New(fault.Gone, "the program has ended")
	case errors.Is(err, syscall.EPERM):
		return fault.New(fault.Precondition, "the job in the foreground belongs to another user, who alone can send it %s: send INT, QUIT or TSTP, as C-c, C-\\ and C-z do", unix.SignalName(s))
	}
	return fault.Wrap(fault.Internal, err, "send %s", unix.SignalName(s))
}

// signalJob sends a signal to the job in the foreground, or to the program if that job has just
// ended. The caller must hold mu, and the program must not have been reaped.
func (p *Process) signalJob(s syscall.Signal) error {
	group, known := p.foreground()
	if known && slices.Contains(keySignals, s) && !errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) {
		return control(p.master, "signal the foreground job", func(fd int) error { return unix.IoctlSetInt(fd, unix.TIOCSIG, int(s)) })
	}
	err := syscall.Kill(-group, s)
	if errors.Is(err, syscall.ESRCH) {
		err = syscall.Kill(-p.PID(), s)
	}
	return err
}

var keySignals = []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTSTP}

// foreground returns the process group in the terminal's foreground, or the program's own and false
// where the system does not tell. The caller must hold mu, with the program not reaped.
func (p *Process) foreground() (group int, known bool) {
	err := control(p.master, "find the foreground job", func(fd int) (err error) {
		group, err = unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		return err
	})
	if err != nil || group <= 1 {
		return p.PID(), false
	}
	return group, true
}
