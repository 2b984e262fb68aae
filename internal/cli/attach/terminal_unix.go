//go:build linux || darwin

package attach

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/fault"
)

// terminalSignals are those that concern the terminal.
var terminalSignals = []os.Signal{syscall.SIGWINCH, syscall.SIGTSTP, syscall.SIGCONT}

func isResize(s os.Signal) bool  { return s == syscall.SIGWINCH }
func isSuspend(s os.Signal) bool { return s == syscall.SIGTSTP }

// suspend stops this process until it is continued.
func suspend(signals <-chan os.Signal) error {
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
	wake       [2]int // a pipe; a byte interrupts read
}

var errInterrupted = errors.New("interrupted")

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

// makeRaw lets every key pass as it is. What was typed before stays.
func (t *terminal) makeRaw() error { return setTerminal(t.in, &t.raw) }

// restore undoes makeRaw.
func (t *terminal) restore() error { return setTerminal(t.in, &t.saved) }

func setTerminal(f *os.File, s *settings) error {
	for {
		err := unix.IoctlSetTermios(int(f.Fd()), setTermiosDrain, s)
		if err != unix.EINTR {
			return fault.Wrap(fault.Gone, err, "the terminal")
		}
	}
}

// size returns the terminal's size in cells. Some report none: they get the usual one.
func (t *terminal) size() (cols, rows int, err error) {
	w, err := unix.IoctlGetWinsize(int(t.out.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0, fault.Wrap(fault.Gone, err, "the terminal's size")
	}
	if w.Col == 0 || w.Row == 0 {
		return 80, 24, nil
	}
	return int(w.Col), int(w.Row), nil
}

// write writes everything. The terminal may be slow, or stopped by the person.
func (t *terminal) write(b []byte) error {
	_, err := t.out.Write(b)
	return fault.Wrap(fault.Gone, err, "the terminal")
}

// read waits for input, at most for a time unless that is negative. It returns nothing when the
// time is over, and errInterrupted after interrupt.
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
		case n == 0:
			return 0, nil
		case ready.IsSet(t.wake[0]):
			return 0, errInterrupted
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
func (t *terminal) interrupt() { _, _ = unix.Write(t.wake[1], []byte{0}) }
