//go:build linux || darwin

package pty

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// stopInheritance makes programs start with the default actions for SIGHUP and SIGINT. Where this
// process was started with one of them ignored, as by nohup or in the background of a script,
// programs would ignore it, too, and Ctrl-C or the end of their terminal would not end them.
//
// The runtime gives back to a new program the default action of every signal that it handles. It
// handles all but these two when they were ignored, until a package asks for them. In this process
// they stay without effect.
var stopInheritance = sync.OnceFunc(func() {
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s) // nobody reads it
		}
	}
})
