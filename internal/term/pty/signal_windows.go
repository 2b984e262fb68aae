package pty

import (
	"bytes"
	"iter"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/tty"
)

// Signal sends INT as Ctrl-C to the programs on the terminal, or ends all of them with KILL.
// Windows has no other signals: they are errors of kind Invalid.
func (p *Process) Signal(name string) error {
	select {
	case <-p.ended:
		return fault.New(fault.Gone, "the program has ended")
	default:
	}
	switch strings.TrimPrefix(strings.ToUpper(name), "SIG") {
	case "INT":
		_, err := p.Write([]byte{3})
		return fault.Wrap(fault.Gone, err, "send Ctrl-C")
	case "KILL":
		return p.kill()
	}
	return fault.New(fault.Invalid, "the signal %q cannot be sent on Windows: give INT or KILL", name)
}

// HasSignalKey reports whether input contains Ctrl-C.
func (p *Process) HasSignalKey(input []byte) bool { return bytes.IndexByte(input, 3) >= 0 }

// SignalKey reports whether a key was sent as a signal. The pseudo-console does that by itself, so
// keys are only written.
func (p *Process) SignalKey(byte) bool { return false }

// KeepsSignalKey always reports false.
func (p *Process) KeepsSignalKey() bool { return false }

// Image returns 0: programs do not put others into their place.
func (p *Process) Image() uint64 { return 0 }

// Command returns what the program itself executes, and the zero value when it has ended.
func (p *Process) Command() tty.Command {
	if p.Foreground().PID == 0 {
		return tty.Command{}
	}
	return p.command
}

// FindInJob returns the program itself if its arguments match, else 0.
func (p *Process) FindInJob(_ int, match func(args []string) bool) int {
	if pid := p.Foreground().PID; pid != 0 && match(p.command.Args) {
		return pid
	}
	return 0
}

// Ancestors returns none: hooks tell nothing here.
func Ancestors(int) iter.Seq2[int, []string] { return func(func(int, []string) bool) {} }

// Foreground returns the program, or the zero value when it has ended: Windows knows no jobs.
func (p *Process) Foreground() tty.Foreground {
	select {
	case <-p.ended:
		return tty.Foreground{}
	default:
		return tty.Foreground{PID: p.pid}
	}
}
