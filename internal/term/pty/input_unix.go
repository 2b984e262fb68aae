//go:build linux || darwin

package pty

import (
	"golang.org/x/sys/unix"

	"ui-mcp/internal/term/tty"
)

// Mode returns what the terminal does with what is typed (ICANON and ECHO). It does not block.
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
	_ = control(p.master, "look for output", func(fd int) (err error) {
		has, err = readable(fd)
		return err
	}) // after an error, as of a closed terminal, no input is left
	return has
}

// HasInput reports whether there is input that no program has read, as far as the system tells: of
// a terminal that hands over lines, whole ones. It does not block.
func (p *Process) HasInput() bool {
	has := false
	_ = control(p.master, "look for input", func(int) error {
		// Only the program's end tells. Asking also delivers what the system has not yet.
		fd, err := unix.Open(p.terminal, unix.O_RDONLY|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		has, err = readable(fd)
		return err
	}) // after an error, as without descriptors, that is unknown
	return has
}

func readable(fd int) (bool, error) {
	ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(ready, 0)
	return n == 1 && ready[0].Revents&unix.POLLIN != 0, err
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
