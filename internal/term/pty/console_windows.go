package pty

import (
	"os"
	"sync"

	"golang.org/x/sys/windows"

	"ui-mcp/internal/fault"
)

// A console is a pseudo-console and our ends of its pipes. The system's ends close with it: then in
// accepts nothing more, and out ends after the remaining output.
type console struct {
	in  *os.File // input
	out *os.File // output

	mu     sync.Mutex // guards handle against use after closing
	handle windows.Handle
}

// newConsole opens a pseudo-console. The caller must end it and close in and out.
func newConsole(cols, rows int) (*console, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "open a terminal")
	}
	// The pseudo-console has copies of its ends. If ours stayed open, reading would not end when
	// the pseudo-console closes.
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

// end closes the pseudo-console, which ends the programs still attached to it. Before Windows 11
// 24H2 it blocks until all output has been read, so another goroutine must be reading.
func (c *console) end() {
	c.mu.Lock()
	handle := c.handle
	c.handle = 0
	c.mu.Unlock()
	if handle != 0 {
		windows.ClosePseudoConsole(handle)
	}
}
