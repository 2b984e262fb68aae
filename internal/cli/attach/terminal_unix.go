//go:build linux || darwin

package attach

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/fault"
)

// terminalSignals are those that concern the terminal.
var terminalSignals = []os.Signal{syscall.SIGWINCH, syscall.SIGTSTP, syscall.SIGCONT}

func isResize(s os.Signal) bool  { return s == syscall.SIGWINCH }
func isSuspend(s os.Signal) bool { return s == syscall.SIGTSTP }

// canSuspend reports whether a shell can continue this process. The session leader's own group has
// none: such a client is what the terminal runs instead of a shell.
func canSuspend() bool {
	leader, err := unix.Getsid(0)
	return err == nil && leader != unix.Getpgrp()
}

// stopJob asks this process to stop, and with it all of the shell's job, as Ctrl-Z does.
func stopJob() { _ = unix.Kill(0, unix.SIGTSTP) }

// suspend stops this process until it is continued, if it can be.
func suspend(signals <-chan os.Signal) error {
	if !canSuspend() {
		return nil
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGSTOP); err != nil {
		return fault.Wrap(fault.Internal, err, "suspend")
	}
	for s := range signals {
		if s == syscall.SIGCONT {
			break
		}
	}
	return nil
}

// settings are what a terminal's driver does with input and output.
type settings = unix.Termios

// A terminal is the person's.
type terminal struct {
	in, out    *os.File
	saved, raw settings
	wake       [2]int // a pipe; a byte ends the waiting of read
	stopped    atomic.Bool
}

// openTerminal checks that both files are terminals, and remembers their settings.
func openTerminal(in, out *os.File) (*terminal, error) {
	saved, err := unix.IoctlGetTermios(int(in.Fd()), getTermios)
	if err != nil {
		return nil, fault.New(fault.Precondition, "standard input is not a terminal, so nobody can type: run this in a terminal, or use \"wsh send\" and \"wsh screen\"")
	}
	if _, err := unix.IoctlGetTermios(int(out.Fd()), getTermios); err != nil {
		return nil, fault.New(fault.Precondition, "standard output is not a terminal: run this in a terminal, or read the screen with \"wsh screen\"")
	}
	t := &terminal{in: in, out: out, saved: *saved, raw: *saved}
	t.raw.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	t.raw.Oflag &^= unix.OPOST
	t.raw.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	t.raw.Cflag &^= unix.CSIZE | unix.PARENB
	t.raw.Cflag |= unix.CS8
	t.raw.Cc[unix.VMIN], t.raw.Cc[unix.VTIME] = 1, 0
	if err := unix.Pipe(t.wake[:]); err != nil {
		return nil, fault.Wrap(fault.Internal, err, "make a pipe")
	}
	for _, fd := range t.wake {
		unix.CloseOnExec(fd)
	}
	return t, nil
}

func (t *terminal) close() {
	for _, fd := range t.wake {
		_ = unix.Close(fd)
	}
}

// makeRaw passes every key on as it is. Input that was typed before is kept.
func (t *terminal) makeRaw() error { return setTerminal(t.in, &t.raw) }

// restore undoes makeRaw.
func (t *terminal) restore() error { return setTerminal(t.in, &t.saved) }

func setTerminal(f *os.File, s *settings) error {
	for {
		err := unix.IoctlSetTermios(int(f.Fd()), setTermios, s)
		if err != unix.EINTR {
			return fault.Wrap(fault.Gone, err, "the terminal")
		}
	}
}

// size returns the terminal's size in cells. A terminal that reports no size gets the usual one.
func (t *terminal) size() (size, error) {
	w, err := unix.IoctlGetWinsize(int(t.out.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return size{}, fault.Wrap(fault.Gone, err, "the terminal's size")
	}
	if w.Col == 0 || w.Row == 0 {
		return size{Rows: 24, Cols: 80}, nil
	}
	return size{Rows: int(w.Row), Cols: int(w.Col)}, nil
}

// write writes everything. The terminal may be slow, or stopped by the person. Other programs that
// use the terminal may have made it non-blocking.
func (t *terminal) write(b []byte) error {
	for len(b) > 0 {
		n, err := t.out.Write(b)
		b = b[n:]
		switch {
		case errors.Is(err, unix.EAGAIN):
			poll := []unix.PollFd{{Fd: int32(t.out.Fd()), Events: unix.POLLOUT}}
			if _, err := unix.Poll(poll, -1); err != nil && err != unix.EINTR {
				return fault.Wrap(fault.Gone, err, "the terminal")
			}
		case err != nil:
			return fault.Wrap(fault.Gone, err, "the terminal")
		}
	}
	return nil
}

// read waits for input, at most for a time unless that is negative. It returns nothing when the
// time is over, errInterrupted after interrupt, and errResized after resized, once it has returned
// what was typed before.
func (t *terminal) read(b []byte, wait time.Duration) (int, error) {
	in := int(t.in.Fd())
	for {
		var ready unix.FdSet
		ready.Set(in)
		ready.Set(t.wake[0])
		var limit *unix.Timeval
		if wait >= 0 {
			limit = new(unix.NsecToTimeval(int64(wait)))
		}
		n, err := unix.Select(max(in, t.wake[0])+1, &ready, nil, nil, limit)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return 0, fault.Wrap(fault.Gone, err, "the terminal")
		case t.stopped.Load():
			return 0, errInterrupted
		case n == 0:
			return 0, nil
		case !ready.IsSet(in):
			var wakes [64]byte
			_, _ = unix.Read(t.wake[0], wakes[:])
			return 0, errResized
		}
		n, err = unix.Read(in, b)
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
			continue
		case err != nil || n == 0:
			return 0, fault.New(fault.Gone, "the terminal is gone")
		}
		return n, nil
	}
}

// interrupt makes read return now and ever after.
func (t *terminal) interrupt() {
	t.stopped.Store(true)
	_, _ = unix.Write(t.wake[1], []byte{0})
}

// resized makes read report that the terminal was resized.
func (t *terminal) resized() { _, _ = unix.Write(t.wake[1], []byte{0}) }
