package attach

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"

	"ui-mcp/internal/fault"
)

// terminalSignals are those that concern the terminal. Windows has no such signals.
var terminalSignals = []os.Signal{noSignal{}}

type noSignal struct{}

func (noSignal) String() string { return "none" }
func (noSignal) Signal()        {}

func isResize(os.Signal) bool  { return false }
func isSuspend(os.Signal) bool { return false }

func canSuspend() bool { return false }
func stopJob()         {}

func suspend(<-chan os.Signal) error { return nil }

// A terminal is the person's console.
type terminal struct {
	in, out           *os.File
	savedIn, savedOut uint32
	stop              windows.Handle // an event that interrupts read
	last              size           // as read has last seen it
}

// resizePause is how often read checks whether the console was resized, since no signal reports
// that.
const resizePause = 200 * time.Millisecond

// openTerminal checks that both files are consoles, and remembers their modes.
func openTerminal(in, out *os.File) (*terminal, error) {
	t := &terminal{in: in, out: out}
	if windows.GetConsoleMode(windows.Handle(in.Fd()), &t.savedIn) != nil {
		return nil, fault.New(fault.Precondition, "standard input is not a console: run this in a terminal, or use \"wsh send\" and \"wsh screen\"")
	}
	if windows.GetConsoleMode(windows.Handle(out.Fd()), &t.savedOut) != nil {
		return nil, fault.New(fault.Precondition, "standard output is not a console: run this in a terminal, or read the screen with \"wsh screen\"")
	}
	var err error
	if t.stop, err = windows.CreateEvent(nil, 1, 0, nil); err != nil {
		return nil, fault.Wrap(fault.Internal, err, "create an event")
	}
	return t, nil
}

func (t *terminal) close() { _ = windows.CloseHandle(t.stop) }

// makeRaw lets every key pass as it is, and sequences control the console.
func (t *terminal) makeRaw() error {
	in := t.savedIn&^(windows.ENABLE_ECHO_INPUT|windows.ENABLE_LINE_INPUT|windows.ENABLE_PROCESSED_INPUT) | windows.ENABLE_VIRTUAL_TERMINAL_INPUT
	out := t.savedOut | windows.ENABLE_PROCESSED_OUTPUT | windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING | windows.DISABLE_NEWLINE_AUTO_RETURN
	return t.setModes(in, out)
}

// restore undoes makeRaw.
func (t *terminal) restore() error { return t.setModes(t.savedIn, t.savedOut) }

func (t *terminal) setModes(in, out uint32) error {
	err := errors.Join(windows.SetConsoleMode(windows.Handle(t.in.Fd()), in), windows.SetConsoleMode(windows.Handle(t.out.Fd()), out))
	return fault.Wrap(fault.Gone, err, "the console")
}

// size returns the console's size in cells.
func (t *terminal) size() (size, error) {
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(t.out.Fd()), &info); err != nil {
		return size{}, fault.Wrap(fault.Gone, err, "the console's size")
	}
	return size{Rows: int(info.Window.Bottom-info.Window.Top) + 1, Cols: int(info.Window.Right-info.Window.Left) + 1}, nil
}

// write writes everything.
func (t *terminal) write(b []byte) error {
	_, err := t.out.Write(b)
	return fault.Wrap(fault.Gone, err, "the console")
}

// read waits for input, at most for a time unless that is negative. It returns nothing when the
// time is over, errInterrupted after interrupt, and errResized when the console was resized.
func (t *terminal) read(b []byte, wait time.Duration) (int, error) {
	for {
		limit := resizePause
		if wait >= 0 {
			limit = min(wait, resizePause)
		}
		which, err := windows.WaitForMultipleObjects([]windows.Handle{t.stop, windows.Handle(t.in.Fd())}, false, uint32(limit.Milliseconds()))
		switch {
		case err != nil:
			return 0, fault.Wrap(fault.Gone, err, "the console")
		case which == windows.WAIT_OBJECT_0:
			return 0, errInterrupted
		case which != uint32(windows.WAIT_TIMEOUT):
			n, err := t.in.Read(b)
			return n, fault.Wrap(fault.Gone, err, "the console")
		}
		if now, err := t.size(); err == nil && now != t.last {
			t.last = now
			return 0, errResized
		}
		if wait >= 0 {
			return 0, nil
		}
	}
}

// interrupt makes read return now and ever after.
func (t *terminal) interrupt() { _ = windows.SetEvent(t.stop) }

// resized does nothing: read notices by itself.
func (t *terminal) resized() {}
