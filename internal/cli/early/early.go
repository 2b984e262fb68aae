// Package early catches the signals that ask the process to stop before main runs, so that a
// process that is stopped while it starts still ends in an orderly way. Importing the package
// starts that: the mains import it, and nothing else may.
//
// Go initialises this package as soon as its few imports are, long before the others of a command.
// A signal that arrives before that, while the system loads the program and Go's runtime starts,
// kills the process: no program can prevent that.
//
// Only servers catch signals so early. Other commands have nothing to end in order before main, and
// would start a tenth later.
package early

import (
	"os"
	"os/signal"

	"ui-mcp/internal/cli/ending"
)

var caught = catch(os.Args)

// catch returns a channel for signals, or nil if no argument names a command that serves.
func catch(args []string) chan os.Signal {
	if !ending.Serves(args) {
		return nil
	}
	c := make(chan os.Signal, 1)
	signal.Notify(c, ending.Signals()...)
	return c
}

// Release ends the catching, and reports whether a signal has come. The caller must handle signals
// itself before that.
func Release() bool {
	signal.Stop(caught) // nothing is delivered after it has returned
	select {
	case <-caught:
		return true
	default:
		return false
	}
}
