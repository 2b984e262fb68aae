// Package silent has a program that does nothing, in the place of processes in terminals, so that a
// test may control time.
//
// The package is for tests: nothing of the program may import it.
package silent

import (
	"io"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/tty"
)

// A program does nothing until it is killed.
type program struct {
	ended chan struct{}
	end   func()
}

// Start starts a program, unless it is a command line that ends with "fail".
func Start(o pty.Options) (term.Process, error) {
	if o.Path == "/bin/sh" && o.Args[len(o.Args)-1] == "fail" {
		return nil, fault.New(fault.Internal, "no more terminals")
	}
	p := program{ended: make(chan struct{})}
	p.end = sync.OnceFunc(func() { close(p.ended) })
	return p, nil
}

func (p program) Read([]byte) (int, error)               { <-p.ended; return 0, io.EOF }
func (p program) Write(b []byte) (int, error)            { return len(b), nil }
func (p program) WriteNow(b []byte) int                  { return len(b) }
func (p program) PID() int                               { return 1 }
func (p program) Resize(int, int) error                  { return nil }
func (p program) Mode() tty.Mode                         { return tty.ModeLines }
func (p program) Reads() tty.Reading                     { return tty.ReadingUnknown }
func (p program) HasOutput() bool                        { return false }
func (p program) Ended() <-chan struct{}                 { return p.ended }
func (p program) Exit() tty.Exit                         { <-p.ended; return tty.Exit{} }
func (p program) Signal(string) error                    { p.end(); return nil }
func (p program) SignalKey(byte) bool                    { return false }
func (p program) HasSignalKey([]byte) bool               { return false }
func (p program) KeepsSignalKey() bool                   { return false }
func (p program) HasInput() bool                         { return false }
func (p program) FindInJob(int, func([]string) bool) int { return 0 }
func (p program) Image() uint64                          { return 0 }
func (p program) Command() tty.Command                   { return tty.Command{} }
func (p program) Foreground() tty.Foreground             { return tty.Foreground{} }
func (p program) Kill(time.Duration) error               { p.end(); return nil }
func (p program) Close() error                           { p.end(); return nil }
