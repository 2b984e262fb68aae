//go:build linux || darwin

package pty

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// SignalKey sends the signal of a key to the job in the foreground, if the terminal has one for it
// at the moment: SIGINT for Ctrl-C, SIGQUIT for Ctrl-\ and SIGTSTP for Ctrl-Z as a rule (ISIG,
// VINTR, VQUIT, VSUSP). It reports whether it did. Writing the key does the same, unless so much
// input is unread that the key does not get through: SignalKey drops that input, as the key would,
// and interrupts a call of Write that waits.
func (p *Process) SignalKey(key byte) bool {
	sent := false
	_ = control(p.master, "send the signal of a key", func(fd int) error {
		t, err := unix.IoctlGetTermios(fd, getTermios)
		if err != nil || t.Lflag&unix.ISIG == 0 || key == disabledKey {
			return err
		}
		var s syscall.Signal
		switch key {
		case t.Cc[unix.VINTR]:
			s = syscall.SIGINT
		case t.Cc[unix.VQUIT]:
			s = syscall.SIGQUIT
		case t.Cc[unix.VSUSP]:
			s = syscall.SIGTSTP
		default:
			return nil
		}
		if t.Lflag&unix.NOFLSH == 0 {
			_ = p.master.SetWriteDeadline(time.Now()) // Write removes it
			flushInput(fd)
		}
		err = unix.IoctlSetInt(fd, unix.TIOCSIG, int(s))
		sent = err == nil
		return err
	})
	return sent
}
