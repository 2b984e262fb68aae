//go:build linux || darwin

package pty

import (
	"golang.org/x/sys/unix"

	"ui-mcp/internal/term/tty"
)

// Mode returns what the terminal does with what is typed: see termios(3), ICANON and ECHO. It does
// not block.
func (p *Process) Mode() tty.Mode {
	mode := tty.ModeUnknown
	_ = control(p.master, "ask for the terminal's mode", func(fd int) error {
		t, err := unix.IoctlGetTermios(fd, getTermios)
		switch {
		case err != nil:
			return err
		case t.Lflag&unix.ICANON == 0:
			mode = tty.ModeKeys
		case t.Lflag&unix.ECHO == 0:
			mode = tty.ModeSecret
		default:
			mode = tty.ModeLines
		}
		return nil
	}) // after an error, the mode is unknown
	return mode
}

// HasOutput reports whether there is output that has not been read. It does not block.
func (p *Process) HasOutput() bool {
	has := false
	_ = control(p.master, "look for output", func(fd int) error {
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(ready, 0)
		has = n == 1 && ready[0].Revents&unix.POLLIN != 0
		return err
	}) // after an error, as of a closed terminal, no input is left
	return has
}

// Reads reports whether the job in the foreground waits for input. It does not block.
func (p *Process) Reads() tty.Reading {
	if !p.mu.TryLock() {
		return tty.ReadingUnknown // it is being killed
	}
	defer p.mu.Unlock()
	if p.reaped {
		return tty.ReadsNot
	}
	group, _ := p.foreground()
	return reading(p.PID(), group, p.terminal)
}
