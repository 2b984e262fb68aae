// Package ending says which signals ask a process to end. It imports little, since it is used long
// before main: see package early.
package ending

import (
	"os"
	"os/signal"
	"syscall"
)

// Signals returns the signals that ask this process to end: by Ctrl-C, kill and a
// terminal that is closed, without those that it was started to ignore, as by nohup or in the
// background of a script. Call it before any of them is caught; later calls return the
// same.
//
// Who starts a process to ignore Ctrl-C means Ctrl+\ as well, and shells ignore both together. Go's
// runtime catches that signal and does not tell whether it was ignored, so SIGQUIT has no effect
// from here on where SIGINT was ignored.
func Signals() (ends []os.Signal) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			ends = append(ends, s)
		}
	}
	if signal.Ignored(os.Interrupt) {
		// Not [signal.Ignore]: the programs that this process starts would ignore it, too.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGQUIT) // which is never read
	}
	return ends
}
