// Package pty runs a program on a pseudo-terminal of its own: a PTY on Unix, a
// ConPTY on Windows. It moves bytes and signals, and knows nothing of what they
// mean.
//
// # What belongs to a program
//
// The program leads a session of its own, in the sense of POSIX: whatever it
// starts belongs to it, job control's process groups included. [Process.Kill]
// ends all of them. Who calls setsid leaves the session on purpose, as daemons
// do, and is not followed. When the program ends by itself, what it left behind
// is sent SIGHUP, as by a terminal that is closed; nohup protects from that. On
// Windows a job object holds the tree: there is nothing like SIGHUP, and what is left
// behind ends when the terminal is closed.
package pty

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"ui-mcp/internal/fault"
)

// Options say what to run. All of them are copied.
type Options struct {
	Path string   // the program: an absolute path, or a name that is looked up in PATH
	Args []string // its arguments, without its name
	Dir  string   // where it starts; "" means the server's own directory
	Env  []string // its whole environment: see Environment; nil means the server's own

	Cols, Rows int // the size of the terminal, in cells
}

// An Exit is how a program ended.
type Exit struct {
	// Code is the exit status, or 128 and the number of the signal, as shells say it.
	Code int
	// Signal is the name of the signal that ended the program, such as "SIGTERM", or
	// "" when it exited.
	Signal string
}

// killTime is how long Kill waits for processes to go that cannot refuse to.
const killTime = 5 * time.Second

// checkDir says what is wrong with a directory to start in. It must be checked:
// the error of a failing chdir in the new process would name the program.
func checkDir(dir string) error {
	if dir == "" {
		return nil
	}
	if !filepath.IsAbs(dir) {
		return fault.New(fault.Invalid, "the working directory %q is not an absolute path", dir)
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fault.New(fault.Invalid, "the working directory %q does not exist", dir)
	case err != nil:
		return fault.Wrap(fault.Invalid, err, "the working directory %q cannot be used", dir)
	case !info.IsDir():
		return fault.New(fault.Invalid, "the working directory %q is not a directory", dir)
	}
	return nil
}
