//go:build linux || darwin

package pty

import (
	"bytes"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// HasSignalKey reports whether input contains a key for which the terminal sends a signal at the
// moment: see SignalKey. It does not block.
func (p *Process) HasSignalKey(input []byte) bool {
	return p.whileSignalling(func(_ int, t *unix.Termios) bool {
		of := []byte{t.Cc[unix.VINTR], t.Cc[unix.VQUIT], t.Cc[unix.VSUSP]}
		return slices.ContainsFunc(of, func(key byte) bool { return key != disabledKey && bytes.IndexByte(input, key) >= 0 })
	})
}

// whileSignalling returns what f does with the terminal's descriptor and settings, or false where
// keys send no signals, or the terminal is gone.
func (p *Process) whileSignalling(f func(fd int, t *unix.Termios) bool) (is bool) {
	_ = control(p.master, "look at the keys of signals", func(fd int) error {
		t, err := unix.IoctlGetTermios(fd, getTermios)
		is = err == nil && t.Lflag&unix.ISIG != 0 && f(fd, t)
		return err
	})
	return is
}

// SignalKey sends the signal of a key to the job in the foreground, if the terminal has one for it
// at the moment: SIGINT for Ctrl-C, SIGQUIT for Ctrl-\ and SIGTSTP for Ctrl-Z as a rule (ISIG,
// VINTR, VQUIT, VSUSP). It reports whether it did. Writing the key does the same, unless so much
// input is unread that the key does not get through: SignalKey drops that input, as the key would,
// and interrupts a call of Write that waits.
func (p *Process) SignalKey(key byte) bool {
	return key != disabledKey && p.whileSignalling(func(fd int, t *unix.Termios) bool {
		var s syscall.Signal
		switch key {
		case t.Cc[unix.VINTR]:
			s = syscall.SIGINT
		case t.Cc[unix.VQUIT]:
			s = syscall.SIGQUIT
		case t.Cc[unix.VSUSP]:
			s = syscall.SIGTSTP
		default:
			return false
		}
		if t.Lflag&unix.NOFLSH == 0 {
			_ = p.master.SetWriteDeadline(time.Now()) // Write removes it
			flushInput(fd)
		}
		return unix.IoctlSetInt(fd, unix.TIOCSIG, int(s)) == nil
	})
}

// KeepsSignalKey reports whether the key of a signal that was written last has not got through,
// because so much input before it is unread: the key drops all of that when it does. If more was
// written after the key, the result means nothing. It does not block. On macOS, it always reports
// false.
func (p *Process) KeepsSignalKey() bool {
	return p.whileSignalling(func(fd int, t *unix.Termios) bool { return t.Lflag&unix.NOFLSH == 0 && unread(fd) > 0 })
}
