// Package pty runs a program on a pseudo-terminal of its own: a PTY on Unix, a ConPTY on Windows.
// It moves bytes and signals, and does not interpret them.
//
// # What belongs to a program
// The program leads a POSIX session: all processes that it starts belong to it, including the
// process groups of job control. [Process.Kill] ends all of them. A process that calls setsid
// leaves the session on purpose, as daemons do, and is not followed. When the program ends by
// itself, the processes that it leaves behind get SIGHUP, as from a terminal that closes; nohup
// protects them. On Windows a job object holds the tree: there is nothing like SIGHUP, and
// processes left behind end when the terminal is closed.
package pty

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"ui-mcp/internal/fault"
)

// Options are the program to run and its terminal. Start does not keep them.
type Options struct {
	Path string   // the program: an absolute path, or a name that is looked up in PATH
	Args []string // its arguments, without its name
	Dir  string   // working directory; "" means the server's own
	Env  []string // whole environment: see Environment; nil means the server's own

	Cols, Rows int // the size of the terminal, in cells
}

// killTime is how long Kill waits for processes to end after SIGKILL.
const killTime = 5 * time.Second

// checkDir reports what is wrong with a working directory. Without this check, a failing chdir in
// the new process would give an error that names the program.
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
