// Package signals gives the programs that tests start the signals that programs on a terminal have.
package signals

import (
	"os"
	"os/signal"
	"syscall"
)

// Default makes programs start with the default actions for SIGHUP and SIGINT, where the tests were
// started to ignore them, as by nohup or in the background of a script. Packages whose tests press
// Ctrl-C or hang up call it in TestMain. The tests themselves go on ignoring both.
//
// A new program has the default action for every signal that Go's runtime handles, which is all of
// them but these two when they were ignored, until the program asks for them.
func Default() {
	for _, s := range []os.Signal{syscall.SIGHUP, os.Interrupt} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s) // nobody reads it
		}
	}
}
