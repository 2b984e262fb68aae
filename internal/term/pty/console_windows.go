package pty

import (
	"os"
	"sync"

	"golang.org/x/sys/windows"

	"ui-mcp/internal/fault"
)

// A console is a pseudo-console, and our ends of the pipes to it. The system's own
// end of them closes with it: in then takes nothing more, and out ends with what was
// still to be shown.
type console struct {
	in  *os.File // what is typed
	out *os.File // what is shown

	mu     sync.Mutex // guards handle against use when it is closed
	handle windows.Handle
}

// newConsole opens a pseudo-console. The caller must end it, and close in and out.
func newConsole(cols, rows int) (*console, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "open a terminal")
	}
	// The pseudo-console has copies of its ends. As long as we had ours open, reading
	// would wait for ourselves when it has gone.
	defer theirIn.Close()
	out, theirOut, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, fault.Wrap(fault.Internal, err, "open a terminal")
	}
	defer theirOut.Close()
	c := &console{in: in, out: out}
	err = windows.CreatePseudoConsole(coord(cols, rows), windows.Handle(theirIn.Fd()), windows.Handle(theirOut.Fd()), 0, &c.handle)
	if err != nil {
		in.Close()
		out.Close()
		return nil, fault.Wrap(fault.Internal, err, "open a terminal")
	}
	return c, nil
}

func coord(cols, rows int) windows.Coord { return windows.Coord{X: int16(cols), Y: int16(rows)} }

func (c *console) resize(cols, rows int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.handle == 0 {
		return fault.New(fault.Gone, "the program has ended")
	}
	return fault.Wrap(fault.Internal, windows.ResizePseudoConsole(c.handle, coord(cols, rows)), "set the terminal's size")
}

// end closes the pseudo-console, which ends the programs that are still on it. Before
// Windows 11 24H2 it returns when all output has been read, so somebody must read.
func (c *console) end() {
	c.mu.Lock()
	handle := c.handle
	c.handle = 0
	c.mu.Unlock()
	if handle != 0 {
		windows.ClosePseudoConsole(handle)
	}
}
