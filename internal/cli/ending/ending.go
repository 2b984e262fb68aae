// Package ending says which signals ask a process to end.
package ending

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
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

// serves reports whether arguments name a command that serves.
func serves(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool { return arg == "server" || arg == "serve" || arg == "mcp" })
}

// A Signal is why a context of [Context] has ended.
type Signal syscall.Signal

// Error implements error.
func (s Signal) Error() string { return "signal: " + syscall.Signal(s).String() }

// Status is the exit status of a process that this signal has ended.
func (s Signal) Status() int { return 128 + int(s) }

// Context returns a context that the first of [Signals] ends, with a [Signal] as its cause. A later
// one has its usual effect. So does SIGQUIT, except that servers then say what they do, as all
// programs in Go, and "wsh run" passes it on. The caller calls stop at the end.
func Context() (ctx context.Context, stop func()) {
	received := make(chan os.Signal, 1)
	signal.Notify(received, Signals()...)
	if !serves(os.Args) && !slices.Contains(os.Args, "run") && !signal.Ignored(os.Interrupt) {
		signal.Notify(received, syscall.SIGQUIT)
	}
	return until(received, func() { signal.Stop(received) })
}

// together is how long after a signal others are the same wish: timeout(1) sends its signal to the
// process and to the process's group, and a closed terminal hangs up as its shell does.
const together = 200 * time.Millisecond

func until(received <-chan os.Signal, release func()) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stopped := make(chan struct{})
	go func() {
		defer release()
		select {
		case s := <-received:
			number, _ := s.(syscall.Signal) // each signal is one
			cancel(Signal(number))
			select {
			case <-time.After(together):
			case <-stopped:
			}
		case <-stopped:
		}
	}()
	return ctx, sync.OnceFunc(func() {
		cancel(context.Canceled)
		close(stopped)
	})
}
